#include "kernels/conv_dot.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace arenalite {
namespace {

// Vectors of four lanes, an extension of g++ and clang: the sums of four
// channels side by side. Compilers do not find them in plain loops, because
// the weights of four channels do not lie side by side.
typedef float Lanes __attribute__((vector_size(16)));

Lanes Load(const float* values) {
  Lanes lanes;
  std::memcpy(&lanes, values, sizeof(lanes));
  return lanes;
}

// Four lanes of the eight of `a` and `b`, by number.
template <int kA, int kB, int kC, int kD>
Lanes Pick(Lanes a, Lanes b) {
#ifdef __clang__
  return __builtin_shufflevector(a, b, kA, kB, kC, kD);
#else
  typedef int32_t Numbers __attribute__((vector_size(16)));
  return __builtin_shuffle(a, b, Numbers{kA, kB, kC, kD});
#endif
}

// sums[n] += dot(x, w + n * step) for kQuads * 4 channels. Each sum is formed
// in the order of the reference, from the first product to the last; several
// quads keep the adders busy, as one waits for its own last sum.
template <int kQuads>
void AddQuads(const float* x, WeightRuns<float> w, int64_t count, float* sums) {
  Lanes sum[kQuads];
  for (int q = 0; q < kQuads; ++q) sum[q] = Load(sums + 4 * q);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const Lanes v = Load(x + i);
    for (int q = 0; q < kQuads; ++q) {
      const float* at = w.data + 4 * q * w.step + i;
      // Four weights of four channels, transposed.
      const Lanes a = Load(at), b = Load(at + w.step);
      const Lanes c = Load(at + 2 * w.step), d = Load(at + 3 * w.step);
      const Lanes ab = Pick<0, 4, 1, 5>(a, b), ab2 = Pick<2, 6, 3, 7>(a, b);
      const Lanes cd = Pick<0, 4, 1, 5>(c, d), cd2 = Pick<2, 6, 3, 7>(c, d);
      sum[q] += Pick<0, 0, 0, 0>(v, v) * Pick<0, 1, 4, 5>(ab, cd);
      sum[q] += Pick<1, 1, 1, 1>(v, v) * Pick<2, 3, 6, 7>(ab, cd);
      sum[q] += Pick<2, 2, 2, 2>(v, v) * Pick<0, 1, 4, 5>(ab2, cd2);
      sum[q] += Pick<3, 3, 3, 3>(v, v) * Pick<2, 3, 6, 7>(ab2, cd2);
    }
  }
  for (; i < count; ++i) {
    for (int q = 0; q < kQuads; ++q) {
      const float* at = w.data + 4 * q * w.step + i;
      sum[q] += x[i] * Lanes{at[0], at[w.step], at[2 * w.step], at[3 * w.step]};
    }
  }
  for (int q = 0; q < kQuads; ++q) {
    std::memcpy(sums + 4 * q, &sum[q], sizeof(Lanes));
  }
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
  if (channels == 8) {
    AddQuads<2>(x, w, count, sums);
  } else if (channels == 4) {
    AddQuads<1>(x, w, count, sums);
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
