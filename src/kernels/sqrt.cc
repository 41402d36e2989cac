// SQRT, RSQRT, ABS.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/fixed_point.h"
#include "kernels/lookup.h"
#include "kernels/quantization.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct Sqrt {
  float operator()(float x) const { return std::sqrt(x); }
};
struct Rsqrt {
  float operator()(float x) const { return 1.0f / std::sqrt(x); }
};

// A function of quantized values from `least`, the zero point, upwards.
template <class F>
struct Bounded {
  F f;
  int32_t least;
};

// Refuses values below the domain before it writes anything. T: the type of
// values; F works on Stored, of the same width.
template <class T, class Stored, class F>
Status EvalBounded(OpContext& context) {
  const auto& bounded = context.data<Bounded<F>>();
  const Tensor& input = context.input(0);
  const T* values = input.data_as<T>();
  const int64_t elements = input.shape.NumElements();
  for (int64_t i = 0; i < elements; ++i) {
    if (values[i] < bounded.least) {
      return OutOfRangeError("input 0 holds the quantized value ",
                             int32_t{values[i]}, " at element ", i,
                             ", allowed at least the zero point ",
                             bounded.least);
    }
  }
  MapElements<Stored, Stored>(input, context.output(0), bounded.f);
  return OkStatus();
}

template <class T, class F>
Status SetBoundedBytes(OpContext& context, const F& f) {
  ARENALITE_ASSIGN_OR_RETURN(Bounded<ByteTable> * bounded,
                             context.CreateData<Bounded<ByteTable>>());
  const int32_t least = context.input(0).quantization.zero_point();
  bounded->least = least;
  for (int i = least; i <= std::numeric_limits<T>::max(); ++i) {
    bounded->f.values[static_cast<uint8_t>(i)] =
        static_cast<uint8_t>(f(static_cast<T>(i)));
  }
  context.SetEval(EvalBounded<T, uint8_t, ByteTable>);
  return OkStatus();
}

// The reference truncates here.
template <class T>
struct QuantizedSqrt {
  Quantization in;
  Quantization out;

  T operator()(T x) const {
    const auto centred = static_cast<float>(int32_t{x} - in.zero_point());
    const float scaled = std::sqrt(in.scale() * centred) / out.scale();
    const auto limit =
        static_cast<float>(std::numeric_limits<T>::max() - out.zero_point());
    const auto moved = static_cast<int32_t>(std::min(scaled, limit));
    return static_cast<T>(moved + out.zero_point());
  }
};

template <class T>
QuantizedSqrt<T> MakeSqrt(const OpContext& context) {
  return {context.input(0).quantization, context.output(0).quantization};
}

Status PrepareSqrt(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Sqrt());
    case TensorType::kInt8:
      ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
      return SetBoundedBytes<int8_t>(context, MakeSqrt<int8_t>(context));
    case TensorType::kInt16: {
      ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
      ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
      using Function = Bounded<QuantizedSqrt<int16_t>>;
      ARENALITE_ASSIGN_OR_RETURN(Function * bounded,
                                 context.CreateData<Function>());
      bounded->f = MakeSqrt<int16_t>(context);
      context.SetEval(EvalBounded<int16_t, int16_t, QuantizedSqrt<int16_t>>);
      return OkStatus();
    }
    default:
      return UnsupportedInput(context, "FLOAT32, INT8 or INT16");
  }
}

struct QuantizedRsqrt {
  int32_t input_zero_point;
  int32_t output_zero_point;
  QuantizedMultiplier scale;

  // Bits of fraction that the inverse root carries between its two factors.
  static constexpr int kShift = 20;

  int8_t operator()(int8_t x) const {
    const int32_t centred = int32_t{x} - input_zero_point;
    if (centred <= 0) return INT8_MAX;
    QuantizedMultiplier root = InverseSquareRoot(centred);
    root.shift += kShift;
    const QuantizedMultiplier rest = {scale.multiplier,
                                      std::max(scale.shift - kShift, -31)};
    const int64_t result =
        int64_t{MultiplyByQuantizedMultiplier(
            MultiplyByQuantizedMultiplier(int32_t{1}, root), rest)} +
        output_zero_point;
    return static_cast<int8_t>(std::clamp<int64_t>(result, INT8_MIN, INT8_MAX));
  }
};

