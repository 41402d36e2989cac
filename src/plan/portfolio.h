// One greedy plan, or the best of many.

#ifndef ARENALITE_PLAN_PORTFOLIO_H_
#define ARENALITE_PLAN_PORTFOLIO_H_

#include "plan/problem.h"

namespace arenalite {

// Offsets in terms of a Problem's buffers.
struct Placement {
  Array<int64_t> offsets;
  int64_t total = INT64_MAX;
  PlanStrategy strategy = PlanStrategy::kAuto;
};

// The plan of one greedy strategy, or, for kAuto, the smallest of all of them;
// of equals the first. Stops at a total of at most `enough`.
Result<Placement> PlanGreedily(const Problem& problem, PlanStrategy strategy,
                               int64_t enough);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_PORTFOLIO_H_
