// SCATTER_ND: zeros, to which slices are added at the places that indices
// name.

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/element_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/shape_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct LogicalSum {
  template <class T>
  static T Apply(T a, T b) {
    return a != 0 || b != 0 ? 1 : 0;
  }
};

// indices [..., n], updates [..., slice]: the shapes must agree with the
// output's first n and other dimensions.
Status CheckScatter(const OpContext& context, const Shape& output) {
  const Shape& indices = context.input(0).shape;
  const Shape& updates = context.input(1).shape;
  const int outer = indices.rank() - 1;
  const int named = indices.dim(outer);
  bool fits =
      named <= output.rank() && updates.rank() == outer + output.rank() - named;
  for (int d = 0; fits && d < updates.rank(); ++d) {
    const int32_t dim =
        d < outer ? indices.dim(d) : output.dim(named + d - outer);
    fits = updates.dim(d) == dim;
  }
  if (fits) return OkStatus();
  return InvalidModelError("indices of shape ", indices.dims(),
                           " and updates of shape ", updates.dims(),
                           " do not agree with output shape ", output.dims());
}

template <class T, class Op>
Status EvalScatter(OpContext& context) {
  Tensor& output = context.output(0);
  const Shape& indices = context.input(0).shape;
  if (output.bytes > 0) {
    std::memset(output.data, 0, static_cast<size_t>(output.bytes));
  }
  const int named = indices.dim_from_end(0);
  const int64_t count = indices.NumElements(0, indices.rank() - 1);
  const int64_t slice = output.shape.NumElements(named, output.shape.rank());
  if (named == 0 && slice == 0) return OkStatus();  // Nothing but counts.
  const int32_t* index = context.input(0).data_as<int32_t>();
  const T* update = context.input(1).data_as<T>();
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (int d = 0; d < named; ++d, ++index) {
      const int32_t dim = output.shape.dim(d);
      if (*index < 0 || *index >= dim) {
        return OutOfRangeError("index ", *index, " of update ", i,
                               " is outside of dimension ", d, ", allowed 0..",
                               dim - 1);
      }
      place = place * dim + *index;
    }
    T* to = output.data_as<T>() + place * slice;
    for (int64_t k = 0; k < slice; ++k) to[k] = Op::Apply(to[k], *update++);
  }
  return OkStatus();
}

template <class T, class Op>
Status EvalDynamicScatter(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 2, "shape"));
  ARENALITE_RETURN_IF_ERROR(CheckScatter(context, shape));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  if (context.output(0).bytes == 0) return OkStatus();
  return EvalScatter<T, Op>(context);
}

template <class T, class Op = Plus>
Status FinishScatter(OpContext& context) {
  if (!context.HasValue(context.input(2))) {
    context.SetEval(EvalDynamicScatter<T, Op>);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(EvalScatter<T, Op>);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 2, "shape"));
  ARENALITE_RETURN_IF_ERROR(CheckScatter(context, shape));
  return context.SetOutputShape(0, shape);
}

Status PrepareScatterNd(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 0, "indices", {TensorType::kInt32}));
  ARENALITE_RETURN_IF_ERROR(CheckShapeTensor(context, 2, "shape"));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 1));
  if (context.input(0).shape.rank() == 0) {
    return InvalidModelError(
        "input 0 (indices) is a scalar, allowed rank 1 "
        "and more");
  }
  switch (context.input(1).type) {
    case TensorType::kFloat32:
      return FinishScatter<float>(context);
    case TensorType::kBool:
      return FinishScatter<uint8_t, LogicalSum>(context);
    case TensorType::kInt8:
    case TensorType::kUInt8:
      return FinishScatter<uint8_t>(context);
    case TensorType::kInt16:
      return FinishScatter<uint16_t>(context);
    case TensorType::kInt32:
      return FinishScatter<uint32_t>(context);
    case TensorType::kInt64:
      return FinishScatter<uint64_t>(context);
    default:
      return UnimplementedError("no kernel for input 1 (updates) of type ",
                                TensorTypeName(context.input(1).type));
  }
}

}  // namespace

namespace ops {

const OpDefinition kScatterNd = {
    "SCATTER_ND",
    schema::BuiltinOperator_SCATTER_ND,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareScatterNd,
    nullptr,
    nullptr,  // The whole output is cleared before an input is read.
};

}  // namespace ops
}  // namespace arenalite
