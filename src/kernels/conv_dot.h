// Dot products of a run of input elements with one or four runs of weights:
// where convolutions spend their time.

#ifndef ARENALITE_KERNELS_CONV_DOT_H_
#define ARENALITE_KERNELS_CONV_DOT_H_

#include <cstdint>

namespace arenalite {

// Added to every element before it is multiplied: minus the zero points of
// 8-bit types; 0 for 16-bit ones. Sums stay within 16 bits.
struct DotOffsets {
  int16_t input = 0;
  int16_t weights = 0;
};

// Weights of several channels: channel n has its run at data + n * step.
template <class W>
struct WeightRuns {
  const W* data = nullptr;
  int64_t step = 0;
};

// sums[n] += dot(x, run n), for n < channels: several runs share one pass over
// x. `channels` is 1 or 4, for floats also 8. Integer sums are exact; floats
// are added in the order of x.
void AddDots(const float* x, WeightRuns<float> w, int64_t count, int channels,
             float* sums);
void AddDots(const int8_t* x, WeightRuns<int8_t> w, int64_t count,
             DotOffsets offsets, int channels, int64_t* sums);
void AddDots(const uint8_t* x, WeightRuns<uint8_t> w, int64_t count,
             DotOffsets offsets, int channels, int64_t* sums);
void AddDots(const int16_t* x, WeightRuns<int8_t> w, int64_t count,
             DotOffsets offsets, int channels, int64_t* sums);

// Values [first, first + count) of packed 4-bit weights, low nibble first.
void UnpackInt4(const uint8_t* packed, int64_t first, int64_t count,
                int8_t* values);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_CONV_DOT_H_
