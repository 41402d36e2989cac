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

void SetOptions(OpRunner& runner, bool adj_x, bool adj_y,
                bool asymmetric = false) {
  runner.SetOptions(schema::BuiltinOptions_BatchMatMulOptions, [&](auto& b) {
    return schema::CreateBatchMatMulOptions(b, adj_x, adj_y, asymmetric);
  });
}

// Swaps the last two of `rank` dimensions of a matrix.
std::vector<float> Transposed(const std::vector<float>& values, int rows,
                              int columns) {
  std::vector<float> result;
  for (int c = 0; c < columns; ++c) {
    for (int r = 0; r < rows; ++r) {
      result.push_back(values[static_cast<size_t>(r * columns + c)]);
    }
  }
  return result;
}

TEST(BatchMatMul, MultipliesTransposedSidesAlike) {
  const std::vector<float> left = {1, 2, 3, 4, 5, 6};    // 2 x 3
  const std::vector<float> right = {1, 0, 2, 0, 1, -1};  // 3 x 2
  const std::vector<float> product = {8, -3, 20, -6};
  for (bool adj_x : {false, true}) {
    for (bool adj_y : {false, true}) {
      OpRunner runner(ops::kBatchMatMul);
      adj_x ? runner.AddInput<float>({3, 2}, Transposed(left, 2, 3))
            : runner.AddInput<float>({2, 3}, left);
      adj_y ? runner.AddInput<float>({2, 3}, Transposed(right, 3, 2))
            : runner.AddInput<float>({3, 2}, right);
      runner.AddOutput(TensorType::kFloat32);
      SetOptions(runner, adj_x, adj_y);
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      EXPECT_EQ(runner.output<float>(0), product) << adj_x << adj_y;
    }
  }
}

TEST(BatchMatMul, BroadcastsBatches) {
  OpRunner runner(ops::kBatchMatMul);
  runner.AddInput<float>({2, 1, 1, 1}, {1, 10});
  runner.AddInput<float>({3, 1, 1}, {1, 2, 3});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3, 1, 1}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{1, 2, 3, 10, 20, 30}));
}

TEST(BatchMatMul, AppliesZeroPointsOnlyToQuantizedResults) {
  OpRunner quantized(ops::kBatchMatMul);
  quantized.AddInput<int8_t>({1, 2}, {3, 4}, {0.5f}, {1});
  quantized.AddInput<int8_t>({2, 1}, {1, 2}, {1.0f}, {-1});
  quantized.AddOutput(TensorType::kInt8, {0.5f}, {5});
  ASSERT_THAT(quantized.PrepareAndRun(), IsOk());
  EXPECT_EQ(quantized.output<int8_t>(0),
            std::vector<int8_t>{2 * 2 + 3 * 3 + 5});

  OpRunner raw(ops::kBatchMatMul);
  raw.AddInput<int8_t>({1, 2}, {3, 4}, {0.5f}, {1});
  raw.AddInput<int8_t>({2, 1}, {1, 2}, {1.0f}, {-1});
  raw.AddOutput(TensorType::kInt32);
  ASSERT_THAT(raw.PrepareAndRun(), IsOk());
  EXPECT_EQ(raw.output<int32_t>(0), std::vector<int32_t>{3 + 8});
}

TEST(BatchMatMul, QuantizesFloatRowsForInt8Columns) {
  for (bool asymmetric : {false, true}) {
    OpRunner runner(ops::kBatchMatMul);
    runner.AddInput<float>({1, 2}, {1, -0.5f});
    runner.AddConstant<int8_t>({2, 2}, {2, 4, 127, 0}, {0.5f, 0.25f}, {0, 0},
                               1);
    runner.AddOutput(TensorType::kFloat32);
    SetOptions(runner, false, false, asymmetric);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_NEAR(runner.output<float>(0)[0], 1 - 63.5f / 2, 0.3f);
    EXPECT_NEAR(runner.output<float>(0)[1], 1, 0.01f);
  }
}

TEST(BatchMatMul, RefusesContradictions) {
  OpRunner depth(ops::kBatchMatMul);
  depth.AddInput<float>({1, 2}, {1, 2});
  depth.AddInput<float>({1, 2}, {1, 2});
  depth.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(depth.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "depths differ"));

  OpRunner batch(ops::kBatchMatMul);
  batch.AddInput<float>({2, 1, 1}, {1, 2});
  batch.AddInput<float>({3, 1, 1}, {1, 2, 3});
  batch.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(batch.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "do not broadcast"));
}

struct Types {
  TensorType left, right, output;
};
constexpr Types kTypes[] = {
    {TensorType::kFloat32, TensorType::kFloat32, TensorType::kFloat32},
    {TensorType::kFloat32, TensorType::kInt8, TensorType::kFloat32},
    {TensorType::kInt8, TensorType::kInt8, TensorType::kInt8},
    {TensorType::kInt8, TensorType::kInt8, TensorType::kInt32},
    {TensorType::kInt16, TensorType::kInt8, TensorType::kInt16},
};

TEST(BatchMatMul, KeepsItsOverlapContract) {
  std::mt19937 random(4);
  int caught[2] = {};
  for (int round = 0; round < 150; ++round) {
    const Types& types = kTypes[round % 5];
    const auto size = [&random](uint32_t limit) {
      return static_cast<int32_t>(1 + random() % limit);
    };
    const int32_t batches = size(3);
    const int32_t rows = size(4);
    const int32_t depth = size(round % 7 == 0 ? 300 : 12);
    const int32_t columns = size(round % 3 == 0 ? 300 : 12);
    const bool adj_x = random() % 2 == 0;
    const bool adj_y = random() % 2 == 0;
    const int32_t left_batches = random() % 3 == 0 ? 1 : batches;
    const int32_t right_batches = random() % 3 == 0 ? 1 : batches;
    OpRunner runner(ops::kBatchMatMul);
    runner.AddRandomInput(
        types.left, {left_batches, adj_x ? depth : rows, adj_x ? rows : depth},
        random, {0.5f});
    runner.AddRandomInput(
        types.right,
        {right_batches, adj_y ? columns : depth, adj_y ? depth : columns},
        random, {0.5f});
    runner.AddOutput(types.output, {300.0f});
    SetOptions(runner, adj_x, adj_y);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    const int before = caught[0];
    CheckOverlapContract(runner, 1, 1, random, &caught[0]);
    const int left_caught = caught[0] - before;
    CheckOverlapContract(runner, 2, 1, random, &caught[1]);
    caught[1] -= left_caught;
  }
  EXPECT_GT(caught[0], 0);
  EXPECT_GT(caught[1], 0);
}

}  // namespace
}  // namespace arenalite
