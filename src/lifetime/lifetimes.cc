#include "lifetime/lifetimes.h"

#include <algorithm>
#include <utility>

#include "base/checked_math.h"
#include "lifetime/storages.h"

namespace arenalite {
namespace {

constexpr int32_t kNever = -1;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Computes the requests of one timeline.
class Analysis {
 public:
  Analysis(const Timeline& timeline, const LifetimeOptions& options)
      : timeline_(timeline), options_(options), end_(timeline.num_steps()) {}

  Result<Lifetimes> Run() {
    ARENALITE_ASSIGN_OR_RETURN(StorageClasses classes,
                               FindStorages(timeline_, !options_.preserve_all));
    ARENALITE_RETURN_IF_ERROR(CollectStorages(classes));
    FindIntervals();
    if (options_.allow_overlap && !options_.preserve_all) {
      ARENALITE_RETURN_IF_ERROR(CollectOverlaps());
    }
    ARENALITE_RETURN_IF_ERROR(AppendScratch());
    return std::move(result_);
  }

 private:
  // One request for each class with a member that is used.
  Status CollectStorages(StorageClasses& classes) {
    const size_t count = timeline_.tensors.size();
    ARENALITE_RETURN_IF_ERROR(result_.storage_of.Resize(count));
    ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> request_of_root,
                               Array<int32_t>::Create(count));
    ARENALITE_ASSIGN_OR_RETURN(Array<uint8_t> used, UsedTensors());
    request_of_root.Fill(-1);
    result_.storage_of.Fill(-1);
    for (size_t i = 0; i < count; ++i) {
      const TimelineTensor& tensor = timeline_.tensors[i];
      if (!tensor.planned || !used[i]) continue;
      const int32_t root = classes.Find(static_cast<int32_t>(i));
      int32_t& request = request_of_root[Index(root)];
      if (request < 0) {
        request = static_cast<int32_t>(result_.requests.size());
        ARENALITE_RETURN_IF_ERROR(result_.requests.Append({}));
      }
      result_.storage_of[i] = request;
      ARENALITE_RETURN_IF_ERROR(
          Enlarge(result_.requests[Index(request)], tensor));
    }
    result_.num_storages = static_cast<int32_t>(result_.requests.size());
    return OkStatus();
  }

  Result<Array<uint8_t>> UsedTensors() const {
    ARENALITE_ASSIGN_OR_RETURN(
        Array<uint8_t> used, Array<uint8_t>::Create(timeline_.tensors.size()));
    for (int32_t tensor : timeline_.reads) used[Index(tensor)] = 1;
    for (int32_t tensor : timeline_.writes) used[Index(tensor)] = 1;
    for (size_t i = 0; i < used.size(); ++i) {
      const TimelineTensor& tensor = timeline_.tensors[i];
      if (tensor.is_input || tensor.is_output || tensor.kept) used[i] = 1;
    }
    return used;
  }

  Status Enlarge(BufferRequest& request, const TimelineTensor& tensor) {
    int64_t rounded = 0;
    const int32_t alignment = std::max(options_.alignment, tensor.alignment);
    if (!CheckedAlignUp(tensor.bytes, alignment, &rounded)) {
      return ResourceExhaustedError("a tensor of ", tensor.bytes,
                                    " bytes does not fit an arena");
    }
    request.size = std::max(request.size, rounded);
    request.alignment = std::max(request.alignment, alignment);
    request.first_step = kNever;
    request.last_step = kNever;
    return OkStatus();
  }

  // The closed interval from the first write to the last read of any member.
  void FindIntervals() {
    for (int step = 0; step < end_; ++step) {
      for (int32_t tensor : timeline_.WritesOf(step)) Touch(tensor, step);
      for (int32_t tensor : timeline_.ReadsOf(step)) Touch(tensor, step);
    }
    for (size_t i = 0; i < timeline_.tensors.size(); ++i) {
      const TimelineTensor& tensor = timeline_.tensors[i];
      const auto index = static_cast<int32_t>(i);
      if (tensor.is_input) Touch(index, 0);
      if (tensor.is_input && !options_.allow_input_reuse) Touch(index, end_);
      if (tensor.is_output || tensor.kept) Touch(index, end_);
    }
    for (const LoopRegion& loop : timeline_.loops) ExtendOver(loop);
    for (BufferRequest& request : result_.requests) {
      if (!options_.preserve_all) continue;
      request.first_step = 0;
      request.last_step = end_;
    }
  }

