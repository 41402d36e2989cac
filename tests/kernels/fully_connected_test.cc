#include <gtest/gtest.h>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::Bytes;
using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

void SetOptions(OpRunner& runner, bool keep_num_dims, bool asymmetric = false,
                schema::ActivationFunctionType activation =
                    schema::ActivationFunctionType_NONE) {
  runner.SetOptions(schema::BuiltinOptions_FullyConnectedOptions, [&](auto& b) {
    return schema::CreateFullyConnectedOptions(
        b, activation, schema::FullyConnectedOptionsWeightsFormat_DEFAULT,
        keep_num_dims, asymmetric);
  });
}

TEST(FullyConnected, KeepsDimensionsAndClampsFloats) {
  OpRunner runner(ops::kFullyConnected);
  runner.AddInput<float>({2, 1, 3}, {1, 2, 3, -1, -2, -3});
  runner.AddConstant<float>({2, 3}, {1, 1, 1, 0, 1, 0});
  runner.AddConstant<float>({2}, {0.5f, -1});
  runner.AddOutput(TensorType::kFloat32);
  SetOptions(runner, true, false, schema::ActivationFunctionType_RELU6);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 1, 2}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{6, 1, 0, 0}));
}

TEST(FullyConnected, FoldsOuterDimensionsWithoutBias) {
  OpRunner runner(ops::kFullyConnected);
  runner.AddInput<float>({2, 2}, {1, 2, 3, 4});
  runner.AddConstant<float>({1, 4}, {1, 1, 1, 1});
  runner.AddAbsentInput();
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, 1}));
  EXPECT_EQ(runner.output<float>(0), std::vector<float>{10});
}

// 8-bit results are scaled in double and rounded half away from zero.
TEST(FullyConnected, RoundsInt8HalfAwayFromZeroPerChannel) {
  OpRunner runner(ops::kFullyConnected);
  runner.AddInput<int8_t>({1, 2}, {5, 6}, {0.5f}, {4});
  runner.AddConstant<int8_t>({3, 2}, {1, 1, -1, -1, 100, 100}, {1, 1, 0.5f},
                             {0, 0, 0});
  runner.AddConstant<int32_t>({3}, {0, 0, 1});
  runner.AddOutput(TensorType::kInt8, {1.0f}, {-2});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // (1 + 2) * 0.5 = 1.5 -> 2; -1.5 -> -2; (300 + 1) * 0.25 = 75.25.
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{0, -4, 73}));
}

TEST(FullyConnected, UnpacksInt4RowsThatStartInsideAByte) {
  OpRunner runner(ops::kFullyConnected);
  runner.AddInput<int8_t>({1, 3}, {1, 10, 100}, {1.0f}, {0});
  // Rows {1, -2, 0} and {-8, 7, 1}, low nibble first.
  runner.AddInputBytes(TensorType::kInt4, {2, 3}, Bytes{0xE1, 0x80, 0x17},
                       {1.0f}, {0}, 0, true);
  runner.AddOutput(TensorType::kInt8, {1.0f}, {0});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{-19, 127}));
}

TEST(FullyConnected, QuantizesEachFloatRowForItself) {
  for (bool asymmetric : {false, true}) {
    OpRunner runner(ops::kFullyConnected);
    runner.AddInput<float>({2, 2}, {1, -0.5f, 0, 0});
    runner.AddConstant<int8_t>({1, 2}, {2, 127}, {0.5f});
    runner.AddConstant<float>({1}, {3});
    runner.AddOutput(TensorType::kFloat32);
    SetOptions(runner, false, asymmetric);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    const std::vector<float> output = runner.output<float>(0);
    EXPECT_NEAR(output[0], 1 * 1 - 0.5f * 63.5f + 3, 0.3f) << asymmetric;
    EXPECT_EQ(output[1], 3) << asymmetric;
  }
}

TEST(FullyConnected, AddsInt16ProductsIn64Bits) {
  OpRunner runner(ops::kFullyConnected);
  const int depth = 2048;
  runner.AddInput<int16_t>({1, depth}, std::vector<int16_t>(depth, -32768),
                           {1.0f});
  runner.AddConstant<int8_t>({1, depth}, std::vector<int8_t>(depth, -128),
                             {1.0f});
  runner.AddConstant<int64_t>({1}, {int64_t{1} << 33}, {1.0f});
  runner.AddOutput(TensorType::kInt16, {1048576.0f});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // (2^33 + 2^33) / 2^20
  EXPECT_EQ(runner.output<int16_t>(0), std::vector<int16_t>{16384});
}

class Sparse : public ::testing::Test {
 protected:
  // Two rows of 8 floats in blocks of 4: the second block of row 1 alone.
  void Add(OpRunner& runner, std::vector<uint8_t> indices) {
    builder_.Finish(Layout(indices));
    const int weights = runner.AddInputBytes(TensorType::kFloat32, {2, 8},
                                             Bytes(16, 0), {}, {}, 0, true);
    const float block[] = {1, 2, 3, 4};
    std::memcpy(runner.tensor_of_input(weights).data, block, sizeof(block));
    runner.tensor_of_input(weights).sparsity =
        flatbuffers::GetRoot<schema::SparsityParameters>(
            builder_.GetBufferPointer());
  }

