#include "kernels/fixed_point.h"

#include <algorithm>
#include <cmath>

#include "gemmlowp/fixedpoint/fixedpoint.h"

namespace arenalite {
namespace {

constexpr int kDifferenceIntegerBits = 5;

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
