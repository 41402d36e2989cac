// DIV: element-wise, broadcasting, with a fused activation.

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "kernels/gemmlowp.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct DivOptions {
  int32_t activation;
};

Status ParseDiv(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::DivOptions>(source);
  if (table == nullptr) return OkStatus();
  static_cast<DivOptions*>(options)->activation =
      table->fused_activation_function();
  return OkStatus();
}

struct Int32Quotient {
  Clamped<int32_t, Quotient> clamped;

  static int32_t Zero() { return 0; }
  int32_t operator()(int32_t a, int32_t b) const { return clamped(a, b); }
};

int LeadingZeros(uint32_t x) { return x == 0 ? 32 : __builtin_clz(x); }

// How far x can be shifted left without overflow.
int LeadingSignBits(int32_t x) {
  return LeadingZeros(static_cast<uint32_t>(x < 0 ? ~x : x)) - 1;
}

// 1 / x for x > 0 as a Q31 fraction in [0.5, 1], to be divided by 2^*shift.
int32_t Reciprocal(int32_t x, int* shift) {
  const int leading = LeadingZeros(static_cast<uint32_t>(x));
  *shift = 31 - leading;
  const uint32_t normal = static_cast<uint32_t>(x) << leading;
  const auto fraction = gemmlowp::FixedPoint<int32_t, 0>::FromRaw(
      static_cast<int32_t>(normal - (uint32_t{1} << 31)));
  return gemmlowp::one_over_one_plus_x_for_x_in_0_1(fraction).raw();
}

// The dividend with all its bits at the top times the divisor's reciprocal,
// rescaled (the reference's DivElementwise).
template <class T>
struct QuantizedQuotient {
  int32_t zero_point[2];
  QuantizedMultiplier multiplier;
  OutputStage output;

  T Zero() const { return static_cast<T>(zero_point[1]); }
  T operator()(T a, T b) const {
    int32_t dividend = a - zero_point[0];
    int32_t divisor = b - zero_point[1];
    if (divisor < 0) {
      dividend = -dividend;
      divisor = -divisor;
    }
    int reciprocal_shift = 0;
    const int32_t reciprocal = Reciprocal(divisor, &reciprocal_shift);
    const int headroom = LeadingSignBits(dividend);
    const int32_t quotient = SaturatingRoundingDoublingHighMul(
        WrappingShiftLeft(dividend, headroom), reciprocal);
    return static_cast<T>(output(
        Rescale(quotient, multiplier.shift - reciprocal_shift - headroom)));
  }
  int32_t Rescale(int32_t quotient, int shift) const {
    if (shift < -31) return 0;
    return MultiplyByQuantizedMultiplier(
        quotient,
        QuantizedMultiplier{multiplier.multiplier, std::min(shift, 31)});
  }
};

template <class T>
Status SetQuantizedQuotient(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryQuantization(context));
  const Tensor& output = context.output(0);
  QuantizedQuotient<T> f = {};
  for (int i = 0; i < 2; ++i) {
    f.zero_point[i] = context.input(i).quantization.zero_point();
  }
  // In float, as the reference computes it.
  f.multiplier = QuantizeMultiplier(
      context.input(0).quantization.scale() /
      (context.input(1).quantization.scale() * output.quantization.scale()));
  ARENALITE_ASSIGN_OR_RETURN(
      f.output,
      MakeOutputStage(context.options<DivOptions>().activation, output));
  return SetDivision<T>(context, f);
}

Status PrepareDiv(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  const int32_t activation = context.options<DivOptions>().activation;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetClamped<float, Quotient>(context, activation);
    case TensorType::kFloat16:
      return SetClampedNarrow<Float16, Quotient>(context, activation);
    case TensorType::kInt32: {
      ARENALITE_ASSIGN_OR_RETURN(auto clamped,
                                 (MakeClamped<int32_t, Quotient>(activation)));
      return SetDivision<int32_t>(context, Int32Quotient{clamped});
    }
    case TensorType::kInt8:
      return SetQuantizedQuotient<int8_t>(context);
    case TensorType::kUInt8:
      return SetQuantizedQuotient<uint8_t>(context);
    case TensorType::kInt16:
      return SetQuantizedQuotient<int16_t>(context);
    default:
      return UnsupportedBinaryType(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kDiv = {
    "DIV",
    schema::BuiltinOperator_DIV,
    2,
    kOpDefault,
    sizeof(DivOptions),
    ParseDiv,
    PrepareDiv,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
