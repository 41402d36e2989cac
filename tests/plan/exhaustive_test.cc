#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "arenalite/planner.h"
#include "plan/random_requests.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::IsOk;
using testing::MakeRandomProblem;
using testing::Random;
using testing::RandomProblem;
using testing::RandomProblemOptions;

// The least total, found by other means than the planners': for every pair of
// buffers that are live together, either may be the upper one. Tries both ways
// for every pair; offsets follow by relaxation.
class BruteForce {
 public:
  BruteForce(const RandomProblem& problem, int64_t known)
      : requests_(problem.requests), best_(known) {
    const size_t count = requests_.size();
    std::vector<int64_t> offsets(count);
    for (size_t i = 0; i < count; ++i) {
      offsets[i] = std::max<int64_t>(requests_[i].fixed_offset, 0);
      for (size_t j = 0; j < i; ++j) {
        const BufferRequest& a = requests_[i];
        const BufferRequest& b = requests_[j];
        if (a.size == 0 || b.size == 0 || a.last_step < b.first_step ||
            b.last_step < a.first_step) {
          continue;
        }
        pairs_.push_back({i, j, b.size, a.size});
      }
    }
    for (const AllowedOverlap& overlap : problem.overlaps) {
      for (Pair& pair : pairs_) {
        const int64_t distance = requests_[overlap.output].size -
                                 std::max<int64_t>(0, overlap.bytes);
        const size_t out = overlap.output;
        const size_t in = overlap.input;
        if (pair.a == in && pair.b == out) pair.a_above = distance;
        if (pair.a == out && pair.b == in) pair.b_above = distance;
      }
    }
    Decide(0, {}, offsets);
  }

  int64_t least() const { return best_; }

 private:
  struct Pair {
    size_t a, b;
    int64_t a_above, b_above;  // Least distances, with a or b the upper one.
  };
  struct Distance {
    size_t lower, upper;
    int64_t bytes;
  };

  void Decide(size_t pair, std::vector<Distance> distances,
              std::vector<int64_t> offsets) {
    if (!Relax(distances, &offsets)) return;
    if (pair == pairs_.size()) {
      best_ = Total(offsets);
      return;
    }
    const Pair& p = pairs_[pair];
    distances.push_back({p.b, p.a, p.a_above});
    Decide(pair + 1, distances, offsets);
    distances.back() = {p.a, p.b, p.b_above};
    Decide(pair + 1, distances, offsets);
  }

  // Raises offsets until all distances hold; false when the total reaches the
  // best known one.
  bool Relax(const std::vector<Distance>& distances,
             std::vector<int64_t>* offsets) const {
    for (bool again = true; again;) {
      again = false;
      if (Total(*offsets) >= best_) return false;
      for (const Distance& d : distances) {
        const BufferRequest& upper = requests_[d.upper];
        int64_t least = (*offsets)[d.lower] + d.bytes;
        if (least <= (*offsets)[d.upper]) continue;
        if (upper.fixed_offset >= 0) return false;
        while (least % upper.alignment != 0) ++least;
        (*offsets)[d.upper] = least;
        again = true;
      }
    }
    return true;
  }

  int64_t Total(const std::vector<int64_t>& offsets) const {
    int64_t total = 0;
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (requests_[i].size > 0) {
        total = std::max(total, offsets[i] + requests_[i].size);
      }
    }
    return total;
  }

  const std::vector<BufferRequest>& requests_;
  std::vector<Pair> pairs_;
  int64_t best_;
};

MemoryPlan Plan(const RandomProblem& problem, const PlanOptions& options) {
  Result<MemoryPlan> plan =
      PlanMemory(problem.requests, problem.overlaps, options);
  EXPECT_THAT(plan, IsOk());
  if (!plan.ok()) return MemoryPlan();
  EXPECT_THAT(CheckPlan(problem.requests, problem.overlaps, *plan), IsOk());
  return std::move(plan).value();
}

PlanOptions Exhaustive() {
  PlanOptions options;
  options.strategy = PlanStrategy::kExhaustive;
  return options;
}

// What the search proves is true: the least total is its total when it has
// ended, and never below its bound when a small budget ends it.
void ExpectLeastTotals(uint64_t seed, const RandomProblemOptions& options,
                       int rounds) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const RandomProblem problem = MakeRandomProblem(random, options);
    const MemoryPlan plan = Plan(problem, Exhaustive());
    ASSERT_TRUE(plan.proven_optimal) << "round " << round;
    ASSERT_EQ(BruteForce(problem, plan.total_bytes).least(), plan.total_bytes)
        << "round " << round;
    PlanOptions little = Exhaustive();
    little.node_budget = random.In(0, 8);
    const MemoryPlan interrupted = Plan(problem, little);
    ASSERT_LE(interrupted.lower_bound_bytes, plan.total_bytes)
        << "round " << round;
    ASSERT_GE(interrupted.total_bytes, plan.total_bytes) << "round " << round;
  }
}

