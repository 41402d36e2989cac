// Operators that map each element on its own, and conversions between types.

#include <gtest/gtest.h>

#include <cmath>
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

template <class T>
std::vector<T> RunOp(const OpDefinition& op, const std::vector<T>& in,
                     std::vector<float> in_scale = {},
                     std::vector<int64_t> in_zero = {},
                     std::vector<float> out_scale = {},
                     std::vector<int64_t> out_zero = {}) {
  OpRunner runner(op);
  runner.AddInput<T>({static_cast<int32_t>(in.size())}, in, in_scale, in_zero);
  runner.AddOutput(TensorTypeOf<T>::kValue, out_scale, out_zero);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<T>(0);
}

TEST(Relu, ClampsFloats) {
  const std::vector<float> in = {-2.0f, -0.5f, 0.0f, 0.5f, 7.0f};
  EXPECT_EQ(RunOp(ops::kRelu, in), (std::vector<float>{0, 0, 0, 0.5f, 7.0f}));
  EXPECT_EQ(RunOp(ops::kRelu6, in), (std::vector<float>{0, 0, 0, 0.5f, 6.0f}));
  EXPECT_EQ(RunOp(ops::kReluN1To1, in),
            (std::vector<float>{-1, -0.5f, 0, 0.5f, 1}));
  EXPECT_EQ(RunOp(ops::kRelu0To1, in), (std::vector<float>{0, 0, 0, 0.5f, 1}));
}

TEST(Relu, BoundsFollowTheOutputQuantization) {
  // Real values (x - 10) / 2; the output counts quarters from -20.
  EXPECT_EQ(RunOp<int8_t>(ops::kRelu6, {-128, 9, 10, 11, 22, 127}, {0.5f}, {10},
                          {0.25f}, {-20}),
            (std::vector<int8_t>{-20, -20, -20, -18, 4, 4}));
  // 6 is beyond the output's range: the type's bound holds.
  EXPECT_EQ(RunOp<uint8_t>(ops::kRelu6, {0, 255}, {1.0f}, {0}, {0.01f}, {0}),
            (std::vector<uint8_t>{0, 255}));
}

TEST(Relu, RefusesWhatCannotBeRescaled) {
  OpRunner no_scale(ops::kRelu);
  no_scale.AddInput<int8_t>({1}, {1});
  no_scale.AddOutput(TensorType::kInt8, {1.0f}, {0});
  EXPECT_THAT(no_scale.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "input 0 has 0 scales"));
  OpRunner asymmetric(ops::kRelu);
  asymmetric.AddInput<int16_t>({1}, {1}, {1.0f}, {3});
  asymmetric.AddOutput(TensorType::kInt16, {1.0f}, {0});
  EXPECT_THAT(asymmetric.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                              "zero points are 3 (input 0)"));
  OpRunner wrong_type(ops::kRelu);
  wrong_type.AddInput<int64_t>({1}, {1});
  wrong_type.AddOutput(TensorType::kInt64);
  EXPECT_THAT(wrong_type.Prepare(),
              HasStatus(StatusCode::kUnimplemented, "input 0 is INT64"));
}

TEST(LeakyRelu, NegativeSlopesRoundLikePositiveOnes) {
  for (const float alpha : {0.5f, -0.5f}) {
    OpRunner runner(ops::kLeakyRelu);
    runner.AddInput<int8_t>({4}, {-3, -2, 0, 3}, {1.0f}, {0});
    runner.AddOutput(TensorType::kInt8, {1.0f}, {0});
    runner.SetOptions(schema::BuiltinOptions_LeakyReluOptions, [&](auto& b) {
      return schema::CreateLeakyReluOptions(b, alpha);
    });
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    const int8_t sign = alpha > 0 ? 1 : -1;
    // -1.5 rounds up to -1; the sign of the slope comes after that.
    EXPECT_EQ(runner.output<int8_t>(0),
              (std::vector<int8_t>{static_cast<int8_t>(-sign),
                                   static_cast<int8_t>(-sign), 0, 3}));
  }
}

