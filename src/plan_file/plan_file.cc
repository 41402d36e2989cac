#include "arenalite/plan_file.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "plan_generated.h"

namespace arenalite {
namespace {

// A plan file is its offsets and less than this.
constexpr size_t kMostBesidesOffsets = 256;

// Hands out one block, so that a refused allocation becomes a Status.
class BlockAllocator final : public flatbuffers::Allocator {
 public:
  Status Reserve(size_t bytes) { return block_.Resize(bytes); }
  size_t size() const { return block_.size(); }
  uint8_t* allocate(size_t) override { return block_.data(); }
  void deallocate(uint8_t*, size_t) override {}

 private:
  Array<uint8_t> block_;
};

uint64_t Mix(uint64_t hash, int64_t value) {
  return MixHash(hash, static_cast<uint64_t>(value));
}

// The peak is a step at which something is live; 0 where nothing ever is.
Status CheckPeak(Span<const BufferRequest> requests, int32_t step) {
  int32_t first = 0;
  int32_t last = 0;
  bool any = false;
  for (const BufferRequest& request : requests) {
    if (request.size == 0) continue;
    if (request.first_step <= step && step <= request.last_step) {
      return OkStatus();
    }
    first = any ? std::min(first, request.first_step) : request.first_step;
    last = any ? std::max(last, request.last_step) : request.last_step;
    any = true;
  }
  if (!any && step == 0) return OkStatus();
  return InvalidArgumentError("peak step ", step, ", allowed ", first, "..",
                              last, " where a buffer is live");
}

}  // namespace

uint64_t HashRequests(Span<const BufferRequest> requests,
                      Span<const AllowedOverlap> overlaps) {
  uint64_t hash = MixHash(requests.size(), overlaps.size());
  for (const BufferRequest& request : requests) {
    hash = Mix(hash, request.size);
    hash = Mix(hash, request.first_step);
    hash = Mix(hash, request.last_step);
    hash = Mix(hash, request.alignment);
    hash = Mix(hash, request.fixed_offset);
  }
  for (const AllowedOverlap& overlap : overlaps) {
    hash = Mix(hash, overlap.output);
    hash = Mix(hash, overlap.input);
    hash = Mix(hash, overlap.bytes);
  }
  return hash;
}

Result<Array<uint8_t>> SavePlan(Span<const BufferRequest> requests,
                                Span<const AllowedOverlap> overlaps,
                                const MemoryPlan& plan) {
  constexpr size_t kMostOffsets = (FLATBUFFERS_MAX_BUFFER_SIZE - 256) / 8;
  if (plan.offsets.size() != requests.size() ||
      plan.offsets.size() > kMostOffsets) {
    return InvalidArgumentError(
        "the plan has ", plan.offsets.size(), " offsets for ", requests.size(),
        " requests, at most ", kMostOffsets, " fit in a file");
  }
  BlockAllocator allocator;
  ARENALITE_RETURN_IF_ERROR(allocator.Reserve(
      plan.offsets.size() * sizeof(int64_t) + kMostBesidesOffsets));
  flatbuffers::FlatBufferBuilder builder(allocator.size(), &allocator);
  const auto offsets =
      builder.CreateVector(plan.offsets.data(), plan.offsets.size());
  plan_schema::PlanBuilder root(builder);
  root.add_requests_hash(HashRequests(requests, overlaps));
  root.add_total_bytes(plan.total_bytes);
  root.add_lower_bound_bytes(plan.lower_bound_bytes);
  root.add_offsets(offsets);
  root.add_peak_step(plan.peak_step);
  plan_schema::FinishPlanBuffer(builder, root.Finish());
  Array<uint8_t> bytes;
  ARENALITE_RETURN_IF_ERROR(bytes.Resize(builder.GetSize()));
  std::memcpy(bytes.data(), builder.GetBufferPointer(), builder.GetSize());
  return bytes;
}

Result<MemoryPlan> LoadPlan(Span<const uint8_t> bytes,
                            Span<const BufferRequest> requests,
                            Span<const AllowedOverlap> overlaps) {
  // The verifier wants the alignment of the longest scalar.
  Array<uint8_t> aligned;
  ARENALITE_RETURN_IF_ERROR(aligned.Resize(bytes.size()));
  if (!bytes.empty()) {
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
  }
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return InvalidArgumentError("the plan file has ", bytes.size(), " bytes");
  }
  flatbuffers::Verifier verifier(aligned.data(), aligned.size());
  if (!plan_schema::VerifyPlanBuffer(verifier)) {
    return InvalidArgumentError("the ", bytes.size(),
                                " bytes are no valid plan file");
  }
  const plan_schema::Plan& file = *plan_schema::GetPlan(aligned.data());
  const size_t count = file.offsets() == nullptr ? 0 : file.offsets()->size();
  if (file.requests_hash() != HashRequests(requests, overlaps) ||
      count != requests.size()) {
    return InvalidArgumentError("the plan file was made for ", count,
                                " other requests (hash ", file.requests_hash(),
                                "), not for these ", requests.size(), " (hash ",
                                HashRequests(requests, overlaps), ")");
  }
  MemoryPlan plan;
  ARENALITE_RETURN_IF_ERROR(plan.offsets.Resize(count));
  // The verifier checks the alignment of the length in front only.
  static_assert(FLATBUFFERS_LITTLEENDIAN, "needs a little-endian host");
  if (count > 0) {
    std::memcpy(plan.offsets.data(), file.offsets()->Data(),
                count * sizeof(int64_t));
  }
  plan.total_bytes = file.total_bytes();
  plan.lower_bound_bytes = file.lower_bound_bytes();
  plan.peak_step = file.peak_step();
  plan.proven_optimal = plan.total_bytes == plan.lower_bound_bytes;
  ARENALITE_RETURN_IF_ERROR(
      CheckPeak(requests, plan.peak_step).WithPrefix({"the plan file: "}));
  ARENALITE_RETURN_IF_ERROR(
      CheckPlan(requests, overlaps, plan).WithPrefix({"the plan file: "}));
  return plan;
}

}  // namespace arenalite
