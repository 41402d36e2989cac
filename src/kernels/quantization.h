// Requantisation: fixed-point rescaling, bit-exact with TensorFlow Lite's
// reference kernels.

#ifndef ARENALITE_KERNELS_QUANTIZATION_H_
#define ARENALITE_KERNELS_QUANTIZATION_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

// A real factor as multiplier * 2^(shift - 31): `multiplier` is a Q31 fraction
// in [0.5, 1) (or 0), a positive `shift` shifts left.
struct QuantizedMultiplier {
  int32_t multiplier = 0;
  int shift = 0;
};

// The nearest representable factor. NaN and infinity give 0; factors too
// small for 31 bits of right shift give 0, too large ones the largest.
QuantizedMultiplier QuantizeMultiplier(double real_multiplier);

// High 32 bits of 2 * a * b, rounded to nearest (ties up).
inline int32_t SaturatingRoundingDoublingHighMul(int32_t a, int32_t b) {
  constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
  if (a == kLowest && b == kLowest) return std::numeric_limits<int32_t>::max();
  // Without a branch on the sign: rounding half up, then flooring, is what the
  // reference's nudge by sign and truncating division come to.
  return static_cast<int32_t>((int64_t{a} * b + (1 << 30)) >> 31);
}

// x / 2^exponent, rounded to nearest, ties away from zero; 0 <= exponent < 32.
inline int32_t RoundingDivideByPowerOfTwo(int32_t x, int exponent) {
  const int64_t half = (int64_t{1} << exponent) >> 1;
  const int64_t away = x < 0 && exponent > 0 ? 1 : 0;
  return static_cast<int32_t>((x + half - away) >> exponent);
}

// x << shift with the wrap-around that the reference's hardware shows.
inline int32_t WrappingShiftLeft(int32_t x, int shift) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << shift);
}

// x * m, rounded twice, as the reference does.
inline int32_t MultiplyByQuantizedMultiplier(int32_t x, QuantizedMultiplier m) {
  const int left = m.shift > 0 ? m.shift : 0;
  const int right = m.shift > 0 ? 0 : -m.shift;
  return RoundingDivideByPowerOfTwo(
      SaturatingRoundingDoublingHighMul(WrappingShiftLeft(x, left),
                                        m.multiplier),
      right);
}

// The form for 64-bit accumulators of 16-bit activations: the multiplier
// loses its low 16 bits, one rounding. Exact for |x| < 2^47 and shifts below
// 15; larger ones, which no op should ask for, wrap.
inline int32_t MultiplyByQuantizedMultiplier(int64_t x, QuantizedMultiplier m) {
  const int32_t reduced =
      m.multiplier < 0x7FFF0000 ? (m.multiplier + (1 << 15)) >> 16 : 0x7FFF;
  const int total_shift = 15 - m.shift;
  const uint64_t product =
      static_cast<uint64_t>(x) * static_cast<uint64_t>(int64_t{reduced});
  if (total_shift <= 0) return static_cast<int32_t>(product << -total_shift);
  const uint64_t nudged = product + (uint64_t{1} << (total_shift - 1));
  return static_cast<int32_t>(static_cast<int64_t>(nudged) >> total_shift);
}

// The clamp that a fused activation asks for.
struct ActivationRange {
  int32_t min = std::numeric_limits<int32_t>::min();
  int32_t max = std::numeric_limits<int32_t>::max();
};
struct FloatRange {
  float min = std::numeric_limits<float>::lowest();
  float max = std::numeric_limits<float>::max();
};

// `activation`: a schema::ActivationFunctionType. Of an INT8, UINT8 or INT16
// tensor: its type's range narrowed by the activation in quantized values.
Result<ActivationRange> QuantizedActivationRange(int32_t activation,
                                                 const Tensor& output);
Result<FloatRange> FloatActivationRange(int32_t activation);

// The range of an integer element type of up to 32 bits.
Result<ActivationRange> TypeRange(TensorType type);

// Refuses a tensor without exactly one scale, positive and finite, and a zero
// point within its type. `what` names the tensor in the message: "input 0".
Status CheckPerTensorQuantization(const Tensor& tensor, const char* what);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_QUANTIZATION_H_
