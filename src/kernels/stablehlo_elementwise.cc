// The element-wise STABLEHLO_* ops of two inputs of one shape.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct And {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
// Counts outside of the type's bits shift everything out.
struct ShiftLeft {
  template <class T>
  static T Apply(T a, T b) {
    constexpr uint64_t kBits = sizeof(T) * 8;
    const auto count = static_cast<uint64_t>(b);
    if (count >= kBits) return 0;
    return static_cast<T>(static_cast<uint64_t>(a) << count);
  }
};
// The sign is the dividend's.
struct Remainder {
  template <class T>
  static T Apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else {
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
      return static_cast<T>(a % b);
    }
  }
};
struct Power {
  static float Apply(float a, float b) { return std::pow(a, b); }
};

// Op on floats of 16 bits, computed with 32.
template <class Narrow, class Op>
struct Widened {
  Narrow operator()(Narrow a, Narrow b) const {
    return Narrow(Op::Apply(static_cast<float>(a), static_cast<float>(b)));
  }
};

template <class Op>
struct Division {
  template <class T>
  T operator()(T a, T b) const {
    return Op::Apply(a, b);
  }
  static int Zero() { return 0; }
};

// BOOL read as bytes, where any but 0 is true.
template <class Op>
struct OnBool {
  bool operator()(uint8_t a, uint8_t b) const {
    return Op::Apply(a != 0, b != 0);
  }
};

Status CheckShapes(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  return CheckEqualShapes(context);
}

// prepare for floats; false where the type is no float.
template <class Op>
Result<bool> PrepareFloat(OpContext& context) {
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      ARENALITE_RETURN_IF_ERROR(
          (SetBinary<float, float>(context, Plain<Op>())));
      return true;
    case TensorType::kFloat16:
      ARENALITE_RETURN_IF_ERROR(
          (SetBinary<Float16, Float16>(context, Widened<Float16, Op>())));
      return true;
    case TensorType::kBFloat16:
      ARENALITE_RETURN_IF_ERROR(
          (SetBinary<BFloat16, BFloat16>(context, Widened<BFloat16, Op>())));
      return true;
    default:
      return false;
  }
}

template <class T, class Op>
Status SetInteger(OpContext& context) {
  if constexpr (std::is_same_v<Op, Quotient> || std::is_same_v<Op, Remainder>) {
    return SetDivision<T>(context, Division<Op>());
  } else {
    return SetBinary<T, T>(context, Plain<Op>());
  }
}

template <class Op>
Status PrepareInteger(OpContext& context) {
  switch (context.input(0).type) {
    case TensorType::kInt8:
      return SetInteger<int8_t, Op>(context);
    case TensorType::kUInt8:
      return SetInteger<uint8_t, Op>(context);
    case TensorType::kInt16:
      return SetInteger<int16_t, Op>(context);
    case TensorType::kInt32:
      return SetInteger<int32_t, Op>(context);
    case TensorType::kUInt32:
      return SetInteger<uint32_t, Op>(context);
    case TensorType::kInt64:
      return SetInteger<int64_t, Op>(context);
    default:
      return UnsupportedBinaryType(context);
  }
}

template <class Op>
Status PrepareArithmetic(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  ARENALITE_ASSIGN_OR_RETURN(bool done, PrepareFloat<Op>(context));
  return done ? OkStatus() : PrepareInteger<Op>(context);
}

Status PreparePower(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  ARENALITE_ASSIGN_OR_RETURN(bool done, PrepareFloat<Power>(context));
  return done ? OkStatus() : UnsupportedBinaryType(context);
}

template <class Op>
Status PrepareBits(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  if (context.input(0).type == TensorType::kBool) {
    return SetBinary<uint8_t, bool>(context, OnBool<Op>());
  }
  return PrepareInteger<Op>(context);
}

Status PrepareShiftLeft(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  return PrepareInteger<ShiftLeft>(context);
}

struct CompareOptions {
  int32_t direction;
};

Status ParseCompare(const OpSource& source, void* options) {
  const auto* table = OptionsTable2<schema::StablehloCompareOptions>(source);
  if (table == nullptr) return InvalidModelError("has no compare options");
  // With a total order, -0 is less than 0 and NaN has a place.
  if (table->compare_type() ==
      schema::
          StablehloComparisonType_STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER) {
    return UnimplementedError(
        "compare_type is FLOAT_TOTAL_ORDER, allowed FLOAT, SIGNED, UNSIGNED");
  }
  static_cast<CompareOptions*>(options)->direction =
      table->comparison_direction();
  return OkStatus();
}

