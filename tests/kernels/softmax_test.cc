#include <gtest/gtest.h>

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

void SetBeta(OpRunner& runner, float beta) {
  runner.SetOptions(schema::BuiltinOptions_SoftmaxOptions, [&](auto& b) {
    return schema::CreateSoftmaxOptions(b, beta);
  });
}

TEST(Softmax, RowsSumToOne) {
  OpRunner runner(ops::kSoftmax);
  runner.AddInput<float>({2, 3}, {1, 2, 3, -1000, 0, 1000});
  runner.AddOutput(TensorType::kFloat32);
  SetBeta(runner, 1.0f);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const auto out = runner.output<float>(0);
  EXPECT_NEAR(out[0], 0.09003057f, 1e-6f);
  EXPECT_NEAR(out[2], 0.66524096f, 1e-6f);
  EXPECT_EQ(out[3], 0.0f);
  EXPECT_EQ(out[5], 1.0f);
}

struct Case {
  TensorType in;
  TensorType out;
  double unit;
  int zero_point;
};
constexpr Case kCases[] = {
    {TensorType::kInt8, TensorType::kInt8, 256, -128},
    {TensorType::kUInt8, TensorType::kUInt8, 256, 0},
    {TensorType::kInt8, TensorType::kInt16, 65536, -32768},
    {TensorType::kUInt8, TensorType::kInt16, 65536, -32768},
    {TensorType::kInt16, TensorType::kInt16, 32768, 0},
};

void AddQuantized(OpRunner& runner, const Case& c, Shape shape,
                  std::mt19937& random, float scale) {
  runner.AddRandomInput(c.in, shape, random, {scale}, {0});
  const bool symmetric = c.zero_point == 0 || c.out == TensorType::kInt16;
  runner.AddOutput(c.out, {static_cast<float>(1 / c.unit)},
                   {symmetric ? 0 : c.zero_point});
}

int64_t Value(const Tensor& tensor, int64_t i) {
  switch (tensor.type) {
    case TensorType::kInt8:
      return tensor.data_as<int8_t>()[i];
    case TensorType::kUInt8:
      return tensor.data_as<uint8_t>()[i];
    default:
      return tensor.data_as<int16_t>()[i];
  }
}

TEST(Softmax, QuantizedFollowsTheFloatForm) {
  std::mt19937 random(3);
  for (const Case& c : kCases) {
    const float scale = c.in == TensorType::kInt16 ? 0.0001f : 0.03f;
    OpRunner runner(ops::kSoftmax);
    AddQuantized(runner, c, {3, 10}, random, scale);
    SetBeta(runner, 1.0f);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    for (int64_t row = 0; row < 3; ++row) {
      double sum = 0;
      const auto exp = [&](int64_t i) {
        return std::exp(static_cast<double>(scale) *
                        static_cast<double>(
                            Value(runner.tensor_of_input(0), row * 10 + i)));
      };
      for (int64_t i = 0; i < 10; ++i) sum += exp(i);
      for (int64_t i = 0; i < 10; ++i) {
        EXPECT_NEAR(static_cast<double>(
                        Value(runner.tensor_of_output(0), row * 10 + i)),
                    exp(i) / sum * c.unit + c.zero_point, c.unit / 200);
      }
    }
  }
}

// The sum of 5000 equal exponentials does not fit the reference's 32 bits.
TEST(Softmax, LongRowsSaturate) {
  OpRunner runner(ops::kSoftmax);
  runner.AddInput<int8_t>({5000}, std::vector<int8_t>(5000, 7), {1.0f}, {0});
  runner.AddOutput(TensorType::kInt8, {1.0f / 256}, {-128});
  SetBeta(runner, 1.0f);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(0), std::vector<int8_t>(5000, -128));
}

TEST(Softmax, RefusesAnotherOutputScaleAndBetaZero) {
  OpRunner scale(ops::kSoftmax);
  scale.AddInput<int8_t>({2}, {1, 2}, {1.0f}, {0});
  scale.AddOutput(TensorType::kInt8, {1.0f / 128}, {-128});
  SetBeta(scale, 1.0f);
  EXPECT_THAT(scale.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "output 0 has scale"));
  OpRunner beta(ops::kSoftmax);
  beta.AddInput<uint8_t>({2}, {1, 2}, {1.0f}, {0});
  beta.AddOutput(TensorType::kUInt8, {1.0f / 256}, {0});
  SetBeta(beta, 0.0f);
  EXPECT_THAT(beta.Prepare(), HasStatus(StatusCode::kUnimplemented, "beta 0"));
}

TEST(Softmax, OverlapHoldsAndIsTight) {
  std::mt19937 random(5);
  int caught = 0;
  for (int i = 0; i < 100; ++i) {
    const Shape shape = {static_cast<int32_t>(random() % 5 + 1),
                         static_cast<int32_t>(random() % 40 + 1)};
    OpRunner runner(ops::kSoftmax);
    if (i % 6 == 5) {
      runner.AddRandomInput(TensorType::kFloat32, shape, random);
      runner.AddOutput(TensorType::kFloat32);
    } else {
      AddQuantized(runner, kCases[i % 6], shape, random, 0.01f);
    }
    SetBeta(runner, 1.0f);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 30);
}

}  // namespace
}  // namespace arenalite
