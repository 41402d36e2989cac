// SHAPE, RANK, ZEROS_LIKE: what follows from an input's shape alone.

#include <cstdint>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

template <class T>
Status EvalShape(OpContext& context) {
  const Shape& shape = context.input(0).shape;
  T* out = context.output(0).data_as<T>();
  for (int i = 0; i < shape.rank(); ++i) out[i] = shape.dim(i);
  return OkStatus();
}

Status PrepareShape(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const TensorType type = context.output(0).type;
  if (type == TensorType::kInt32) {
    context.SetEval(EvalShape<int32_t>);
  } else if (type == TensorType::kInt64) {
    context.SetEval(EvalShape<int64_t>);
  } else {
    return InvalidModelError("output 0 is ", TensorTypeName(type),
                             ", allowed INT32 or INT64");
  }
  return context.SetOutputShape(0, Shape({context.input(0).shape.rank()}));
}

Status EvalRank(OpContext& context) {
  *context.output(0).data_as<int32_t>() = context.input(0).shape.rank();
  return OkStatus();
}

Status PrepareRank(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const TensorType type = context.output(0).type;
  if (type != TensorType::kInt32) {
    return InvalidModelError("output 0 is ", TensorTypeName(type),
                             ", allowed INT32");
  }
  return context.SetOutputShape(0, Shape());
}

Status EvalZerosLike(OpContext& context) {
  Tensor& output = context.output(0);
  if (output.bytes > 0) {
    std::memset(output.data, 0, static_cast<size_t>(output.bytes));
  }
  return OkStatus();
}

Status PrepareZerosLike(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const TensorType type = context.input(0).type;
  if (type != TensorType::kFloat32 && type != TensorType::kInt32 &&
      type != TensorType::kInt64) {
    return UnimplementedError("input 0 is ", TensorTypeName(type),
                              ", allowed FLOAT32, INT32 or INT64");
  }
  if (context.output(0).type != type) {
    return InvalidModelError("output 0 is ",
                             TensorTypeName(context.output(0).type),
                             ", but input 0 is ", TensorTypeName(type));
  }
  return context.SetOutputShape(0, context.input(0).shape);
}

// No byte of the input is ever read.
int64_t Anywhere(const OpContext& context, int, int) {
  return context.input(0).bytes;
}

}  // namespace

namespace ops {

const OpDefinition kShape = {
    "SHAPE",
    schema::BuiltinOperator_SHAPE,
    1,
    kOpReadsShapes,
    0,
    nullptr,
    PrepareShape,
    nullptr,
    Anywhere,
};
const OpDefinition kRank = {
    "RANK",      schema::BuiltinOperator_RANK,
    1,           kOpReadsShapes,
    0,           nullptr,
    PrepareRank, EvalRank,
    Anywhere,
};
const OpDefinition kZerosLike = {
    "ZEROS_LIKE",
    schema::BuiltinOperator_ZEROS_LIKE,
    1,
    kOpReadsShapes,
    0,
    nullptr,
    PrepareZerosLike,
    EvalZerosLike,
    Anywhere,
};

}  // namespace ops
}  // namespace arenalite
