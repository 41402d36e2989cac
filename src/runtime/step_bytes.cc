#include "runtime/step_bytes.h"

#include <algorithm>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

Status AddLive(const Lifetimes& lifetimes, Array<StepBytes>& steps) {
  // Differences from step to step, with one to end what lives to the end.
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> change,
                             Array<int64_t>::Create(steps.size() + 1));
  for (const BufferRequest& request : lifetimes.requests) {
    change[Index(request.first_step)] += request.size;
    change[Index(request.last_step) + 1] -= request.size;
  }
  int64_t live = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    live += change[i];
    steps[i] = {live, live};
  }
  return OkStatus();
}

// The most bytes that the pair can have in common: offset(output) +
// size(output) - bytes <= offset(input), and offsets are multiples of the
// smaller alignment.
int64_t CommonBytes(const Lifetimes& lifetimes, const AllowedOverlap& overlap) {
  const BufferRequest& output = lifetimes.requests[Index(overlap.output)];
  const BufferRequest& input = lifetimes.requests[Index(overlap.input)];
  const int64_t alignment = std::min(output.alignment, input.alignment);
  const int64_t bytes = overlap.bytes - overlap.bytes % alignment;
  return std::min({bytes, output.size, input.size});
}

// What the overlaps of one step save at most when each buffer is charged for
// its pairs in which it is `end`. Why that is a bound: see lower_bound.cc.
int64_t SharedBytes(const Lifetimes& lifetimes,
                    Span<const AllowedOverlap> overlaps,
                    int32_t AllowedOverlap::*end, Array<int64_t>& charge) {
  int64_t sum = 0;
  for (const AllowedOverlap& overlap : overlaps) {
    charge[Index(overlap.*end)] += CommonBytes(lifetimes, overlap);
  }
  for (const AllowedOverlap& overlap : overlaps) {
    const size_t buffer = Index(overlap.*end);
    sum += std::min(charge[buffer], lifetimes.requests[buffer].size);
    charge[buffer] = 0;
  }
  return sum;
}

// An overlap belongs to one step, at which its output begins and its input
// ends; lifetimes list them in the order of steps.
Status SubtractShared(const Lifetimes& lifetimes, Array<StepBytes>& steps) {
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> charge,
                             Array<int64_t>::Create(lifetimes.requests.size()));
  const auto& all = lifetimes.overlaps;
  const auto step_of = [&](size_t i) {
    return Index(lifetimes.requests[Index(all[i].output)].first_step);
  };
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && step_of(end) == step_of(begin)) ++end;
    const Span<const AllowedOverlap> group(all.data() + begin, end - begin);
    steps[step_of(begin)].bound -=
        std::min(SharedBytes(lifetimes, group, &AllowedOverlap::output, charge),
                 SharedBytes(lifetimes, group, &AllowedOverlap::input, charge));
  }
  return OkStatus();
}

}  // namespace

Result<Array<StepBytes>> ComputeStepBytes(const Lifetimes& lifetimes,
                                          int num_steps) {
  ARENALITE_ASSIGN_OR_RETURN(Array<StepBytes> steps,
                             Array<StepBytes>::Create(Index(num_steps) + 1));
  ARENALITE_RETURN_IF_ERROR(AddLive(lifetimes, steps));
  ARENALITE_RETURN_IF_ERROR(SubtractShared(lifetimes, steps));
  return steps;
}

int32_t PeakStep(Span<const StepBytes> steps) {
  size_t peak = 0;
  for (size_t i = 1; i < steps.size(); ++i) {
    const bool more = steps[i].bound > steps[peak].bound ||
                      (steps[i].bound == steps[peak].bound &&
                       steps[i].live > steps[peak].live);
    if (more) peak = i;
  }
  return static_cast<int32_t>(peak);
}

}  // namespace arenalite
