// SOFTMAX over the last dimension.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/fixed_point.h"
#include "kernels/lookup.h"
#include "kernels/options.h"
#include "kernels/quantization.h"
#include "kernels/rows.h"
#include "kernels/unary.h"

namespace arenalite {
namespace {

struct SoftmaxOptions {
  float beta;
};

Status ParseSoftmax(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::SoftmaxOptions>(source);
  if (table != nullptr) {
    static_cast<SoftmaxOptions*>(options)->beta = table->beta();
  }
  return OkStatus();
}

struct FloatRow {
  using In = float;
  using Out = float;
  float beta;

  void operator()(const float* in, float* out, int64_t depth) const {
    float max = std::numeric_limits<float>::lowest();
    for (int64_t c = 0; c < depth; ++c) max = std::max(max, in[c]);
    float sum = 0.0f;
    for (int64_t c = 0; c < depth; ++c) {
      const float value = std::exp((in[c] - max) * beta);
      out[c] = value;
      sum += value;
    }
    for (int64_t c = 0; c < depth; ++c) out[c] = out[c] / sum;
  }
};

template <class InT, class OutT>
struct ByteRow {
  using In = InT;
  using Out = OutT;
  // exp(-scale * beta * i) in Q0.31; 0 where the reference leaves it out.
  int32_t exp_of_difference[256];

  int32_t Exp(int difference) const {
    return exp_of_difference[static_cast<uint8_t>(difference)];
  }

  void operator()(const In* in, Out* out, int64_t depth) const {
    constexpr int32_t kMin = std::numeric_limits<Out>::min();
    constexpr int32_t kMax = std::numeric_limits<Out>::max();
    In max = std::numeric_limits<In>::min();
    for (int64_t c = 0; c < depth; ++c) max = std::max(max, in[c]);
    int64_t sum = 0;  // Q12.19
    for (int64_t c = 0; c < depth; ++c) {
      sum += RoundingDivideByPowerOfTwo(Exp(max - in[c]), kSumIntegerBits);
    }
    // Where the reference's 32 bits overflow, at 4096 equal maxima, this
    // saturates.
    const Reciprocal reciprocal = FixedPointReciprocal(
        static_cast<int32_t>(std::min<int64_t>(sum, INT32_MAX)),
        kSumIntegerBits);
    const int exponent =
        reciprocal.bits_over_unit + 31 - static_cast<int>(sizeof(Out)) * 8;
    const int64_t round = int64_t{1} << (exponent - 1);
    for (int64_t c = 0; c < depth; ++c) {
      const int32_t product = SaturatingRoundingDoublingHighMul(
          reciprocal.fraction, Exp(max - in[c]));
      const auto value = static_cast<int32_t>((product + round) >> exponent);
      out[c] = static_cast<Out>(std::min(value + kMin, kMax));
    }
  }

  static constexpr int kSumIntegerBits = 12;
};

struct Int16Row {
  using In = int16_t;
  using Out = int16_t;
  QuantizedMultiplier scale;  // Takes 10.0 to 65535.
  Int16Table exp;             // Over [-10, 0], in Q0.15.
  Int16Table reciprocal;      // 1 / (1 + x) over [0, 1], in Q0.15.

  int16_t Exp(int32_t difference) const {
    // A difference has 17 bits, the multiplier at most 30 more.
    const int64_t centred =
        int64_t{MultiplyByQuantizedMultiplier(difference, scale)} + INT16_MAX;
    return exp(static_cast<int16_t>(
        std::clamp<int64_t>(centred, INT16_MIN, INT16_MAX)));
  }

