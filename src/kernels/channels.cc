#include "kernels/channels.h"

#include <cmath>

namespace arenalite {
namespace {

Status CheckAxis(const Tensor& tensor, const char* what) {
  const Quantization& q = tensor.quantization;
  const int32_t axis = q.quantized_dimension;
  if (axis < 0 || axis >= tensor.shape.rank()) {
    return InvalidModelError(what, " has quantized dimension ", axis,
                             ", allowed 0..", tensor.shape.rank() - 1);
  }
  const auto channels = static_cast<size_t>(tensor.shape.dim(axis));
  if (q.scales.size() != channels ||
      (q.zero_points.size() > 1 && q.zero_points.size() != channels)) {
    return InvalidModelError(what, " has ", q.scales.size(), " scales and ",
                             q.zero_points.size(), " zero points for ",
                             channels, " channels");
  }
  return OkStatus();
}

}  // namespace

Status CheckChannelQuantization(const Tensor& tensor, const char* what,
                                ActivationRange range, bool need_scale) {
  const Quantization& q = tensor.quantization;
  if (q.scales.size() > 1) {
    ARENALITE_RETURN_IF_ERROR(CheckAxis(tensor, what));
  } else if (q.zero_points.size() > 1 || (need_scale && q.scales.empty())) {
    return InvalidModelError(what, " has ", q.scales.size(), " scales and ",
                             q.zero_points.size(),
                             " zero points, allowed one of each");
  }
  for (const float scale : q.scales) {
    if (need_scale && !(std::isfinite(scale) && scale > 0.0f)) {
      return InvalidModelError(what, " has scale ", scale,
                               ", allowed finite values > 0");
    }
  }
  for (const int64_t zero_point : q.zero_points) {
    if (zero_point < range.min || zero_point > range.max) {
      return InvalidModelError(what, " has zero point ", zero_point,
                               ", allowed ", range.min, "..", range.max);
    }
  }
  return OkStatus();
}

}  // namespace arenalite
