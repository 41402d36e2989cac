// Element-wise functions, and normalisations of rows.

#include <gtest/gtest.h>

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "kernels/fixed_point.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

template <class T>
std::vector<T> RunOp(const OpDefinition& op, const std::vector<T>& in) {
  OpRunner runner(op);
  runner.AddInput<T>({static_cast<int32_t>(in.size())}, in);
  runner.AddOutput(TensorTypeOf<T>::kValue);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<T>(0);
}

TEST(UnaryMath, RoundsAsEachOperatorSays) {
  const std::vector<float> in = {-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 1e30f};
  EXPECT_EQ(RunOp(ops::kFloor, in),
            (std::vector<float>{-3, -2, -1, 0, 1, 2, 1e30f}));
  EXPECT_EQ(RunOp(ops::kCeil, in),
            (std::vector<float>{-2, -1, 0, 1, 2, 3, 1e30f}));
  EXPECT_EQ(RunOp(ops::kRound, in),
            (std::vector<float>{-2, -2, 0, 0, 2, 2, 1e30f}));
}

TEST(UnaryMath, LeastIntegersStayThemselves) {
  EXPECT_EQ(RunOp<int32_t>(ops::kNeg, {INT32_MIN, 5}),
            (std::vector<int32_t>{INT32_MIN, -5}));
  EXPECT_EQ(RunOp<int8_t>(ops::kNeg, {INT8_MIN, 5}),
            (std::vector<int8_t>{INT8_MIN, -5}));
  EXPECT_EQ(RunOp<int64_t>(ops::kNeg, {INT64_MIN, -7}),
            (std::vector<int64_t>{INT64_MIN, 7}));
  EXPECT_EQ(RunOp<int32_t>(ops::kAbs, {INT32_MIN, -5}),
            (std::vector<int32_t>{INT32_MIN, 5}));
  EXPECT_EQ(RunOp<int32_t>(ops::kSign, {INT32_MIN, 0, 9}),
            (std::vector<int32_t>{-1, 0, 1}));
}

TEST(UnaryMath, RootsRefuseNegativeValuesBeforeTheyWrite) {
  for (const OpDefinition* op : {&ops::kSqrt, &ops::kRsqrt}) {
    OpRunner runner(*op);
    runner.AddInput<int8_t>({3}, {20, 10, 9}, {0.1f}, {10});
    runner.AddOutput(TensorType::kInt8, {0.1f}, {0});
    EXPECT_THAT(runner.PrepareAndRun(),
                HasStatus(StatusCode::kOutOfRange,
                          "the quantized value 9 at element 2"));
    EXPECT_EQ(runner.output<int8_t>(0)[0], runner.output<int8_t>(0)[1]);
  }
}

TEST(FixedPoint, FollowsTheRealFunctions) {
  for (const double x : {1.0, 1.3, 2.0, 77.7, 4000.0}) {
    EXPECT_NEAR(FixedPointLog(static_cast<int32_t>(x * (1 << 19))),
                std::log(x) * (1 << 26), 500)
        << x;
  }
  for (const int32_t x : {2, 3, 100, 12345, INT32_MAX}) {
    const QuantizedMultiplier m = InverseSquareRoot(x);
    EXPECT_NEAR(std::ldexp(m.multiplier, m.shift - 31) * std::sqrt(x), 1, 1e-5)
        << x;
  }
}

TEST(LogSoftmax, QuantizedFollowsTheFloatForm) {
  std::mt19937 random(3);
  OpRunner runner(ops::kLogSoftmax);
  runner.AddRandomInput(TensorType::kInt8, {4, 12}, random, {0.05f}, {3});
  runner.AddOutput(TensorType::kInt8, {1.0f / 16}, {127});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const auto* in = runner.tensor_of_input(0).data_as<int8_t>();
  const auto out = runner.output<int8_t>(0);
  for (int row = 0; row < 4; ++row) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += std::exp(0.05 * in[row * 12 + i]);
    for (int i = 0; i < 12; ++i) {
      const double real = 0.05 * in[row * 12 + i] - std::log(sum);
      EXPECT_NEAR(out[static_cast<size_t>(row * 12 + i)],
                  std::max(-128.0, real * 16 + 127), 1.0);
    }
  }
}

void SetRadius(OpRunner& runner, int radius) {
  runner.SetOptions(schema::BuiltinOptions_LocalResponseNormalizationOptions,
                    [&](auto& b) {
                      return schema::CreateLocalResponseNormalizationOptions(
                          b, radius, 1.0f, 2.0f, 0.5f);
                    });
}

