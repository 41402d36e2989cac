// What no plan can go below.

#ifndef ARENALITE_PLAN_LOWER_BOUND_H_
#define ARENALITE_PLAN_LOWER_BOUND_H_

#include "plan/problem.h"

namespace arenalite {

struct LowerBound {
  int64_t bytes = 0;
  int32_t section = 0;  // Whose live buffers need that much.
};

Result<LowerBound> ComputeLowerBound(const Problem& problem);

// Of each section, what no plan can go below there. Their maximum is the bound
// above, unless one buffer, fixed or alone, needs more.
Result<Array<int64_t>> ComputeSectionBounds(const Problem& problem);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_LOWER_BOUND_H_
