// WHERE: the coordinates of all elements that are not zero.

#include "arenalite/builtin_ops.h"
#include "base/checked_math.h"
#include "model_generated.h"

namespace arenalite {
namespace {

template <class T>
Result<Shape> WhereShape(const Tensor& condition) {
  const T* data = condition.data_as<T>();
  const int64_t elements = condition.shape.NumElements();
  int64_t count = 0;
  for (int64_t i = 0; i < elements; ++i) count += data[i] != T{0} ? 1 : 0;
  if (count > INT32_MAX) {
    return ResourceExhaustedError("input 0 holds ", count,
                                  " elements that are not zero, allowed 0..",
                                  INT32_MAX);
  }
  return Shape({static_cast<int32_t>(count), condition.shape.rank()});
}

template <class T>
Status EvalWhere(OpContext& context) {
  const Tensor& condition = context.input(0);
  const Shape& shape = condition.shape;
  const T* data = condition.data_as<T>();
  const int64_t elements = shape.NumElements();
  int64_t* output = context.output(0).data_as<int64_t>();
  int64_t coordinates[kMaxRank] = {};
  for (int64_t i = 0; i < elements; ++i) {
    if (data[i] != T{0}) {
      for (int d = 0; d < shape.rank(); ++d) *output++ = coordinates[d];
    }
    for (int d = shape.rank() - 1; d >= 0; --d) {
      if (++coordinates[d] < shape.dim(d)) break;
      coordinates[d] = 0;
    }
  }
  return OkStatus();
}

template <class T>
Status EvalDynamicWhere(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, WhereShape<T>(context.input(0)));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  return EvalWhere<T>(context);
}

// Of the coordinates of all elements; -1 where that overflows.
int64_t MostBytes(const Shape& shape) {
  int64_t bytes = 0;
  const int64_t each = shape.rank() * static_cast<int64_t>(sizeof(int64_t));
  return CheckedMul(shape.NumElements(), each, &bytes) ? bytes : -1;
}

template <class T>
Status FinishWhere(OpContext& context) {
  if (!context.HasValue(context.input(0))) {
    context.SetEval(EvalDynamicWhere<T>);
    return context.SetOutputBounded(0, MostBytes(context.input(0).shape));
  }
  context.SetEval(EvalWhere<T>);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, WhereShape<T>(context.input(0)));
  return context.SetOutputShape(0, shape);
}

Status PrepareWhere(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const Tensor& condition = context.input(0);
  if (condition.shape.rank() == 0) {
    return InvalidModelError(
        "input 0 (condition) is a scalar, allowed rank 1 and more");
  }
  if (context.output(0).type != TensorType::kInt64) {
    return InvalidModelError("output 0 is ",
                             TensorTypeName(context.output(0).type),
                             ", allowed INT64");
  }
  switch (condition.type) {
    case TensorType::kBool:
    case TensorType::kInt8:
    case TensorType::kUInt8:
      return FinishWhere<uint8_t>(context);
    case TensorType::kInt32:
    case TensorType::kUInt32:
      return FinishWhere<uint32_t>(context);
    case TensorType::kInt64:
      return FinishWhere<uint64_t>(context);
    case TensorType::kFloat32:
      return FinishWhere<float>(context);
    default:
      return UnimplementedError("no kernel for input 0 (condition) of type ",
                                TensorTypeName(condition.type));
  }
}

}  // namespace

namespace ops {

const OpDefinition kWhere = {
    "WHERE",
    schema::BuiltinOperator_WHERE,
    2,
    kOpDefault,
    0,
    nullptr,
    PrepareWhere,
    nullptr,
    nullptr,  // The output's shape is not known to the planner.
};

}  // namespace ops
}  // namespace arenalite
