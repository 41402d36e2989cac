#include "tools/advice/replan.h"

#include <algorithm>

#include "tools/command_error.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// `alignment`: a power of two.
int64_t RoundUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// Rounded towards minus infinity: a distance must not grow.
int64_t Quarter(int64_t distance) {
  return distance >= 0 ? distance / 4 : -((-distance + 3) / 4);
}

bool HoldsOnlyFloats(const MemoryReport& report, size_t storage) {
  const Span<const int32_t> members = report.MembersOf(storage);
  return !members.empty() &&
         std::all_of(members.begin(), members.end(), [&](int32_t tensor) {
           return report.tensors[Index(tensor)].type == TensorType::kFloat32;
         });
}

int64_t LargestMember(const MemoryReport& report, size_t storage) {
  int64_t bytes = 0;
  for (int32_t tensor : report.MembersOf(storage)) {
    bytes = std::max(bytes, report.tensors[Index(tensor)].bytes);
  }
  return bytes;
}

}  // namespace

PlanProblem ProblemOf(const MemoryReport& report) {
  PlanProblem problem;
  for (const StorageReport& storage : report.storages) {
    BufferRequest request;
    request.size = storage.bytes;
    request.first_step = storage.first_step;
    request.last_step = storage.last_step;
    request.alignment = storage.alignment;
    problem.requests.push_back(request);
  }
  problem.overlaps.assign(report.overlaps.begin(), report.overlaps.end());
  return problem;
}

bool ShrinkFloats(const MemoryReport& report, PlanProblem& problem) {
  std::vector<bool> shrinks(problem.requests.size());
  std::vector<int64_t> old_size(problem.requests.size());
  bool any = false;
  for (size_t i = 0; i < problem.requests.size(); ++i) {
    BufferRequest& request = problem.requests[i];
    old_size[i] = request.size;
    if (!HoldsOnlyFloats(report, i)) continue;
    shrinks[i] = true;
    any = true;
    request.size = RoundUp(LargestMember(report, i) / 4, request.alignment);
  }
  std::vector<AllowedOverlap> kept;
  for (AllowedOverlap overlap : problem.overlaps) {
    const size_t output = Index(overlap.output);
    if (shrinks[output] != shrinks[Index(overlap.input)]) continue;
    if (shrinks[output]) {
      // So + D, of the sizes that the planner sees.
      const int64_t distance = overlap.bytes - old_size[output];
      overlap.bytes = problem.requests[output].size + Quarter(distance);
    }
    if (overlap.bytes > 0) kept.push_back(overlap);
  }
  problem.overlaps = std::move(kept);
  return any;
}

bool DropOutput(const MemoryReport& report, size_t tensor,
                PlanProblem& problem) {
  const bool loops =
      std::any_of(report.steps.begin(), report.steps.end(),
                  [](const StepReport& step) { return step.is_control; });
  const int32_t storage = report.tensors[tensor].storage;
  if (loops || storage < 0 || !report.tensors[tensor].is_output) return false;
  int32_t last = -1;
  bool is_read = false;
  for (int32_t member : report.MembersOf(Index(storage))) {
    const TensorReport& entry = report.tensors[Index(member)];
    const bool other_reason = entry.is_input || entry.is_kept ||
                              (entry.is_output && Index(member) != tensor);
    if (other_reason) return false;
    last = std::max({last, entry.writer_step, entry.last_reader_step});
    is_read |= entry.last_reader_step >= 0;
  }
  BufferRequest& request = problem.requests[Index(storage)];
  if (!is_read || last < request.first_step || last >= request.last_step) {
    return false;
  }
  request.last_step = last;
  return true;
}

int64_t ArenaBytesOf(const MemoryReport& report, const PlanProblem& problem,
                     PlanStrategy strategy) {
  PlanOptions options;
  options.strategy = strategy;
  const MemoryPlan plan = ValueOrThrow(
      PlanMemory(Span<const BufferRequest>(problem.requests),
                 Span<const AllowedOverlap>(problem.overlaps), options));
  return plan.total_bytes + report.usage.persistent_bytes;
}

}  // namespace arenalite
