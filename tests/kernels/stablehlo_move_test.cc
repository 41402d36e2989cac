// STABLEHLO_* operators that move or join elements.

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
using Ints = std::vector<int32_t>;
using Longs = std::vector<int64_t>;

struct GatherLists {
  Longs offset_dims, collapsed_dims, index_map;
  int64_t index_vector_dim;
  Longs slice_sizes;
};

void SetGather(OpRunner& runner, const GatherLists& lists) {
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloGatherOptions, [&](auto& b) {
        return schema::CreateStablehloGatherOptionsDirect(
            b, &lists.offset_dims, &lists.collapsed_dims, &lists.index_map,
            lists.index_vector_dim, &lists.slice_sizes);
      });
}

TEST(StablehloGather, ClampsSlicesToTheOperand) {
  // Rows of two from a 3 x 4 operand; indices name (column, row).
  OpRunner runner(ops::kStablehloGather);
  runner.AddInput<int32_t>({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  runner.AddInput<int64_t>({2, 3}, {1, -5, 9, 0, 1, 7});
  runner.AddOutput(TensorType::kInt32);
  SetGather(runner, {{0}, {0}, {1, 0}, 0, {1, 2}});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3}));
  // Slices at (0, 1), (1, 0), (2, 2), one in each column of the result.
  EXPECT_EQ(runner.output<int32_t>(0), (Ints{1, 4, 10, 2, 5, 11}));
}

TEST(StablehloGather, RefusesListsThatContradict) {
  const GatherLists kBad[] = {
      {{1}, {0}, {0}, 1, {2, 2}},     // A collapsed slice of two.
      {{1}, {0}, {0}, 1, {1, 5}},     // Larger than the operand.
      {{1}, {0}, {2}, 1, {1, 2}},     // No such dimension.
      {{1, 2}, {0}, {0}, 1, {1, 2}},  // Two offsets for one dimension.
      {{3}, {0}, {0}, 1, {1, 2}},     // Beyond the result.
      {{1}, {0}, {0, 1}, 1, {1, 2}},  // Vectors of one number.
      {{1}, {0}, {0}, 2, {1, 2}},     // Beyond the indices.
  };
  for (const GatherLists& lists : kBad) {
    OpRunner runner(ops::kStablehloGather);
    runner.AddInput<int32_t>({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
    runner.AddInput<int32_t>({1}, {0});
    runner.AddOutput(TensorType::kInt32);
    SetGather(runner, lists);
    EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel, ""));
  }
}

void AddScatter(OpRunner& runner, int32_t body) {
  const Longs window_dims = {1};
  const Longs inserted_dims = {0};
  const Longs index_map = {0};
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloScatterOptions, [&](auto& b) {
        return schema::CreateStablehloScatterOptionsDirect(
            b, false, &window_dims, &inserted_dims, &index_map, 1);
      });
  runner.SetBody(body);
}

TEST(StablehloScatter, JoinsRowsAndDropsWhatLiesOutside) {
  const struct {
    int32_t body;
    Ints output;
  } kCases[] = {
      {schema::BuiltinOperator_STABLEHLO_ADD, {16, 27, 3, 4}},
      {schema::BuiltinOperator_STABLEHLO_MAXIMUM, {10, 20, 3, 4}},
      {OpSource::kNoOperator, {5, 5, 3, 4}},
  };
  for (const auto& c : kCases) {
    OpRunner runner(ops::kStablehloScatter);
    runner.AddInput<int32_t>({2, 2}, {1, 2, 3, 4});
    runner.AddInput<int64_t>({3, 1}, {0, 2, 0});
    runner.AddInput<int32_t>({3, 2}, {10, 20, 7, 7, 5, 5});
    runner.AddOutput(TensorType::kInt32);
    AddScatter(runner, c.body);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int32_t>(0), c.output);
    EXPECT_TRUE(runner.EqualAtDistance(0, 0, 0));
  }
}

struct Windows {
  Longs window, strides, dilations, base_dilations, padding;
};

void SetWindows(OpRunner& runner, const Windows& w) {
  runner.SetOptions2(schema::BuiltinOptions2_StablehloReduceWindowOptions,
                     [&](auto& b) {
                       return schema::CreateStablehloReduceWindowOptionsDirect(
                           b, &w.window, &w.strides, &w.base_dilations,
                           &w.dilations, &w.padding);
                     });
  runner.SetBody(schema::BuiltinOperator_STABLEHLO_ADD);
}

