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

TEST(Dilate, PutsTheValueBetween) {
  for (bool constant : {true, false}) {
    OpRunner runner(ops::kDilate);
    runner.AddInput<int16_t>({2, 2}, {1, 2, 3, 4});
    runner.AddInput<int32_t>({2}, {2, 3}, {}, {}, 0, constant);
    runner.AddInput<int16_t>({}, {-1});
    runner.AddOutput(TensorType::kInt16);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({3, 4}));
    EXPECT_EQ(
        runner.output<int16_t>(0),
        (std::vector<int16_t>{1, -1, -1, 2, -1, -1, -1, -1, 3, -1, -1, 4}));
  }
}

using Longs = std::vector<int64_t>;

void SetPadding(OpRunner& runner, const Longs& low, const Longs& high,
                const Longs& interior) {
  runner.SetOptions2(schema::BuiltinOptions2_StablehloPadOptions, [&](auto& b) {
    return schema::CreateStablehloPadOptionsDirect(b, &low, &high, &interior);
  });
}

TEST(StablehloPad, CropsWhatIsDilated) {
  const struct {
    Longs padding;  // Low, interior, high.
    std::vector<int8_t> output;
  } kCases[] = {
      {{1, 1, 2}, {0, 1, 0, 2, 0, 3, 0, 0}},
      {{-1, 1, 0}, {0, 2, 0, 3}},
      {{-2, 2, -1}, {0, 2, 0, 0}},
      {{-3, 0, 1}, {0}},
      {{-4, 0, 0}, {}},
      {{3, 0, -4}, {0, 0}},
  };
  for (const auto& c : kCases) {
    OpRunner runner(ops::kStablehloPad);
    runner.AddInput<int8_t>({3}, {1, 2, 3});
    runner.AddInput<int8_t>({}, {0});
    runner.AddOutput(TensorType::kInt8);
    SetPadding(runner, {c.padding[0]}, {c.padding[2]}, {c.padding[1]});
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int8_t>(0), c.output);
  }
}

TEST(StablehloPad, RefusesAbsurdPadding) {
  for (const Longs& padding :
       {Longs{INT64_MIN, 0, INT64_MAX}, Longs{0, -1, 0}, Longs{0, INT64_MAX, 0},
        Longs{INT32_MAX, 0, 0}}) {
    OpRunner runner(ops::kStablehloPad);
    runner.AddInput<int8_t>({3}, {1, 2, 3});
    runner.AddInput<int8_t>({}, {0});
    runner.AddOutput(TensorType::kInt8);
    SetPadding(runner, {padding[0]}, {padding[2]}, {padding[1]});
    EXPECT_THAT(runner.Prepare(),
                HasStatus(StatusCode::kInvalidModel, "dimension 0 of size 3"));
  }
}

TEST(StablehloPad, KeepsTheOverlapContract) {
  std::mt19937 random(13);
  int caught = 0;
  const auto dim = [&] { return static_cast<int32_t>(1 + random() % 5); };
  const auto list = [&](int64_t low, uint32_t count) {
    Longs numbers;
    for (int i = 0; i < 3; ++i) numbers.push_back(low + random() % count);
    return numbers;
  };
  for (int round = 0; round < 300; ++round) {
    OpRunner runner(ops::kStablehloPad);
    runner.AddRandomInput(TensorType::kInt16, {dim(), dim(), dim()}, random);
    runner.AddConstant<int16_t>({}, {77});
    runner.AddOutput(TensorType::kInt16);
    SetPadding(runner, list(-2, 4), list(-2, 4), list(0, 2));
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
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
