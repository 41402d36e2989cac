// SLICE: a box of the input.

#include "arenalite/builtin_ops.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kBegin = 1;
constexpr int kSize = 2;

// The size taken of dimension i from `begin` on; -1 stands for the rest.
Result<int32_t> SizeOfDimension(const OpContext& context, int i,
                                int64_t begin) {
  const int64_t dim = context.input(0).shape.dim(i);
  const int64_t asked = ReadInteger(context.input(kSize), i);
  if (begin < 0 || begin > dim || asked < -1 || asked > dim - begin) {
    return OutOfRangeError("takes ", asked, " elements from ", begin,
                           " on of dimension ", i, ", allowed within 0..", dim);
  }
  return static_cast<int32_t>(asked == -1 ? dim - begin : asked);
}

Result<CopyJob> ResolveSlice(const OpContext& context) {
  const Tensor& input = context.input(0);
  TakenAxis taken[kMaxRank];
  for (int i = 0; i < input.shape.rank(); ++i) {
    const int64_t begin = ReadInteger(context.input(kBegin), i);
    ARENALITE_ASSIGN_OR_RETURN(int32_t size,
                               SizeOfDimension(context, i, begin));
    taken[i] = {begin, size, 1};
  }
  return MakeBoxJob(input, taken);
}

// The shape when only the sizes are known; false where one of them is -1.
Result<bool> ShapeFromSizes(const OpContext& context, Shape& shape) {
  const Tensor& size = context.input(kSize);
  if (!context.HasValue(size)) return false;
  const int rank = context.input(0).shape.rank();
  shape.set_rank(rank);
  for (int i = 0; i < rank; ++i) {
    if (ReadInteger(size, i) == -1) return false;
    ARENALITE_ASSIGN_OR_RETURN(int32_t dim, SizeOfDimension(context, i, 0));
    shape.set_dim(i, dim);
  }
  return true;
}

Status PrepareSlice(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  const int rank = context.input(0).shape.rank();
  for (int i : {kBegin, kSize}) {
    ARENALITE_RETURN_IF_ERROR(
        CheckIndexType(context, i, i == kBegin ? "begin" : "size",
                       {TensorType::kInt32, TensorType::kInt64}));
    const Shape& shape = context.input(i).shape;
    if (shape.rank() != 1 || shape.dim(0) != rank) {
      return InvalidModelError("input ", i, " has shape ", shape.dims(),
                               ", input 0 of rank ", rank, " needs [", rank,
                               "]");
    }
  }
  const bool begin_known = context.HasValue(context.input(kBegin));
  if (!begin_known) {
    Shape shape;
    ARENALITE_ASSIGN_OR_RETURN(bool known, ShapeFromSizes(context, shape));
    if (known) return PrepareLateCopy(context, 0, shape, ResolveSlice);
  }
  return PrepareSelection(context, 0,
                          begin_known && context.HasValue(context.input(kSize)),
                          ResolveSlice);
}

}  // namespace

namespace ops {

const OpDefinition kSlice = {
    "SLICE",
    schema::BuiltinOperator_SLICE,
    8,
    kOpDefault,
    0,
    nullptr,
    PrepareSlice,
    nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