TEST(Logistic, SurvivesInfinityAndNaN) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const auto out = RunOp<float>(ops::kLogistic, {-kInf, 0.0f, kInf, NAN});
  EXPECT_NEAR(out[0], 0.0f, 1e-30f);
  EXPECT_EQ(out[1], 0.5f);
  EXPECT_EQ(out[2], 1.0f);
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(Logistic, Int16IsWithinAStepOfExact) {
  std::vector<int16_t> in;
  for (int i = -32768; i < 32768; i += 7) in.push_back(static_cast<int16_t>(i));
  // Scales with and without a shift.
  for (const float scale : {1.0f / 4096, 1.0f / 3000, 2.0f}) {
    const auto logistic =
        RunOp(ops::kLogistic, in, {scale}, {0}, {1.0f / 32768}, {0});
    const auto tanh = RunOp(ops::kTanh, in, {scale}, {0}, {1.0f / 32768}, {0});
    for (size_t i = 0; i < in.size(); ++i) {
      const double x = static_cast<double>(scale) * in[i];
      EXPECT_NEAR(logistic[i], 32768 / (1 + std::exp(-x)), 2.0) << x;
      EXPECT_NEAR(tanh[i], 32768 * std::tanh(x), 4.0) << x;
    }
  }
}

TEST(HardSwish, QuantizedFollowsTheFloatForm) {
  std::vector<int8_t> in;
  for (int i = -128; i < 128; ++i) in.push_back(static_cast<int8_t>(i));
  const auto out = RunOp(ops::kHardSwish, in, {0.05f}, {-3}, {0.04f}, {-100});
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = 0.05 * (in[i] + 3);
    const double real = x * std::fmin(6, std::fmax(0, x + 3)) / 6;
    EXPECT_NEAR(out[i], std::fmin(127, real / 0.04 - 100), 1.01);
  }
}

TEST(Quantize, RoundsHalvesAwayFromZeroAndSaturates) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  OpRunner runner(ops::kQuantize);
  runner.AddInput<float>({10}, {0.25f, -0.25f, 0.75f, 0.2499f, 1e30f, -1e30f,
                                kInf, -kInf, NAN, 1});
  runner.AddOutput(TensorType::kInt8, {0.5f}, {3});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(0),
            (std::vector<int8_t>{4, 2, 5, 3, 127, -128, 127, -128, -128, 5}));
}

TEST(Quantize, RescalesBetweenAllIntegerTypes) {
  OpRunner wide(ops::kQuantize);
  wide.AddInput<int32_t>({3}, {INT32_MIN, INT32_MAX, 1000}, {0.5f}, {-7});
  wide.AddOutput(TensorType::kInt16, {1.0f}, {0});
  ASSERT_THAT(wide.PrepareAndRun(), IsOk());
  EXPECT_EQ(wide.output<int16_t>(0),
            (std::vector<int16_t>{-32768, 32767, 504}));

  OpRunner shifted(ops::kQuantize);
  shifted.AddInput<uint8_t>({3}, {0, 128, 255}, {0.1f}, {128});
  shifted.AddOutput(TensorType::kInt8, {0.1f}, {0});
  ASSERT_THAT(shifted.PrepareAndRun(), IsOk());
  EXPECT_EQ(shifted.output<int8_t>(0), (std::vector<int8_t>{-128, 0, 127}));
}

TEST(Quantize, TakesScalesAlongAnyDimension) {
  OpRunner runner(ops::kQuantize);
  runner.AddInput<float>({2, 2, 2}, {1, 1, 1, 1, 2, 2, 2, 2});
  runner.AddOutput(TensorType::kUInt8, {1.0f, 0.5f}, {0, 10});
  runner.tensor_of_output(0).quantization.quantized_dimension = 1;
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0),
            (std::vector<uint8_t>{1, 1, 12, 12, 2, 2, 14, 14}));
}

