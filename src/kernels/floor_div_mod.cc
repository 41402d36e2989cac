// FLOOR_DIV and FLOOR_MOD: quotient rounded down and the remainder that goes
// with it. Element-wise, broadcasting.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

template <class T>
struct FloorQuotient {
  static T Zero() { return 0; }
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(
          std::floor(static_cast<double>(a) / static_cast<double>(b)));
    } else {
      const T quotient = Quotient::Apply(a, b);
      const bool rounded_up = b != -1 && a % b != 0 && (a < 0) != (b < 0);
      return static_cast<T>(quotient - (rounded_up ? 1 : 0));
    }
  }
};

template <class T>
struct FloorRemainder {
  static T Zero() { return 0; }
  T operator()(T a, T b) const {
    T remainder = 0;
    if constexpr (std::is_floating_point_v<T>) {
      remainder = std::fmod(a, b);
    } else {
      if (b == -1) return 0;
      remainder = static_cast<T>(a % b);
    }
    const bool other_side = remainder != 0 && (b < 0) != (remainder < 0);
    return other_side ? static_cast<T>(remainder + b) : remainder;
  }
};

template <template <class> class F>
Status PrepareInteger(OpContext& context) {
  switch (context.input(0).type) {
    case TensorType::kInt8:
      return SetDivision<int8_t>(context, F<int8_t>());
    case TensorType::kInt16:
      return SetDivision<int16_t>(context, F<int16_t>());
    case TensorType::kInt32:
      return SetDivision<int32_t>(context, F<int32_t>());
    case TensorType::kInt64:
      return SetDivision<int64_t>(context, F<int64_t>());
    default:
      return UnsupportedBinaryType(context);
  }
}

Status PrepareFloorDiv(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  // The reference refuses zeros among float divisors too.
  if (context.input(0).type == TensorType::kFloat32) {
    return SetDivision<float>(context, FloorQuotient<float>());
  }
  return PrepareInteger<FloorQuotient>(context);
}

Status PrepareFloorMod(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  if (context.input(0).type == TensorType::kFloat32) {
    return SetBinary<float, float>(context, FloorRemainder<float>());
  }
  return PrepareInteger<FloorRemainder>(context);
}

}  // namespace

namespace ops {

const OpDefinition kFloorDiv = {
    "FLOOR_DIV",
    schema::BuiltinOperator_FLOOR_DIV,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareFloorDiv,
    nullptr,
    BroadcastOverlap,
};
const OpDefinition kFloorMod = {
    "FLOOR_MOD",
    schema::BuiltinOperator_FLOOR_MOD,
    2,
    kOpDefault,
    0,
    nullptr,
    PrepareFloorMod,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
