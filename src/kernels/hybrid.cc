#include "kernels/hybrid.h"

#include <algorithm>
#include <cmath>

namespace arenalite {
namespace {

constexpr float kLow = -128.0f;
constexpr float kHigh = 127.0f;

// Arguments are ordered so that a NaN ends as `low`.
int8_t Saturate(float value, float low) {
  return static_cast<int8_t>(std::min(kHigh, std::max(low, value)));
}

// Which end of the range the zero point is computed from decides its rounding:
// the one with the smaller error, as in gemmlowp's quantization example.
int32_t ZeroPoint(double real_min, double real_max, double scale) {
  const double from_min = kLow - real_min / scale;
  const double from_max = kHigh - real_max / scale;
  const double min_error = std::abs(kLow) + std::abs(real_min / scale);
  const double max_error = std::abs(kHigh) + std::abs(real_max / scale);
  const double zero_point = min_error < max_error ? from_min : from_max;
  if (!(zero_point > kLow)) return static_cast<int32_t>(kLow);
  if (zero_point >= kHigh) return static_cast<int32_t>(kHigh);
  return static_cast<int32_t>(std::round(zero_point));
}

}  // namespace

RowScale QuantizeRow(const float* values, int64_t count, bool asymmetric,
                     int8_t* quantized) {
  if (count == 0) return {};
  const auto [low, high] = std::minmax_element(values, values + count);
  RowScale row;
  float inverse = 0.0f;
  float smallest = kLow;
  if (asymmetric) {
    const double real_min = std::min(0.0f, *low);
    const double real_max = std::max(0.0f, *high);
    if (real_min != real_max) {
      const double scale = (real_max - real_min) / (kHigh - kLow);
      row.scale = static_cast<float>(scale);
      row.zero_point = ZeroPoint(real_min, real_max, scale);
      inverse = 1.0f / row.scale;
    }
  } else {
    const float range = std::max(std::abs(*low), std::abs(*high));
    smallest = -kHigh;
    if (range != 0.0f) {
      row.scale = range / kHigh;
      inverse = kHigh / range;
    }
  }
  const auto offset = static_cast<float>(row.zero_point);
  for (int64_t i = 0; i < count; ++i) {
    quantized[i] = Saturate(std::round(offset + values[i] * inverse), smallest);
  }
  return row;
}

}  // namespace arenalite
