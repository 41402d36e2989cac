#include <gtest/gtest.h>

#include <vector>

#include "arenalite/planner.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;

MemoryPlan PlanOf(const std::vector<int64_t>& offsets, int64_t total) {
  MemoryPlan plan;
  EXPECT_THAT(plan.offsets.Resize(offsets.size()), IsOk());
  for (size_t i = 0; i < offsets.size(); ++i) plan.offsets[i] = offsets[i];
  plan.total_bytes = total;
  return plan;
}

TEST(CheckPlanTest, AcceptsReuseOfDeadBytes) {
  const std::vector<BufferRequest> requests = {
      {8, 0, 1}, {8, 1, 2}, {8, 2, 3}, {0, 0, 3}};
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({0, 8, 0, 0}, 16)), IsOk());
}

TEST(CheckPlanTest, NamesBuffersThatShareBytes) {
  const std::vector<BufferRequest> requests = {{8, 0, 1}, {8, 1, 2}};
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({0, 7}, 15)),
              HasStatus(StatusCode::kInternal, "buffers 0 [0, 8) and 1"));
}

// Output of 8 bytes, the tail of which may reach 6 bytes into the input.
TEST(CheckPlanTest, AllowsOverlapOnOneSideOnly) {
  const std::vector<BufferRequest> requests = {{8, 0, 1}, {8, 1, 2}};
  const std::vector<AllowedOverlap> overlaps = {{1, 0, 6}};
  EXPECT_THAT(CheckPlan(requests, overlaps, PlanOf({2, 0}, 10)), IsOk());
  EXPECT_THAT(CheckPlan(requests, overlaps, PlanOf({1, 0}, 9)),
              HasStatus(StatusCode::kInternal, "share bytes"));
  EXPECT_THAT(CheckPlan(requests, overlaps, PlanOf({0, 2}, 10)),
              HasStatus(StatusCode::kInternal, "share bytes"));
}

TEST(CheckPlanTest, RefusesWrongOffsetsAndTotals) {
  const std::vector<BufferRequest> requests = {{8, 0, 1, 8, 16}};
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({16}, 24)), IsOk());
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({24}, 32)),
              HasStatus(StatusCode::kInternal, "fixed offset 16"));
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({12}, 20)),
              HasStatus(StatusCode::kInternal, "alignment 8"));
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({16}, 25)),
              HasStatus(StatusCode::kInternal, "end at 24"));
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({}, 0)),
              HasStatus(StatusCode::kInternal, "0 offsets for 1"));
  EXPECT_THAT(CheckPlan(requests, {}, PlanOf({INT64_MAX - 7}, 0)),
              HasStatus(StatusCode::kInternal, "is at offset"));
}

}  // namespace
}  // namespace arenalite
