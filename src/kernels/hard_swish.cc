// HARD_SWISH: x * min(6, max(0, x + 3)) / 6.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/gemmlowp.h"
#include "kernels/quantization.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct HardSwish {
  float operator()(float x) const {
    const float gate = std::min(6.0f, std::max(0.0f, x + 3.0f));
    return x * gate / 6.0f;
  }
};

// A factor with a Q15 fraction.
struct Multiplier16 {
  int16_t multiplier;
  int exponent;
};

Multiplier16 QuantizeMultiplier16(float real) {
  const QuantizedMultiplier wide =
      QuantizeMultiplier(static_cast<double>(real));
  constexpr int32_t kHalf = 1 << 15;
  const bool saturated =
      wide.multiplier >= std::numeric_limits<int32_t>::max() - kHalf;
  const int32_t narrow =
      saturated ? INT16_MAX : (wide.multiplier + kHalf) >> 16;
  return {static_cast<int16_t>(narrow), wide.shift};
}

int16_t SaturatingShiftLeft(int16_t value, int amount) {
  // 16 places saturate any value but 0 already.
  const int64_t shifted = int64_t{value} * (int64_t{1} << std::min(amount, 16));
  return static_cast<int16_t>(
      std::clamp<int64_t>(shifted, INT16_MIN, INT16_MAX));
}

// The 16-bit arithmetic of the reference, step by step: each rounding counts.
template <class T>
struct QuantizedHardSwish {
  int32_t input_zero_point;
  int32_t output_zero_point;
  Multiplier16 output;   // From 1/128 of the input scale to the output scale.
  Multiplier16 reluish;  // From there to the scale where 32768 means 3.

  // Maps x from [-3, 3] to [-1, 1] in Q15, saturating.
  int16_t Gate(int16_t x) const {
    if (reluish.exponent > 0) x = SaturatingShiftLeft(x, reluish.exponent - 1);
    x = gemmlowp::SaturatingRoundingDoublingHighMul(x, reluish.multiplier);
    if (reluish.exponent > 0) x = SaturatingShiftLeft(x, 1);
    if (reluish.exponent < 0) {
      x = gemmlowp::RoundingDivideByPOT(x, -reluish.exponent);
    }
    return x;
  }

  T operator()(T x) const {
    const auto hires =
        static_cast<int16_t>((int32_t{x} - input_zero_point) * (1 << 7));
    const int16_t scaled =
        gemmlowp::SaturatingRoundingDoublingHighMul(hires, output.multiplier);
    const int32_t gate = (Gate(hires) + (1 << 15)) >> 1;
    // Rounds towards zero, which balances the two roundings above.
    const auto product = static_cast<int16_t>(gate * scaled / (1 << 15));
    const int32_t result =
        gemmlowp::RoundingDivideByPOT(product, -output.exponent) +
        output_zero_point;
    return static_cast<T>(std::clamp<int32_t>(
        result, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

template <class T>
Status PrepareQuantized(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  const float hires_scale = (1.0f / 128.0f) * in.scale();
  constexpr float kReluishScale = 3.0f / 32768.0f;
  QuantizedHardSwish<T> function;
  function.input_zero_point = in.zero_point();
  function.output_zero_point = out.zero_point();
  function.output = QuantizeMultiplier16(hires_scale / out.scale());
  function.reluish = QuantizeMultiplier16(hires_scale / kReluishScale);
  if (function.output.exponent > 0) {
    return UnimplementedError("input 0 has scale ", in.scale(),
                              ", allowed at most 128 times that of output 0, ",
                              out.scale());
  }
  return SetByteMap<T, T>(context, function);
}

Status PrepareHardSwish(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, HardSwish());
    case TensorType::kUInt8:
      return PrepareQuantized<uint8_t>(context);
    case TensorType::kInt8:
      return PrepareQuantized<int8_t>(context);
    default:
      return UnsupportedInput(context, "FLOAT32, UINT8 or INT8");
  }
}

}  // namespace

namespace ops {

const OpDefinition kHardSwish = {
    "HARD_SWISH",
    schema::BuiltinOperator_HARD_SWISH,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareHardSwish,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
