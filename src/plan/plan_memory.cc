#include "plan/lower_bound.h"
#include "plan/portfolio.h"
#include "plan/problem.h"
#include "plan/validate.h"

namespace arenalite {
namespace {

Result<MemoryPlan> InTermsOfRequests(Span<const BufferRequest> requests,
                                     const Problem& problem,
                                     const Placement& placement) {
  MemoryPlan plan;
  ARENALITE_RETURN_IF_ERROR(plan.offsets.Resize(requests.size()));
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].fixed_offset > 0)
      plan.offsets[i] = requests[i].fixed_offset;
  }
  for (int32_t i = 0; i < problem.size(); ++i) {
    plan.offsets[problem.buffer(i).request] = placement.offsets[i];
  }
  plan.total_bytes = placement.total;
  plan.strategy = placement.strategy;
  return plan;
}

}  // namespace

const char* PlanStrategyName(PlanStrategy strategy) {
  switch (strategy) {
    case PlanStrategy::kAuto:
      return "auto";
    case PlanStrategy::kGreedyBySize:
      return "greedy_by_size";
    case PlanStrategy::kFirstUse:
      return "first_use";
    case PlanStrategy::kGreedyByBreadth:
      return "greedy_by_breadth";
  }
  return "unknown";
}

Result<MemoryPlan> PlanMemory(Span<const BufferRequest> requests,
                              Span<const AllowedOverlap> overlaps,
                              const PlanOptions& options) {
  ARENALITE_RETURN_IF_ERROR(ValidateRequests(requests, overlaps));
  ARENALITE_ASSIGN_OR_RETURN(Problem problem,
                             Problem::Create(requests, overlaps));
  ARENALITE_ASSIGN_OR_RETURN(LowerBound bound, ComputeLowerBound(problem));
  ARENALITE_ASSIGN_OR_RETURN(
      Placement placement,
      PlanGreedily(problem, options.strategy, bound.bytes));
  ARENALITE_ASSIGN_OR_RETURN(MemoryPlan plan,
                             InTermsOfRequests(requests, problem, placement));
  plan.lower_bound_bytes = bound.bytes;
  plan.proven_optimal = plan.total_bytes == bound.bytes;
  if (problem.section_count() > 0) {
    plan.peak_step = problem.section_step(bound.section);
  }
  return plan;
}

}  // namespace arenalite
