#include <gtest/gtest.h>

#include <limits>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;
using Ints = std::vector<int32_t>;

TEST(TopK, PrefersTheEarlierOfEqualElements) {
  for (bool constant : {true, false}) {
    OpRunner runner(ops::kTopKV2);
    runner.AddInput<int8_t>({2, 4}, {1, 3, 3, 2, -1, -1, -5, -1});
    runner.AddInput<int16_t>({1}, {3}, {}, {}, 0, constant);
    runner.AddOutput(TensorType::kInt8);
    runner.AddOutput(TensorType::kInt32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int8_t>(0),
              (std::vector<int8_t>{3, 3, 2, -1, -1, -1}));
    EXPECT_EQ(runner.output<int32_t>(1), (Ints{1, 2, 3, 0, 1, 3}));
  }
}

TEST(TopK, SurvivesNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  OpRunner runner(ops::kTopKV2);
  runner.AddInput<float>({6}, {nan, 1, nan, 3, nan, 2});
  runner.AddConstant<int32_t>({}, {4});
  runner.AddOutput(TensorType::kFloat32);
  runner.AddOutput(TensorType::kInt32);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
}

TEST(TopK, RefusesMoreThanARowHolds) {
  OpRunner runner(ops::kTopKV2);
  runner.AddInput<float>({2, 2}, {1, 2, 3, 4});
  runner.AddConstant<int32_t>({}, {3});
  runner.AddOutput(TensorType::kFloat32);
  runner.AddOutput(TensorType::kInt32);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel, "is 3"));
}

TEST(TopK, KeepsTheOverlapContract) {
  std::mt19937 random(14);
  int caught = 0;
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kTopKV2);
    const auto row = static_cast<int32_t>(1 + random() % 6);
    const auto rows = static_cast<int32_t>(1 + random() % 4);
    runner.AddRandomInput(round % 2 ? TensorType::kInt8 : TensorType::kFloat32,
                          {rows, row}, random);
    runner.AddConstant<int32_t>(
        {}, {static_cast<int32_t>(1 + random() % static_cast<uint32_t>(row))});
    runner.AddOutput(runner.tensor_of_input(0).type);
    runner.AddOutput(TensorType::kInt32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 2, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

void SetCumsum(OpRunner& runner, bool exclusive, bool reverse) {
  runner.SetOptions(schema::BuiltinOptions_CumsumOptions, [=](auto& b) {
    return schema::CreateCumsumOptions(b, exclusive, reverse);
  });
}

TEST(Cumsum, SumsEitherWay) {
  const struct {
    int32_t axis;
    bool exclusive, reverse;
    Ints output;
  } kCases[] = {
      {1, false, false, {1, 3, 6, 4, 9, 15}},
      {1, true, false, {0, 1, 3, 0, 4, 9}},
      {-1, false, true, {6, 5, 3, 15, 11, 6}},
      {1, true, true, {5, 3, 0, 11, 6, 0}},
      {0, false, false, {1, 2, 3, 5, 7, 9}},
      {0, true, true, {4, 5, 6, 0, 0, 0}},
  };
  for (const auto& c : kCases) {
    OpRunner runner(ops::kCumsum);
    runner.AddInput<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    runner.AddConstant<int32_t>({}, {c.axis});
    runner.AddOutput(TensorType::kInt32);
    SetCumsum(runner, c.exclusive, c.reverse);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int32_t>(0), c.output);
  }
}

TEST(Cumsum, KeepsTheOverlapContract) {
  std::mt19937 random(15);
  int caught = 0;
  const auto dim = [&] { return static_cast<int32_t>(1 + random() % 4); };
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kCumsum);
    runner.AddRandomInput(TensorType::kInt64, {dim(), dim(), dim()}, random);
    runner.AddConstant<int32_t>({}, {static_cast<int32_t>(random() % 3)});
    runner.AddOutput(TensorType::kInt64);
    SetCumsum(runner, random() % 2, random() % 2);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

TEST(SegmentSum, AddsRowsOfOneId) {
  for (bool constant : {true, false}) {
    OpRunner runner(ops::kSegmentSum);
    runner.AddInput<int32_t>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    runner.AddInput<int32_t>({4}, {0, 0, 1, 1}, {}, {}, 0, constant);
    runner.AddOutput(TensorType::kInt32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int32_t>(0), (Ints{4, 6, 12, 14}));
  }
}

TEST(SegmentSum, RefusesIdsThatSkip) {
  for (const Ints& ids : {Ints{1, 1}, {0, 2}, {0, -1}}) {
    OpRunner runner(ops::kSegmentSum);
    runner.AddInput<float>({2}, {1, 2});
    runner.AddConstant<int32_t>({2}, ids);
    runner.AddOutput(TensorType::kFloat32);
    EXPECT_THAT(runner.Prepare(),
                HasStatus(StatusCode::kOutOfRange, "(segment ids)"));
  }
}

TEST(SegmentSum, KeepsTheOverlapContract) {
  std::mt19937 random(16);
  int caught = 0;
  for (int round = 0; round < 100; ++round) {
    OpRunner runner(ops::kSegmentSum);
    Ints ids = {0};
    while (ids.size() < 5) {
      ids.push_back(ids.back() + static_cast<int32_t>(random() % 2));
    }
    runner.AddRandomInput(TensorType::kInt32, {5, 3}, random);
    runner.AddConstant<int32_t>({5}, ids);
    runner.AddOutput(TensorType::kInt32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 20);
}

TEST(UnsortedSegment, JoinsRowsAndDropsNegativeIds) {
  const int32_t lowest = std::numeric_limits<int32_t>::lowest();
  const struct {
    const OpDefinition& op;
    Ints output;
  } kCases[] = {
      {ops::kUnsortedSegmentSum, {5, 7, 0, 0, 5, 6}},
      {ops::kUnsortedSegmentProd, {4, 10, 1, 1, 5, 6}},
      {ops::kUnsortedSegmentMax, {4, 5, lowest, lowest, 5, 6}},
      {ops::kUnsortedSegmentMin, {1, 2, INT32_MAX, INT32_MAX, 5, 6}},
  };
  for (const auto& c : kCases) {
    OpRunner runner(c.op);
    runner.AddInput<int32_t>({4, 2}, {4, 2, 9, 9, 5, 6, 1, 5});
    runner.AddInput<int32_t>({4}, {0, -1, 2, 0});
    runner.AddConstant<int32_t>({1}, {3});
    runner.AddOutput(TensorType::kInt32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int32_t>(0), c.output);
  }
}

TEST(UnsortedSegment, RefusesIdsBeyondTheSegments) {
  OpRunner runner(ops::kUnsortedSegmentSum);
  runner.AddInput<float>({1}, {1});
  runner.AddInput<int32_t>({1}, {3});
  runner.AddConstant<int32_t>({}, {3});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.PrepareAndRun(),
              HasStatus(StatusCode::kOutOfRange, "allowed up to 2"));
}

}  // namespace
}  // namespace arenalite
