// SLICE, TILE, REVERSE_V2, DEPTH_TO_SPACE, SPACE_TO_DEPTH: one copy each.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

// Elements 0, 1, 2, ...
void AddIota(OpRunner& runner, const Shape& shape) {
  std::vector<int32_t> values(static_cast<size_t>(shape.NumElements()));
  std::iota(values.begin(), values.end(), 0);
  runner.AddInput<int32_t>(shape, values);
}

struct Case {
  const char* what;
  const OpDefinition& op;
  Shape input;
  std::vector<std::vector<int32_t>> numbers;  // 1-D index inputs.
  Shape shape;
  std::vector<int32_t> output;
};

const Case kCases[] = {
    {"slice", ops::kSlice, {2, 3}, {{0, 1}, {-1, 2}}, {2, 2}, {1, 2, 4, 5}},
    {"slice of nothing", ops::kSlice, {3}, {{3}, {-1}}, {0}, {}},
    {"tile", ops::kTile, {2, 2}, {{2, 1}}, {4, 2}, {0, 1, 2, 3, 0, 1, 2, 3}},
    {"tile inside",
     ops::kTile,
     {2, 2},
     {{1, 2}},
     {2, 4},
     {0, 1, 0, 1, 2, 3, 2, 3}},
    {"tile by zero", ops::kTile, {2}, {{0}}, {0}, {}},
    {"reverse rows", ops::kReverseV2, {2, 2}, {{0}}, {2, 2}, {2, 3, 0, 1}},
    {"reverse apart",
     ops::kReverseV2,
     {2, 1, 2},
     {{-1, 0}},
     {2, 1, 2},
     {3, 2, 1, 0}},
};

TEST(CopyOps, MoveElements) {
  for (const Case& c : kCases) {
    for (bool constant : {true, false}) {
      SCOPED_TRACE(c.what);
      OpRunner runner(c.op);
      AddIota(runner, c.input);
      for (const auto& numbers : c.numbers) {
        runner.AddInput<int32_t>({static_cast<int32_t>(numbers.size())},
                                 numbers, {}, {}, 0, constant);
      }
      runner.AddOutput(TensorType::kInt32);
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      EXPECT_EQ(runner.tensor_of_output(0).shape, c.shape);
      EXPECT_EQ(runner.output<int32_t>(0), c.output);
    }
  }
}

TEST(CopyOps, RefuseWhatLeavesTheInput) {
  const struct {
    const OpDefinition& op;
    std::vector<std::vector<int32_t>> numbers;
    const char* part;
  } kBad[] = {
      {ops::kSlice, {{1}, {3}}, "takes 3 elements from 1"},
      {ops::kSlice, {{-1}, {1}}, "takes 1 elements from -1"},
      {ops::kSlice, {{0}, {-2}}, "takes -2 elements"},
      {ops::kTile, {{-1}}, "(multiples) is -1"},
      {ops::kTile, {{2147483647}}, "(multiples) is 2147483647"},
      {ops::kReverseV2, {{1}}, "(axis) is 1"},
  };
  for (const auto& bad : kBad) {
    SCOPED_TRACE(bad.part);
    OpRunner runner(bad.op);
    AddIota(runner, {3});
    for (const auto& numbers : bad.numbers) {
      runner.AddConstant<int32_t>({1}, numbers);
    }
    runner.AddOutput(TensorType::kInt32);
    const Status status = runner.Prepare();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), ::testing::HasSubstr(bad.part));
  }
}

TEST(CopyOps, SliceOfKnownSizeIsNotDynamic) {
  OpRunner runner(ops::kSlice);
  AddIota(runner, {4});
  runner.AddInput<int64_t>({1}, {2});
  runner.AddConstant<int64_t>({1}, {2});
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_FALSE(runner.tensor_of_output(0).is_dynamic());
  EXPECT_EQ(runner.output<int32_t>(0), (std::vector<int32_t>{2, 3}));
}

template <class Create>
std::vector<int32_t> RunBlocks(const OpDefinition& op, const Shape& shape,
                               schema::BuiltinOptions type, Create create) {
  OpRunner runner(op);
  AddIota(runner, shape);
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions(type, create);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<int32_t>(0);
}

TEST(CopyOps, DepthToSpaceAndBack) {
  const auto to_space = [](auto& b) {
    return schema::CreateDepthToSpaceOptions(b, 2);
  };
  const auto to_depth = [](auto& b) {
    return schema::CreateSpaceToDepthOptions(b, 2);
  };
  EXPECT_EQ(RunBlocks(ops::kDepthToSpace, {1, 1, 2, 4},
                      schema::BuiltinOptions_DepthToSpaceOptions, to_space),
            (std::vector<int32_t>{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(RunBlocks(ops::kSpaceToDepth, {1, 2, 4, 1},
                      schema::BuiltinOptions_SpaceToDepthOptions, to_depth),
            (std::vector<int32_t>{0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST(CopyOps, KeepTheOverlapContract) {
  std::mt19937 random(7);
  int caught = 0;
  const auto dim = [&] { return static_cast<int32_t>(1 + random() % 4); };
  for (int round = 0; round < 300; ++round) {
    const Shape input = {dim(), dim(), dim()};
    const int kind = round % 3;
    OpRunner runner(kind == 0   ? ops::kSlice
                    : kind == 1 ? ops::kTile
                                : ops::kReverseV2);
    runner.AddRandomInput(TensorType::kInt16, input, random);
    if (kind == 0) {
      std::vector<int32_t> begin;
      std::vector<int32_t> size;
      for (int32_t extent : input.dims()) {
        begin.push_back(static_cast<int32_t>(random()) & 1);
        begin.back() = std::min(begin.back(), extent - 1);
        size.push_back(random() % 2 ? -1 : 1);
      }
      runner.AddConstant<int32_t>({3}, begin);
      runner.AddConstant<int32_t>({3}, size);
    } else if (kind == 1) {
      runner.AddConstant<int32_t>({3}, {dim(), dim(), dim()});
    } else {
      runner.AddConstant<int32_t>({1}, {static_cast<int32_t>(random() % 3)});
    }
    runner.AddOutput(TensorType::kInt16);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
