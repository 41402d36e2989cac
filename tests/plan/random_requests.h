// Seeded random planning problems.

#ifndef ARENALITE_TESTS_PLAN_RANDOM_REQUESTS_H_
#define ARENALITE_TESTS_PLAN_RANDOM_REQUESTS_H_

#include <cstdint>
#include <vector>

#include "arenalite/planner.h"

namespace arenalite {
namespace testing {

// SplitMix64: the same sequence on every platform, unlike <random>'s
// distributions.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  // Uniform enough in [low, high].
  int64_t In(int64_t low, int64_t high);
  bool OneIn(int64_t n) { return In(1, n) == 1; }

 private:
  uint64_t state_;
};

struct RandomProblem {
  std::vector<BufferRequest> requests;
  std::vector<AllowedOverlap> overlaps;
};

struct RandomProblemOptions {
  int max_buffers = 12;
  int max_step = 8;
  int64_t max_size = 64;
  bool overlaps = true;
  bool alignments = true;
  bool fixed_offsets = true;
};

// Overlaps pair an output with an input that dies at the output's first step;
// in one of four problems, any two buffers that are live together. Fixed
// offsets never collide.
RandomProblem MakeRandomProblem(Random& random,
                                const RandomProblemOptions& options);

// The same problem with requests and overlaps in another order. `order[k]` is
// the index that the k-th request had.
RandomProblem Shuffled(const RandomProblem& problem, Random& random,
                       std::vector<int>* order);

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_PLAN_RANDOM_REQUESTS_H_