  // What enters a loop with a value must keep it for the next iteration.
  void ExtendOver(const LoopRegion& loop) {
    for (int step = loop.begin; step <= loop.end; ++step) {
      for (int32_t tensor : timeline_.ReadsOf(step)) Extend(tensor, loop);
      for (int32_t tensor : timeline_.WritesOf(step)) Extend(tensor, loop);
    }
  }

  void Extend(int32_t tensor, const LoopRegion& loop) {
    const int32_t storage = result_.storage_of[Index(tensor)];
    if (storage < 0) return;
    BufferRequest& request = result_.requests[Index(storage)];
    if (request.first_step >= loop.begin) return;
    request.last_step = std::max(request.last_step, loop.end);
  }

  void Touch(int32_t tensor, int32_t step) {
    const int32_t storage = result_.storage_of[Index(tensor)];
    if (storage < 0) return;
    BufferRequest& request = result_.requests[Index(storage)];
    if (request.first_step == kNever || step < request.first_step) {
      request.first_step = step;
    }
    request.last_step = std::max(request.last_step, step);
  }

  Status CollectOverlaps() {
    for (int step = 0; step < end_; ++step) {
      const size_t first = result_.overlaps.size();
      for (int32_t output : timeline_.WritesOf(step)) {
        for (int32_t input : timeline_.ReadsOf(step)) {
          ARENALITE_RETURN_IF_ERROR(ConsiderPair(step, output, input, first));
        }
      }
    }
    DropEmptyOverlaps();
    return OkStatus();
  }

  // Adds what `output` may overlap of `input`, or lowers it where another
  // member of the same storage has been considered. `first` is where this
  // step's overlaps begin.
  Status ConsiderPair(int step, int32_t output, int32_t input, size_t first) {
    const int32_t out = result_.storage_of[Index(output)];
    const int32_t in = result_.storage_of[Index(input)];
    if (out < 0 || in < 0 || out == in) return OkStatus();
    const BufferRequest& written = result_.requests[Index(out)];
    const BufferRequest& read = result_.requests[Index(in)];
    if (written.first_step != step || read.last_step != step) {
      return OkStatus();
    }
    const int64_t bytes = AllowedBytes(step, output, input, written.size);
    for (size_t i = first; i < result_.overlaps.size(); ++i) {
      AllowedOverlap& known = result_.overlaps[i];
      if (known.output == out && known.input == in) {
        known.bytes = std::min(known.bytes, bytes);
        return OkStatus();
      }
    }
    return result_.overlaps.Append({out, in, bytes});
  }

  // So + D in terms of the rounded size, 0 where the op claims nothing.
  int64_t AllowedBytes(int step, int32_t output, int32_t input,
                       int64_t output_size) const {
    int64_t bytes = 0;
    bool claimed = false;
    for (const OverlapClaim& claim : timeline_.ClaimsOf(step)) {
      if (claim.output != output || claim.input != input) continue;
      int64_t allowed = 0;
      if (!CheckedAdd(output_size, claim.distance, &allowed)) allowed = 0;
      bytes = claimed ? std::min(bytes, allowed) : allowed;
      claimed = true;
    }
    return std::max<int64_t>(bytes, 0);
  }

  void DropEmptyOverlaps() {
    size_t kept = 0;
    for (const AllowedOverlap& overlap : result_.overlaps) {
      if (overlap.bytes > 0) result_.overlaps[kept++] = overlap;
    }
    while (result_.overlaps.size() > kept) result_.overlaps.PopBack();
  }

  Status AppendScratch() {
    for (int step = 0; step < end_; ++step) {
      for (int64_t bytes : timeline_.ScratchOf(step)) {
        BufferRequest request;
        request.first_step = step;
        request.last_step = step;
        request.alignment = std::max(options_.alignment, 16);
        if (!CheckedAlignUp(bytes, options_.alignment, &request.size)) {
          return ResourceExhaustedError("scratch of ", bytes,
                                        " bytes does not fit an arena");
        }
        if (options_.preserve_all) {
          request.first_step = 0;
          request.last_step = end_;
        }
        ARENALITE_RETURN_IF_ERROR(result_.requests.Append(request));
      }
    }
    return OkStatus();
  }

  const Timeline& timeline_;
  const LifetimeOptions& options_;
  const int32_t end_;
  Lifetimes result_;
};

}  // namespace

Result<Lifetimes> ComputeLifetimes(const Timeline& timeline,
                                   const LifetimeOptions& options) {
  return Analysis(timeline, options).Run();
}

}  // namespace arenalite
