// What must hold for every plan of every strategy, on many seeded problems.

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

constexpr PlanStrategy kGreedy[] = {PlanStrategy::kFirstUse,
                                    PlanStrategy::kGreedyBySize,
                                    PlanStrategy::kGreedyByBreadth};
constexpr PlanStrategy kAll[] = {
    PlanStrategy::kFirstUse, PlanStrategy::kGreedyBySize,
    PlanStrategy::kGreedyByBreadth, PlanStrategy::kAuto,
    PlanStrategy::kExhaustive};

MemoryPlan Plan(const RandomProblem& problem, PlanStrategy strategy) {
  PlanOptions options;
  options.strategy = strategy;
  if (strategy == PlanStrategy::kExhaustive) options.node_budget = 20000;
  Result<MemoryPlan> plan =
      PlanMemory(problem.requests, problem.overlaps, options);
  EXPECT_THAT(plan, IsOk());
  if (!plan.ok()) return MemoryPlan();
  EXPECT_THAT(CheckPlan(problem.requests, problem.overlaps, *plan), IsOk());
  EXPECT_GE(plan->total_bytes, plan->lower_bound_bytes);
  EXPECT_EQ(plan->proven_optimal, plan->total_bytes == plan->lower_bound_bytes);
  return std::move(plan).value();
}

// How often what makes problems different was drawn.
struct Drawn {
  int below = 0;  // Overlaps: the output has to start below its input,
  int equal = 0;  // may start where it starts,
  int above = 0;  // may start above.
  int alignments = 0;
  int fixed_offsets = 0;

  void Count(const RandomProblem& problem) {
    for (const AllowedOverlap& overlap : problem.overlaps) {
      const int64_t size = problem.requests[overlap.output].size;
      ++(overlap.bytes < size ? below : overlap.bytes == size ? equal : above);
    }
    for (const BufferRequest& request : problem.requests) {
      if (request.alignment > 1) ++alignments;
      if (request.fixed_offset >= 0) ++fixed_offsets;
    }
  }
  int least() const {
    return std::min({below, equal, above, alignments, fixed_offsets});
  }
};

// exhaustive <= auto <= each member, and no bound is above any total.
Drawn ExpectOrderOfTotals(uint64_t seed, const RandomProblemOptions& options,
                          int rounds) {
  Random random(seed);
  Drawn drawn;
  for (int round = 0; round < rounds; ++round) {
    const RandomProblem problem = MakeRandomProblem(random, options);
    drawn.Count(problem);
    const MemoryPlan exhaustive = Plan(problem, PlanStrategy::kExhaustive);
    const MemoryPlan best = Plan(problem, PlanStrategy::kAuto);
    EXPECT_LE(exhaustive.total_bytes, best.total_bytes);
    EXPECT_LE(exhaustive.lower_bound_bytes, exhaustive.total_bytes);
    EXPECT_LE(best.lower_bound_bytes, exhaustive.total_bytes);
    for (PlanStrategy strategy : kGreedy) {
      const MemoryPlan plan = Plan(problem, strategy);
      EXPECT_LE(best.total_bytes, plan.total_bytes);
      EXPECT_LE(plan.lower_bound_bytes, exhaustive.total_bytes);
    }
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "round " << round;
      break;
    }
  }
  return drawn;
}

TEST(PlannerPropertiesTest, SmallProblems) {
  const Drawn drawn = ExpectOrderOfTotals(1, {}, 100000);
  EXPECT_GE(drawn.least(), 20000);
}

TEST(PlannerPropertiesTest, LargerProblems) {
  RandomProblemOptions options;
  options.max_buffers = 60;
  options.max_step = 30;
  options.max_size = 5000;
  ExpectOrderOfTotals(2, options, 600);
}

// (numbers of a request, its offset), for all requests, sorted: what two plans
// of shuffled requests must agree in. Interchangeable requests may swap.
std::vector<std::vector<int64_t>> Places(const RandomProblem& problem,
                                         const MemoryPlan& plan) {
  std::vector<std::vector<int64_t>> places;
  for (size_t i = 0; i < problem.requests.size(); ++i) {
    const BufferRequest& r = problem.requests[i];
    places.push_back({r.first_step, r.last_step, r.size, r.alignment,
                      r.fixed_offset, plan.offsets[i]});
  }
  std::sort(places.begin(), places.end());
  return places;
}

TEST(PlannerPropertiesTest, ShufflingTheRequestsChangesNothing) {
  Random random(3);
  RandomProblemOptions options;
  options.max_size = 8;  // Many requests that agree in their numbers.
  options.max_step = 4;
  for (int round = 0; round < 20000; ++round) {
    const RandomProblem problem = MakeRandomProblem(random, options);
    std::vector<int> order;
    const RandomProblem shuffled = Shuffled(problem, random, &order);
    for (PlanStrategy strategy : kAll) {
      const MemoryPlan a = Plan(problem, strategy);
      const MemoryPlan b = Plan(shuffled, strategy);
      ASSERT_EQ(a.total_bytes, b.total_bytes) << "round " << round;
      ASSERT_EQ(Places(problem, a), Places(shuffled, b)) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace arenalite
