#include <gtest/gtest.h>

#include <vector>

#include "arenalite/planner.h"
#include "plan/random_requests.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::Random;

constexpr PlanStrategy kGreedy[] = {PlanStrategy::kFirstUse,
                                    PlanStrategy::kGreedyBySize,
                                    PlanStrategy::kGreedyByBreadth};

MemoryPlan Plan(const std::vector<BufferRequest>& requests,
                const std::vector<AllowedOverlap>& overlaps,
                PlanStrategy strategy = PlanStrategy::kAuto) {
  PlanOptions options;
  options.strategy = strategy;
  Result<MemoryPlan> plan = PlanMemory(requests, overlaps, options);
  EXPECT_THAT(plan, IsOk());
  if (!plan.ok()) return MemoryPlan();
  EXPECT_THAT(CheckPlan(requests, overlaps, *plan), IsOk());
  return std::move(plan).value();
}

TEST(PlanMemoryTest, PlansNothing) {
  EXPECT_EQ(Plan({}, {}).total_bytes, 0);
  const MemoryPlan plan = Plan({{0, 3, 4}}, {});
  EXPECT_EQ(plan.total_bytes, 0);
  EXPECT_TRUE(plan.proven_optimal);
}

// Step 1 holds 0 and 1, step 3 holds 2 and 3: of equals, the first is the peak.
//
//  bytes 12 |     1  1     3  3
//         8 |     1  1  .  2
//         4 |  0  0        2
//           +------------------- step
TEST(PlanMemoryTest, ReportsBoundPeakAndOptimality) {
  const std::vector<BufferRequest> requests = {
      {4, 0, 1}, {8, 1, 2}, {8, 3, 3}, {4, 3, 4}};
  const MemoryPlan plan = Plan(requests, {});
  EXPECT_EQ(plan.lower_bound_bytes, 12);
  EXPECT_EQ(plan.total_bytes, 12);
  EXPECT_EQ(plan.peak_step, 1);
  EXPECT_TRUE(plan.proven_optimal);
}

// An op that works in place: a chain costs one buffer.
TEST(PlanMemoryTest, PlacesOutputOnDyingInput) {
  const std::vector<BufferRequest> requests = {
      {64, 0, 1, 16}, {64, 1, 2, 16}, {64, 2, 3, 16}};
  const std::vector<AllowedOverlap> overlaps = {{1, 0, 64}, {2, 1, 64}};
  for (PlanStrategy strategy : kGreedy) {
    const MemoryPlan plan = Plan(requests, overlaps, strategy);
    EXPECT_EQ(plan.total_bytes, 64) << PlanStrategyName(strategy);
    EXPECT_EQ(plan.lower_bound_bytes, 64);
  }
}

// A growing op ends where its input ends:
//    output 0..95, input 40..103: the tail reaches 56 bytes into the head.
TEST(PlanMemoryTest, PlacesInputAtTheTailOfGrowingOutput) {
  const std::vector<BufferRequest> requests = {{64, 0, 1}, {96, 1, 2}};
  const std::vector<AllowedOverlap> overlaps = {{1, 0, 56}};
  const MemoryPlan plan = Plan(requests, overlaps);
  EXPECT_EQ(plan.total_bytes, 104);
  EXPECT_EQ(plan.lower_bound_bytes, 104);
}

TEST(PlanMemoryTest, KeepsFixedOffsets) {
  const std::vector<BufferRequest> requests = {
      {10, 0, 4}, {20, 0, 4, 1, 5}, {5, 2, 3}};
  const MemoryPlan plan = Plan(requests, {});
  EXPECT_EQ(plan.offsets[1], 5);
  EXPECT_EQ(plan.offsets[2], 0);
  EXPECT_EQ(plan.total_bytes, 35);
}

TEST(PlanMemoryTest, RefusesMeaninglessRequests) {
  struct Case {
    std::vector<BufferRequest> requests;
    std::vector<AllowedOverlap> overlaps;
    const char* message;
  };
  constexpr int64_t kHuge = int64_t{1} << 60;
  const Case kCases[] = {
      {{{4, 0, 0}, {-1, 0, 0}}, {}, "request 1: the size -1 is negative"},
      {{{4, 3, 2}}, {}, "request 0: the last step 2 is before the first, 3"},
      {{{4, 0, 0, 12}}, {}, "request 0: the alignment 12"},
      {{{4, 0, 0, 0}}, {}, "request 0: the alignment 0"},
      {{{4, 0, 0, 8, 12}}, {}, "request 0: the fixed offset 12"},
      {{{4, 0, 0, 8, -8}}, {}, "request 0: the fixed offset -8"},
      {{{kHuge, 0, 0}, {kHuge, 1, 1}}, {}, "request 1: with its size"},
      {{{4, 0, 1, 1, 0}, {4, 1, 2, 1, 3}}, {}, "requests 0 and 1"},
      {{{4, 0, 0}}, {{0, 1, 4}}, "overlap 0 names the request 1, of 1"},
      {{{4, 0, 0}}, {{0, 0, 4}}, "request 0 as both"},
      {{{4, 0, 1}, {4, 1, 2}}, {{1, 0, 4}, {0, 1, 2}}, "two overlaps name"},
  };
  for (const Case& c : kCases) {
    EXPECT_THAT(PlanMemory(c.requests, c.overlaps, {}),
                HasStatus(StatusCode::kInvalidArgument, c.message));
  }
}

// Random lives among ten thousand buffers: the neighbours of each are few.
TEST(PlanMemoryTest, PlansManyBuffers) {
  Random random(3);
  std::vector<BufferRequest> requests;
  for (int32_t i = 0; i < 10000; ++i) {
    requests.push_back({random.In(1, 1 << 16), i,
                        i + static_cast<int32_t>(random.In(0, 20)), 16});
  }
  const MemoryPlan best = Plan(requests, {});
  for (PlanStrategy strategy : kGreedy) {
    EXPECT_LE(best.total_bytes, Plan(requests, {}, strategy).total_bytes);
  }
}

}  // namespace
}  // namespace arenalite