template <class Op>
struct Compared {
  template <class T>
  bool operator()(T a, T b) const {
    return Op::Apply(a, b);
  }
};

template <class Op>
Status PrepareCompared(OpContext& context) {
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetBinary<float, bool>(context, Compared<Op>());
    case TensorType::kBool:
      return SetBinary<uint8_t, bool>(context, OnBool<Op>());
    case TensorType::kInt8:
      return SetBinary<int8_t, bool>(context, Compared<Op>());
    case TensorType::kUInt8:
      return SetBinary<uint8_t, bool>(context, Compared<Op>());
    case TensorType::kInt32:
      return SetBinary<int32_t, bool>(context, Compared<Op>());
    case TensorType::kUInt32:
      return SetBinary<uint32_t, bool>(context, Compared<Op>());
    case TensorType::kInt64:
      return SetBinary<int64_t, bool>(context, Compared<Op>());
    default:
      return UnsupportedBinaryType(context);
  }
}

Status PrepareCompare(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context, TensorType::kBool));
  ARENALITE_RETURN_IF_ERROR(CheckEqualShapes(context));
  const int32_t direction = context.options<CompareOptions>().direction;
  switch (direction) {
    case schema::StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_EQ:
      return PrepareCompared<Equal>(context);
    case schema::StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_NE:
      return PrepareCompared<NotEqual>(context);
    case schema::StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_GE:
      return PrepareCompared<GreaterEqual>(context);
    case schema::StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_GT:
      return PrepareCompared<Greater>(context);
    case schema::StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_LE:
      return PrepareCompared<LessEqual>(context);
    case schema::StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_LT:
      return PrepareCompared<Less>(context);
    default:
      return InvalidModelError("comparison_direction is ", direction,
                               ", allowed 0..5");
  }
}

constexpr OpDefinition Elementwise(const char* name, int32_t code,
                                   Status (*prepare)(OpContext&)) {
  return {name,    code,    1,       kOpDefault,      0,
          nullptr, prepare, nullptr, BroadcastOverlap};
}

}  // namespace

namespace ops {

const OpDefinition kStablehloAdd =
    Elementwise("STABLEHLO_ADD", schema::BuiltinOperator_STABLEHLO_ADD,
                PrepareArithmetic<Plus>);
const OpDefinition kStablehloSubtract = Elementwise(
    "STABLEHLO_SUBTRACT", schema::BuiltinOperator_STABLEHLO_SUBTRACT,
    PrepareArithmetic<Minus>);
const OpDefinition kStablehloMultiply = Elementwise(
    "STABLEHLO_MULTIPLY", schema::BuiltinOperator_STABLEHLO_MULTIPLY,
    PrepareArithmetic<Times>);
const OpDefinition kStablehloDivide =
    Elementwise("STABLEHLO_DIVIDE", schema::BuiltinOperator_STABLEHLO_DIVIDE,
                PrepareArithmetic<Quotient>);
const OpDefinition kStablehloRemainder = Elementwise(
    "STABLEHLO_REMAINDER", schema::BuiltinOperator_STABLEHLO_REMAINDER,
    PrepareArithmetic<Remainder>);
const OpDefinition kStablehloMaximum =
    Elementwise("STABLEHLO_MAXIMUM", schema::BuiltinOperator_STABLEHLO_MAXIMUM,
                PrepareArithmetic<Larger>);
const OpDefinition kStablehloMinimum =
    Elementwise("STABLEHLO_MINIMUM", schema::BuiltinOperator_STABLEHLO_MINIMUM,
                PrepareArithmetic<Smaller>);
const OpDefinition kStablehloPower = Elementwise(
    "STABLEHLO_POWER", schema::BuiltinOperator_STABLEHLO_POWER, PreparePower);
const OpDefinition kStablehloAnd = Elementwise(
    "STABLEHLO_AND", schema::BuiltinOperator_STABLEHLO_AND, PrepareBits<And>);
const OpDefinition kStablehloOr = Elementwise(
    "STABLEHLO_OR", schema::BuiltinOperator_STABLEHLO_OR, PrepareBits<Or>);
const OpDefinition kStablehloShiftLeft =
    Elementwise("STABLEHLO_SHIFT_LEFT",
                schema::BuiltinOperator_STABLEHLO_SHIFT_LEFT, PrepareShiftLeft);
const OpDefinition kStablehloCompare = {
    "STABLEHLO_COMPARE",
    schema::BuiltinOperator_STABLEHLO_COMPARE,
    1,
    kOpDefault,
    sizeof(CompareOptions),
    ParseCompare,
    PrepareCompare,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
