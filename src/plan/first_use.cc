// In order of production. Best where buffers of similar size follow each other
// in a chain, and where in-place pairs should meet.

#include "plan/strategies.h"

namespace arenalite {

Result<Array<int32_t>> OrderByFirstUse(const Problem& problem) {
  ARENALITE_ASSIGN_OR_RETURN(auto order,
                             Array<int32_t>::Create(problem.size()));
  for (int32_t i = 0; i < problem.size(); ++i) order[i] = i;
  return order;
}

}  // namespace arenalite