TEST(StablehloReduceWindow, DilatesPadsAndCrops) {
  const struct {
    Windows windows;
    Ints output;
  } kCases[] = {
      {{{2}, {1}, {1}, {1}, {0, 0}}, {3, 5, 7}},
      {{{2}, {2}, {1}, {1}, {0, 0}}, {3, 7}},
      {{{2}, {1}, {2}, {1}, {0, 0}}, {4, 6}},
      {{{2}, {1}, {1}, {1}, {-1, 1}}, {5, 7, 104}},
      {{{2}, {1}, {1}, {2}, {0, 0}}, {101, 102, 102, 103, 103, 104}},
      {{{3}, {1}, {1}, {1}, {-2, 0}}, {}},
  };
  for (const auto& c : kCases) {
    OpRunner runner(ops::kStablehloReduceWindow);
    runner.AddInput<int32_t>({4}, {1, 2, 3, 4});
    // Stands for padding; and each sum starts with it.
    runner.AddInput<int32_t>({}, {100});
    runner.AddOutput(TensorType::kInt32);
    SetWindows(runner, c.windows);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    Ints expected = c.output;
    for (int32_t& value : expected) value += 100;
    EXPECT_EQ(runner.output<int32_t>(0), expected);
  }
}

TEST(StablehloReduceWindow, RefusesWindowsThatWouldTakeYears) {
  const int64_t huge = int64_t{1} << 30;
  OpRunner runner(ops::kStablehloReduceWindow);
  runner.AddInput<int32_t>({1}, {1});
  runner.AddInput<int32_t>({}, {0});
  runner.AddOutput(TensorType::kInt32);
  SetWindows(runner, {{huge}, {1}, {1}, {1}, {huge, huge}});
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kResourceExhausted, "windows hold"));
}

TEST(StablehloSlice, TakesEveryStrideth) {
  const Longs start = {0, 1};
  const Longs limit = {2, 4};
  const Longs strides = {1, 2};
  OpRunner runner(ops::kStablehloSlice);
  runner.AddInput<int32_t>({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions2(schema::BuiltinOptions2_StablehloSliceOptions,
                     [&](auto& b) {
                       return schema::CreateStablehloSliceOptionsDirect(
                           b, &start, &limit, &strides);
                     });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int32_t>(0), (Ints{1, 3, 5, 7}));
}

TEST(StablehloDynamicSlice, ClampsItsStarts) {
  const Longs sizes = {1, 2};
  OpRunner runner(ops::kStablehloDynamicSlice);
  runner.AddInput<int32_t>({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  runner.AddInput<int32_t>({}, {-3});
  runner.AddInput<int32_t>({}, {9});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloDynamicSliceOptions, [&](auto& b) {
        return schema::CreateStablehloDynamicSliceOptionsDirect(b, &sizes);
      });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_FALSE(runner.tensor_of_output(0).is_dynamic());
  EXPECT_EQ(runner.output<int32_t>(0), (Ints{2, 3}));
}

TEST(StablehloTranspose, Permutes) {
  const Longs permutation = {1, 0};
  OpRunner runner(ops::kStablehloTranspose);
  runner.AddInput<int32_t>({2, 2}, {0, 1, 2, 3});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloTransposeOptions, [&](auto& b) {
        return schema::CreateStablehloTransposeOptionsDirect(b, &permutation);
      });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int32_t>(0), (Ints{0, 2, 1, 3}));
}

TEST(ReduceWindow, TakesItsOptionsAsInputs) {
  OpRunner runner(ops::kReduceWindow);
  runner.AddInput<float>({2, 3}, {1, 5, 2, 4, 3, 6});
  runner.AddInput<float>({}, {0});
  runner.AddConstant<int64_t>({2}, {2, 2});
  runner.AddConstant<int64_t>({2}, {1, 1});
  runner.AddConstant<int64_t>({2}, {1, 1});
  runner.AddOutput(TensorType::kFloat32);
  runner.SetOptions2(schema::BuiltinOptions2_ReduceWindowOptions, [](auto& b) {
    return schema::CreateReduceWindowOptions(
        b, schema::ReduceWindowFunction_MAXIMUM);
  });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, 2}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{5, 6}));
}

}  // namespace
}  // namespace arenalite