TEST(Quantize, RefusesScalesThatFitNoDimension) {
  OpRunner runner(ops::kQuantize);
  runner.AddInput<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  runner.AddOutput(TensorType::kInt8, {1.0f, 2.0f}, {0, 0});
  runner.tensor_of_output(0).quantization.quantized_dimension = 1;
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "2 scales"));
  runner.tensor_of_output(0).quantization.quantized_dimension = 7;
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "quantized dimension 7"));
}

TEST(Dequantize, UnpacksSubByteTypes) {
  const struct {
    TensorType type;
    std::vector<float> expected;
  } cases[] = {
      {TensorType::kInt4, {-1, 4, 3, -8, 7}},
      {TensorType::kUInt4, {15, 4, 3, 8, 7}},
      {TensorType::kInt2, {-1, -1, 0, 1, -1}},
  };
  for (const auto& c : cases) {
    OpRunner runner(ops::kDequantize);
    runner.AddInputBytes(c.type, {5}, {0x4F, 0x83, 0x07}, {1.0f}, {0}, 0,
                         false);
    runner.tensor_of_input(0).bytes = *TensorBytes(c.type, {5});
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<float>(0), c.expected) << TensorTypeName(c.type);
  }
}

struct Pair {
  const OpDefinition* op;
  TensorType in;
  TensorType out;
  bool quantized_in;
  bool quantized_out;
};

// Every width ratio that MapElements sees.
constexpr Pair kPairs[] = {
    {&ops::kLogistic, TensorType::kFloat32, TensorType::kFloat32, false, false},
    {&ops::kTanh, TensorType::kFloat16, TensorType::kFloat16, false, false},
    {&ops::kRelu, TensorType::kInt8, TensorType::kInt8, true, true},
    {&ops::kRelu6, TensorType::kInt16, TensorType::kInt16, true, true},
    {&ops::kQuantize, TensorType::kFloat32, TensorType::kInt8, false, true},
    {&ops::kQuantize, TensorType::kFloat32, TensorType::kInt4, false, true},
    {&ops::kQuantize, TensorType::kInt8, TensorType::kInt16, true, true},
    {&ops::kQuantize, TensorType::kInt32, TensorType::kInt8, true, true},
    {&ops::kDequantize, TensorType::kUInt8, TensorType::kFloat32, true, false},
    {&ops::kDequantize, TensorType::kInt4, TensorType::kFloat32, true, false},
    {&ops::kDequantize, TensorType::kInt2, TensorType::kFloat32, true, false},
    {&ops::kDequantize, TensorType::kFloat16, TensorType::kFloat32, false,
     false},
};

TEST(UnaryOverlap, HoldsAndIsTight) {
  std::mt19937 random(7);
  for (const Pair& pair : kPairs) {
    int caught = 0;
    for (int i = 0; i < 40; ++i) {
      OpRunner runner(*pair.op);
      const bool channels = pair.op == &ops::kDequantize &&
                            pair.in == TensorType::kUInt8 && i % 2 == 1;
      const auto rows = static_cast<int32_t>(random() % 300 + 1);
      const size_t scales = channels ? 3 : 1;
      runner.AddRandomInput(
          pair.in, {rows, 3}, random,
          std::vector<float>(pair.quantized_in ? scales : 0, 0.02f),
          std::vector<int64_t>(pair.quantized_in ? 1 : 0, 0), 1);
      runner.AddOutput(pair.out,
                       std::vector<float>(pair.quantized_out ? 1 : 0, 0.01f),
                       std::vector<int64_t>(pair.quantized_out ? 1 : 0, 0));
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      CheckOverlapContract(runner, 1, 1, random, &caught);
    }
    EXPECT_GT(caught, 0) << pair.op->name;
  }
}

}  // namespace
}  // namespace arenalite
