#include <algorithm>

#include "plan/exhaustive.h"
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

// Up to so many buffers, kAuto ends with a search of a millisecond, or of
// enough nodes to place all. Often that is all that a plan of real life lacks.
constexpr int32_t kMostBuffersOfShortSearch = 4000;

int64_t NodesOfShortSearch(int32_t buffers) {
  return std::max(2 * buffers, std::min(8000, 1'000'000 / buffers));
}

Result<ExhaustiveResult> FindPlacement(const Problem& problem, int64_t bound,
                                       PlanOptions options) {
  const bool exhaustive = options.strategy == PlanStrategy::kExhaustive;
  const bool search =
      exhaustive || (options.strategy == PlanStrategy::kAuto &&
                     problem.size() <= kMostBuffersOfShortSearch);
  const int64_t enough = std::max(options.capacity, bound);
  ARENALITE_ASSIGN_OR_RETURN(
      Placement best,
      PlanGreedily(problem, exhaustive ? PlanStrategy::kAuto : options.strategy,
                   enough));
  if (!search || best.total <= enough) {
    return ExhaustiveResult{std::move(best), bound, 0};
  }
  if (!exhaustive) {
    options.node_budget = NodesOfShortSearch(problem.size());
  }
  return PlanExhaustively(problem, std::move(best), bound, options);
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
    case PlanStrategy::kExhaustive:
      return "exhaustive";
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
  ARENALITE_ASSIGN_OR_RETURN(const ExhaustiveResult result,
                             FindPlacement(problem, bound.bytes, options));
  ARENALITE_ASSIGN_OR_RETURN(MemoryPlan plan,
                             InTermsOfRequests(requests, problem, result.best));
  plan.lower_bound_bytes = result.lower_bound;
  plan.nodes = result.nodes;
  plan.proven_optimal = plan.total_bytes == plan.lower_bound_bytes;
  if (problem.section_count() > 0) {
    plan.peak_step = problem.section_step(bound.section);
  }
  return plan;
}

}  // namespace arenalite
