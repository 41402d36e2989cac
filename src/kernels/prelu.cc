// PRELU: x where x >= 0, else x * alpha, with alpha broadcast to x.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct Prelu {
  float operator()(float x, float alpha) const {
    return x >= 0.0f ? x : x * alpha;
  }
};

template <class T>
struct QuantizedPrelu {
  QuantizedMultiplier positive;  // Input scale / output scale.
  QuantizedMultiplier negative;  // The same, times alpha's scale.
  int32_t input_zero_point;
  int32_t alpha_zero_point;
  int32_t output_zero_point;

  T operator()(T x, T alpha) const {
    const int32_t centred = int32_t{x} - input_zero_point;
    const int32_t product = centred * (int32_t{alpha} - alpha_zero_point);
    const int64_t scaled =
        centred >= 0 ? MultiplyByQuantizedMultiplier(centred, positive)
                     : MultiplyByQuantizedMultiplier(product, negative);
    return static_cast<T>(std::clamp<int64_t>(scaled + output_zero_point,
                                              std::numeric_limits<T>::min(),
                                              std::numeric_limits<T>::max()));
  }
};

template <class T>
Status SetQuantized(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryQuantization(context));
  const Quantization& in = context.input(0).quantization;
  const Quantization& alpha = context.input(1).quantization;
  const Quantization& out = context.output(0).quantization;
  QuantizedPrelu<T> prelu;
  // Both factors are rounded to float, as in the reference.
  prelu.positive =
      QuantizeMultiplier(static_cast<double>(in.scale() / out.scale()));
  prelu.negative = QuantizeMultiplier(
      static_cast<double>(in.scale() * alpha.scale() / out.scale()));
  prelu.input_zero_point = in.zero_point();
  prelu.alpha_zero_point = alpha.zero_point();
  prelu.output_zero_point = out.zero_point();
  return SetBinary<T, T>(context, prelu);
}

Status SetTyped(OpContext& context) {
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetBinary<float, float>(context, Prelu());
    case TensorType::kUInt8:
      return SetQuantized<uint8_t>(context);
    case TensorType::kInt8:
      return SetQuantized<int8_t>(context);
    default:
      return UnsupportedBinaryType(context);
  }
}

Status PreparePrelu(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  ARENALITE_RETURN_IF_ERROR(SetTyped(context));
  const Shape& input = context.input(0).shape;
  if (context.output(0).shape == input) return OkStatus();
  return InvalidModelError(
      "input 1 (alpha) has shape ", context.input(1).shape.dims(),
      ", allowed what broadcasts to input 0, ", input.dims());
}

}  // namespace

namespace ops {

const OpDefinition kPrelu = {
    "PRELU",
    schema::BuiltinOperator_PRELU,
    1,
    kOpDefault,
    0,
    nullptr,
    PreparePrelu,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
