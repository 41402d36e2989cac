// SQUARED_DIFFERENCE: (a - b)^2, element-wise, broadcasting.

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct SquaredDifference {
  template <class T>
  static T Apply(T a, T b) {
    const T difference = Minus::Apply(a, b);
    return Times::Apply(difference, difference);
  }
};

// Both inputs brought to twice the larger of their scales with 7 more bits:
// the square of the widest difference still fits 32 bits.
struct QuantizedSquaredDifference {
  static constexpr int kLeftShift = 7;

  int32_t zero_point[2];
  QuantizedMultiplier multiplier[2];
  QuantizedMultiplier output_multiplier;
  OutputStage output;

  int32_t Scaled(int i, int8_t value) const {
    const int32_t shifted = (value - zero_point[i]) * (1 << kLeftShift);
    return MultiplyByQuantizedMultiplier(shifted, multiplier[i]);
  }
  int8_t operator()(int8_t a, int8_t b) const {
    const int32_t difference = Scaled(0, a) - Scaled(1, b);
    return static_cast<int8_t>(output(MultiplyByQuantizedMultiplier(
        difference * difference, output_multiplier)));
  }
};

Status PrepareQuantized(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryQuantization(context));
  QuantizedSquaredDifference f = {};
  const Tensor& output = context.output(0);
  const double scales[] = {context.input(0).quantization.scale(),
                           context.input(1).quantization.scale()};
  const double twice_larger = 2 * std::max(scales[0], scales[1]);
  for (int i = 0; i < 2; ++i) {
    f.zero_point[i] = context.input(i).quantization.zero_point();
    f.multiplier[i] = QuantizeMultiplier(scales[i] / twice_larger);
  }
  constexpr double kUnit = 1 << (2 * QuantizedSquaredDifference::kLeftShift);
  f.output_multiplier = QuantizeMultiplier(
      twice_larger * twice_larger /
      (kUnit * static_cast<double>(output.quantization.scale())));
  ARENALITE_ASSIGN_OR_RETURN(
      f.output, MakeOutputStage(schema::ActivationFunctionType_NONE, output));
  return SetBinary<int8_t, int8_t>(context, f);
}

Status PrepareSquaredDifference(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  constexpr auto kNone = schema::ActivationFunctionType_NONE;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetBinary<float, float>(context, Plain<SquaredDifference>());
    case TensorType::kFloat16:
      return SetClampedNarrow<Float16, SquaredDifference>(context, kNone);
    case TensorType::kInt32:
      return SetBinary<int32_t, int32_t>(context, Plain<SquaredDifference>());
    case TensorType::kInt8:
      return PrepareQuantized(context);
    default:
      return UnsupportedBinaryType(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kSquaredDifference = {
    "SQUARED_DIFFERENCE",
    schema::BuiltinOperator_SQUARED_DIFFERENCE,
    2,
    kOpDefault,
    0,
    nullptr,
    PrepareSquaredDifference,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