TEST(LocalResponseNormalization, WindowReachesBothWays) {
  OpRunner runner(ops::kLocalResponseNormalization);
  runner.AddInput<float>({1, 1, 1, 4}, {1, 2, 3, 4});
  runner.AddOutput(TensorType::kFloat32);
  SetRadius(runner, 1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const float sums[] = {5, 14, 29, 25};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(runner.output<float>(0)[i],
                    static_cast<float>(i + 1) / std::sqrt(1 + 2 * sums[i]));
  }
}

TEST(RowsOverlap, HoldsAndIsTight) {
  std::mt19937 random(5);
  int caught[4] = {};
  for (int i = 0; i < 100; ++i) {
    const Shape shape = {1, static_cast<int32_t>(random() % 4 + 1), 2,
                         static_cast<int32_t>(random() % 20 + 1)};
    const OpDefinition* const kOps[] = {&ops::kLogSoftmax,
                                        &ops::kL2Normalization,
                                        &ops::kLocalResponseNormalization};
    OpRunner runner(i % 4 == 3 ? ops::kL2Normalization : *kOps[i % 4]);
    if (i % 4 == 3) {
      runner.AddRandomInput(TensorType::kInt8, shape, random, {0.1f}, {0});
      runner.AddOutput(TensorType::kInt8, {1.0f / 128}, {0});
    } else {
      runner.AddRandomInput(TensorType::kFloat32, shape, random);
      runner.AddOutput(TensorType::kFloat32);
      if (i % 4 == 2) SetRadius(runner, static_cast<int>(random() % 6));
    }
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught[i % 4]);
  }
  for (const int count : caught) EXPECT_GT(count, 10);
}

TEST(FakeQuant, KeepsZeroAndRefusesEmptyRanges) {
  const auto set = [](OpRunner& runner, float min, float max, int bits) {
    runner.AddInput<float>({4}, {-9.0f, 0.0f, 0.3f, 9.0f});
    runner.AddOutput(TensorType::kFloat32);
    runner.SetOptions(schema::BuiltinOptions_FakeQuantOptions, [=](auto& b) {
      return schema::CreateFakeQuantOptions(b, min, max, bits);
    });
  };
  OpRunner runner(ops::kFakeQuant);
  set(runner, -1.1f, 2.0f, 2);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const auto out = runner.output<float>(0);
  EXPECT_FLOAT_EQ(out[0], -3.1f / 3);
  EXPECT_EQ(out[1], 0.0f);
  EXPECT_EQ(out[2], 0.0f);
  EXPECT_FLOAT_EQ(out[3], 3.1f / 3 * 2);
  OpRunner empty(ops::kFakeQuant);
  set(empty, 1.0f, 1.0f, 8);
  EXPECT_THAT(empty.Prepare(), HasStatus(StatusCode::kInvalidModel, "1..1"));
  OpRunner bits(ops::kFakeQuant);
  set(bits, 0.0f, 1.0f, 40);
  EXPECT_THAT(bits.Prepare(), HasStatus(StatusCode::kInvalidModel, "40"));
}

TEST(Prelu, BroadcastsAlphaOnly) {
  OpRunner runner(ops::kPrelu);
  runner.AddInput<float>({2, 2}, {-1, -2, 3, -4});
  runner.AddConstant<float>({2}, {0.5f, 2.0f});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{-0.5f, -4, 3, -8}));
  OpRunner grows(ops::kPrelu);
  grows.AddInput<float>({1, 2}, {-1, -2});
  grows.AddConstant<float>({2, 2}, {1, 1, 1, 1});
  grows.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(grows.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "broadcasts to input 0"));
}

TEST(Bitcast, MovesTheLastDimension) {
  OpRunner narrow(ops::kBitcast);
  narrow.AddInput<uint32_t>({2}, {0x00020001u, 0x00040003u});
  narrow.AddOutput(TensorType::kInt16);
  ASSERT_THAT(narrow.PrepareAndRun(), IsOk());
  EXPECT_EQ(narrow.tensor_of_output(0).shape, Shape({2, 2}));
  EXPECT_EQ(narrow.output<int16_t>(0), (std::vector<int16_t>{1, 2, 3, 4}));
  OpRunner wide(ops::kBitcast);
  wide.AddInput<int16_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  wide.AddOutput(TensorType::kUInt32);
  EXPECT_THAT(wide.Prepare(), HasStatus(StatusCode::kInvalidModel, "[2,3]"));
}

}  // namespace
}  // namespace arenalite
