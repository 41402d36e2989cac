// Convolution spelled out, element by element: what the kernels' loops are
// compared with.

#ifndef ARENALITE_TESTS_KERNELS_NAIVE_WINDOW_H_
#define ARENALITE_TESTS_KERNELS_NAIVE_WINDOW_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arenalite/tensor.h"
#include "kernels/quantization.h"

namespace arenalite {
namespace testing {

// Element `i` of a tensor, less its zero point.
inline double RealValue(const Tensor& tensor, int64_t i) {
  const double zero = tensor.quantization.zero_point();
  switch (tensor.type) {
    case TensorType::kFloat32:
      return tensor.data_as<float>()[i];
    case TensorType::kInt8:
      return tensor.data_as<int8_t>()[i] - zero;
    case TensorType::kUInt8:
      return tensor.data_as<uint8_t>()[i] - zero;
    case TensorType::kInt16:
      return tensor.data_as<int16_t>()[i] - zero;
    case TensorType::kInt32:
      return tensor.data_as<int32_t>()[i];
    case TensorType::kInt64:
      return static_cast<double>(tensor.data_as<int64_t>()[i]);
    case TensorType::kInt4: {
      const int nibble = tensor.data_as<uint8_t>()[i / 2] >> (i % 2 * 4) & 15;
      return (nibble ^ 8) - 8;
    }
    default:
      return 0;
  }
}

inline int64_t At4(const Shape& shape, int64_t a, int64_t b, int64_t c,
                   int64_t d) {
  return ((a * shape.dim(1) + b) * shape.dim(2) + c) * shape.dim(3) + d;
}

// Stride, dilation and padding ahead of one axis.
struct NaiveAxis {
  int stride = 1;
  int dilation = 1;
  int before = 0;
};

// Calls visit(output element, tap y, tap x, input y, input x) for every tap
// that falls inside of the input, for each output pixel (channel 0).
template <class Visit>
void VisitTaps(const Shape& input, const Shape& output, int window_height,
               int window_width, NaiveAxis y_axis, NaiveAxis x_axis,
               Visit visit) {
  for (int b = 0; b < output.dim(0); ++b) {
    for (int y = 0; y < output.dim(1); ++y) {
      for (int x = 0; x < output.dim(2); ++x) {
        for (int r = 0; r < window_height; ++r) {
          for (int c = 0; c < window_width; ++c) {
            const int in_y =
                y * y_axis.stride - y_axis.before + r * y_axis.dilation;
            const int in_x =
                x * x_axis.stride - x_axis.before + c * x_axis.dilation;
            if (in_y < 0 || in_y >= input.dim(1) || in_x < 0 ||
                in_x >= input.dim(2)) {
              continue;
            }
            visit(At4(output, b, y, x, 0), r, c, At4(input, b, in_y, in_x, 0));
          }
        }
      }
    }
  }
}

// Padding ahead as TensorFlow defines it.
inline int PaddingBefore(int input, int output, int window, NaiveAxis axis) {
  const int reach = (window - 1) * axis.dilation + 1;
  return std::max(0, (output - 1) * axis.stride + reach - input) / 2;
}

// What an integer kernel makes of an exact sum (bias included).
inline int64_t Requantized(double sum, double multiplier, const Tensor& output,
                           bool wide) {
  const QuantizedMultiplier m = QuantizeMultiplier(multiplier);
  const auto exact = static_cast<int64_t>(sum);
  const int64_t scaled =
      wide ? MultiplyByQuantizedMultiplier(exact, m)
           : MultiplyByQuantizedMultiplier(static_cast<int32_t>(exact), m);
  const ActivationRange range = TypeRange(output.type).value();
  return std::clamp<int64_t>(scaled + output.quantization.zero_point(),
                             range.min, range.max);
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_KERNELS_NAIVE_WINDOW_H_
