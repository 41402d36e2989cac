// ADD and SUB: element-wise, broadcasting, with a fused activation.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct AddSubOptions {
  int32_t activation;
  bool pot_scale_int16;
};

template <class Table>
Status ParseAddSub(const OpSource& source, void* options) {
  auto* parsed = static_cast<AddSubOptions*>(options);
  const auto* table = OptionsTable<Table>(source);
  if (table == nullptr) return OkStatus();
  parsed->activation = table->fused_activation_function();
  parsed->pot_scale_int16 = table->pot_scale_int16();
  return OkStatus();
}

// Both inputs brought to twice the larger of their scales, summed there with
// `left_shift` more bits, and rescaled to the output (the reference's
// AddElementwise and SubElementwise).
template <class T>
struct QuantizedSum {
  int32_t sign;  // Of the second input: 1 adds, -1 subtracts.
  int left_shift;
  int32_t zero_point[2];
  QuantizedMultiplier multiplier[2];
  QuantizedMultiplier output_multiplier;
  OutputStage output;

  int32_t Scaled(int i, T value) const {
    const int32_t shifted = (value - zero_point[i]) * (1 << left_shift);
    return MultiplyByQuantizedMultiplier(shifted, multiplier[i]);
  }
  T operator()(T a, T b) const {
    const int32_t sum = Scaled(0, a) + sign * Scaled(1, b);
    return static_cast<T>(
        output(MultiplyByQuantizedMultiplier(sum, output_multiplier)));
  }
};

// INT16 with scales that are powers of two: one input has the output's scale,
// the other is shifted to it.
struct PowerOfTwoSum {
  int32_t sign;
  int right_shift[2];
  OutputStage output;

  int16_t operator()(int16_t a, int16_t b) const {
    const int32_t sum = RoundingDivideByPowerOfTwo(a, right_shift[0]) +
                        sign * RoundingDivideByPowerOfTwo(b, right_shift[1]);
    return static_cast<int16_t>(output(sum));
  }
};

// The reference takes a scale within 0.1 % (of its logarithm) for a power.
bool IsPowerOfTwo(float scale, int* exponent) {
  const float exact = std::log2(scale);
  const float rounded = std::round(exact);
  *exponent = static_cast<int>(rounded);
  return std::fabs(exact - rounded) < 1e-3f;
}

template <class T>
Status SetQuantizedSum(OpContext& context, int32_t sign) {
  QuantizedSum<T> f = {};
  const Quantization& output = context.output(0).quantization;
  const double scales[] = {context.input(0).quantization.scale(),
                           context.input(1).quantization.scale()};
  const double twice_larger = 2 * std::max(scales[0], scales[1]);
  f.sign = sign;
  // The widest input difference, shifted, still fits 32 bits.
  f.left_shift = sizeof(T) == 2 ? 15 : 20;
  for (int i = 0; i < 2; ++i) {
    f.zero_point[i] = context.input(i).quantization.zero_point();
    f.multiplier[i] = QuantizeMultiplier(scales[i] / twice_larger);
  }
  f.output_multiplier = QuantizeMultiplier(
      twice_larger / (static_cast<double>(1 << f.left_shift) *
                      static_cast<double>(output.scale())));
  ARENALITE_ASSIGN_OR_RETURN(
      f.output, MakeOutputStage(context.options<AddSubOptions>().activation,
                                context.output(0)));
  return SetBinary<T, T>(context, f);
}

Status SetPowerOfTwoSum(OpContext& context, int32_t sign,
                        const int (&exponents)[3]) {
  PowerOfTwoSum f = {};
  f.sign = sign;
  for (int i = 0; i < 2; ++i) f.right_shift[i] = exponents[2] - exponents[i];
  if (std::min(f.right_shift[0], f.right_shift[1]) != 0 ||
      std::max(f.right_shift[0], f.right_shift[1]) > 31) {
    return InvalidModelError(
        "scales are 2^", exponents[0], " and 2^", exponents[1],
        " for an output of 2^", exponents[2],
        ", allowed one equal to the output's and one at most that");
  }
  ARENALITE_ASSIGN_OR_RETURN(
      f.output, MakeOutputStage(context.options<AddSubOptions>().activation,
                                context.output(0)));
  return SetBinary<int16_t, int16_t>(context, f);
}

Status PrepareInt16(OpContext& context, int32_t sign) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryQuantization(context));
  if (context.options<AddSubOptions>().pot_scale_int16) {
    int exponents[3];
    bool all = true;
    const Tensor* tensors[] = {&context.input(0), &context.input(1),
                               &context.output(0)};
    for (int i = 0; i < 3; ++i) {
      const Quantization& quantization = tensors[i]->quantization;
      all = IsPowerOfTwo(quantization.scale(), &exponents[i]) && all;
    }
    if (all) {
      for (const Tensor* tensor : tensors) {
        if (tensor->quantization.zero_point() == 0) continue;
        return InvalidModelError("tensor '", tensor->name,
                                 "' is INT16 with zero point ",
                                 tensor->quantization.zero_point(),
                                 ", allowed with pot_scale_int16 is 0");
      }
      return SetPowerOfTwoSum(context, sign, exponents);
    }
  }
  return SetQuantizedSum<int16_t>(context, sign);
}

template <class Op>
Status PrepareAddSub(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  const int32_t activation = context.options<AddSubOptions>().activation;
  const int32_t sign = std::is_same_v<Op, Minus> ? -1 : 1;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetClamped<float, Op>(context, activation);
    case TensorType::kFloat16:
      return SetClampedNarrow<Float16, Op>(context, activation);
    case TensorType::kInt32:
      return SetClamped<int32_t, Op>(context, activation);
    case TensorType::kInt64:
      return SetClamped<int64_t, Op>(context, activation);
    case TensorType::kInt8:
      ARENALITE_RETURN_IF_ERROR(CheckBinaryQuantization(context));
      return SetQuantizedSum<int8_t>(context, sign);
    case TensorType::kUInt8:
      ARENALITE_RETURN_IF_ERROR(CheckBinaryQuantization(context));
      return SetQuantizedSum<uint8_t>(context, sign);
    case TensorType::kInt16:
      if (!context.output(0).quantization.has_scale()) {
        return SetClamped<int16_t, Op>(context, activation);
      }
      return PrepareInt16(context, sign);
    default:
      return UnsupportedBinaryType(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kAdd = {
    "ADD",
    schema::BuiltinOperator_ADD,
    6,
    kOpDefault,
    sizeof(AddSubOptions),
    ParseAddSub<schema::AddOptions>,
    PrepareAddSub<Plus>,
    nullptr,
    BroadcastOverlap,
};
const OpDefinition kSub = {
    "SUB",
    schema::BuiltinOperator_SUB,
    5,
    kOpDefault,
    sizeof(AddSubOptions),
    ParseAddSub<schema::SubOptions>,
    PrepareAddSub<Minus>,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
