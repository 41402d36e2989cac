// BITCAST: the same bytes as elements of another type. Elements that shrink
// gain a last dimension, elements that grow lose theirs.

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Result<Shape> CastShape(const Shape& shape, int from, int to) {
  Shape result = shape;
  if (from > to) {
    if (shape.rank() == kMaxRank) {
      return InvalidModelError("input 0 has rank ", shape.rank(),
                               ", allowed at most ", kMaxRank - 1);
    }
    result.set_rank(shape.rank() + 1);
    result.set_dim(shape.rank(), from / to);
  } else if (from < to) {
    if (shape.rank() == 0 || shape.dim_from_end(0) != to / from) {
      return InvalidModelError("input 0 has shape ", shape.dims(),
                               ", allowed a last dimension of ", to / from);
    }
    result.set_rank(shape.rank() - 1);
  }
  return result;
}

Status PrepareBitcast(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  const int from = TensorTypeBits(input);
  const int to = TensorTypeBits(output);
  if (from < 8 || to < 8) {
    return UnimplementedError("casts ", TensorTypeName(input), " to ",
                              TensorTypeName(output),
                              ", allowed elements of whole bytes");
  }
  ARENALITE_ASSIGN_OR_RETURN(Shape shape,
                             CastShape(context.input(0).shape, from, to));
  return context.SetOutputShape(0, shape);
}

Status EvalBitcast(OpContext& context) {
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  if (output.data != input.data && input.bytes > 0) {
    std::memmove(output.data, input.data, static_cast<size_t>(input.bytes));
  }
  return OkStatus();
}

// memmove reads all it needs before it is overwritten.
int64_t Anywhere(const OpContext& context, int, int) {
  return context.input(0).bytes;
}

}  // namespace

namespace ops {

const OpDefinition kBitcast = {
    "BITCAST",
    schema::BuiltinOperator_BITCAST,
    1,
    kOpIsView,
    0,
    nullptr,
    PrepareBitcast,
    EvalBitcast,
    Anywhere,
};

}  // namespace ops
}  // namespace arenalite
