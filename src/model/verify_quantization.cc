#include <cmath>

#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

// The range of a zero point, which lies among the values it shifts. Wide
// types, where it plays no part, may hold anything that fits 32 bits.
struct Range {
  int64_t min;
  int64_t max;
};

Range ZeroPointRange(schema::TensorType type) {
  switch (type) {
    case schema::TensorType_INT8:
      return {INT8_MIN, INT8_MAX};
    case schema::TensorType_UINT8:
      return {0, UINT8_MAX};
    case schema::TensorType_INT16:
      return {INT16_MIN, INT16_MAX};
    default:
      return {INT32_MIN, INT32_MAX};
  }
}

// One scale of 0 makes 8-bit values meaningless. It is common where nothing
// uses it (text, states of 16 bits), and plain for single dead channels.
bool AllowsZeroScale(schema::TensorType type, size_t scales) {
  return scales > 1 ||
         (type != schema::TensorType_INT8 && type != schema::TensorType_UINT8);
}

Status VerifyScales(Span<const float> scales, bool allow_zero) {
  for (size_t i = 0; i < scales.size(); ++i) {
    const float scale = scales[i];
    if (!std::isfinite(scale) || scale < 0 || (scale == 0 && !allow_zero)) {
      return InvalidModelError("scale ", i, " is ", scale,
                               ", allowed finite and ",
                               allow_zero ? "not negative" : "positive");
    }
  }
  return OkStatus();
}

// Several scales: one for each index of a dimension.
Status VerifyChannels(int64_t scales, int32_t dimension, const Shape& shape) {
  // A bias has one dimension; many writers give it its filter's channel
  // dimension, and the meaning is plain.
  const int32_t meant = shape.rank() == 1 ? 0 : dimension;
  if (shape.rank() == 0) {
    return InvalidModelError(scales, " scales for a scalar, allowed 0 or 1");
  }
  if (meant < 0 || meant >= shape.rank()) {
    return InvalidModelError(scales, " scales along dimension ", dimension,
                             ", allowed 0..", shape.rank() - 1);
  }
  if (scales != shape.dim(meant)) {
    return InvalidModelError(scales, " scales along dimension ", dimension,
                             " of shape ", shape.dims(), ", needed ",
                             shape.dim(meant));
  }
  return OkStatus();
}

// Vectors of 8-byte elements are not always aligned in real files.
Status VerifyZeroPoints(const flatbuffers::Vector<int64_t>* zero_points,
                        Range range) {
  for (uint32_t i = 0; i < SizeOf(zero_points); ++i) {
    const int64_t zero_point = ReadInt64(zero_points, i);
    if (zero_point < range.min || zero_point > range.max) {
      return InvalidModelError("zero point ", i, " is ", zero_point,
                               ", allowed ", range.min, "..", range.max);
    }
  }
  return OkStatus();
}

// Scales that lie in tensors of their own: -1 where there are no zero points.
Status VerifyDetailTensors(int32_t scales, int32_t zero_points,
                           int64_t tensors) {
  if (scales < 0 || scales >= tensors) {
    return InvalidModelError("quantization scales in tensor ", scales,
                             ", allowed 0..", tensors - 1);
  }
  if (zero_points < -1 || zero_points >= tensors) {
    return InvalidModelError("quantization zero points in tensor ", zero_points,
                             ", allowed -1..", tensors - 1);
  }
  return OkStatus();
}

Status VerifyDetails(const schema::QuantizationParameters& quantization,
                     int64_t tensors) {
  if (const auto* block = quantization.details_as_BlockwiseQuantization()) {
    return VerifyDetailTensors(block->scales(), block->zero_points(), tensors);
  }
  if (const auto* grid = quantization.details_as_MultiAxisQuantization()) {
    return VerifyDetailTensors(grid->scales(), grid->zero_points(), tensors);
  }
  return OkStatus();
}

}  // namespace

Status VerifyQuantization(Verification& v, const schema::SubGraph& subgraph,
                          const schema::Tensor& tensor, const Shape& shape) {
  const schema::QuantizationParameters* quantization = tensor.quantization();
  if (quantization == nullptr) return OkStatus();
  const Span<const float> scales = ToSpan(quantization->scale());
  const size_t zero_points = SizeOf(quantization->zero_point());
  ARENALITE_RETURN_IF_ERROR(v.Charge(scales.size() + zero_points));
  ARENALITE_RETURN_IF_ERROR(
      VerifyDetails(*quantization, SizeOf(subgraph.tensors())));
  ARENALITE_RETURN_IF_ERROR(
      VerifyScales(scales, AllowsZeroScale(tensor.type(), scales.size())));
  ARENALITE_RETURN_IF_ERROR(VerifyZeroPoints(quantization->zero_point(),
                                             ZeroPointRange(tensor.type())));
  if (zero_points > 1 && zero_points != scales.size()) {
    return InvalidModelError(zero_points, " zero points for ", scales.size(),
                             " scales");
  }
  if (scales.size() <= 1) return OkStatus();
  return VerifyChannels(static_cast<int64_t>(scales.size()),
                        quantization->quantized_dimension(), shape);
}

}  // namespace arenalite
