#include "runtime/step_bytes.h"

#include <algorithm>

#include "plan/lower_bound.h"
#include "plan/problem.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

}  // namespace

Result<Array<int64_t>> ComputeLiveBytes(const Lifetimes& lifetimes,
                                        int num_steps) {
  const size_t count = Index(num_steps) + 1;
  // Differences from step to step, with one to end what lives to the end.
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> live,
                             Array<int64_t>::Create(count + 1));
  for (const BufferRequest& request : lifetimes.requests) {
    live[Index(request.first_step)] += request.size;
    live[Index(request.last_step) + 1] -= request.size;
  }
  for (size_t i = 1; i < count; ++i) live[i] += live[i - 1];
  ARENALITE_RETURN_IF_ERROR(live.Resize(count));
  return live;
}

Result<Array<int64_t>> ComputeBoundBytes(const Lifetimes& lifetimes,
                                         const Array<int64_t>& live) {
  ARENALITE_ASSIGN_OR_RETURN(
      const Problem problem,
      Problem::Create(Span<const BufferRequest>(lifetimes.requests),
                      Span<const AllowedOverlap>(lifetimes.overlaps)));
  ARENALITE_ASSIGN_OR_RETURN(const Array<int64_t> sections,
                             ComputeSectionBounds(problem));
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> bounds,
                             Array<int64_t>::Create(live.size()));
  // Where nothing begins, no output overlaps an input: all live bytes count.
  std::copy(live.begin(), live.end(), bounds.begin());
  for (int32_t s = 0; s < problem.section_count(); ++s) {
    bounds[Index(problem.section_step(s))] = sections[Index(s)];
  }
  return bounds;
}

}  // namespace arenalite
