// PAD, PADV2: a constant around the input.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/pad_op.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kPaddings = 1;
constexpr int kValue = 2;

Result<PadSpec> ReadPadSpec(const OpContext& context) {
  const Tensor& paddings = context.input(kPaddings);
  const int rank = context.input(0).shape.rank();
  if (paddings.shape.dim(0) != rank) {
    return InvalidModelError("input 1 (paddings) has shape ",
                             paddings.shape.dims(), ", input 0 of rank ", rank,
                             " needs [", rank, ",2]");
  }
  PadSpec spec = {};
  for (int i = 0; i < rank; ++i) {
    PadAxis& axis = spec.axes[i];
    axis.before = ReadInteger(paddings, 2 * i);
    axis.after = ReadInteger(paddings, 2 * i + 1);
    if (std::min(axis.before, axis.after) < 0) {
      return InvalidModelError("input 1 (paddings) is [", axis.before, ",",
                               axis.after, "] for dimension ", i,
                               ", allowed are numbers >= 0");
    }
  }
  return spec;
}

Status PrepareConstantPad(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, kPaddings, "paddings",
      {TensorType::kInt32, TensorType::kInt64, TensorType::kInt16,
       TensorType::kInt8, TensorType::kBool}));
  const Tensor& paddings = context.input(kPaddings);
  if (paddings.shape.rank() != 2 || paddings.shape.dim(1) != 2) {
    return InvalidModelError("input 1 (paddings) has shape ",
                             paddings.shape.dims(), ", allowed [rank,2]");
  }
  return PreparePad(context, kValue, context.HasValue(paddings), ReadPadSpec);
}

}  // namespace

namespace ops {

const OpDefinition kPad = {
    "PAD",  // Takes a value as well, as the reference does.
    schema::BuiltinOperator_PAD,
    5,
    kOpDefault,
    0,
    nullptr,
    PrepareConstantPad,
    nullptr,
    PadOverlap,
};
const OpDefinition kPadV2 = {
    "PADV2",  // The value may be absent.
    schema::BuiltinOperator_PADV2,
    5,
    kOpDefault,
    0,
    nullptr,
    PrepareConstantPad,
    nullptr,
    PadOverlap,
};

}  // namespace ops
}  // namespace arenalite
