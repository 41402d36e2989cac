#include "kernels/conv_dot.h"

#include <algorithm>

namespace arenalite {
namespace {

// Four sums side by side, each in the order of the reference, from the first
// product to the last: that costs no vector lanes, because the sums of four
// channels do not wait for each other, and it gives the reference's bits.
void AddFourDots(const float* x, WeightRuns<float> w, int64_t count,
                 float* sums) {
  const float* w0 = w.data;
  const float* w1 = w0 + w.step;
  const float* w2 = w1 + w.step;
  const float* w3 = w2 + w.step;
  float a = sums[0], b = sums[1], c = sums[2], d = sums[3];
  for (int64_t i = 0; i < count; ++i) {
    a += x[i] * w0[i];
    b += x[i] * w1[i];
    c += x[i] * w2[i];
    d += x[i] * w3[i];
  }
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
}

void AddOneDot(const float* x, const float* w, int64_t count, float* sum) {
  float a = *sum;
  for (int64_t i = 0; i < count; ++i) a += x[i] * w[i];
  *sum = a;
}

// Products of two 16-bit values summed in 32 bits: the form for which
// compilers have a single instruction.
template <class X, class W>
void AddFourDots(const X* x, WeightRuns<W> w, int64_t count, DotOffsets offsets,
                 int64_t* sums) {
  const W* w0 = w.data;
  const W* w1 = w0 + w.step;
  const W* w2 = w1 + w.step;
  const W* w3 = w2 + w.step;
  int32_t a = 0, b = 0, c = 0, d = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t v = static_cast<int16_t>(x[i] + offsets.input);
    a += v * static_cast<int16_t>(w0[i] + offsets.weights);
    b += v * static_cast<int16_t>(w1[i] + offsets.weights);
    c += v * static_cast<int16_t>(w2[i] + offsets.weights);
    d += v * static_cast<int16_t>(w3[i] + offsets.weights);
  }
  sums[0] += a;
  sums[1] += b;
  sums[2] += c;
  sums[3] += d;
}

template <class X, class W>
void AddOneDot(const X* x, const W* w, int64_t count, DotOffsets offsets,
               int64_t* sum) {
  int32_t a = 0;
  for (int64_t i = 0; i < count; ++i) {
    a += static_cast<int16_t>(x[i] + offsets.input) *
         static_cast<int16_t>(w[i] + offsets.weights);
  }
  *sum += a;
}

// In pieces whose sum fits 32 bits, whatever the values.
template <int64_t kPiece, class X, class W>
void AddDotsInPieces(const X* x, WeightRuns<W> w, int64_t count,
                     DotOffsets offsets, int channels, int64_t* sums) {
  for (int64_t i = 0; i < count; i += kPiece) {
    const int64_t piece = std::min(kPiece, count - i);
    const WeightRuns<W> rest{w.data + i, w.step};
    if (channels == 4) {
      AddFourDots(x + i, rest, piece, offsets, sums);
    } else {
      AddOneDot(x + i, rest.data, piece, offsets, sums);
    }
  }
}

constexpr int64_t kPiece8 = 32768;  // 255 * 255 * 32768 < 2^31
constexpr int64_t kPiece16 = 256;   // 2^15 * 2^7 * 256 < 2^31

}  // namespace

void AddDots(const float* x, WeightRuns<float> w, int64_t count, int channels,
             float* sums) {
  if (channels == 4) {
    AddFourDots(x, w, count, sums);
  } else {
    AddOneDot(x, w.data, count, sums);
  }
}

void AddDots(const int8_t* x, WeightRuns<int8_t> w, int64_t count,
             DotOffsets offsets, int channels, int64_t* sums) {
  AddDotsInPieces<kPiece8>(x, w, count, offsets, channels, sums);
}

void AddDots(const uint8_t* x, WeightRuns<uint8_t> w, int64_t count,
             DotOffsets offsets, int channels, int64_t* sums) {
  AddDotsInPieces<kPiece8>(x, w, count, offsets, channels, sums);
}

void AddDots(const int16_t* x, WeightRuns<int8_t> w, int64_t count,
             DotOffsets offsets, int channels, int64_t* sums) {
  AddDotsInPieces<kPiece16>(x, w, count, offsets, channels, sums);
}

void UnpackInt4(const uint8_t* packed, int64_t first, int64_t count,
                int8_t* values) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = first + i;
    const int nibble = (packed[at / 2] >> (at % 2 * 4)) & 15;
    values[i] = static_cast<int8_t>((nibble ^ 8) - 8);
  }
}

}  // namespace arenalite
