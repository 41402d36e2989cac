#include <cmath>

#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

Status VerifyScales(Span<const float> scales) {
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!std::isfinite(scales[i]) || scales[i] < 0) {
      return InvalidModelError("scale ", i, " is ", scales[i],
                               ", allowed finite and not negative");
    }
  }
  return OkStatus();
}

// Several scales: one for each index of a dimension.
Status VerifyChannels(int64_t scales, int32_t dimension, const Shape& shape) {
  // A bias has one dimension; many writers give it its filter's channel
  // dimension, and the meaning is plain.
  const int32_t meant = shape.rank() == 1 ? 0 : dimension;
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
Status VerifyZeroPoints(const flatbuffers::Vector<int64_t>* zero_points) {
  for (uint32_t i = 0; i < SizeOf(zero_points); ++i) {
    const int64_t zero_point = ReadInt64(zero_points, i);
    if (zero_point < INT32_MIN || zero_point > INT32_MAX) {
      return InvalidModelError("zero point ", i, " is ", zero_point,
                               ", allowed ", INT32_MIN, "..", INT32_MAX);
    }
  }
  return OkStatus();
}

}  // namespace

Status VerifyQuantization(Verification& v, const schema::SubGraph& subgraph,
                          const schema::Tensor& tensor, const Shape& shape) {
  (void)subgraph;
  const schema::QuantizationParameters* quantization = tensor.quantization();
  if (quantization == nullptr) return OkStatus();
  const Span<const float> scales = ToSpan(quantization->scale());
  const size_t zero_points = SizeOf(quantization->zero_point());
  ARENALITE_RETURN_IF_ERROR(v.Charge(scales.size() + zero_points));
  ARENALITE_RETURN_IF_ERROR(VerifyScales(scales));
  ARENALITE_RETURN_IF_ERROR(VerifyZeroPoints(quantization->zero_point()));
  if (zero_points > 1 && zero_points != scales.size()) {
    return InvalidModelError(zero_points, " zero points for ", scales.size(),
                             " scales");
  }
  if (scales.size() <= 1) return OkStatus();
  return VerifyChannels(static_cast<int64_t>(scales.size()),
                        quantization->quantized_dimension(), shape);
}

}  // namespace arenalite
