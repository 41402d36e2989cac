// MUL: element-wise, broadcasting, with a fused activation.

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct MulOptions {
  int32_t activation;
};

Status ParseMul(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::MulOptions>(source);
  if (table == nullptr) return OkStatus();
  static_cast<MulOptions*>(options)->activation =
      table->fused_activation_function();
  return OkStatus();
}

template <class T>
struct QuantizedProduct {
  int32_t zero_point[2];
  QuantizedMultiplier multiplier;
  OutputStage output;

  T operator()(T a, T b) const {
    const int32_t product = (a - zero_point[0]) * (b - zero_point[1]);
    return static_cast<T>(
        output(MultiplyByQuantizedMultiplier(product, multiplier)));
  }
};

// INT16 fractions of 15 bits whose product keeps its upper 8 bits, whatever
// the scales say: the reference's form for a narrower output.
template <class Out>
struct FractionProduct {
  OutputStage output;

  Out operator()(int16_t a, int16_t b) const {
    // The 16-bit form of SaturatingRoundingDoublingHighMul.
    int32_t product = int32_t{a} * b;
    product = (product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15);
    product = std::min(product, 32767);
    return static_cast<Out>(output(RoundingDivideByPowerOfTwo(product, 8)));
  }
};

struct Complex64 {
  float real;
  float imaginary;
};

struct ComplexProduct {
  Complex64 operator()(Complex64 a, Complex64 b) const {
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
  }
};

// Converters give a factor that is always zero a scale of 0: it has a product.
Status CheckFactor(const Tensor& factor, const char* what) {
  const Quantization& q = factor.quantization;
  if (q.scales.size() != 1 || q.scale() != 0.0f) {
    return CheckPerTensorQuantization(factor, what);
  }
  ARENALITE_ASSIGN_OR_RETURN(ActivationRange range, TypeRange(factor.type));
  if (q.zero_point() >= range.min && q.zero_point() <= range.max) {
    return OkStatus();
  }
  return InvalidModelError(what, " has zero point ", q.zero_point(),
                           ", allowed ", range.min, "..", range.max);
}

Status CheckQuantization(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckFactor(context.input(0), "input 0"));
  ARENALITE_RETURN_IF_ERROR(CheckFactor(context.input(1), "input 1"));
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(context.output(0), "output 0"));
  for (int i = 0; i < 2 && context.input(i).type == TensorType::kInt16; ++i) {
    const int32_t zero_point = context.input(i).quantization.zero_point();
    if (zero_point != 0) {
      return InvalidModelError("input ", i, " is INT16 with zero point ",
                               zero_point, ", allowed 0");
    }
  }
  return OkStatus();
}

template <class T>
Status SetQuantizedProduct(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckQuantization(context));
  QuantizedProduct<T> f = {};
  const Quantization& output = context.output(0).quantization;
  if (sizeof(T) == 2 && output.zero_point() != 0) {
    return InvalidModelError("output 0 is INT16 with zero point ",
                             output.zero_point(), ", allowed 0");
  }
  for (int i = 0; i < 2; ++i) {
    f.zero_point[i] = context.input(i).quantization.zero_point();
  }
  // In float, as the reference computes it.
  f.multiplier = QuantizeMultiplier(context.input(0).quantization.scale() *
                                    context.input(1).quantization.scale() /
                                    output.scale());
  ARENALITE_ASSIGN_OR_RETURN(
      f.output, MakeOutputStage(context.options<MulOptions>().activation,
                                context.output(0)));
  return SetBinary<T, T>(context, f);
}

template <class Out>
Status SetFractionProduct(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckQuantization(context));
  FractionProduct<Out> f = {};
  ARENALITE_ASSIGN_OR_RETURN(
      f.output, MakeOutputStage(context.options<MulOptions>().activation,
                                context.output(0)));
  return SetBinary<int16_t, Out>(context, f);
}

Status PrepareInt16(OpContext& context) {
  switch (context.output(0).type) {
    case TensorType::kInt8:
      return SetFractionProduct<int8_t>(context);
    case TensorType::kUInt8:
      return SetFractionProduct<uint8_t>(context);
    default:
      break;
  }
  if (context.output(0).quantization.has_scale()) {
    return SetQuantizedProduct<int16_t>(context);
  }
  return SetClamped<int16_t, Times>(context,
                                    context.options<MulOptions>().activation);
}

Status PrepareComplex(OpContext& context) {
  const int32_t activation = context.options<MulOptions>().activation;
  if (activation != schema::ActivationFunctionType_NONE) {
    return InvalidModelError(
        "fused_activation_function is ",
        schema::EnumNameActivationFunctionType(
            static_cast<schema::ActivationFunctionType>(activation)),
        ", allowed for COMPLEX64 is NONE");
  }
  return SetBinary<Complex64, Complex64>(context, ComplexProduct());
}

Status CheckTypes(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const TensorType output = context.output(0).type;
  const bool narrows =
      context.input(0).type == TensorType::kInt16 &&
      (output == TensorType::kInt8 || output == TensorType::kUInt8);
  return CheckBinaryOp(context, narrows ? output : context.input(0).type);
}

Status PrepareMul(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context));
  const int32_t activation = context.options<MulOptions>().activation;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetClamped<float, Times>(context, activation);
    case TensorType::kFloat16:
      return SetClampedNarrow<Float16, Times>(context, activation);
    case TensorType::kInt32:
      return SetClamped<int32_t, Times>(context, activation);
    case TensorType::kUInt32:
      return SetClamped<uint32_t, Times>(context, activation);
    case TensorType::kInt64:
      return SetClamped<int64_t, Times>(context, activation);
    case TensorType::kInt8:
      return SetQuantizedProduct<int8_t>(context);
    case TensorType::kUInt8:
      return SetQuantizedProduct<uint8_t>(context);
    case TensorType::kInt16:
      return PrepareInt16(context);
    case TensorType::kComplex64:
      return PrepareComplex(context);
    default:
      return UnsupportedBinaryType(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kMul = {
    "MUL",
    schema::BuiltinOperator_MUL,
    8,
    kOpDefault,
    sizeof(MulOptions),
    ParseMul,
    PrepareMul,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