// Of INT16 tables: what has no root gets the output's largest value.
struct BoundedRsqrt {
  float ceiling;
  float operator()(float x) const {
    return x <= 0.0f ? ceiling : 1.0f / std::sqrt(x);
  }
};

Status PrepareInt8Rsqrt(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  // The product in the divisor is rounded to float, as in the reference.
  const float divisor = std::sqrt(in.scale()) * out.scale();
  return SetBoundedBytes<int8_t>(
      context,
      QuantizedRsqrt{in.zero_point(), out.zero_point(),
                     QuantizeMultiplier(1.0 / static_cast<double>(divisor))});
}

Status PrepareInt16Rsqrt(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
  using Function = Bounded<Int16Table>;
  ARENALITE_ASSIGN_OR_RETURN(Function * bounded,
                             context.CreateData<Function>());
  const float out_scale = context.output(0).quantization.scale();
  FillInt16Table<float>(BoundedRsqrt{INT16_MAX * out_scale},
                        context.input(0).quantization.scale(), 0, out_scale, 0,
                        bounded->f);
  context.SetEval(EvalBounded<int16_t, int16_t, Int16Table>);
  return OkStatus();
}

Status PrepareRsqrt(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Rsqrt());
    case TensorType::kInt8:
      return PrepareInt8Rsqrt(context);
    case TensorType::kInt16:
      return PrepareInt16Rsqrt(context);
    default:
      return UnsupportedInput(context, "FLOAT32, INT8 or INT16");
  }
}

struct FloatAbs {
  float operator()(float x) const { return std::fabs(x); }
};

// The least integer stays itself.
template <class T>
struct IntegerAbs {
  T operator()(T x) const {
    const auto bits = static_cast<uint32_t>(int32_t{x});
    return static_cast<T>(x < 0 ? 0u - bits : bits);
  }
};

template <class T>
struct QuantizedAbs {
  QuantizedMultiplier scale;
  int32_t input_zero_point;
  int32_t output_zero_point;

  T operator()(T x) const {
    const int32_t magnitude = std::abs(int32_t{x} - input_zero_point);
    const int64_t result =
        int64_t{MultiplyByQuantizedMultiplier(magnitude, scale)} +
        output_zero_point;
    return static_cast<T>(std::clamp<int64_t>(
        result, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

template <class T>
QuantizedAbs<T> MakeAbs(const OpContext& context) {
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  return {QuantizeMultiplier(static_cast<double>(in.scale() / out.scale())),
          in.zero_point(), out.zero_point()};
}

Status PrepareAbs(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, FloatAbs());
    case TensorType::kInt32:
      return SetMap<int32_t, int32_t>(context, IntegerAbs<int32_t>());
    case TensorType::kInt8:
      ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
      return SetByteMap<int8_t, int8_t>(context, MakeAbs<int8_t>(context));
    case TensorType::kInt16:
      if (!context.input(0).quantization.has_scale()) {
        return SetMap<int16_t, int16_t>(context, IntegerAbs<int16_t>());
      }
      ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
      ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
      return SetMap<int16_t, int16_t>(context, MakeAbs<int16_t>(context));
    default:
      return UnsupportedInput(context, "FLOAT32, INT8, INT16 or INT32");
  }
}

}  // namespace

namespace ops {

const OpDefinition kSqrt = {
    "SQRT",      schema::BuiltinOperator_SQRT,
    2,           kOpDefault,
    0,           nullptr,
    PrepareSqrt, nullptr,
    MapOverlap,
};
const OpDefinition kRsqrt = {
    "RSQRT",
    schema::BuiltinOperator_RSQRT,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareRsqrt,
    nullptr,
    MapOverlap,
};
const OpDefinition kAbs = {
    "ABS",      schema::BuiltinOperator_ABS,
    3,          kOpDefault,
    0,          nullptr,
    PrepareAbs, nullptr,
    MapOverlap,
};
const OpDefinition kStablehloRsqrt = {
    "STABLEHLO_RSQRT",
    schema::BuiltinOperator_STABLEHLO_RSQRT,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareRsqrt,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloAbs = {
    "STABLEHLO_ABS",
    schema::BuiltinOperator_STABLEHLO_ABS,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareAbs,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
