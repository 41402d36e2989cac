// SPARSE_TO_DENSE: a default value, but for the elements that indices name.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/shape_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// A matrix of indices has one row for each value; a vector of them names the
// elements of a vector.
int64_t NumIndices(const Shape& indices) {
  return indices.rank() == 2 ? indices.dim(0) : indices.NumElements();
}

Status CheckIndexWidth(const OpContext& context) {
  const Shape& indices = context.input(0).shape;
  const int32_t width = indices.rank() == 2 ? indices.dim(1) : 1;
  const int32_t rank = context.input(1).shape.dim(0);
  if (width == rank) return OkStatus();
  return InvalidModelError("input 0 (indices) has shape ", indices.dims(), ": ",
                           width, " for each value, allowed ", rank,
                           ", the output's rank");
}

// Elements are moved by their size, whatever they mean.
template <class T, class Index>
Status EvalSparseToDense(OpContext& context) {
  Tensor& output = context.output(0);
  const Tensor& values = context.input(2);
  const bool is_scalar = values.shape.rank() == 0;
  const int64_t count = NumIndices(context.input(0).shape);
  const Index* index = context.input(0).data_as<Index>();
  T* out = output.data_as<T>();
  std::fill_n(out, output.shape.NumElements(), *context.input(3).data_as<T>());
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (int d = 0; d < output.shape.rank(); ++d, ++index) {
      const int32_t dim = output.shape.dim(d);
      if (*index < 0 || *index >= dim) {
        return OutOfRangeError("index ", *index, " of value ", i,
                               " is outside of dimension ", d, ", allowed 0..",
                               dim - 1);
      }
      place = place * dim + *index;
    }
    out[place] = values.data_as<T>()[is_scalar ? 0 : i];
  }
  return OkStatus();
}

template <class T, class Index>
Status EvalDynamicSparseToDense(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 1, "shape"));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  if (context.output(0).bytes == 0) return OkStatus();
  return EvalSparseToDense<T, Index>(context);
}

template <class T, class Index>
Status FinishSparseToDense(OpContext& context) {
  if (!context.HasValue(context.input(1))) {
    context.SetEval(EvalDynamicSparseToDense<T, Index>);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(EvalSparseToDense<T, Index>);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 1, "shape"));
  return context.SetOutputShape(0, shape);
}

template <class Index>
Status FinishForIndex(OpContext& context) {
  const TensorType type = context.input(2).type;
  switch (TensorTypeBits(type)) {
    case 8:
      return FinishSparseToDense<uint8_t, Index>(context);
    case 16:
      return FinishSparseToDense<uint16_t, Index>(context);
    case 32:
      return FinishSparseToDense<uint32_t, Index>(context);
    case 64:
      return FinishSparseToDense<uint64_t, Index>(context);
    default:
      return UnimplementedError("no kernel for input 2 (values) of type ",
                                TensorTypeName(type));
  }
}

Status CheckShapes(const OpContext& context) {
  const Shape& indices = context.input(0).shape;
  const Shape& values = context.input(2).shape;
  if (indices.rank() > 2) {
    return InvalidModelError("input 0 (indices) has shape ", indices.dims(),
                             ", allowed rank 0..2");
  }
  if (values.rank() > 1 ||
      (values.rank() == 1 && values.dim(0) != NumIndices(indices))) {
    return InvalidModelError("input 2 (values) has shape ", values.dims(),
                             ", allowed [] or [", NumIndices(indices), "]");
  }
  if (context.input(3).shape.NumElements() != 1) {
    return InvalidModelError("input 3 (default value) has shape ",
                             context.input(3).shape.dims(),
                             ", allowed is one element");
  }
  return CheckIndexWidth(context);
}

Status PrepareSparseToDense(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(4, 4, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 0, "indices", {TensorType::kInt32, TensorType::kInt64}));
  ARENALITE_RETURN_IF_ERROR(CheckShapeTensor(context, 1, "shape"));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 2));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 3));
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  return context.input(0).type == TensorType::kInt32
             ? FinishForIndex<int32_t>(context)
             : FinishForIndex<int64_t>(context);
}

}  // namespace

namespace ops {

const OpDefinition kSparseToDense = {
    "SPARSE_TO_DENSE",
    schema::BuiltinOperator_SPARSE_TO_DENSE,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareSparseToDense,
    nullptr,
    nullptr,  // The whole output is filled before indices are read.
};

}  // namespace ops
}  // namespace arenalite
