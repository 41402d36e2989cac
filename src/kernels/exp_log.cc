// EXP, LOG, ELU, GELU: functions that quantized tensors take from a table.

#include <cmath>
#include <cstdint>

#include "arenalite/builtin_ops.h"
#include "kernels/lookup.h"
#include "kernels/options.h"
#include "kernels/unary.h"

namespace arenalite {
namespace {

struct Exp {
  float operator()(float x) const { return std::exp(x); }
};
struct Log {
  float operator()(float x) const { return std::log(x); }
};
// Of quantized tensors: what has no logarithm gets the output's least value.
struct BoundedLog {
  float floor;
  float operator()(float x) const { return x <= 0.0f ? floor : std::log(x); }
};
struct Elu {
  float operator()(float x) const { return x < 0.0f ? std::expm1(x) : x; }
};

constexpr float kSqrtHalf = 0.70710678f;
constexpr float kSqrt2OverPi = 0.79788456f;
constexpr float kGeluCubic = 0.044715f;

// x times the normal distribution function; by erfc(), which does not cancel
// for negative x.
struct Gelu {
  float operator()(float x) const {
    return 0.5f * x * std::erfc(x * -kSqrtHalf);
  }
};
struct TanhGelu {
  float operator()(float x) const {
    const float inner = kSqrt2OverPi * (x + kGeluCubic * x * x * x);
    return 0.5f * x * (1.0f + std::tanh(inner));
  }
};

// FLOAT16: the reference rounds after every operation.
float Narrow(float x) { return static_cast<float>(Float16(x)); }
struct Float16Gelu {
  float operator()(float x) const {
    const float tail = Narrow(std::erfc(Narrow(x * Narrow(-kSqrtHalf))));
    return Narrow(0.5f * x) * tail;
  }
};
struct Float16TanhGelu {
  float operator()(float x) const {
    const float cube = Narrow(Narrow(x * x) * x);
    const float sum = Narrow(x + Narrow(Narrow(kGeluCubic) * cube));
    const float tanh = Narrow(std::tanh(Narrow(Narrow(kSqrt2OverPi) * sum)));
    return Narrow(0.5f * x) * Narrow(1.0f + tanh);
  }
};

template <class T, class F>
Status SetByteFunction(OpContext& context, const F& f) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  return SetByteMap<T, T>(
      context, QuantizedFunction<T, F>(f, context.input(0), context.output(0)));
}

template <class F>
Status SetInt16Function(OpContext& context, const F& f) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  ARENALITE_ASSIGN_OR_RETURN(Int16Table * table,
                             context.CreateData<Int16Table>());
  FillInt16Table<float>(f, in.scale(), in.zero_point(), out.scale(),
                        out.zero_point(), *table);
  context.SetEval(EvalMap<int16_t, int16_t, Int16Table>);
  return OkStatus();
}

Status PrepareExp(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Exp());
    case TensorType::kInt8:
      return SetByteFunction<int8_t>(context, Exp());
    case TensorType::kInt16:
      return SetInt16Function(context, Exp());
    default:
      return UnsupportedInput(context, "FLOAT32, INT8 or INT16");
  }
}

Status PrepareLog(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  const Quantization& out = context.output(0).quantization;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Log());
    case TensorType::kInt8: {
      const auto least = static_cast<float>(INT8_MIN - out.zero_point());
      return SetByteFunction<int8_t>(context, BoundedLog{least * out.scale()});
    }
    case TensorType::kInt16:
      ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
      return SetInt16Function(context, BoundedLog{INT16_MIN * out.scale()});
    default:
      return UnsupportedInput(context, "FLOAT32, INT8 or INT16");
  }
}

Status PrepareElu(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Elu());
    case TensorType::kInt8:
      return SetByteFunction<int8_t>(context, Elu());
    default:
      return UnsupportedInput(context, "FLOAT32 or INT8");
  }
}

struct GeluOptions {
  bool approximate;
};

Status ParseGelu(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::GeluOptions>(source);
  if (table != nullptr) {
    static_cast<GeluOptions*>(options)->approximate = table->approximate();
  }
  return OkStatus();
}

template <class F, class Float16F>
Status SetGelu(OpContext& context) {
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, F());
    case TensorType::kFloat16:
      return SetMap<Float16, Float16>(context, Float16F());
    case TensorType::kUInt8:
      return SetByteFunction<uint8_t>(context, F());
    case TensorType::kInt8:
      return SetByteFunction<int8_t>(context, F());
    case TensorType::kInt16:
      return SetInt16Function(context, F());
    default:
      return UnsupportedInput(context,
                              "FLOAT32, FLOAT16, UINT8, INT8 or INT16");
  }
}

Status PrepareGelu(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  return context.options<GeluOptions>().approximate
             ? SetGelu<TanhGelu, Float16TanhGelu>(context)
             : SetGelu<Gelu, Float16Gelu>(context);
}

}  // namespace

namespace ops {

const OpDefinition kExp = {
    "EXP",      schema::BuiltinOperator_EXP,
    2,          kOpDefault,
    0,          nullptr,
    PrepareExp, nullptr,
    MapOverlap,
};
const OpDefinition kLog = {
    "LOG",      schema::BuiltinOperator_LOG,
    2,          kOpDefault,
    0,          nullptr,
    PrepareLog, nullptr,
    MapOverlap,
};
const OpDefinition kElu = {
    "ELU",      schema::BuiltinOperator_ELU,
    1,          kOpDefault,
    0,          nullptr,
    PrepareElu, nullptr,
    MapOverlap,
};
const OpDefinition kGelu = {
    "GELU",
    schema::BuiltinOperator_GELU,
    3,
    kOpDefault,
    sizeof(GeluOptions),
    ParseGelu,
    PrepareGelu,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloExponential = {
    "STABLEHLO_EXPONENTIAL",
    schema::BuiltinOperator_STABLEHLO_EXPONENTIAL,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareExp,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloLog = {
    "STABLEHLO_LOG",
    schema::BuiltinOperator_STABLEHLO_LOG,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareLog,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