TEST(ExhaustiveTest, IsAsGoodAsBruteForceWithoutOverlaps) {
  RandomProblemOptions options;
  options.max_buffers = 7;
  options.max_size = 9;
  options.overlaps = false;
  ExpectLeastTotals(10, options, 20000);
}

// Overlaps of every distance, among them many with which an input may lie
// below its output's start.
TEST(ExhaustiveTest, IsAsGoodAsBruteForceWithOverlaps) {
  RandomProblemOptions options;
  options.max_buffers = 7;
  options.max_size = 8;
  options.max_step = 4;
  ExpectLeastTotals(11, options, 50000);
  options.max_size = 40;
  options.alignments = false;
  options.fixed_offsets = false;
  options.max_step = 3;
  ExpectLeastTotals(12, options, 50000);
}

// A rectangle of steps and bytes cut into pieces at random, one buffer each.
// The best plan fills it without a gap, which is hard to find again.
void Cut(int32_t steps, int64_t bytes, int32_t first, Random& random,
         RandomProblem* problem) {
  if (steps * bytes < 1500) {
    problem->requests.push_back({bytes, first, first + steps - 1});
    return;
  }
  if (steps > 1 && random.In(0, steps) * 5 > random.In(0, bytes)) {
    const int32_t left = static_cast<int32_t>(random.In(1, steps - 1));
    Cut(left, bytes, first, random, problem);
    Cut(steps - left, bytes, first + left, random, problem);
  } else {
    const int64_t below = random.In(1, bytes - 1);
    Cut(steps, below, first, random, problem);
    Cut(steps, bytes - below, first, random, problem);
  }
}

RandomProblem HardProblem() {
  Random random(13);
  RandomProblem problem;
  Cut(200, 1000, 0, random, &problem);
  return problem;
}

// After the hard part, five buffers that fit its 1000 bytes as well, but only
// in ways that placing them in the order of their offsets does not find. That
// must not become a bound when the other search gives up on the hard part.
TEST(ExhaustiveTest, ClaimsNoBoundWhereOnlyOneSearchProves) {
  RandomProblem problem = HardProblem();
  const auto first = static_cast<int32_t>(problem.requests.size());
  problem.requests.insert(problem.requests.end(), {{200, 301, 303},
                                                   {900, 300, 301},
                                                   {400, 301, 303},
                                                   {700, 303, 303},
                                                   {600, 303, 303}});
  problem.overlaps = {{first + 1, first + 0, 100}, {first + 2, first + 0, 400},
                      {first + 2, first + 1, 400}, {first + 3, first + 0, 700},
                      {first + 3, first + 2, 700}, {first + 4, first + 0, 400},
                      {first + 4, first + 3, 1100}};
  PlanOptions options = Exhaustive();
  options.node_budget = 30000;
  EXPECT_EQ(Plan(problem, options).lower_bound_bytes, 1000);
}

TEST(ExhaustiveTest, StopsWhenAskedAndKeepsItsBestPlan) {
  const RandomProblem problem = HardProblem();
  PlanOptions options = Exhaustive();
  options.node_budget = INT64_MAX;
  int calls = 0;
  options.cancel_context = &calls;
  options.cancel = [](void* context, const PlanProgress& progress) {
    EXPECT_GE(progress.total_bytes, progress.lower_bound_bytes);
    return ++*static_cast<int*>(context) == 20;
  };
  const MemoryPlan plan = Plan(problem, options);
  EXPECT_EQ(calls, 20);
  EXPECT_LT(plan.nodes, 21 * 1024);
  EXPECT_LE(plan.total_bytes, Plan(problem, {}).total_bytes);
}

TEST(ExhaustiveTest, SpendsItsBudgetTheSameWayEachTime) {
  const RandomProblem problem = HardProblem();
  PlanOptions options = Exhaustive();
  options.node_budget = 30000;
  const MemoryPlan a = Plan(problem, options);
  const MemoryPlan b = Plan(problem, options);
  EXPECT_LE(a.nodes, 30000);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_TRUE(
      std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin()));
}

TEST(ExhaustiveTest, StopsAtAPlanThatFits) {
  const RandomProblem problem = HardProblem();
  PlanOptions options = Exhaustive();
  options.node_budget = 200000;
  const MemoryPlan smallest = Plan(problem, options);
  options.capacity = smallest.total_bytes + 4096;
  const MemoryPlan fitting = Plan(problem, options);
  EXPECT_LE(fitting.total_bytes, options.capacity);
  EXPECT_LT(fitting.nodes, smallest.nodes);
}

}  // namespace
}  // namespace arenalite
