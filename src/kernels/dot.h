// Inner products: the innermost loops of matrix kernels. Written so that
// compilers turn them into multiply-add instructions on vectors.

#ifndef ARENALITE_KERNELS_DOT_H_
#define ARENALITE_KERNELS_DOT_H_

#include <algorithm>
#include <cstdint>

namespace arenalite {

// Sum of (w[i] + w_offset) * (x[i] + x_offset) for 8-bit weights and 8- or
// 16-bit values; both offset values fit 16 bits (an offset is a negated zero
// point of its type).
template <class W, class X>
int64_t OffsetDot(const W* w, int w_offset, const X* x, int x_offset,
                  int64_t count) {
  static_assert(sizeof(W) == 1);
  // As many products as 32 bits always hold: 32768 of 255 * 255, or 256 of
  // 255 * 32768.
  constexpr int64_t kBlock = sizeof(X) == 1 ? 32768 : 256;
  int64_t total = 0;
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t end = std::min(count, first + kBlock);
    int32_t sum = 0;
    for (int64_t i = first; i < end; ++i) {
      const auto weight = static_cast<int16_t>(w[i] + w_offset);
      const auto value = static_cast<int16_t>(x[i] + x_offset);
      sum += int32_t{weight} * int32_t{value};
    }
    total += sum;
  }
  return total;
}

// The same for 16-bit weights, whose products leave 32 bits no room.
inline int64_t OffsetDot(const int16_t* w, int w_offset, const int16_t* x,
                         int x_offset, int64_t count) {
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    total += int64_t{w[i] + w_offset} * (x[i] + x_offset);
  }
  return total;
}

// Sum of w[i] * x[i] in sixteen interleaved partial sums: the order that vector
// registers impose, chosen by us so that every compiler gives the same bits.
inline float FloatDot(const float* w, const float* x, int64_t count) {
  constexpr int kLanes = 16;
  float lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += w[i + lane] * x[i + lane];
    }
  }
  for (int lane = 0; i < count; ++i, ++lane) lanes[lane] += w[i] * x[i];
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_DOT_H_
