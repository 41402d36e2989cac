// The greedy strategies: an order of the buffers, and how each finds its gap.

#ifndef ARENALITE_PLAN_STRATEGIES_H_
#define ARENALITE_PLAN_STRATEGIES_H_

#include "plan/problem.h"

namespace arenalite {

// Each returns all buffers of the problem, in the order to place them.
Result<Array<int32_t>> OrderBySize(const Problem& problem);
Result<Array<int32_t>> OrderByFirstUse(const Problem& problem);
Result<Array<int32_t>> OrderByBreadth(const Problem& problem);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_STRATEGIES_H_
