#include <gtest/gtest.h>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

TEST(Pad, SurroundsWithTheZeroPoint) {
  OpRunner runner(ops::kPad, 2);
  runner.AddInput<int8_t>({2, 2}, {1, 2, 3, 4}, {0.5f}, {-7});
  runner.AddConstant<int32_t>({2, 2}, {1, 0, 0, 1});
  runner.AddOutput(TensorType::kInt8, {0.5f}, {-7});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({3, 3}));
  EXPECT_EQ(runner.output<int8_t>(0),
            (std::vector<int8_t>{-7, -7, -7, 1, 2, -7, 3, 4, -7}));
}

TEST(Pad, TakesAValueAndPaddingsThatDataDecide) {
  OpRunner runner(ops::kPadV2);
  runner.AddInput<float>({2}, {1, 2});
  runner.AddInput<int16_t>({1, 2}, {1, 2});
  runner.AddInput<float>({1}, {9});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{9, 1, 2, 9, 9}));
}

TEST(Pad, FillsAroundAnEmptyInput) {
  OpRunner runner(ops::kPadV2);
  runner.AddInput<int64_t>({0}, {});
  runner.AddConstant<int32_t>({1, 2}, {1, 1});
  runner.AddConstant<int64_t>({}, {int64_t{1} << 40});
  runner.AddOutput(TensorType::kInt64);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int64_t>(0),
            (std::vector<int64_t>{int64_t{1} << 40, int64_t{1} << 40}));
}

TEST(Pad, RefusesPaddingsBelowZero) {
  OpRunner runner(ops::kPad);
  runner.AddInput<float>({2}, {1, 2});
  runner.AddConstant<int32_t>({1, 2}, {1, -2});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                          "is [1,-2] for dimension 0"));
}

TEST(Pad, RefusesAnOutputWhoseSizeOverflows) {
  OpRunner runner(ops::kPad);
  runner.AddInput<float>({1, 1, 1}, {1});
  runner.AddConstant<int32_t>({3, 2},
                              {2000000000, 0, 2000000000, 0, 2000000000, 0});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_FALSE(runner.Prepare().ok());
}

TEST(Pad, KeepsTheOverlapContract) {
  std::mt19937 random(3);
  int caught = 0;
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kPad);
    const auto dim = [&] { return static_cast<int32_t>(1 + random() % 5); };
    const auto pad = [&] { return static_cast<int32_t>(random() % 3); };
    runner.AddRandomInput(TensorType::kInt16, {dim(), dim(), dim()}, random);
    runner.AddConstant<int32_t>({3, 2},
                                {pad(), pad(), pad(), pad(), pad(), pad()});
    runner.AddOutput(TensorType::kInt16);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
