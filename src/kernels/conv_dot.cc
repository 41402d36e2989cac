#include "kernels/conv_dot.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

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

// Sums of products of two 16-bit values in 32 bits: the form for which
// compilers have a single instruction. They use it 16 elements at a time and
// leave the rest to scalars.
constexpr int64_t kVector = 16;

template <class X, class W>
void AddFourDots(const X* x, WeightRuns<W> w, int64_t count, DotOffsets offsets,
                 int32_t* sums) {
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
int32_t OneDot(const X* x, const W* w, int64_t count, DotOffsets offsets) {
  int32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    sum += static_cast<int16_t>(x[i] + offsets.input) *
           static_cast<int16_t>(w[i] + offsets.weights);
  }
  return sum;
}

// Eight 16-bit lanes, and four of 32 bits.
typedef int16_t Lanes16 __attribute__((vector_size(16)));
typedef int32_t Lanes32 __attribute__((vector_size(16)));

Lanes16 Load8(const int8_t* values) {
  typedef int8_t Bytes __attribute__((vector_size(8)));
  Bytes bytes;
  std::memcpy(&bytes, values, sizeof(bytes));
  return __builtin_convertvector(bytes, Lanes16);
}

// The sum of the eight products of `x` (9-bit values) and 8-bit weights, each
// of which fits 16 bits: first the odd lanes, then the even ones.
int32_t Dot8(Lanes16 x, const int8_t* w) {
  const Lanes16 products = x * Load8(w);
  Lanes32 wide;
  std::memcpy(&wide, &products, sizeof(wide));
  const Lanes32 sums = (wide >> 16) + ((wide << 16) >> 16);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The last elements behind the last whole vector: many layers have only 8
// channels, or 3 * 3 * 3 taps.
template <class X, class W>
void AddRest(const X* x, WeightRuns<W> w, int64_t count, DotOffsets offsets,
             int channels, int32_t* sums) {
  int64_t done = 0;
  if constexpr (std::is_same_v<X, int8_t>) {
    if (count >= 8) {
      const Lanes16 lanes = Load8(x) + offsets.input;
      for (int n = 0; n < channels; ++n) {
        sums[n] += Dot8(lanes, w.data + n * w.step);
      }
      done = 8;
    }
  }
  for (int n = 0; n < channels; ++n) {
    sums[n] +=
        OneDot(x + done, w.data + n * w.step + done, count - done, offsets);
  }
}

// In pieces whose sum fits 32 bits, whatever the values.
template <int64_t kPiece, class X, class W>
void AddDotsInPieces(const X* x, WeightRuns<W> w, int64_t count,
                     DotOffsets offsets, int channels, int64_t* sums) {
  for (int64_t i = 0; i < count; i += kPiece) {
    const int64_t piece = std::min(kPiece, count - i);
    const int64_t vectors = piece / kVector * kVector;
    int32_t part[4] = {};
    if (channels == 4) {
      AddFourDots(x + i, WeightRuns<W>{w.data + i, w.step}, vectors, offsets,
                  part);
    } else {
      part[0] = OneDot(x + i, w.data + i, vectors, offsets);
    }
    AddRest(x + i + vectors, WeightRuns<W>{w.data + i + vectors, w.step},
            piece - vectors, offsets, channels, part);
    for (int n = 0; n < channels; ++n) sums[n] += part[n];
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
