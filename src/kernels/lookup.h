// Tables of real functions over quantized values, with the roundings of the
// reference kernels.

#ifndef ARENALITE_KERNELS_LOOKUP_H_
#define ARENALITE_KERNELS_LOOKUP_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arenalite/tensor.h"

namespace arenalite {

// What an 8-bit quantized value becomes under `function`.
template <class T, class F>
struct QuantizedFunction {
  F function;
  float input_scale;
  int32_t input_zero_point;
  float output_scale;
  int32_t output_zero_point;

  QuantizedFunction(F f, const Tensor& input, const Tensor& output)
      : function(f),
        input_scale(input.quantization.scale()),
        input_zero_point(input.quantization.zero_point()),
        output_scale(output.quantization.scale()),
        output_zero_point(output.quantization.zero_point()) {}

  T operator()(T x) const {
    constexpr float kMin = std::numeric_limits<T>::min();
    constexpr float kMax = std::numeric_limits<T>::max();
    const float real =
        input_scale * static_cast<float>(int32_t{x} - input_zero_point);
    const float scaled = std::round(function(real) * (1.0f / output_scale));
    const float moved = scaled + static_cast<float>(output_zero_point);
    // In this order NaN becomes the least value.
    return static_cast<T>(std::min(std::max(kMin, moved), kMax));
  }
};

// A function of 16 bits: 512 linear pieces.
struct Int16Table {
  static constexpr int kPieces = 512;
  int16_t values[kPieces + 1];

  int16_t operator()(int16_t x) const {
    const int index = kPieces / 2 + (x >> 7);
    const int base = values[index];
    // The slope is kept in 16 bits, as in the reference.
    const auto slope = static_cast<int16_t>(values[index + 1] - base);
    return static_cast<int16_t>(base + ((slope * (x & 0x7F) + 64) >> 7));
  }
};

// Fills the table for `function` between two affine quantizations. Each sample
// is moved by half of the error that interpolation makes in mid-piece. Real:
// float or double, whichever the reference computes this table in.
template <class Real, class F>
void FillInt16Table(F function, Real input_scale, int32_t input_zero_point,
                    Real output_scale, int32_t output_zero_point,
                    Int16Table& table) {
  const Real input_min = input_scale * Real(INT16_MIN - input_zero_point);
  const Real input_max = input_scale * Real(INT16_MAX - input_zero_point);
  const Real output_min = output_scale * Real(INT16_MIN - output_zero_point);
  const Real output_max = output_scale * Real(INT16_MAX - output_zero_point);
  const Real step = (input_max - input_min) / Int16Table::kPieces;
  const Real half_step = step / 2;
  const Real inverse = Real(65536) / (output_max - output_min);
  const auto saturate = [](Real x) {
    return static_cast<int16_t>(
        std::min(std::max(Real(INT16_MIN), x), Real(INT16_MAX)));
  };
  for (int i = 0; i < Int16Table::kPieces; ++i) {
    const Real start = input_min + Real(i) * step;
    const Real sample = std::round(function(start) * inverse);
    const Real next = function(input_min + Real(i + 1) * step) * inverse;
    const Real interpolated = std::round((next + sample) / 2);
    const Real middle = std::round(function(start + half_step) * inverse);
    const Real bias = std::round((interpolated - middle) / 2);
    table.values[i] = saturate(sample - bias);
  }
  table.values[Int16Table::kPieces] =
      saturate(std::round(function(input_max) * inverse));
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_LOOKUP_H_
