// PlanBySweep: for more buffers at once than a greedy planner can look at.

#ifndef ARENALITE_PLAN_SWEEP_H_
#define ARENALITE_PLAN_SWEEP_H_

#include "plan/portfolio.h"
#include "plan/problem.h"

namespace arenalite {

// Places buffers in the order of their first steps, each into one of the last
// ranges that were given back, else on top: in O(n log n), and with the least
// bytes where all are live at once. Uses no overlap.
Result<Placement> PlanBySweep(const Problem& problem);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_SWEEP_H_
