#include <gtest/gtest.h>

#include <vector>

#include "arenalite/pool_planner.h"
#include "plan/random_requests.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::MakeRandomProblem;
using testing::Random;
using testing::RandomProblem;

TEST(ExplainMisfitTest, NamesStepAndBuffers) {
  const std::vector<BufferRequest> requests = {
      {10, 0, 1}, {20, 1, 2}, {5, 1, 1}, {8, 3, 3}};
  Result<MemoryPlan> plan = PlanMemory(requests, {}, {});
  ASSERT_THAT(plan, IsOk());
  Result<Misfit> fits = ExplainMisfit(requests, *plan, 35);
  ASSERT_THAT(fits, IsOk());
  EXPECT_EQ(fits->shortfall_bytes, 0);
  Result<Misfit> misfit = ExplainMisfit(requests, *plan, 30);
  ASSERT_THAT(misfit, IsOk());
  EXPECT_EQ(misfit->shortfall_bytes, 5);
  EXPECT_TRUE(misfit->impossible);
  EXPECT_EQ(misfit->step, 1);
  ASSERT_EQ(misfit->buffers.size(), 3u);
  EXPECT_EQ(misfit->buffers[0], 1);
  EXPECT_EQ(misfit->buffers[1], 0);
  EXPECT_EQ(misfit->buffers[2], 2);
}

// A plan that wastes bytes: a better one may fit, and the report says so.
TEST(ExplainMisfitTest, KnowsThatAnotherPlanMayFit) {
  const std::vector<BufferRequest> requests = {{10, 0, 1}, {20, 2, 2}};
  Result<MemoryPlan> plan = PlanMemory(requests, {}, {});
  ASSERT_THAT(plan, IsOk());
  plan->offsets[1] = 10;
  plan->total_bytes = 30;
  Result<Misfit> misfit = ExplainMisfit(requests, *plan, 25);
  ASSERT_THAT(misfit, IsOk());
  EXPECT_FALSE(misfit->impossible);
  EXPECT_EQ(misfit->step, 2);
}

TEST(PlanPoolsTest, SpillsWhatIsUsedLeast) {
  const std::vector<BufferRequest> requests(3, BufferRequest{40, 0, 3});
  const std::vector<PoolUse> uses = {{3, 100}, {3, 10}, {3, 50}};
  const std::vector<MemoryPool> pools = {{-1, 10}, {80, 1}};
  Result<PoolPlan> plan = PlanPools(requests, {}, uses, pools, {});
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->pools[0], 1);
  EXPECT_EQ(plan->pools[1], 0);
  EXPECT_EQ(plan->pools[2], 1);
  EXPECT_EQ(plan->access_cost, 100 + 10 * 10 + 50);
  EXPECT_EQ(plan->total_bytes[0], 40);
  EXPECT_EQ(plan->total_bytes[1], 80);
}

// Per byte, the small buffer gains most, but it leaves no room for the large
// one, which gains more in all.
TEST(PlanPoolsTest, ExchangesForALargerGain) {
  const std::vector<BufferRequest> requests = {{10, 0, 0}, {95, 0, 0}};
  const std::vector<PoolUse> uses = {{3, 30}, {3, 90}};
  const std::vector<MemoryPool> pools = {{100, 0}, {-1, 1}};
  Result<PoolPlan> plan = PlanPools(requests, {}, uses, pools, {});
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->pools[1], 0);
  EXPECT_EQ(plan->access_cost, 30);
}

TEST(PlanPoolsTest, SaysWhatIsMissing) {
  const std::vector<BufferRequest> requests = {{40, 0, 1}, {30, 1, 2}};
  const std::vector<MemoryPool> pools = {{64, 0}, {10, 1}};
  EXPECT_THAT(
      PlanPools(requests, {}, std::vector<PoolUse>{{1, 0}, {1, 0}}, pools, {}),
      HasStatus(StatusCode::kResourceExhausted,
                "pool 0: 6 bytes are missing: 70 are needed of 64; "
                "step 1 holds 2 buffers, the largest is request 0"));
  EXPECT_THAT(
      PlanPools(requests, {}, std::vector<PoolUse>{{1, 0}, {4, 0}}, pools, {}),
      HasStatus(StatusCode::kInvalidArgument, "request 1: none of the 2"));
  EXPECT_THAT(
      PlanPools(requests, {}, std::vector<PoolUse>{{1, -1}, {1, 0}}, pools, {}),
      HasStatus(StatusCode::kInvalidArgument, "request 0: its accessed bytes"));
  EXPECT_THAT(PlanPools(requests, {}, {}, pools, {}),
              HasStatus(StatusCode::kInvalidArgument, "0 pool uses"));
}

// Each pool's part is a valid plan of its own, within its capacity.
TEST(PlanPoolsTest, PlansEachPoolRight) {
  Random random(20);
  for (int round = 0; round < 2000; ++round) {
    const RandomProblem problem = MakeRandomProblem(random, {});
    std::vector<PoolUse> uses;
    for (size_t i = 0; i < problem.requests.size(); ++i) {
      uses.push_back(
          {static_cast<uint64_t>(random.In(2, 3)), random.In(0, 100)});
    }
    const std::vector<MemoryPool> pools = {{random.In(0, 200), 1}, {-1, 5}};
    Result<PoolPlan> plan =
        PlanPools(problem.requests, problem.overlaps, uses, pools, {});
    ASSERT_THAT(plan, IsOk());
    for (int32_t pool : {0, 1}) {
      std::vector<BufferRequest> requests = problem.requests;
      MemoryPlan part;
      ASSERT_THAT(part.offsets.Resize(requests.size()), IsOk());
      for (size_t i = 0; i < requests.size(); ++i) {
        ASSERT_TRUE(uses[i].allowed_pools >> plan->pools[i] & 1);
        if (plan->pools[i] != pool) requests[i] = BufferRequest();
        if (plan->pools[i] == pool) part.offsets[i] = plan->offsets[i];
      }
      part.total_bytes = plan->total_bytes[pool];
      ASSERT_THAT(CheckPlan(requests, problem.overlaps, part), IsOk());
      ASSERT_LE(part.total_bytes, pool == 0 ? pools[0].capacity : INT64_MAX);
    }
  }
}

}  // namespace
}  // namespace arenalite
