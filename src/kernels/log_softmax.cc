// LOG_SOFTMAX over the last dimension.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/fixed_point.h"
#include "kernels/rows.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct FloatRow {
  using In = float;
  using Out = float;

  void operator()(const float* in, float* out, int64_t depth) const {
    float max = std::numeric_limits<float>::lowest();
    for (int64_t c = 0; c < depth; ++c) max = std::max(max, in[c]);
    float sum = 0.0f;
    for (int64_t c = 0; c < depth; ++c) sum += std::exp(in[c] - max);
    const float log_sum = std::log(sum);
    for (int64_t c = 0; c < depth; ++c) out[c] = in[c] - max - log_sum;
  }
};

template <class T>
struct ByteRow {
  using In = T;
  using Out = T;
  ScaledDifference difference;
  // Takes Q5.26 back to differences of input values.
  QuantizedMultiplier inverse;
  // exp() of minus the index in Q12.19; 0 where the reference leaves it out.
  int32_t exp_of_difference[256];

  void operator()(const T* in, T* out, int64_t depth) const {
    constexpr int32_t kMin = std::numeric_limits<T>::min();
    constexpr int32_t kMax = std::numeric_limits<T>::max();
    T max = std::numeric_limits<T>::min();
    for (int64_t c = 0; c < depth; ++c) max = std::max(max, in[c]);
    int64_t sum = 0;
    for (int64_t c = 0; c < depth; ++c) {
      sum += exp_of_difference[static_cast<uint8_t>(max - in[c])];
    }
    // Where the reference's 32 bits overflow, at 4096 equal maxima, this
    // saturates.
    const int32_t log_sum =
        std::max(0, FixedPointLog(static_cast<int32_t>(
                        std::clamp<int64_t>(sum, 1 << 19, INT32_MAX))));
    // Below this difference the subtraction of log_sum would leave Q5.26.
    const int32_t least =
        std::max(difference.min - 1,
                 MultiplyByQuantizedMultiplier(INT32_MIN + log_sum, inverse));
    for (int64_t c = 0; c < depth; ++c) {
      const int32_t d = int32_t{in[c]} - max;
      const int64_t exact =
          int64_t{difference.Scale(std::max(d, least + 1))} - log_sum;
      const auto scaled =
          static_cast<int32_t>(std::max<int64_t>(exact, INT32_MIN));
      // The output's scale is 1/16, its zero point the type's maximum.
      const int32_t value = RoundingDivideByPowerOfTwo(scaled, 31 - 5 - 4);
      out[c] = static_cast<T>(d > least ? std::clamp(value + kMax, kMin, kMax)
                                        : kMin);
    }
  }
};

template <class T>
Status PrepareByteRows(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  const Quantization& out = context.output(0).quantization;
  if (out.scale() != 16.0f / 256 ||
      out.zero_point() != std::numeric_limits<T>::max()) {
    return InvalidModelError("output 0 has scale ", out.scale(),
                             " and zero point ", out.zero_point(),
                             ", allowed 1/16 and ",
                             int32_t{std::numeric_limits<T>::max()});
  }
  ARENALITE_ASSIGN_OR_RETURN(ByteRow<T> * row,
                             context.CreateData<ByteRow<T>>());
  const float scale = context.input(0).quantization.scale();
  ARENALITE_ASSIGN_OR_RETURN(
      row->difference,
      ScaledDifference::Create(1.0, static_cast<double>(scale)));
  const QuantizedMultiplier& forward = row->difference.multiplier;
  row->inverse = QuantizeMultiplier(
      static_cast<double>(int64_t{1} << (31 - forward.shift)) /
      static_cast<double>(forward.multiplier));
  for (int i = 0; i < 256 && -i >= row->difference.min; ++i) {
    row->exp_of_difference[i] =
        RoundingDivideByPowerOfTwo(row->difference.Exp(-i), 12);
  }
  context.SetEval(EvalRows<ByteRow<T>>);
  return OkStatus();
}

Status PrepareLogSoftmax(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  ARENALITE_RETURN_IF_ERROR(CheckHasRows(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetRows(context, FloatRow());
    case TensorType::kUInt8:
      return PrepareByteRows<uint8_t>(context);
    case TensorType::kInt8:
      return PrepareByteRows<int8_t>(context);
    default:
      return UnsupportedInput(context, "FLOAT32, UINT8 or INT8");
  }
}

}  // namespace

namespace ops {

const OpDefinition kLogSoftmax = {
    "LOG_SOFTMAX",
    schema::BuiltinOperator_LOG_SOFTMAX,
    2,
    kOpDefault,
    0,
    nullptr,
    PrepareLogSoftmax,
    nullptr,
    RowsOverlap,
};

}  // namespace ops
}  // namespace arenalite
