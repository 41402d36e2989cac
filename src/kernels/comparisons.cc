// EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL: element-wise,
// broadcasting, to BOOL.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "kernels/string_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

template <class Op>
struct Compared {
  template <class T>
  bool operator()(T a, T b) const {
    return Op::Apply(a, b);
  }
  bool operator()(Float16 a, Float16 b) const {
    return Op::Apply(static_cast<float>(a), static_cast<float>(b));
  }
  bool operator()(BFloat16 a, BFloat16 b) const {
    return Op::Apply(static_cast<float>(a), static_cast<float>(b));
  }
};

// BOOL read as bytes: any but 0 is true.
template <class Op>
struct ComparedBool {
  bool operator()(uint8_t a, uint8_t b) const {
    return Op::Apply(a != 0, b != 0);
  }
};

// Real values with 8 bits after the point, rounded as the reference does.
template <class Op>
struct ComparedQuantized {
  static constexpr int kLeftShift = 8;

  int32_t zero_point[2];
  QuantizedMultiplier multiplier[2];

  int32_t Scaled(int i, int32_t value) const {
    const int32_t shifted = (value - zero_point[i]) * (1 << kLeftShift);
    return MultiplyByQuantizedMultiplier(shifted, multiplier[i]);
  }
  template <class T>
  bool operator()(T a, T b) const {
    return Op::Apply(Scaled(0, a), Scaled(1, b));
  }
};

template <class T, class Op>
Status SetCompared(OpContext& context) {
  return SetBinary<T, bool>(context, Compared<Op>());
}

template <class T, class Op>
Status SetComparedQuantized(OpContext& context) {
  ComparedQuantized<Op> f = {};
  double scales[2];
  for (int i = 0; i < 2; ++i) {
    ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(
        context.input(i), i == 0 ? "input 0" : "input 1"));
    f.zero_point[i] = context.input(i).quantization.zero_point();
    scales[i] = context.input(i).quantization.scale();
  }
  // Only the ratio of scales of 1 and more matters: made less, they need no
  // left shift, which could overflow.
  int exponent = 0;
  std::frexp(std::max(scales[0], scales[1]), &exponent);
  exponent = std::max(exponent, 0);
  for (int i = 0; i < 2; ++i) {
    f.multiplier[i] = QuantizeMultiplier(std::ldexp(scales[i], -exponent));
  }
  return SetBinary<T, bool>(context, f);
}

template <class T, class Op>
Status PrepareSmallInteger(OpContext& context) {
  const bool quantized = context.input(0).quantization.has_scale() ||
                         context.input(1).quantization.has_scale();
  // The reference orders INT16 by raw values, whatever the scales; only
  // equality looks at them.
  constexpr bool kOrders =
      !std::is_same_v<Op, Equal> && !std::is_same_v<Op, NotEqual>;
  constexpr bool kRaw = sizeof(T) == 2 && kOrders;
  if (quantized && !kRaw) return SetComparedQuantized<T, Op>(context);
  return SetCompared<T, Op>(context);
}

template <class Op>
Status PrepareComparison(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context, TensorType::kBool));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetCompared<float, Op>(context);
    case TensorType::kFloat16:
      return SetCompared<Float16, Op>(context);
    case TensorType::kBFloat16:
      return SetCompared<BFloat16, Op>(context);
    case TensorType::kInt32:
      return SetCompared<int32_t, Op>(context);
    case TensorType::kInt64:
      return SetCompared<int64_t, Op>(context);
    case TensorType::kInt8:
      return PrepareSmallInteger<int8_t, Op>(context);
    case TensorType::kUInt8:
      return PrepareSmallInteger<uint8_t, Op>(context);
    case TensorType::kInt16:
      return PrepareSmallInteger<int16_t, Op>(context);
    default:
      return UnsupportedBinaryType(context);
  }
}

template <class Op>
Status EvalStrings(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(StringReader a,
                             StringReader::Create(context.input(0)));
  ARENALITE_ASSIGN_OR_RETURN(StringReader b,
                             StringReader::Create(context.input(1)));
  const Broadcast& broadcast = context.data<BroadcastLoop>().broadcast;
  bool* output = context.output(0).data_as<bool>();
  for (RunCursor cursor(broadcast); !cursor.done(); cursor.Next()) {
    for (int64_t i = 0; i < broadcast.run; ++i) {
      output[cursor.output() + i] =
          Op::Apply(a[cursor.input(0) + i * broadcast.run_stride[0]],
                    b[cursor.input(1) + i * broadcast.run_stride[1]]);
    }
  }
  return OkStatus();
}

template <class Op>
Status PrepareEquality(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context, TensorType::kBool));
  if (context.input(0).type == TensorType::kBool) {
    return SetBinary<uint8_t, bool>(context, ComparedBool<Op>());
  }
  if (context.input(0).type == TensorType::kString) {
    ARENALITE_ASSIGN_OR_RETURN(BroadcastLoop * loop,
                               context.CreateData<BroadcastLoop>());
    ARENALITE_RETURN_IF_ERROR(PrepareBinaryLoop(context, *loop));
    context.SetEval(EvalStrings<Op>);
    return OkStatus();
  }
  return PrepareComparison<Op>(context);
}

constexpr OpDefinition Comparison(const char* name, int32_t code,
                                  int32_t max_version,
                                  Status (*prepare)(OpContext&)) {
  return {name,    code,    max_version, kOpDefault,      0,
          nullptr, prepare, nullptr,     BroadcastOverlap};
}

}  // namespace

namespace ops {

const OpDefinition kEqual = Comparison("EQUAL", schema::BuiltinOperator_EQUAL,
                                       5, PrepareEquality<Equal>);
const OpDefinition kNotEqual =
    Comparison("NOT_EQUAL", schema::BuiltinOperator_NOT_EQUAL, 4,
               PrepareEquality<NotEqual>);
const OpDefinition kGreater = Comparison(
    "GREATER", schema::BuiltinOperator_GREATER, 3, PrepareComparison<Greater>);
const OpDefinition kGreaterEqual =
    Comparison("GREATER_EQUAL", schema::BuiltinOperator_GREATER_EQUAL, 3,
               PrepareComparison<GreaterEqual>);
const OpDefinition kLess = Comparison("LESS", schema::BuiltinOperator_LESS, 3,
                                      PrepareComparison<Less>);
const OpDefinition kLessEqual =
    Comparison("LESS_EQUAL", schema::BuiltinOperator_LESS_EQUAL, 3,
               PrepareComparison<LessEqual>);

}  // namespace ops
}  // namespace arenalite
