// Sorting buffers by a key.

#ifndef ARENALITE_PLAN_BUFFER_ORDER_H_
#define ARENALITE_PLAN_BUFFER_ORDER_H_

#include <algorithm>

#include "plan/problem.h"

namespace arenalite {

// All buffers, those with the largest key(i) first; equals in canonical order.
template <class KeyOf>
Result<Array<int32_t>> OrderByLargest(const Problem& problem, KeyOf key) {
  using Key = decltype(key(0));
  struct Entry {
    Key key;
    int32_t buffer;
  };
  ARENALITE_ASSIGN_OR_RETURN(auto entries,
                             Array<Entry>::Create(problem.size()));
  ARENALITE_ASSIGN_OR_RETURN(auto order,
                             Array<int32_t>::Create(problem.size()));
  for (int32_t i = 0; i < problem.size(); ++i) entries[i] = {key(i), i};
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return b.key < a.key || (!(a.key < b.key) && a.buffer < b.buffer);
  });
  for (int32_t i = 0; i < problem.size(); ++i) order[i] = entries[i].buffer;
  return order;
}

}  // namespace arenalite

#endif  // ARENALITE_PLAN_BUFFER_ORDER_H_
