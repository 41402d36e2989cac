#include "arenalite/plan_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "plan/random_requests.h"
#include "plan_generated.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::MakeRandomProblem;
using testing::Random;
using testing::RandomProblem;

std::vector<uint8_t> Save(const RandomProblem& problem,
                          const MemoryPlan& plan) {
  Result<Array<uint8_t>> bytes =
      SavePlan(problem.requests, problem.overlaps, plan);
  EXPECT_THAT(bytes, IsOk());
  if (!bytes.ok()) return {};
  return std::vector<uint8_t>(bytes->begin(), bytes->end());
}

RandomProblem SmallProblem() {
  return {{{64, 0, 1, 16}, {32, 1, 2, 16}, {16, 2, 3}}, {{1, 0, 32}}};
}

TEST(PlanFileTest, LoadsWhatWasSaved) {
  Random random(30);
  for (int round = 0; round < 500; ++round) {
    const RandomProblem problem = MakeRandomProblem(random, {});
    Result<MemoryPlan> plan =
        PlanMemory(problem.requests, problem.overlaps, {});
    ASSERT_THAT(plan, IsOk());
    const std::vector<uint8_t> bytes = Save(problem, *plan);
    Result<MemoryPlan> loaded =
        LoadPlan(bytes, problem.requests, problem.overlaps);
    ASSERT_THAT(loaded, IsOk());
    EXPECT_TRUE(std::equal(plan->offsets.begin(), plan->offsets.end(),
                           loaded->offsets.begin(), loaded->offsets.end()));
    EXPECT_EQ(loaded->total_bytes, plan->total_bytes);
    EXPECT_EQ(loaded->lower_bound_bytes, plan->lower_bound_bytes);
    EXPECT_EQ(loaded->peak_step, plan->peak_step);
  }
}

// Reports look there.
TEST(PlanFileTest, RefusesAPeakWhereNothingIsLive) {
  const RandomProblem problem = SmallProblem();
  Result<MemoryPlan> plan = PlanMemory(problem.requests, problem.overlaps, {});
  ASSERT_THAT(plan, IsOk());
  for (int32_t step : {-1, 4, INT32_MIN, INT32_MAX}) {
    plan->peak_step = step;
    EXPECT_THAT(
        LoadPlan(Save(problem, *plan), problem.requests, problem.overlaps),
        HasStatus(StatusCode::kInvalidArgument, "allowed 0..3"));
  }
}

// The list lies behind the file's other parts, where it is aligned to its
// length only. Sanitizers see a read that minds.
TEST(PlanFileTest, ReadsOffsetsAtAnyAddress) {
  const RandomProblem problem = SmallProblem();
  Result<MemoryPlan> plan = PlanMemory(problem.requests, problem.overlaps, {});
  ASSERT_THAT(plan, IsOk());
  std::vector<uint8_t> bytes = Save(problem, *plan);
  const auto* table = reinterpret_cast<const flatbuffers::Table*>(
      plan_schema::GetPlan(bytes.data()));
  const auto field = static_cast<uint32_t>(
      table->GetAddressOf(plan_schema::Plan::VT_OFFSETS) - bytes.data());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const auto list = static_cast<uint32_t>(bytes.size());
  const auto count = static_cast<uint32_t>(plan->offsets.size());
  bytes.resize(list + sizeof(count) + count * sizeof(int64_t));
  std::memcpy(&bytes[list], &count, sizeof(count));
  std::memcpy(&bytes[list + sizeof(count)], plan->offsets.data(),
              count * sizeof(int64_t));
  const uint32_t distance = list - field;
  std::memcpy(&bytes[field], &distance, sizeof(distance));
  Result<MemoryPlan> loaded =
      LoadPlan(bytes, problem.requests, problem.overlaps);
  ASSERT_THAT(loaded, IsOk());
  EXPECT_TRUE(std::equal(plan->offsets.begin(), plan->offsets.end(),
                         loaded->offsets.begin()));
}

TEST(PlanFileTest, RefusesOtherRequests) {
  const RandomProblem problem = SmallProblem();
  Result<MemoryPlan> plan = PlanMemory(problem.requests, problem.overlaps, {});
  ASSERT_THAT(plan, IsOk());
  const std::vector<uint8_t> bytes = Save(problem, *plan);
  RandomProblem other = problem;
  other.requests[2].size = 17;
  EXPECT_THAT(LoadPlan(bytes, other.requests, other.overlaps),
              HasStatus(StatusCode::kInvalidArgument, "other requests"));
  other = problem;
  other.overlaps[0].bytes = 31;
  EXPECT_THAT(LoadPlan(bytes, other.requests, other.overlaps),
              HasStatus(StatusCode::kInvalidArgument, "other requests"));
}

TEST(PlanFileTest, RefusesWrongOffsets) {
  const RandomProblem problem = SmallProblem();
  Result<MemoryPlan> plan = PlanMemory(problem.requests, problem.overlaps, {});
  ASSERT_THAT(plan, IsOk());
  plan->offsets[0] = 8;
  EXPECT_THAT(
      LoadPlan(Save(problem, *plan), problem.requests, problem.overlaps),
      HasStatus(StatusCode::kInternal, "the plan file: buffer 0"));
}

TEST(PlanFileTest, RefusesDamagedFiles) {
  const RandomProblem problem = SmallProblem();
  Result<MemoryPlan> plan = PlanMemory(problem.requests, problem.overlaps, {});
  ASSERT_THAT(plan, IsOk());
  const std::vector<uint8_t> bytes = Save(problem, *plan);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<uint8_t> part(bytes.begin(), bytes.begin() + size);
    EXPECT_THAT(LoadPlan(part, problem.requests, problem.overlaps),
                HasStatus(StatusCode::kInvalidArgument, "plan file"));
  }
  Random random(31);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint8_t> damaged = bytes;
    damaged[random.Next() % damaged.size()] ^= 1 << random.In(0, 7);
    Result<MemoryPlan> loaded =
        LoadPlan(damaged, problem.requests, problem.overlaps);
    if (loaded.ok()) {
      EXPECT_THAT(CheckPlan(problem.requests, problem.overlaps, *loaded),
                  IsOk());
    }
  }
}

// The layout is part of the promise: the same bytes from every compiler.
TEST(PlanFileTest, BytesDoNotChange) {
  const RandomProblem problem = SmallProblem();
  Result<MemoryPlan> plan = PlanMemory(problem.requests, problem.overlaps, {});
  ASSERT_THAT(plan, IsOk());
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (uint8_t byte : Save(problem, *plan)) {
    hash = (hash ^ byte) * 1099511628211u;
  }
  EXPECT_EQ(hash, 5121359521563747408u);
}

}  // namespace
}  // namespace arenalite
