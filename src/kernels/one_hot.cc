// ONE_HOT: a new axis that is `on` at the index and `off` elsewhere.

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct OneHotOptions {
  int32_t axis;
};

Status ParseOneHot(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::OneHotOptions>(source);
  if (table == nullptr) return OkStatus();
  static_cast<OneHotOptions*>(options)->axis = table->axis();
  return OkStatus();
}

struct OneHotData {
  int axis;
};

Result<Shape> OneHotShape(const OpContext& context) {
  const int axis = context.data<OneHotData>().axis;
  const int32_t depth = *context.input(1).data_as<int32_t>();
  if (depth < 0) {
    return InvalidModelError("input 1 (depth) is ", depth, ", allowed 0..",
                             INT32_MAX);
  }
  const Shape& indices = context.input(0).shape;
  Shape output;
  output.set_rank(indices.rank() + 1);
  for (int d = 0; d < output.rank(); ++d) {
    output.set_dim(d, d < axis    ? indices.dim(d)
                      : d == axis ? depth
                                  : indices.dim(d - 1));
  }
  return output;
}

// Elements are moved by their size, whatever they mean.
template <class T, class Index>
Status EvalOneHot(OpContext& context) {
  if (context.output(0).bytes == 0) return OkStatus();
  const int axis = context.data<OneHotData>().axis;
  const Shape& shape = context.output(0).shape;
  const int64_t outer = shape.NumElements(0, axis);
  const int64_t inner = shape.NumElements(axis + 1, shape.rank());
  const int64_t depth = shape.dim(axis);
  const Index* indices = context.input(0).data_as<Index>();
  const T on = *context.input(2).data_as<T>();
  const T off = *context.input(3).data_as<T>();
  T* output = context.output(0).data_as<T>();
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t at = 0; at < depth; ++at) {
      for (int64_t k = 0; k < inner; ++k) {
        output[k] = indices[k] == at ? on : off;
      }
      output += inner;
    }
    indices += inner;
  }
  return OkStatus();
}

template <class T, class Index>
Status EvalDynamicOneHot(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, OneHotShape(context));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  return EvalOneHot<T, Index>(context);
}

template <class T, class Index>
Status FinishOneHot(OpContext& context) {
  if (!context.HasValue(context.input(1))) {
    context.SetEval(EvalDynamicOneHot<T, Index>);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(EvalOneHot<T, Index>);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, OneHotShape(context));
  return context.SetOutputShape(0, shape);
}

template <class Index>
Status FinishForIndex(OpContext& context) {
  const TensorType type = context.output(0).type;
  switch (TensorTypeBits(type)) {
    case 8:
      return FinishOneHot<uint8_t, Index>(context);
    case 16:
      return FinishOneHot<uint16_t, Index>(context);
    case 32:
      return FinishOneHot<uint32_t, Index>(context);
    case 64:
      return FinishOneHot<uint64_t, Index>(context);
    default:
      return UnimplementedError("no kernel for input 2 (on_value) of type ",
                                TensorTypeName(type));
  }
}

Status CheckOneHot(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(4, 4, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 0, "indices", {TensorType::kInt32, TensorType::kInt64}));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 1, "depth", {TensorType::kInt32}));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 2));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 3));
  for (int i = 1; i < 4; ++i) {
    const Shape& shape = context.input(i).shape;
    if (shape.NumElements() != 1) {
      return InvalidModelError("input ", i, " has shape ", shape.dims(),
                               ", allowed is one element");
    }
  }
  if (context.input(0).shape.rank() == kMaxRank) {
    return UnimplementedError("input 0 (indices) has rank ", kMaxRank,
                              ", allowed 0..", kMaxRank - 1);
  }
  return OkStatus();
}

Status PrepareOneHot(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckOneHot(context));
  ARENALITE_ASSIGN_OR_RETURN(OneHotData * data,
                             context.CreateData<OneHotData>());
  const int32_t axis = context.options<OneHotOptions>().axis;
  const int rank = context.input(0).shape.rank();
  if (axis < -1 || axis > rank) {
    return InvalidModelError("axis is ", axis, ", allowed -1..", rank);
  }
  data->axis = axis == -1 ? rank : axis;
  return context.input(0).type == TensorType::kInt32
             ? FinishForIndex<int32_t>(context)
             : FinishForIndex<int64_t>(context);
}

}  // namespace

namespace ops {

const OpDefinition kOneHot = {
    "ONE_HOT",
    schema::BuiltinOperator_ONE_HOT,
    1,
    kOpDefault,
    sizeof(OneHotOptions),
    ParseOneHot,
    PrepareOneHot,
    nullptr,
    nullptr,  // Indices are a fraction of the output, and read again and again.
};

}  // namespace ops
}  // namespace arenalite