 private:
  flatbuffers::Offset<schema::SparsityParameters> Layout(
      const std::vector<uint8_t>& indices) {
    auto& b = builder_;
    const auto segments = schema::CreateUint8Vector(
        b, b.CreateVector(std::vector<uint8_t>{0, 0, 1}));
    const auto columns = schema::CreateUint8Vector(b, b.CreateVector(indices));
    std::vector<flatbuffers::Offset<schema::DimensionMetadata>> levels;
    levels.push_back(
        schema::CreateDimensionMetadata(b, schema::DimensionType_DENSE, 2));
    levels.push_back(schema::CreateDimensionMetadata(
        b, schema::DimensionType_SPARSE_CSR, 0,
        schema::SparseIndexVector_Uint8Vector, segments.Union(),
        schema::SparseIndexVector_Uint8Vector, columns.Union()));
    levels.push_back(
        schema::CreateDimensionMetadata(b, schema::DimensionType_DENSE, 4));
    return schema::CreateSparsityParameters(
        b, b.CreateVector(std::vector<int>{0, 1, 2}),
        b.CreateVector(std::vector<int>{1}), b.CreateVector(levels));
  }

  flatbuffers::FlatBufferBuilder builder_;
};

TEST_F(Sparse, ExpandsBlocksOfColumns) {
  OpRunner runner(ops::kFullyConnected);
  runner.AddInput<float>({1, 8}, {9, 9, 9, 9, 1, 10, 100, 1000});
  Add(runner, {1});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{0, 4321}));
}

TEST_F(Sparse, RefusesAnIndexBeyondTheRow) {
  OpRunner runner(ops::kFullyConnected);
  runner.AddInput<float>({1, 8}, std::vector<float>(8));
  Add(runner, {2});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "index 0 is 2"));
}

TEST(FullyConnected, RefusesContradictions) {
  OpRunner depth(ops::kFullyConnected);
  depth.AddInput<float>({1, 4}, {1, 2, 3, 4});
  depth.AddConstant<float>({1, 3}, {1, 2, 3});
  depth.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(depth.Prepare(), HasStatus(StatusCode::kInvalidModel, "[1,3]"));

  OpRunner bias(ops::kFullyConnected);
  bias.AddInput<int8_t>({1, 1}, {1}, {0.5f});
  bias.AddConstant<int8_t>({1, 1}, {1}, {0.5f});
  bias.AddConstant<int32_t>({1}, {1}, {0.5f});
  bias.AddOutput(TensorType::kInt8, {1.0f});
  EXPECT_THAT(bias.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "about 0.25"));

  OpRunner types(ops::kFullyConnected);
  types.AddInput<int8_t>({1, 1}, {1}, {0.5f});
  types.AddConstant<uint8_t>({1, 1}, {1}, {0.5f});
  types.AddOutput(TensorType::kInt8, {1.0f});
  EXPECT_THAT(types.Prepare(),
              HasStatus(StatusCode::kUnimplemented, "weights UINT8"));
}

struct Types {
  TensorType input, weights, bias, output;
};
constexpr Types kTypes[] = {
    {TensorType::kFloat32, TensorType::kFloat32, TensorType::kFloat32,
     TensorType::kFloat32},
    {TensorType::kFloat32, TensorType::kInt8, TensorType::kFloat32,
     TensorType::kFloat32},
    {TensorType::kInt8, TensorType::kInt8, TensorType::kInt32,
     TensorType::kInt8},
    {TensorType::kUInt8, TensorType::kUInt8, TensorType::kInt32,
     TensorType::kInt16},
    {TensorType::kInt16, TensorType::kInt16, TensorType::kInt64,
     TensorType::kInt16},
};

// Weights and bias come as data too, so that all three pairs are tried. Depths
// and unit counts cross the size of the stack block.
TEST(FullyConnected, KeepsItsOverlapContract) {
  std::mt19937 random(1);
  int caught[3] = {};
  for (int round = 0; round < 60; ++round) {
    const Types& types = kTypes[round % 5];
    const int large = round % 3 == 0 ? 700 : 24;
    const auto batches = static_cast<int32_t>(1 + random() % 3);
    const auto depth = static_cast<int32_t>(1 + random() % large);
    const auto units = static_cast<int32_t>(1 + random() % large);
    for (int variable = 0; variable < 3; ++variable) {
      OpRunner runner(ops::kFullyConnected);
      runner.AddRandomInput(types.input, {batches, depth}, random, {0.5f}, {},
                            0, variable != 0);
      runner.AddRandomInput(types.weights, {units, depth}, random, {0.5f}, {},
                            0, variable != 1);
      runner.AddRandomInput(types.bias, {units}, random, {0.25f}, {}, 0,
                            variable != 2);
      runner.AddOutput(types.output, {300.0f});
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      CheckOverlapContract(runner, 3, 1, random, &caught[variable]);
    }
  }
  for (int count : caught) EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace arenalite
