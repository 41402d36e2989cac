// L2_NORMALIZATION over the last dimension, LOCAL_RESPONSE_NORMALIZATION over a
// window in it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/fixed_point.h"
#include "kernels/options.h"
#include "kernels/rows.h"
#include "kernels/unary.h"
#include "kernels/window_work.h"

namespace arenalite {
namespace {

struct FloatRow {
  using In = float;
  using Out = float;
  float epsilon;

  void operator()(const float* in, float* out, int64_t depth) const {
    float sum = 0.0f;
    for (int64_t c = 0; c < depth; ++c) sum += in[c] * in[c];
    const float norm = std::max(std::sqrt(sum), epsilon);
    for (int64_t c = 0; c < depth; ++c) out[c] = in[c] / norm;
  }
};

template <class T>
struct ByteRow {
  using In = T;
  using Out = T;
  int32_t input_zero_point;

  void operator()(const T* in, T* out, int64_t depth) const {
    constexpr int32_t kMin = std::numeric_limits<T>::min();
    constexpr int32_t kMax = std::numeric_limits<T>::max();
    int64_t sum = 0;
    for (int64_t c = 0; c < depth; ++c) {
      const int32_t x = int32_t{in[c]} - input_zero_point;
      sum += x * x;
    }
    QuantizedMultiplier inverse = InverseSquareRoot(
        static_cast<int32_t>(std::min<int64_t>(sum, INT32_MAX)));
    // The output's scale, 1/128: the reference multiplies UINT8 values by it,
    // and the factor of INT8 values.
    constexpr bool kScaleFactor = std::numeric_limits<T>::is_signed;
    if (kScaleFactor) inverse.shift += 7;
    for (int64_t c = 0; c < depth; ++c) {
      const int32_t x = int32_t{in[c]} - input_zero_point;
      const int32_t scaled = kScaleFactor ? x : x * 128;
      const int32_t value = MultiplyByQuantizedMultiplier(scaled, inverse);
      out[c] = static_cast<T>(
          std::clamp(value + (kScaleFactor ? 0 : 128), kMin, kMax));
    }
  }
};

struct L2NormOptions {
  int32_t activation;
};

Status ParseL2Norm(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::L2NormOptions>(source);
  if (table != nullptr) {
    static_cast<L2NormOptions*>(options)->activation =
        table->fused_activation_function();
  }
  return OkStatus();
}

template <class T>
Status PrepareByteRows(OpContext& context, int32_t zero_point) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  const Quantization& out = context.output(0).quantization;
  if (out.scale() != 1.0f / 128 || out.zero_point() != zero_point) {
    return InvalidModelError("output 0 has scale ", out.scale(),
                             " and zero point ", out.zero_point(),
                             ", allowed 1/128 and ", zero_point);
  }
  return SetRows(context,
                 ByteRow<T>{context.input(0).quantization.zero_point()});
}

Status PrepareL2Norm(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  ARENALITE_RETURN_IF_ERROR(CheckHasRows(context));
  const int32_t activation = context.options<L2NormOptions>().activation;
  if (activation != schema::ActivationFunctionType_NONE) {
    return UnimplementedError("fused_activation_function is ", activation,
                              ", allowed NONE");
  }
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetRows(context, FloatRow{1e-6f});
    case TensorType::kUInt8:
      return PrepareByteRows<uint8_t>(context, 128);
    case TensorType::kInt8:
      return PrepareByteRows<int8_t>(context, 0);
    default:
      return UnsupportedInput(context, "FLOAT32, UINT8 or INT8");
  }
}

struct LocalResponseOptions {
  int32_t radius;
  float bias;
  float alpha;
  float beta;
};

Status ParseLocalResponse(const OpSource& source, void* options) {
  auto* parsed = static_cast<LocalResponseOptions*>(options);
  const auto* table =
      OptionsTable<schema::LocalResponseNormalizationOptions>(source);
  if (table == nullptr) return OkStatus();
  *parsed = {table->radius(), table->bias(), table->alpha(), table->beta()};
  if (parsed->radius < 0) {
    return InvalidModelError("radius is ", parsed->radius, ", allowed >= 0");
  }
  return OkStatus();
}

// The window reaches `radius` elements to both sides. (The reference kernel
// leaves out the last one; its optimized twin, and TensorFlow, do not.)
Status EvalLocalResponse(OpContext& context) {
  const auto& options = context.options<LocalResponseOptions>();
  const Tensor& input = context.input(0);
  const int64_t depth = input.shape.dim_from_end(0);
  const int64_t radius = std::min<int64_t>(options.radius, depth);
  const auto* in = input.data_as<float>();
  auto* out = context.output(0).data_as<float>();
  const int64_t elements = input.shape.NumElements();
  for (int64_t row = 0; row < elements; row += depth) {
    for (int64_t c = 0; c < depth; ++c) {
      float sum = 0.0f;
      const int64_t last = std::min(depth - 1, c + radius);
      for (int64_t i = std::max<int64_t>(0, c - radius); i <= last; ++i) {
        sum += in[row + i] * in[row + i];
      }
      out[row + c] = in[row + c] * std::pow(options.bias + options.alpha * sum,
                                            -options.beta);
    }
  }
  return OkStatus();
}

Status PrepareLocalResponse(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  if (context.input(0).type != TensorType::kFloat32) {
    return UnsupportedInput(context, "FLOAT32");
  }
  if (context.input(0).shape.rank() != 4) {
    return InvalidModelError("input 0 has shape ",
                             context.input(0).shape.dims(), ", allowed rank 4");
  }
  const Shape& shape = context.input(0).shape;
  const int64_t reach =
      2 * int64_t{context.options<LocalResponseOptions>().radius} + 1;
  return CheckWindowWork(shape.NumElements(),
                         std::min<int64_t>(reach, shape.dim(3)));
}

// The next element's window begins `radius` before it, within the row.
int64_t LocalResponseOverlap(const OpContext& context, int, int) {
  const Tensor& input = context.input(0);
  if (input.shape.NumElements() <= 1) return input.bytes;
  const int64_t depth = input.shape.dim_from_end(0);
  const int64_t radius = context.options<LocalResponseOptions>().radius;
  return -4 * std::min(radius, depth - 1);
}

}  // namespace

namespace ops {

const OpDefinition kL2Normalization = {
    "L2_NORMALIZATION",
    schema::BuiltinOperator_L2_NORMALIZATION,
    2,
    kOpDefault,
    sizeof(L2NormOptions),
    ParseL2Norm,
    PrepareL2Norm,
    nullptr,
    RowsOverlap,
};
const OpDefinition kLocalResponseNormalization = {
    "LOCAL_RESPONSE_NORMALIZATION",
    schema::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION,
    1,
    kOpDefault,
    sizeof(LocalResponseOptions),
    ParseLocalResponse,
    PrepareLocalResponse,
    EvalLocalResponse,
    LocalResponseOverlap,
};

}  // namespace ops
}  // namespace arenalite
