// DEQUANTIZE: quantized or 16-bit values to FLOAT32.

#include <cstdint>

#include "arenalite/builtin_ops.h"
#include "kernels/channels.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// The difference is exact in float, so one rounding is all there is: the same
// as the reference's, which multiplies in double.
struct AffineDequantize {
  float scale;
  int32_t zero_point;
  float operator()(int32_t x) const {
    return scale * static_cast<float>(x - zero_point);
  }
};

struct ChannelDequantize {
  Span<const float> scales;
  Span<const int64_t> zero_points;
  AffineDequantize ForChannel(int64_t c) const {
    return {scales[static_cast<size_t>(c)], ChannelZeroPoint(zero_points, c)};
  }
};

struct Widen {
  float operator()(float x) const { return x; }
};

template <class In>
Status PrepareQuantized(OpContext& context, ActivationRange range) {
  const Quantization& q = context.input(0).quantization;
  // Without a scale the reference gives zeros.
  ARENALITE_RETURN_IF_ERROR(CheckChannelQuantization(
      context.input(0), "input 0", range, /*need_scale=*/false));
  if (q.scales.size() > 1) {
    return SetChannelMap<In, float>(context, q,
                                    ChannelDequantize{q.scales, q.zero_points});
  }
  return SetMap<In, float>(context,
                           AffineDequantize{q.scale(), q.zero_point()});
}

Status PrepareDequantize(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameShape(context));
  const TensorType output = context.output(0).type;
  if (output != TensorType::kFloat32) {
    return InvalidModelError("output 0 is ", TensorTypeName(output),
                             ", allowed FLOAT32");
  }
  switch (context.input(0).type) {
    case TensorType::kUInt8:
      return PrepareQuantized<uint8_t>(context, {0, 255});
    case TensorType::kInt8:
      return PrepareQuantized<int8_t>(context, {-128, 127});
    case TensorType::kUInt16:
      return PrepareQuantized<uint16_t>(context, {0, 65535});
    case TensorType::kInt16:
      return PrepareQuantized<int16_t>(context, {-32768, 32767});
    case TensorType::kInt4:
      return PrepareQuantized<Int4>(context, {-8, 7});
    case TensorType::kUInt4:
      return PrepareQuantized<UInt4>(context, {0, 15});
    case TensorType::kInt2:
      return PrepareQuantized<Int2>(context, {-2, 1});
    case TensorType::kFloat16:
      return SetMap<Float16, float>(context, Widen());
    case TensorType::kBFloat16:
      return SetMap<BFloat16, float>(context, Widen());
    default:
      return UnsupportedInput(context,
                              "UINT8, INT8, UINT16, INT16, INT4, UINT4, INT2, "
                              "FLOAT16 or BFLOAT16");
  }
}

}  // namespace

namespace ops {

const OpDefinition kDequantize = {
    "DEQUANTIZE",
    schema::BuiltinOperator_DEQUANTIZE,
    8,
    kOpDefault,
    0,
    nullptr,
    PrepareDequantize,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
