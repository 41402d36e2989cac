// QUANTIZE: real to quantized values, and from one quantization to another.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/channels.h"
#include "kernels/rescale.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// round(x / scale) + zero_point within the type's range.
template <class T>
struct AffineQuantize {
  float scale;
  float low;  // The range before the zero point is added.
  float high;
  int32_t zero_point;

  AffineQuantize(float s, int32_t z, ActivationRange range)
      : scale(s),
        low(static_cast<float>(range.min - z)),
        high(static_cast<float>(range.max - z)),
        zero_point(z) {}
  AffineQuantize() = default;

  T operator()(float x) const {
    // In this order NaN becomes the least value. Bounds are integers, so
    // clamping commutes with rounding.
    const float clamped = std::min(std::max(low, x / scale), high);
    // The largest float below a half, with x's sign, makes truncation round
    // halves away from zero, without a call.
    const float nudged = clamped + std::copysign(0.49999997f, clamped);
    return static_cast<T>(static_cast<int32_t>(nudged) + zero_point);
  }
};

template <class T>
struct ChannelQuantize {
  Span<const float> scales;
  Span<const int64_t> zero_points;
  ActivationRange range;

  AffineQuantize<T> ForChannel(int64_t c) const {
    return AffineQuantize<T>(scales[static_cast<size_t>(c)],
                             ChannelZeroPoint(zero_points, c), range);
  }
};

// T: what Element<Packed> computes in; Out: the element type.
template <class Out, class T>
Status PrepareFromFloat(OpContext& context, ActivationRange range) {
  const Quantization& q = context.output(0).quantization;
  ARENALITE_RETURN_IF_ERROR(CheckChannelQuantization(
      context.output(0), "output 0", range, /*need_scale=*/true));
  if (q.scales.size() > 1) {
    return SetChannelMap<float, Out>(
        context, q, ChannelQuantize<T>{q.scales, q.zero_points, range});
  }
  return SetMap<float, Out>(
      context, AffineQuantize<T>(q.scale(), q.zero_point(), range));
}

Status PrepareFromFloat(OpContext& context) {
  const TensorType type = context.output(0).type;
  switch (type) {
    case TensorType::kUInt8:
      return PrepareFromFloat<uint8_t, uint8_t>(context, {0, 255});
    case TensorType::kInt8:
      return PrepareFromFloat<int8_t, int8_t>(context, {-128, 127});
    case TensorType::kInt16:
      return PrepareFromFloat<int16_t, int16_t>(context, {-32768, 32767});
    case TensorType::kInt4:
      return PrepareFromFloat<Int4, int8_t>(context, {-8, 7});
    case TensorType::kUInt4:
      return PrepareFromFloat<UInt4, int8_t>(context, {0, 15});
    default:
      return UnimplementedError("output 0 is ", TensorTypeName(type),
                                " for a FLOAT32 input, allowed UINT8, INT8, "
                                "INT16, INT4 or UINT4");
  }
}

template <class In, class Out>
Status SetRescale(OpContext& context) {
  const Quantization& in = context.input(0).quantization;
  const Quantization& out = context.output(0).quantization;
  Rescale<In, Out> rescale;
  rescale.multiplier = QuantizeMultiplier(static_cast<double>(in.scale()) /
                                          static_cast<double>(out.scale()));
  rescale.input_zero_point = in.zero_point();
  rescale.output_zero_point = out.zero_point();
  if constexpr (sizeof(In) == 1 && sizeof(Out) == 1) {
    return SetByteMap<In, Out>(context, rescale);
  } else {
    return SetMap<In, Out>(context, rescale);
  }
}

template <class In>
Status PrepareRescale(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  switch (context.output(0).type) {
    case TensorType::kUInt8:
      return SetRescale<In, uint8_t>(context);
    case TensorType::kInt8:
      return SetRescale<In, int8_t>(context);
    case TensorType::kInt16:
      return SetRescale<In, int16_t>(context);
    default:
      return SetRescale<In, int32_t>(context);
  }
}

Status PrepareQuantize(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameShape(context));
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  if (input == TensorType::kInt16 && output == TensorType::kInt16) {
    ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
  }
  switch (input) {
    case TensorType::kFloat32:
      return PrepareFromFloat(context);
    case TensorType::kUInt8:
      return PrepareRescale<uint8_t>(context);
    case TensorType::kInt8:
      return PrepareRescale<int8_t>(context);
    case TensorType::kInt16:
      return PrepareRescale<int16_t>(context);
    case TensorType::kInt32:
      return PrepareRescale<int32_t>(context);
    default:
      return UnsupportedInput(context, "FLOAT32, UINT8, INT8, INT16 or INT32");
  }
}

}  // namespace

namespace ops {

const OpDefinition kQuantize = {
    "QUANTIZE",
    schema::BuiltinOperator_QUANTIZE,
    5,
    kOpDefault,
    0,
    nullptr,
    PrepareQuantize,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
