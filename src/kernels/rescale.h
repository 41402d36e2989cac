// Rescale: from one affine quantization to another.

#ifndef ARENALITE_KERNELS_RESCALE_H_
#define ARENALITE_KERNELS_RESCALE_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/quantization.h"

namespace arenalite {

// clamp(multiplier * (x - input_zero_point) + output_zero_point).
template <class In, class Out>
struct Rescale {
  QuantizedMultiplier multiplier;
  int32_t input_zero_point = 0;
  int32_t output_zero_point = 0;
  int32_t min = std::numeric_limits<Out>::min();
  int32_t max = std::numeric_limits<Out>::max();

  Out operator()(In x) const {
    // Only 32-bit elements can leave 32 bits here.
    const int64_t centred = int64_t{x} - input_zero_point;
    const int32_t clamped = static_cast<int32_t>(
        std::clamp<int64_t>(centred, INT32_MIN, INT32_MAX));
    const int64_t moved =
        int64_t{MultiplyByQuantizedMultiplier(clamped, multiplier)} +
        output_zero_point;
    return static_cast<Out>(
        std::min<int64_t>(std::max<int64_t>(moved, min), max));
  }
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_RESCALE_H_
