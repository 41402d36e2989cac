// RELU, RELU6, RELU_N1_TO_1, RELU_0_TO_1, LEAKY_RELU.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/rescale.h"
#include "kernels/unary.h"

namespace arenalite {
namespace {

constexpr char kAllowed[] = "FLOAT32, UINT8, INT8 or INT16";
constexpr float kUnbounded = std::numeric_limits<float>::infinity();

struct Clamp {
  float low;
  float high;
  float operator()(float x) const {
    x = x < low ? low : x;
    return x > high ? high : x;
  }
};

// `real` in quantized values, within `range`.
int32_t QuantizeBound(float real, const Tensor& tensor, ActivationRange range) {
  const Quantization& q = tensor.quantization;
  const float scaled = std::round(real / q.scale());
  const float low = static_cast<float>(range.min - q.zero_point());
  const float high = static_cast<float>(range.max - q.zero_point());
  return q.zero_point() + static_cast<int32_t>(std::clamp(scaled, low, high));
}

template <class T>
Result<Rescale<T, T>> MakeRescale(const OpContext& context, Clamp clamp) {
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  Rescale<T, T> rescale;
  // The quotient is rounded to float, as in the reference.
  rescale.multiplier =
      QuantizeMultiplier(static_cast<double>(in.scale() / out.scale()));
  rescale.input_zero_point = in.zero_point();
  rescale.output_zero_point = out.zero_point();
  const ActivationRange range = {rescale.min, rescale.max};
  rescale.min = QuantizeBound(clamp.low, context.output(0), range);
  rescale.max = QuantizeBound(clamp.high, context.output(0), range);
  return rescale;
}

Status PrepareClamp(OpContext& context, Clamp clamp) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, clamp);
    case TensorType::kUInt8: {
      ARENALITE_ASSIGN_OR_RETURN(auto rescale,
                                 MakeRescale<uint8_t>(context, clamp));
      return SetByteMap<uint8_t, uint8_t>(context, rescale);
    }
    case TensorType::kInt8: {
      ARENALITE_ASSIGN_OR_RETURN(auto rescale,
                                 MakeRescale<int8_t>(context, clamp));
      return SetByteMap<int8_t, int8_t>(context, rescale);
    }
    case TensorType::kInt16: {
      ARENALITE_ASSIGN_OR_RETURN(auto rescale,
                                 MakeRescale<int16_t>(context, clamp));
      ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
      return SetMap<int16_t, int16_t>(context, rescale);
    }
    default:
      return UnsupportedInput(context, kAllowed);
  }
}

Status PrepareRelu(OpContext& context) {
  return PrepareClamp(context, {0.0f, kUnbounded});
}
Status PrepareRelu6(OpContext& context) {
  return PrepareClamp(context, {0.0f, 6.0f});
}
Status PrepareReluN1To1(OpContext& context) {
  return PrepareClamp(context, {-1.0f, 1.0f});
}
Status PrepareRelu0To1(OpContext& context) {
  return PrepareClamp(context, {0.0f, 1.0f});
}

struct LeakyReluOptions {
  float alpha;
};

Status ParseLeakyRelu(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::LeakyReluOptions>(source);
  if (table != nullptr) {
    static_cast<LeakyReluOptions*>(options)->alpha = table->alpha();
  }
  return OkStatus();
}

struct LeakyRelu {
  float alpha;
  float operator()(float x) const { return x > 0.0f ? x : x * alpha; }
};

template <class T>
struct QuantizedLeakyRelu {
  QuantizedMultiplier identity;
  QuantizedMultiplier alpha;  // Of |alpha|: rounding is not symmetric.
  int32_t alpha_sign;
  int32_t input_zero_point;
  int32_t output_zero_point;

  T operator()(T x) const {
    const int32_t centred = int32_t{x} - input_zero_point;
    const int64_t scaled =
        centred >= 0 ? int64_t{MultiplyByQuantizedMultiplier(centred, identity)}
                     : int64_t{alpha_sign} *
                           MultiplyByQuantizedMultiplier(centred, alpha);
    return static_cast<T>(std::clamp<int64_t>(scaled + output_zero_point,
                                              std::numeric_limits<T>::min(),
                                              std::numeric_limits<T>::max()));
  }
};

template <class T>
Result<QuantizedLeakyRelu<T>> MakeLeakyRelu(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  const float alpha = context.options<LeakyReluOptions>().alpha;
  QuantizedLeakyRelu<T> leaky;
  // Both factors are rounded to float, as in the reference.
  leaky.identity =
      QuantizeMultiplier(static_cast<double>(in.scale() / out.scale()));
  leaky.alpha = QuantizeMultiplier(
      static_cast<double>(in.scale() * std::fabs(alpha) / out.scale()));
  leaky.alpha_sign = alpha < 0.0f ? -1 : 1;
  leaky.input_zero_point = in.zero_point();
  leaky.output_zero_point = out.zero_point();
  return leaky;
}

Status PrepareLeakyRelu(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(
          context, LeakyRelu{context.options<LeakyReluOptions>().alpha});
    case TensorType::kUInt8: {
      ARENALITE_ASSIGN_OR_RETURN(auto leaky, MakeLeakyRelu<uint8_t>(context));
      return SetByteMap<uint8_t, uint8_t>(context, leaky);
    }
    case TensorType::kInt8: {
      ARENALITE_ASSIGN_OR_RETURN(auto leaky, MakeLeakyRelu<int8_t>(context));
      return SetByteMap<int8_t, int8_t>(context, leaky);
    }
    case TensorType::kInt16: {
      ARENALITE_ASSIGN_OR_RETURN(auto leaky, MakeLeakyRelu<int16_t>(context));
      ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
      return SetMap<int16_t, int16_t>(context, leaky);
    }
    default:
      return UnsupportedInput(context, kAllowed);
  }
}

}  // namespace

namespace ops {

const OpDefinition kRelu = {
    "RELU",      schema::BuiltinOperator_RELU,
    3,           kOpDefault,
    0,           nullptr,
    PrepareRelu, nullptr,
    MapOverlap,
};
const OpDefinition kRelu6 = {
    "RELU6",
    schema::BuiltinOperator_RELU6,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareRelu6,
    nullptr,
    MapOverlap,
};
const OpDefinition kReluN1To1 = {
    "RELU_N1_TO_1",
    schema::BuiltinOperator_RELU_N1_TO_1,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareReluN1To1,
    nullptr,
    MapOverlap,
};
const OpDefinition kRelu0To1 = {
    "RELU_0_TO_1",
    schema::BuiltinOperator_RELU_0_TO_1,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareRelu0To1,
    nullptr,
    MapOverlap,
};
const OpDefinition kLeakyRelu = {
    "LEAKY_RELU",
    schema::BuiltinOperator_LEAKY_RELU,
    2,
    kOpDefault,
    sizeof(LeakyReluOptions),
    ParseLeakyRelu,
    PrepareLeakyRelu,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