  void operator()(const int16_t* in, int16_t* out, int64_t depth) const {
    int16_t max = INT16_MIN;
    for (int64_t c = 0; c < depth; ++c) max = std::max(max, in[c]);
    int64_t exact_sum = 0;  // Q16.15
    for (int64_t c = 0; c < depth; ++c) {
      out[c] = Exp(int32_t{in[c]} - max);
      exact_sum += out[c];
    }
    const auto sum =
        static_cast<uint32_t>(std::clamp<int64_t>(exact_sum, 1, INT32_MAX));
    const int leading_zeros = __builtin_clz(sum);
    // The sum scaled to [1, 2) as Q1.16, then moved to the table's range.
    const int64_t scaled =
        ((int64_t{sum} << (leading_zeros - 1)) + (1 << 13)) >> 14;
    const int64_t centred = scaled - ((1 << 15) + (1 << 16));
    const int32_t factor = reciprocal(static_cast<int16_t>(
        std::clamp<int64_t>(centred, INT16_MIN, INT16_MAX)));
    const int shift = 31 - leading_zeros;
    const int32_t round = shift > 0 ? 1 << (shift - 1) : 0;
    for (int64_t c = 0; c < depth; ++c) {
      const int64_t value = (int64_t{out[c]} * factor + round) >> shift;
      out[c] = static_cast<int16_t>(std::clamp<int64_t>(value, 0, INT16_MAX));
    }
  }
};

// Refuses an output quantization other than the reference's: results are
// computed for it alone.
Status CheckOutputScale(const OpContext& context, float scale,
                        int32_t zero_point) {
  const Quantization& q = context.output(0).quantization;
  if (q.zero_point() == zero_point &&
      std::fabs(q.scale() - scale) <= 0.001f * scale) {
    return OkStatus();
  }
  return InvalidModelError("output 0 has scale ", q.scale(), " and zero point ",
                           q.zero_point(), ", allowed ", scale, " and ",
                           zero_point);
}

template <class In, class Out>
Status PrepareByteRows(OpContext& context) {
  const Tensor& input = context.input(0);
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(input, "input 0"));
  using Row = ByteRow<In, Out>;
  ARENALITE_ASSIGN_OR_RETURN(Row * row, context.CreateData<Row>());
  const double beta =
      static_cast<double>(context.options<SoftmaxOptions>().beta);
  ARENALITE_ASSIGN_OR_RETURN(
      ScaledDifference difference,
      ScaledDifference::Create(
          beta, static_cast<double>(input.quantization.scale())));
  for (int i = 0; i < 256; ++i) {
    row->exp_of_difference[i] = -i < difference.min ? 0 : difference.Exp(-i);
  }
  context.SetEval(EvalRows<Row>);
  return OkStatus();
}

Status PrepareInt16Rows(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
  ARENALITE_RETURN_IF_ERROR(CheckOutputScale(context, 1.0f / 32768, 0));
  ARENALITE_ASSIGN_OR_RETURN(Int16Row * row, context.CreateData<Int16Row>());
  FillInt16Table<double>([](double x) { return std::exp(x); }, 10.0 / 65535,
                         INT16_MAX, 2.0 / 65535, 0, row->exp);
  FillInt16Table<double>([](double x) { return 1.0 / (1.0 + x); }, 1.0 / 65535,
                         INT16_MIN, 2.0 / 65535, 0, row->reciprocal);
  // The product is rounded to float, as in the reference.
  const float scale = context.input(0).quantization.scale() *
                      context.options<SoftmaxOptions>().beta;
  row->scale =
      QuantizeMultiplier(static_cast<double>(scale) / (10.0 / 65535.0));
  context.SetEval(EvalRows<Int16Row>);
  return OkStatus();
}

Status UnsupportedPair(const OpContext& context) {
  return UnimplementedError(
      "input 0 is ", TensorTypeName(context.input(0).type), " and output 0 ",
      TensorTypeName(context.output(0).type),
      ", allowed the same of FLOAT32, UINT8, INT8, INT16, or UINT8 or INT8 to "
      "INT16");
}

Status PrepareSoftmax(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameShape(context));
  ARENALITE_RETURN_IF_ERROR(CheckHasRows(context));
  const TensorType output = context.output(0).type;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      if (output != TensorType::kFloat32) break;
      return SetRows(context, FloatRow{context.options<SoftmaxOptions>().beta});
    case TensorType::kUInt8:
      if (output == TensorType::kUInt8) {
        return PrepareByteRows<uint8_t, uint8_t>(context);
      }
      if (output == TensorType::kInt16) {
        return PrepareByteRows<uint8_t, int16_t>(context);
      }
      break;
    case TensorType::kInt8:
      if (output == TensorType::kInt8) {
        ARENALITE_RETURN_IF_ERROR(CheckOutputScale(context, 1.0f / 256, -128));
        return PrepareByteRows<int8_t, int8_t>(context);
      }
      if (output == TensorType::kInt16) {
        return PrepareByteRows<int8_t, int16_t>(context);
      }
      break;
    case TensorType::kInt16:
      if (output == TensorType::kInt16) return PrepareInt16Rows(context);
      break;
    default:
      break;
  }
  return UnsupportedPair(context);
}

}  // namespace

namespace ops {

const OpDefinition kSoftmax = {
    "SOFTMAX",
    schema::BuiltinOperator_SOFTMAX,
    3,
    kOpDefault,
    sizeof(SoftmaxOptions),
    ParseSoftmax,
    PrepareSoftmax,
    nullptr,
    RowsOverlap,
};

}  // namespace ops
}  // namespace arenalite
