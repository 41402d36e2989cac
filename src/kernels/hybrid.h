// Hybrid ("dynamic range") arithmetic: float activations are quantized on the
// fly, row by row, to meet int8 weights.

#ifndef ARENALITE_KERNELS_HYBRID_H_
#define ARENALITE_KERNELS_HYBRID_H_

#include <cstdint>

namespace arenalite {

// real = scale * (quantized - zero_point) for one row.
struct RowScale {
  float scale = 1.0f;
  int32_t zero_point = 0;
};

// Quantizes `count` values to int8 with a scale of their own: symmetric
// to [-127, 127], asymmetric to [-128, 127]. Bit-exact with TensorFlow Lite's
// portable code for finite values.
RowScale QuantizeRow(const float* values, int64_t count, bool asymmetric,
                     int8_t* quantized);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_HYBRID_H_
