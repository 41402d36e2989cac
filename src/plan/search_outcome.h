// What the exact searches have in common.

#ifndef ARENALITE_PLAN_SEARCH_OUTCOME_H_
#define ARENALITE_PLAN_SEARCH_OUTCOME_H_

#include <cstdint>

namespace arenalite {

enum class SearchOutcome : uint8_t { kFound, kImpossible, kGaveUp };

// Asked now and then, with the number of nodes so far; true stops the search.
struct SearchInterrupt {
  bool (*function)(void* context, int64_t nodes) = nullptr;
  void* context = nullptr;
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_SEARCH_OUTCOME_H_
