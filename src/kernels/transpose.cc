// TRANSPOSE: the dimensions in another order.

#include "arenalite/builtin_ops.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Result<CopyJob> ResolveTranspose(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Tensor& order = context.input(1);
  const int rank = input.shape.rank();
  if (order.shape.rank() != 1 || order.shape.dim(0) != rank) {
    return InvalidModelError("input 1 (perm) has shape ", order.shape.dims(),
                             ", input 0 of rank ", rank, " needs [", rank, "]");
  }
  int from_dimension[kMaxRank];
  bool seen[kMaxRank] = {};
  for (int i = 0; i < rank; ++i) {
    ARENALITE_ASSIGN_OR_RETURN(
        int from,
        ResolveAxis("an entry of input 1 (perm)", ReadInteger(order, i), rank));
    if (seen[from]) {
      return InvalidModelError("input 1 (perm) names dimension ", from,
                               " twice, allowed once");
    }
    seen[from] = true;
    from_dimension[i] = from;
  }
  return MakePermutationJob(input, from_dimension);
}

Status PrepareTranspose(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 1, "perm", {TensorType::kInt32, TensorType::kInt64}));
  return PrepareSelection(context, 0, context.HasValue(context.input(1)),
                          ResolveTranspose);
}

}  // namespace

namespace ops {

const OpDefinition kTranspose = {
    "TRANSPOSE",
    schema::BuiltinOperator_TRANSPOSE,
    7,
    kOpDefault,
    0,
    nullptr,
    PrepareTranspose,
    nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
