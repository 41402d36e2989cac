#include "kernels/fixed_point.h"

#include <algorithm>
#include <cmath>

#include "kernels/gemmlowp.h"

namespace arenalite {
namespace {

constexpr int kDifferenceIntegerBits = 5;

// x * 2^shift, saturating a step early for negative values, as
// SaturatingRoundingMultiplyByPOT of gemmlowp does. 0 <= shift < 31.
int32_t ShiftLeftSaturating(int32_t x, int shift) {
  const int32_t threshold =
      static_cast<int32_t>((uint32_t{1} << (31 - shift)) - 1);
  if (shift == 0) return x;
  if (x > threshold) return INT32_MAX;
  if (x < -threshold) return INT32_MIN;
  return x * (1 << shift);
}

}  // namespace

Reciprocal FixedPointReciprocal(int32_t raw, int integer_bits) {
  const auto bits = static_cast<uint32_t>(std::max(raw, 1));
  const int leading_zeros = __builtin_clz(bits);
  // x = (1 + f) * 2^bits_over_unit with f in [0, 1).
  const auto fraction =
      static_cast<int32_t>((bits << leading_zeros) - (uint32_t{1} << 31));
  using Q0 = gemmlowp::FixedPoint<int32_t, 0>;
  const Q0 inverse =
      gemmlowp::one_over_one_plus_x_for_x_in_0_1(Q0::FromRaw(fraction));
  return {inverse.raw(), integer_bits - leading_zeros};
}

QuantizedMultiplier InverseSquareRoot(int32_t x) {
  if (x <= 1) return {INT32_MAX, 0};
  // Shift x by pairs of bits into [2^27, 2^29).
  int shift = 11;
  while (x >= (1 << 29)) {
    x /= 4;
    ++shift;
  }
  const int pairs = (__builtin_clz(static_cast<uint32_t>(x)) - 1) / 2 - 1;
  shift -= pairs;
  x <<= 2 * pairs;
  // Five Newton-Raphson steps y = y * (3 - x * y^2) / 2 from y = 1.
  using Q0 = gemmlowp::FixedPoint<int32_t, 0>;
  using Q3 = gemmlowp::FixedPoint<int32_t, 3>;
  const Q3 input = Q3::FromRaw(x >> 1);
  const Q3 half_input = gemmlowp::SaturatingRoundingMultiplyByPOT<-1>(input);
  const Q3 three_halves = Q3::FromRaw((1 << 28) + (1 << 27));
  Q3 y = Q3::One();
  for (int i = 0; i < 5; ++i) {
    const Q3 cube = gemmlowp::Rescale<3>(y * y * y);
    y = gemmlowp::Rescale<3>(three_halves * y - half_input * cube);
  }
  const Q0 sqrt_half = Q0::FromRaw(1518500250);
  int32_t multiplier = (y * sqrt_half).raw();
  if (shift < 0) {
    multiplier = WrappingShiftLeft(multiplier, -shift);
    shift = 0;
  }
  return {multiplier, -shift};
}

// Writes x as r * 2^n with r around sqrt(sqrt(1/2)), in two ways that differ
// by half a power of two, and takes the one that lies nearer; a rational
// function gives the logarithm of r. After log_x_for_x_greater_than_or_equal_
// to_1 of TensorFlow Lite, whose roundings it keeps.
int32_t FixedPointLog(int32_t raw) {
  using Q0 = gemmlowp::FixedPoint<int32_t, 0>;
  using Q6 = gemmlowp::FixedPoint<int32_t, 6>;
  constexpr int kInputIntegerBits = 12;
  constexpr int kQuarter = 1 << (31 - 6 - 2);  // Of Q6.25.
  const Q0 log_2 = Q0::FromRaw(1488522236);
  const Q0 fourth_root_half = Q0::FromRaw(1805811301);
  const Q0 sqrt_half = Q0::FromRaw(1518500250);
  const Q0 alpha_n = Q0::FromRaw(117049297);   // 11/240 * 2^(1/4)
  const Q0 alpha_d = Q0::FromRaw(127690142);   // 1/20 * 2^(1/4)
  const Q0 alpha_i = Q0::FromRaw(1057819769);  // 2^(3/4) - 2^(1/4)
  const Q0 alpha_f = Q0::FromRaw(638450708);   // 1/4 * 2^(1/4)

  const Q0 a = Q0::FromRaw(raw);
  const int a_zeros = __builtin_clz(static_cast<uint32_t>(raw));
  const Q0 a_scaled = Q0::FromRaw(ShiftLeftSaturating(raw, a_zeros - 1));
  const int32_t a_rest = ShiftLeftSaturating((a_scaled * sqrt_half).raw(), 1);
  const int32_t a_power =
      ((kInputIntegerBits - a_zeros) * (1 << 25)) + kQuarter;

  const Q0 b = a * sqrt_half;
  const int b_headroom = __builtin_clz(static_cast<uint32_t>(b.raw())) - 1;
  const int32_t b_rest = ShiftLeftSaturating(raw, b_headroom);
  const int32_t b_power =
      ((kInputIntegerBits - b_headroom) * (1 << 25)) - kQuarter;

  const Q0 rest = Q0::FromRaw(std::min(a_rest, b_rest));
  const Q6 power = Q6::FromRaw(std::max(a_power, b_power));
  const Q0 p = gemmlowp::RoundingHalfSum(rest, fourth_root_half);
  Q0 q = rest - fourth_root_half;
  q = q + q;
  const Q0 square = q * q;
  const Q0 numerator = q * rest + q * square * alpha_n;
  const Q0 denominator_minus_one =
      p * (alpha_i + q + alpha_d * square) + alpha_f * q;
  const Q0 inverse =
      gemmlowp::one_over_one_plus_x_for_x_in_0_1(denominator_minus_one);
  const Q6 log_rest = gemmlowp::Rescale<6>(numerator) * inverse;
  return gemmlowp::Rescale<5>(power * log_2 + log_rest).raw();
}

Result<ScaledDifference> ScaledDifference::Create(double beta, double scale) {
  constexpr double kOne = 1 << (31 - kDifferenceIntegerBits);
  const double real = std::min(beta * scale * kOne, 2147483647.0);
  if (!(real > 1.0)) {
    return UnimplementedError("beta ", beta, " times the scale ", scale,
                              " of input 0 is ", beta * scale,
                              ", allowed more than 2^-26");
  }
  ScaledDifference difference;
  difference.multiplier = QuantizeMultiplier(real);
  // Scaled differences keep within (-32, 0].
  const double radius =
      ((1 << kDifferenceIntegerBits) - 1) * kOne /
      static_cast<double>(int64_t{1} << difference.multiplier.shift);
  difference.min = -static_cast<int32_t>(std::floor(radius));
  return difference;
}

int32_t ScaledDifference::Exp(int32_t difference) const {
  using Q5 = gemmlowp::FixedPoint<int32_t, kDifferenceIntegerBits>;
  return gemmlowp::exp_on_negative_values(Q5::FromRaw(Scale(difference))).raw();
}

}  // namespace arenalite
