// Fixed-point exp, reciprocal and logarithm as the reference kernels of the
// softmax family compute them, on top of gemmlowp.

#ifndef ARENALITE_KERNELS_FIXED_POINT_H_
#define ARENALITE_KERNELS_FIXED_POINT_H_

#include <cstdint>

#include "arenalite/status.h"
#include "kernels/quantization.h"

namespace arenalite {

// 1 / x for x = raw * 2^(integer_bits - 31) > 0, as
// fraction * 2^-31 * 2^-bits_over_unit.
struct Reciprocal {
  int32_t fraction;
  int bits_over_unit;
};
Reciprocal FixedPointReciprocal(int32_t raw, int integer_bits);

// 1 / sqrt(x) for an integer x >= 0, where 0 counts as 1.
QuantizedMultiplier InverseSquareRoot(int32_t x);

// log(x) in Q5.26 for x in Q12.19, x >= 1.
int32_t FixedPointLog(int32_t raw);

// Differences of 8-bit values in a row to their maximum, scaled to Q5.26.
struct ScaledDifference {
  QuantizedMultiplier multiplier;
  int32_t min;  // Least difference whose exp() counts.

  // Refuses factors for which the reference has no multiplier above 1.
  static Result<ScaledDifference> Create(double beta, double scale);

  // For min <= difference <= 0.
  int32_t Scale(int32_t difference) const {
    return MultiplyByQuantizedMultiplier(difference, multiplier);
  }
  // exp() in Q0.31.
  int32_t Exp(int32_t difference) const;
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_FIXED_POINT_H_
