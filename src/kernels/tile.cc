// TILE: the input repeated along each dimension.

#include "arenalite/builtin_ops.h"
#include "base/checked_math.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Result<CopyJob> ResolveTile(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Tensor& multiples = context.input(1);
  const int rank = input.shape.rank();
  if (multiples.shape.NumElements() != rank) {
    return InvalidModelError(
        "input 1 (multiples) has ", multiples.shape.NumElements(),
        " elements, input 0 of rank ", rank, " needs ", rank);
  }
  int64_t steps[kMaxRank];
  RowMajorSteps(input.shape, steps);
  CopyJob job;
  job.shape.set_rank(rank);
  CopyAxis axes[CopyPlan::kMaxAxes];
  for (int i = 0; i < rank; ++i) {
    const int64_t multiple = ReadInteger(multiples, i);
    const int32_t dim = input.shape.dim(i);
    int64_t product = 0;
    if (multiple < 0 || !CheckedMul(multiple, dim, &product) ||
        product > INT32_MAX) {
      return InvalidModelError(
          "input 1 (multiples) is ", multiple, " for dimension ", i,
          " of size ", dim, ", allowed >= 0 and a product up to ", INT32_MAX);
    }
    job.shape.set_dim(i, static_cast<int32_t>(product));
    axes[2 * i] = {multiple, 0, 0};
    axes[2 * i + 1] = {dim, steps[i], 0};
  }
  // Steps of a shape whose size overflows would be nonsense.
  ARENALITE_ASSIGN_OR_RETURN(job.shape, Shape::Create(job.shape.dims()));
  if (input.type != TensorType::kString) {
    ARENALITE_RETURN_IF_ERROR(TensorBytes(input.type, job.shape).status());
  }
  job.plan =
      MakeDenseCopyPlan({axes, 2 * static_cast<size_t>(rank)}, input.type);
  return job;
}

Status PrepareTile(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 1, "multiples", {TensorType::kInt32, TensorType::kInt64}));
  return PrepareCopy(context, 0, context.HasValue(context.input(1)),
                     ResolveTile);
}

}  // namespace

namespace ops {

const OpDefinition kTile = {
    "TILE",      schema::BuiltinOperator_TILE,
    3,           kOpDefault,
    0,           nullptr,
    PrepareTile, nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
