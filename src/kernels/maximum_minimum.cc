// MAXIMUM and MINIMUM: element-wise, broadcasting.

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

template <class Op, class Narrow>
struct ChosenNarrow {
  Narrow operator()(Narrow a, Narrow b) const {
    return Narrow(Op::Apply(static_cast<float>(a), static_cast<float>(b)));
  }
};

template <class Op>
Status PrepareMaximumMinimum(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  switch (context.input(0).type) {
    case TensorType::kFloat16:
      return SetBinary<Float16, Float16>(context, ChosenNarrow<Op, Float16>());
    case TensorType::kBFloat16:
      return SetBinary<BFloat16, BFloat16>(context,
                                           ChosenNarrow<Op, BFloat16>());
    default:
      return SetBinaryOfTypes<Plain<Op>, float, int8_t, uint8_t, int16_t,
                              int32_t, int64_t>(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kMaximum = {
    "MAXIMUM", schema::BuiltinOperator_MAXIMUM, 4,       kOpDefault,       0,
    nullptr,   PrepareMaximumMinimum<Larger>,   nullptr, BroadcastOverlap,
};
const OpDefinition kMinimum = {
    "MINIMUM", schema::BuiltinOperator_MINIMUM, 4,       kOpDefault,       0,
    nullptr,   PrepareMaximumMinimum<Smaller>,  nullptr, BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
