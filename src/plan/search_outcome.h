// What the exact searches have in common.

#ifndef ARENALITE_PLAN_SEARCH_OUTCOME_H_
#define ARENALITE_PLAN_SEARCH_OUTCOME_H_

#include <cstdint>

namespace arenalite {

enum class SearchOutcome : uint8_t { kFound, kImpossible, kGaveUp };

// Asked every 1024 nodes; true stops the search.
struct SearchInterrupt {
  bool (*function)(void* context) = nullptr;
  void* context = nullptr;
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_SEARCH_OUTCOME_H_
