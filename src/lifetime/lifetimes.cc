#include "lifetime/lifetimes.h"

#include <algorithm>
#include <tuple>
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

  // What an op claims of two storages by one pair of their tensors.
  struct PairClaim {
    int32_t out, in;  // Storages.
    int32_t output, input;
    int64_t bytes;
    size_t position;  // Among the step's claims.

    bool SamePair(const PairClaim& other) const {
      return out == other.out && in == other.in;
    }
    bool SameTensors(const PairClaim& other) const {
      return output == other.output && input == other.input;
    }
  };
  struct Member {
    int32_t storage, tensor;

    bool operator<(const Member& other) const {
      return storage != other.storage ? storage < other.storage
                                      : tensor < other.tensor;
    }
    bool operator==(const Member& other) const {
      return storage == other.storage && tensor == other.tensor;
    }
  };

  // By sorting: a file may give one op any number of inputs and outputs.
  Status CollectOverlaps() {
    for (int step = 0; step < end_; ++step) {
      ARENALITE_RETURN_IF_ERROR(CollectClaims(step));
      if (claims_.empty()) continue;
      ARENALITE_RETURN_IF_ERROR(
          ListMembers(timeline_.WritesOf(step), written_));
      ARENALITE_RETURN_IF_ERROR(ListMembers(timeline_.ReadsOf(step), read_));
      JoinClaims();
      for (const PairClaim& claim : claims_) {
        if (claim.bytes <= 0) continue;
        ARENALITE_RETURN_IF_ERROR(
            result_.overlaps.Append({claim.out, claim.in, claim.bytes}));
      }
    }
    return OkStatus();
  }

  // Those between a storage that begins at the step and one that ends there.
  Status CollectClaims(int step) {
    claims_.Clear();
    const Span<const OverlapClaim> all = timeline_.ClaimsOf(step);
    for (size_t i = 0; i < all.size(); ++i) {
      const int32_t out = result_.storage_of[Index(all[i].output)];
      const int32_t in = result_.storage_of[Index(all[i].input)];
      if (out < 0 || in < 0 || out == in) continue;
      const BufferRequest& written = result_.requests[Index(out)];
      const BufferRequest& read = result_.requests[Index(in)];
      if (written.first_step != step || read.last_step != step) continue;
      // So + D in terms of the rounded size.
      int64_t bytes = 0;
      if (!CheckedAdd(written.size, all[i].distance, &bytes)) bytes = 0;
      ARENALITE_RETURN_IF_ERROR(
          claims_.Append({out, in, all[i].output, all[i].input, bytes, i}));
    }
    return OkStatus();
  }

  Status ListMembers(Span<const int32_t> tensors, Array<Member>& members) {
    members.Clear();
    for (int32_t tensor : tensors) {
      ARENALITE_RETURN_IF_ERROR(
          members.Append({result_.storage_of[Index(tensor)], tensor}));
    }
    std::sort(members.begin(), members.end());
    Member* end = std::unique(members.begin(), members.end());
    return members.Resize(static_cast<size_t>(end - members.begin()));
  }

  static int64_t CountMembers(const Array<Member>& members, int32_t storage) {
    const auto by_storage = [](const Member& a, const Member& b) {
      return a.storage < b.storage;
    };
    const auto [begin, end] = std::equal_range(members.begin(), members.end(),
                                               Member{storage, 0}, by_storage);
    return end - begin;
  }

  // One claim for each pair of storages: the smallest number of all pairs of
  // their tensors, none where the op does not claim each of these.
  void JoinClaims() {
    std::sort(claims_.begin(), claims_.end(),
              [](const PairClaim& a, const PairClaim& b) {
                return std::tie(a.out, a.in, a.output, a.input, a.position) <
                       std::tie(b.out, b.in, b.output, b.input, b.position);
              });
    size_t joined = 0;
    for (size_t begin = 0, end; begin < claims_.size(); begin = end) {
      PairClaim all = claims_[begin];
      int64_t claimed = 1;
      for (end = begin + 1; end < claims_.size() && claims_[end].SamePair(all);
           ++end) {
        claimed += claims_[end].SameTensors(claims_[end - 1]) ? 0 : 1;
        all.bytes = std::min(all.bytes, claims_[end].bytes);
        all.position = std::min(all.position, claims_[end].position);
      }
      const int64_t pairs =
          CountMembers(written_, all.out) * CountMembers(read_, all.in);
      if (claimed == pairs) claims_[joined++] = all;
    }
    while (claims_.size() > joined) claims_.PopBack();
    std::sort(claims_.begin(), claims_.end(),
              [](const PairClaim& a, const PairClaim& b) {
                return a.position < b.position;
              });
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
  // Of the step of the moment.
  Array<PairClaim> claims_;
  Array<Member> written_;
  Array<Member> read_;
};

}  // namespace

Result<Lifetimes> ComputeLifetimes(const Timeline& timeline,
                                   const LifetimeOptions& options) {
  return Analysis(timeline, options).Run();
}

}  // namespace arenalite
