#include "kernels/quantization.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model_generated.h"

namespace arenalite {
namespace {

TEST(QuantizeMultiplier, SplitsFractionAndExponent) {
  QuantizedMultiplier half = QuantizeMultiplier(0.5);
  EXPECT_EQ(half.multiplier, 1 << 30);
  EXPECT_EQ(half.shift, 0);
  QuantizedMultiplier three = QuantizeMultiplier(3.0);
  EXPECT_EQ(three.multiplier, 3 << 29);
  EXPECT_EQ(three.shift, 2);
  EXPECT_EQ(QuantizeMultiplier(0.0).multiplier, 0);
  EXPECT_EQ(QuantizeMultiplier(1e-20).multiplier, 0);
  EXPECT_EQ(QuantizeMultiplier(NAN).multiplier, 0);
  EXPECT_EQ(QuantizeMultiplier(1e30).shift, 30);
  // Rounds up to 1.0, which is stored as 0.5 * 2.
  EXPECT_EQ(QuantizeMultiplier(1.0 - 1e-12).multiplier, 1 << 30);
}

TEST(Multiply, RoundsTiesAwayFromZero) {
  const QuantizedMultiplier quarter = QuantizeMultiplier(0.25);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(10, quarter), 3);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-10, quarter), -3);
  // Rounded twice, as the reference does: 9 / 2 -> 5, 5 / 2 -> 3.
  EXPECT_EQ(MultiplyByQuantizedMultiplier(9, quarter), 3);
  EXPECT_EQ(SaturatingRoundingDoublingHighMul(INT32_MIN, INT32_MIN), INT32_MAX);
}

TEST(Multiply, StaysWithinOneOfTheRealProduct) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double real =
        std::ldexp(0.5 + random() / 8.6e9, -static_cast<int>(random() % 20));
    const auto x = static_cast<int32_t>(random() % (1 << 20)) - (1 << 19);
    const QuantizedMultiplier m = QuantizeMultiplier(real);
    EXPECT_NEAR(MultiplyByQuantizedMultiplier(x, m), x * real, 1.0);
    EXPECT_NEAR(MultiplyByQuantizedMultiplier(int64_t{x}, m), x * real,
                std::fabs(x * real) * 1e-4 + 1.0);
  }
}

// Shifts that leave nothing to round off shift left, and are no undefined
// behaviour, up to the largest that QuantizeMultiplier gives.
TEST(Multiply, TakesEveryShiftOfWideAccumulators) {
  for (int shift = 14; shift <= 30; ++shift) {
    const QuantizedMultiplier half = {1 << 30, shift};
    const int64_t x = shift < 30 ? 3 : 1;
    EXPECT_EQ(MultiplyByQuantizedMultiplier(x, half),
              static_cast<int32_t>(x << (shift - 1)))
        << shift;
  }
}

TEST(ActivationRange, FollowsScaleAndZeroPoint) {
  const float scale[] = {0.05f};
  const int64_t zero_point[] = {-10};
  Tensor tensor;
  tensor.type = TensorType::kInt8;
  tensor.quantization.scales = Span<const float>(scale);
  tensor.quantization.zero_points = Span<const int64_t>(zero_point);
  ActivationRange relu6 =
      *QuantizedActivationRange(schema::ActivationFunctionType_RELU6, tensor);
  EXPECT_EQ(relu6.min, -10);
  EXPECT_EQ(relu6.max, 110);
  ActivationRange none =
      *QuantizedActivationRange(schema::ActivationFunctionType_NONE, tensor);
  EXPECT_EQ(none.min, -128);
  EXPECT_EQ(none.max, 127);
  EXPECT_EQ(
      QuantizedActivationRange(schema::ActivationFunctionType_TANH, tensor)
          .code(),
      StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace arenalite
