// REVERSE_V2: the elements along some dimensions in reverse order.

#include "arenalite/builtin_ops.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Result<CopyJob> ResolveReverse(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Tensor& reversed = context.input(1);
  const int rank = input.shape.rank();
  int64_t steps[kMaxRank];
  RowMajorSteps(input.shape, steps);
  CopyAxis axes[kMaxRank];
  for (int i = 0; i < rank; ++i) axes[i] = {input.shape.dim(i), steps[i], 0};
  int64_t start = 0;
  for (int i = 0; i < reversed.shape.dim(0); ++i) {
    ARENALITE_ASSIGN_OR_RETURN(int axis,
                               ResolveAxis("an entry of input 1 (axis)",
                                           ReadInteger(reversed, i), rank));
    if (axes[axis].source_step < 0) {
      return InvalidModelError("input 1 (axis) names dimension ", axis,
                               " twice, allowed once");
    }
    axes[axis].source_step = -steps[axis];
    if (input.bytes > 0) start += (axes[axis].count - 1) * steps[axis];
  }
  CopyJob job;
  job.shape = input.shape;
  job.plan =
      MakeDenseCopyPlan({axes, static_cast<size_t>(rank)}, input.type, start);
  return job;
}

Status PrepareReverse(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 1, "axis", {TensorType::kInt32}));
  const Shape& axis = context.input(1).shape;
  const int rank = context.input(0).shape.rank();
  if (axis.rank() != 1 || axis.dim(0) > rank) {
    return InvalidModelError("input 1 (axis) has shape ", axis.dims(),
                             ", allowed is 1-D with at most ", rank,
                             " elements");
  }
  if (context.HasValue(context.input(1))) {
    return PrepareCopy(context, 0, true, ResolveReverse);
  }
  return PrepareLateCopy(context, 0, context.input(0).shape, ResolveReverse);
}

}  // namespace

namespace ops {

const OpDefinition kReverseV2 = {
    "REVERSE_V2",
    schema::BuiltinOperator_REVERSE_V2,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareReverse,
    nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
