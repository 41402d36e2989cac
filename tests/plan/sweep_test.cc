#include "plan/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/random_requests.h"
#include "plan/validate.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::IsOk;
using testing::MakeRandomProblem;
using testing::Random;
using testing::RandomProblem;

// In terms of the requests, as PlanMemory would give it.
Result<MemoryPlan> Sweep(const RandomProblem& random) {
  const Span<const BufferRequest> requests(random.requests);
  ARENALITE_RETURN_IF_ERROR(ValidateRequests(requests, {}));
  ARENALITE_ASSIGN_OR_RETURN(const Problem problem,
                             Problem::Create(requests, {}));
  ARENALITE_ASSIGN_OR_RETURN(const Placement placement, PlanBySweep(problem));
  MemoryPlan plan;
  ARENALITE_RETURN_IF_ERROR(plan.offsets.Resize(requests.size()));
  for (size_t i = 0; i < requests.size(); ++i) {
    plan.offsets[i] = std::max<int64_t>(0, requests[i].fixed_offset);
  }
  for (int32_t i = 0; i < problem.size(); ++i) {
    plan.offsets[static_cast<size_t>(problem.buffer(i).request)] =
        placement.offsets[static_cast<size_t>(i)];
  }
  plan.total_bytes = placement.total;
  return plan;
}

TEST(Sweep, PlansAreRight) {
  Random random(1);
  for (int round = 0; round < 5000; ++round) {
    SCOPED_TRACE(round);
    const RandomProblem problem = MakeRandomProblem(random, {});
    const Result<MemoryPlan> plan = Sweep(problem);
    ASSERT_THAT(plan, IsOk());
    ASSERT_THAT(CheckPlan(problem.requests, {}, *plan), IsOk());
  }
}

// Each takes the bytes of the one before last.
TEST(Sweep, BytesAreUsedAgain) {
  RandomProblem chain;
  for (int32_t step = 0; step < 100; ++step) {
    BufferRequest request;
    request.size = 64;
    request.first_step = step;
    request.last_step = step + 1;
    chain.requests.push_back(request);
  }
  const Result<MemoryPlan> plan = Sweep(chain);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->total_bytes, 128);
}

TEST(Sweep, WhatIsLiveAtOnceTakesNoByteMore) {
  RandomProblem all;
  int64_t sum = 0;
  for (int32_t i = 0; i < 100; ++i) {
    BufferRequest request;
    request.size = 1 + i;
    request.first_step = i;
    request.last_step = 100;
    all.requests.push_back(request);
    sum += request.size;
  }
  const Result<MemoryPlan> plan = Sweep(all);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->total_bytes, sum);
}

}  // namespace
}  // namespace arenalite
