// Element-wise arithmetic without quantization: SIN, COS, SQUARE, FLOOR, CEIL,
// ROUND, SIGN, NEG, and their StableHLO forms.

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "arenalite/builtin_ops.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct Sin {
  float operator()(float x) const { return std::sin(x); }
};
struct Cos {
  float operator()(float x) const { return std::cos(x); }
};
struct Cbrt {
  float operator()(float x) const { return std::cbrt(x); }
};
struct Square {
  float operator()(float x) const { return x * x; }
};
struct Floor {
  float operator()(float x) const { return std::floor(x); }
};
struct Ceil {
  float operator()(float x) const { return std::ceil(x); }
};
// Halves go to the even neighbour.
struct Round {
  float operator()(float x) const { return std::rint(x); }
};

template <class T>
struct Sign {
  T operator()(T x) const {
    if (x > T(0)) return T(1);
    return x < T(0) ? T(-1) : x;  // NaN and zeros stay what they are.
  }
};

template <class T>
struct Negate {
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      return -x;
    } else {
      // The least integer stays itself, as the reference's hardware has it.
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(
          static_cast<Unsigned>(0u - static_cast<Unsigned>(x)));
    }
  }
};

template <class F>
Status PrepareFloats(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, F());
    case TensorType::kFloat16:
      return SetMap<Float16, Float16>(context, F());
    case TensorType::kBFloat16:
      return SetMap<BFloat16, BFloat16>(context, F());
    default:
      return UnsupportedInput(context, "FLOAT32, FLOAT16 or BFLOAT16");
  }
}

Status PrepareSign(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Sign<float>());
    case TensorType::kFloat64:
      return SetMap<double, double>(context, Sign<double>());
    case TensorType::kInt32:
      return SetMap<int32_t, int32_t>(context, Sign<int32_t>());
    default:
      return UnsupportedInput(context, "FLOAT32, FLOAT64 or INT32");
  }
}

Status PrepareNeg(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Negate<float>());
    case TensorType::kFloat16:
      return SetMap<Float16, Float16>(context, Negate<float>());
    case TensorType::kBFloat16:
      return SetMap<BFloat16, BFloat16>(context, Negate<float>());
    case TensorType::kInt8:
      return SetMap<int8_t, int8_t>(context, Negate<int8_t>());
    case TensorType::kInt16:
      return SetMap<int16_t, int16_t>(context, Negate<int16_t>());
    case TensorType::kInt32:
      return SetMap<int32_t, int32_t>(context, Negate<int32_t>());
    case TensorType::kInt64:
      return SetMap<int64_t, int64_t>(context, Negate<int64_t>());
    default:
      return UnsupportedInput(context,
                              "FLOAT32, FLOAT16, BFLOAT16, INT8, INT16, INT32 "
                              "or INT64");
  }
}

}  // namespace

namespace ops {

const OpDefinition kSin = {
    "SIN",   schema::BuiltinOperator_SIN, 2,       kOpDefault, 0,
    nullptr, PrepareFloats<Sin>,          nullptr, MapOverlap,
};
const OpDefinition kCos = {
    "COS",   schema::BuiltinOperator_COS, 2,       kOpDefault, 0,
    nullptr, PrepareFloats<Cos>,          nullptr, MapOverlap,
};
const OpDefinition kSquare = {
    "SQUARE", schema::BuiltinOperator_SQUARE, 1,       kOpDefault, 0,
    nullptr,  PrepareFloats<Square>,          nullptr, MapOverlap,
};
const OpDefinition kFloor = {
    "FLOOR", schema::BuiltinOperator_FLOOR, 1,       kOpDefault, 0,
    nullptr, PrepareFloats<Floor>,          nullptr, MapOverlap,
};
const OpDefinition kCeil = {
    "CEIL",  schema::BuiltinOperator_CEIL, 1,       kOpDefault, 0,
    nullptr, PrepareFloats<Ceil>,          nullptr, MapOverlap,
};
const OpDefinition kRound = {
    "ROUND", schema::BuiltinOperator_ROUND, 1,       kOpDefault, 0,
    nullptr, PrepareFloats<Round>,          nullptr, MapOverlap,
};
const OpDefinition kSign = {
    "SIGN",      schema::BuiltinOperator_SIGN,
    2,           kOpDefault,
    0,           nullptr,
    PrepareSign, nullptr,
    MapOverlap,
};
const OpDefinition kNeg = {
    "NEG",      schema::BuiltinOperator_NEG,
    1,          kOpDefault,
    0,          nullptr,
    PrepareNeg, nullptr,
    MapOverlap,
};
const OpDefinition kStablehloCbrt = {
    "STABLEHLO_CBRT",
    schema::BuiltinOperator_STABLEHLO_CBRT,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareFloats<Cbrt>,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloCosine = {
    "STABLEHLO_COSINE",
    schema::BuiltinOperator_STABLEHLO_COSINE,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareFloats<Cos>,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloFloor = {
    "STABLEHLO_FLOOR",
    schema::BuiltinOperator_STABLEHLO_FLOOR,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareFloats<Floor>,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloNegate = {
    "STABLEHLO_NEGATE",
    schema::BuiltinOperator_STABLEHLO_NEGATE,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareNeg,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
