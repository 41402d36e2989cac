// RFFT2D: the two-dimensional Fourier transform of real matrices, without the
// columns that follow by symmetry. All work is done in the output: a row of n
// real numbers is n / 2 complex ones, whose transform unfolds to n / 2 + 1.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "base/checked_math.h"
#include "kernels/element.h"
#include "model_generated.h"

namespace arenalite {
namespace {

using Complex64 = Complex<float>;

Complex64 operator+(Complex64 a, Complex64 b) {
  return {a.real + b.real, a.imag + b.imag};
}
Complex64 operator-(Complex64 a, Complex64 b) {
  return {a.real - b.real, a.imag - b.imag};
}
Complex64 operator*(Complex64 a, Complex64 b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
Complex64 Conjugate(Complex64 a) { return {a.real, -a.imag}; }

// exp(-2 pi i k / n)
Complex64 Root(int64_t k, int64_t n) {
  constexpr double kTwoPi = 6.283185307179586;
  const double angle = kTwoPi * static_cast<double>(k) / static_cast<double>(n);
  return {static_cast<float>(std::cos(angle)),
          static_cast<float>(-std::sin(angle))};
}

// `count` vectors that are transformed side by side, so that each root of
// unity is computed once for all of them.
struct Lines {
  Complex64* first;
  int64_t count;
  int64_t line_stride;     // From a line to the next.
  int64_t element_stride;  // Within a line.

  Complex64* At(int64_t element) const {
    return first + element * element_stride;
  }
  // Calls f(a, b) for elements i and j of each line.
  template <class F>
  void ForEachPair(int64_t i, int64_t j, F f) const {
    Complex64* a = At(i);
    Complex64* b = At(j);
    for (int64_t l = 0; l < count; ++l) {
      f(a[l * line_stride], b[l * line_stride]);
    }
  }
};

// The radix-2 transform of Cooley and Tukey, in place, on the first `n`
// elements of each line; n is a power of two.
void Transform(const Lines& lines, int64_t n) {
  for (int64_t i = 1, reversed = 0; i < n; ++i) {
    int64_t bit = n >> 1;
    for (; (reversed & bit) != 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) {
      lines.ForEachPair(i, reversed,
                        [](Complex64& a, Complex64& b) { std::swap(a, b); });
    }
  }
  for (int64_t half = 1; half < n; half *= 2) {
    for (int64_t k = 0; k < half; ++k) {
      const Complex64 root = Root(k, 2 * half);
      for (int64_t first = k; first < n; first += 2 * half) {
        lines.ForEachPair(first, first + half,
                          [=](Complex64& low, Complex64& high) {
                            const Complex64 turned = high * root;
                            high = low - turned;
                            low = low + turned;
                          });
      }
    }
  }
}

// From the transform of n / 2 pairs (even element, odd element) to the first
// n / 2 + 1 elements of the transform of n real numbers.
void Unfold(const Lines& lines, int64_t n) {
  const int64_t half = n / 2;
  lines.ForEachPair(0, half, [](Complex64& a, Complex64& b) { b = a; });
  for (int64_t k = 0; k <= half / 2; ++k) {
    const Complex64 root = Root(k, n);
    lines.ForEachPair(k, half - k, [=](Complex64& a, Complex64& b) {
      const Complex64 even = (a + Conjugate(b)) * Complex64{0.5f, 0.0f};
      const Complex64 odd = (a - Conjugate(b)) * Complex64{0.0f, -0.5f};
      const Complex64 turned = odd * root;
      b = Conjugate(even - turned);
      a = even + turned;
    });
  }
}

struct Lengths {
  int64_t height;
  int64_t width;
  int64_t kept() const { return width / 2 + 1; }
};

// in: [rows, cols], cut or padded with zeros to the lengths.
void TransformMatrix(const float* in, int64_t rows, int64_t cols,
                     Lengths lengths, Complex64* out) {
  const auto used = static_cast<size_t>(std::min(cols, lengths.width));
  const auto row_bytes =
      static_cast<size_t>(lengths.kept()) * sizeof(Complex64);
  for (int64_t r = 0; r < lengths.height; ++r) {
    auto* row = reinterpret_cast<uint8_t*>(out + r * lengths.kept());
    const size_t bytes = r < rows ? used * sizeof(float) : 0;
    if (bytes > 0) std::memmove(row, in + r * cols, bytes);
    std::memset(row + bytes, 0, row_bytes - bytes);
  }
  if (lengths.width > 1) {
    const Lines by_rows = {out, lengths.height, lengths.kept(), 1};
    Transform(by_rows, lengths.width / 2);
    Unfold(by_rows, lengths.width);
  }
  Transform({out, lengths.kept(), 1, lengths.kept()}, lengths.height);
}

Result<Lengths> ReadLengths(const OpContext& context) {
  const auto* lengths = context.input(1).data_as<int32_t>();
  if (IsPowerOfTwo(lengths[0]) && IsPowerOfTwo(lengths[1])) {
    return Lengths{lengths[0], lengths[1]};
  }
  return UnimplementedError("input 1 (fft_length) is [", lengths[0], ",",
                            lengths[1], "], allowed powers of two");
}

Shape OutputShape(const Shape& input, Lengths lengths) {
  Shape shape = input;
  shape.set_dim(shape.rank() - 2, static_cast<int32_t>(lengths.height));
  shape.set_dim(shape.rank() - 1, static_cast<int32_t>(lengths.kept()));
  return shape;
}

Status EvalRfft2d(OpContext& context) {
  const Tensor& input = context.input(0);
  ARENALITE_ASSIGN_OR_RETURN(const Lengths lengths, ReadLengths(context));
  const Shape shape = OutputShape(input.shape, lengths);
  if (context.output(0).is_dynamic()) {
    ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
    if (context.output(0).bytes == 0) return OkStatus();
  } else if (context.output(0).shape != shape) {
    return OutOfRangeError(
        "input 1 (fft_length) has changed since it gave "
        "the output its shape");
  }
  const int64_t rows = input.shape.dim_from_end(1);
  const int64_t cols = input.shape.dim_from_end(0);
  const int64_t matrices = input.shape.NumElements(0, input.shape.rank() - 2);
  for (int64_t m = 0; m < matrices; ++m) {
    TransformMatrix(input.data_as<float>() + m * rows * cols, rows, cols,
                    lengths,
                    context.output(0).data_as<Complex64>() +
                        m * lengths.height * lengths.kept());
  }
  return OkStatus();
}

// Row r of matrix m is read just before it is written to its place in the
// output, and everything below that place has been written by then: D is the
// least difference of the two offsets, but for the first row of all, which
// comes before any write. It grows or falls evenly with m and with r, so the
// corners decide. The lengths are read before everything.
int64_t Rfft2dOverlap(const OpContext& context, int, int input) {
  const Tensor& matrix = context.input(0);
  const Tensor& output = context.output(0);
  const int64_t bytes = context.input(input).bytes;
  if (input != 0 || output.is_dynamic() || bytes == 0) return bytes;
  const Shape& in = matrix.shape;
  const Shape& out = output.shape;
  const int64_t matrices = in.NumElements(0, in.rank() - 2);
  const int64_t rows = in.dim_from_end(1);
  const int64_t height = out.dim_from_end(1);
  const int64_t in_row = in.dim_from_end(0) * int64_t{sizeof(float)};
  const int64_t out_row = out.dim_from_end(0) * int64_t{sizeof(Complex64)};
  const int64_t last_row = std::min(rows, height) - 1;
  int64_t distance = bytes;
  const auto limit = [&](int64_t m, int64_t r) {
    if (m == 0 && r == 0) return;
    distance = std::min(distance,
                        (m * rows + r) * in_row - (m * height + r) * out_row);
  };
  for (const int64_t m :
       {int64_t{0}, std::min<int64_t>(1, matrices - 1), matrices - 1}) {
    for (const int64_t r :
         {int64_t{0}, std::min<int64_t>(1, last_row), last_row}) {
      limit(m, r);
    }
  }
  return distance;
}

Status PrepareRfft2d(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const Tensor& input = context.input(0);
  const Tensor& lengths = context.input(1);
  if (input.type != TensorType::kFloat32 || input.shape.rank() < 2) {
    return InvalidModelError("input 0 is ", TensorTypeName(input.type),
                             " of shape ", input.shape.dims(),
                             ", allowed FLOAT32 of rank >= 2");
  }
  if (lengths.type != TensorType::kInt32 || lengths.shape != Shape({2})) {
    return InvalidModelError("input 1 (fft_length) is ",
                             TensorTypeName(lengths.type), " of shape ",
                             lengths.shape.dims(), ", allowed INT32 [2]");
  }
  const TensorType output = context.output(0).type;
  if (output != TensorType::kComplex64) {
    return InvalidModelError("output 0 is ", TensorTypeName(output),
                             ", allowed COMPLEX64");
  }
  if (!context.HasValue(lengths)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(const Lengths value, ReadLengths(context));
  return context.SetOutputShape(0, OutputShape(input.shape, value));
}

}  // namespace

namespace ops {

const OpDefinition kRfft2d = {
    "RFFT2D",
    schema::BuiltinOperator_RFFT2D,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareRfft2d,
    EvalRfft2d,
    Rfft2dOverlap,
};

}  // namespace ops
}  // namespace arenalite
