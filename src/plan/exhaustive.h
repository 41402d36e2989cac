// The exhaustive strategy: exact searches within a budget of nodes.

#ifndef ARENALITE_PLAN_EXHAUSTIVE_H_
#define ARENALITE_PLAN_EXHAUSTIVE_H_

#include "plan/portfolio.h"
#include "plan/problem.h"

namespace arenalite {

struct ExhaustiveResult {
  Placement best;
  int64_t lower_bound = 0;
  int64_t nodes = 0;
};

// Improves on `start`, a plan of the problem that is above `lower_bound`.
Result<ExhaustiveResult> PlanExhaustively(const Problem& problem,
                                          Placement start, int64_t lower_bound,
                                          const PlanOptions& options);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_EXHAUSTIVE_H_
