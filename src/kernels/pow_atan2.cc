// POW (broadcasting) and ATAN2 (of equal shapes): element-wise.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct FloatPower {
  float operator()(float base, float exponent) const {
    return std::pow(base, exponent);
  }
};

// Modulo 2^32; the exponent is not negative.
struct Int32Power {
  int32_t operator()(int32_t base, int32_t exponent) const {
    uint32_t result = 1;
    uint32_t square = static_cast<uint32_t>(base);
    for (int32_t rest = exponent; rest > 0; rest >>= 1) {
      if ((rest & 1) != 0) result *= square;
      square *= square;
    }
    return static_cast<int32_t>(result);
  }
};

Status EvalInt32Power(OpContext& context) {
  const Tensor& exponents = context.input(1);
  const int64_t count = exponents.shape.NumElements();
  for (int64_t i = 0; i < count; ++i) {
    const int32_t exponent = exponents.data_as<int32_t>()[i];
    if (exponent >= 0) continue;
    return OutOfRangeError("element ", i, " of input 1 (exponents) is ",
                           exponent, ", allowed for INT32 are values >= 0");
  }
  return EvalBroadcast(context);
}

Status PreparePow(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetBinary<float, float>(context, FloatPower());
    case TensorType::kInt32:
      ARENALITE_RETURN_IF_ERROR(
          (SetBinary<int32_t, int32_t>(context, Int32Power())));
      context.SetEval(EvalInt32Power);
      return OkStatus();
    default:
      return UnsupportedBinaryType(context);
  }
}

template <class T>
struct ArcTangent {
  T operator()(T y, T x) const {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return T(std::atan2(static_cast<Wide>(y), static_cast<Wide>(x)));
  }
};

Status PrepareAtan2(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  ARENALITE_RETURN_IF_ERROR(CheckEqualShapes(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetBinary<float, float>(context, ArcTangent<float>());
    case TensorType::kFloat64:
      return SetBinary<double, double>(context, ArcTangent<double>());
    case TensorType::kFloat16:
      return SetBinary<Float16, Float16>(context, ArcTangent<Float16>());
    case TensorType::kBFloat16:
      return SetBinary<BFloat16, BFloat16>(context, ArcTangent<BFloat16>());
    default:
      return UnsupportedBinaryType(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kPow = {
    "POW",
    schema::BuiltinOperator_POW,
    1,
    kOpDefault,
    0,
    nullptr,
    PreparePow,
    nullptr,
    BroadcastOverlap,
};
const OpDefinition kAtan2 = {
    "ATAN2",
    schema::BuiltinOperator_ATAN2,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareAtan2,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
