// The planning problem that plan files of the fuzzer are made for.

#ifndef ARENALITE_TESTS_FUZZ_FUZZ_PROBLEM_H_
#define ARENALITE_TESTS_FUZZ_FUZZ_PROBLEM_H_

#include <vector>

#include "arenalite/planner.h"

namespace arenalite {
namespace testing {

struct FuzzProblem {
  std::vector<BufferRequest> requests = {{64, 0, 2, 16},
                                         {32, 1, 3, 4},
                                         {100, 2, 5, 1},
                                         {48, 3, 4, 8, 160},
                                         {0, 4, 4}};
  std::vector<AllowedOverlap> overlaps = {{1, 0, 16}, {2, 1, 40}};
};

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_FUZZ_FUZZ_PROBLEM_H_
