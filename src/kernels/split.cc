// SPLIT, SPLIT_V: the input cut along one axis. Outputs that lie where their
// parts of the input lie already hold them.

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct SplitOptions {
  int32_t num_splits;
};

template <class Table>
Status ParseSplit(const OpSource& source, void* options) {
  const auto* table = OptionsTable<Table>(source);
  if (table) {
    static_cast<SplitOptions*>(options)->num_splits = table->num_splits();
  }
  return OkStatus();
}

// Which inputs are what.
struct SplitInputs {
  int data;
  int axis;
  int sizes;  // -1: equal parts.
};
constexpr SplitInputs kSplitInputs = {1, 0, -1};
constexpr SplitInputs kSplitVInputs = {0, 2, 1};

struct SplitData {
  SplitInputs inputs;
  int64_t outer;
  int64_t total;   // Bytes of one outer index of the input.
  int64_t* sizes;  // Those of each output.
};

// Elements of output o along the axis; -1 for "the rest".
Result<int64_t> AskedSize(const OpContext& context, int o, int32_t dim) {
  const int sizes = context.data<SplitData>().inputs.sizes;
  if (sizes >= 0) return ReadInteger(context.input(sizes), o);
  if (dim % context.num_outputs() != 0) {
    return InvalidModelError("dimension of ", dim, " does not split into ",
                             context.num_outputs(), " equal parts");
  }
  return int64_t{dim / context.num_outputs()};
}

// Fills data.sizes with elements along the axis.
Status ResolveSizes(const OpContext& context, int32_t dim) {
  const auto& data = context.data<SplitData>();
  int64_t sum = 0;
  int rest = -1;
  for (int o = 0; o < context.num_outputs(); ++o) {
    ARENALITE_ASSIGN_OR_RETURN(data.sizes[o], AskedSize(context, o, dim));
    if (data.sizes[o] == -1 && rest < 0) {
      rest = o;
    } else if (data.sizes[o] < 0 || data.sizes[o] > dim - sum) {
      return InvalidModelError("output ", o, " takes ", data.sizes[o],
                               " of dimension ", dim, " with ", sum,
                               " taken, allowed one -1 and sizes up to all");
    } else {
      sum += data.sizes[o];
    }
  }
  if (rest >= 0) {
    data.sizes[rest] = dim - sum;
  } else if (sum != dim) {
    return InvalidModelError("the sizes add up to ", sum, ", allowed ", dim);
  }
  return OkStatus();
}

// Hands each output's shape to `set_shape`, then keeps sizes in bytes.
template <class SetShape>
Status ResolveSplit(OpContext& context, SetShape set_shape) {
  auto& data = context.data<SplitData>();
  const Tensor& input = context.input(data.inputs.data);
  ARENALITE_ASSIGN_OR_RETURN(
      int axis,
      ResolveAxis("axis", ReadInteger(context.input(data.inputs.axis), 0),
                  input.shape.rank()));
  ARENALITE_RETURN_IF_ERROR(ResolveSizes(context, input.shape.dim(axis)));
  data.outer = input.shape.NumElements(0, axis);
  const int64_t element_bytes =
      input.bytes == 0 ? 0 : TensorTypeBits(input.type) / 8;
  const int64_t inner =
      input.shape.NumElements(axis + 1, input.shape.rank()) * element_bytes;
  data.total = inner * input.shape.dim(axis);
  for (int o = 0; o < context.num_outputs(); ++o) {
    Shape shape = input.shape;
    shape.set_dim(axis, static_cast<int32_t>(data.sizes[o]));
    ARENALITE_RETURN_IF_ERROR(set_shape(o, shape));
    data.sizes[o] *= inner;
  }
  return OkStatus();
}

Status EvalSplit(OpContext& context) {
  const auto& data = context.data<SplitData>();
  const auto* source = context.input(data.inputs.data).data_as<uint8_t>();
  if (data.total == 0) return OkStatus();
  for (int64_t outer = 0; outer < data.outer; ++outer) {
    for (int o = 0; o < context.num_outputs(); ++o) {
      const int64_t size = data.sizes[o];
      if (size == 0) continue;
      MoveBytes(context.output(o).data_as<uint8_t>() + outer * size, source,
                size);
      source += size;
    }
  }
  return OkStatus();
}

Status EvalDynamicSplit(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(
      ResolveSplit(context, [&](int o, const Shape& shape) {
        return context.ResizeOutput(o, shape);
      }));
  return EvalSplit(context);
}

Status CheckSplit(const OpContext& context, const SplitInputs& inputs) {
  const int outputs = context.num_outputs();
  const int32_t num_splits = context.options<SplitOptions>().num_splits;
  if (num_splits != outputs) {
    return InvalidModelError("num_splits is ", num_splits, ", but there are ",
                             outputs, " outputs");
  }
  const TensorType type = context.input(inputs.data).type;
  if (TensorTypeBits(type) < 8) {
    return UnimplementedError("input ", inputs.data, " is ",
                              TensorTypeName(type),
                              ", allowed are types of whole bytes");
  }
  for (int o = 0; o < outputs; ++o) {
    ARENALITE_RETURN_IF_ERROR(CheckSameType(context, o, inputs.data));
  }
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, inputs.axis, "axis", {TensorType::kInt32}));
  const Shape& axis = context.input(inputs.axis).shape;
  if (axis.NumElements() != 1) {
    return InvalidModelError("input ", inputs.axis, " (axis) has shape ",
                             axis.dims(), ", allowed is one element");
  }
  if (inputs.sizes < 0) return OkStatus();
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, inputs.sizes, "size_splits",
                     {TensorType::kInt32, TensorType::kInt64}));
  const Shape& sizes = context.input(inputs.sizes).shape;
  if (sizes.rank() != 1 || sizes.dim(0) != outputs) {
    return InvalidModelError("input ", inputs.sizes,
                             " (size_splits) has shape ", sizes.dims(),
                             ", allowed [", outputs, "]");
  }
  return OkStatus();
}

Status PrepareParts(OpContext& context, const SplitInputs& inputs) {
  ARENALITE_RETURN_IF_ERROR(CheckSplit(context, inputs));
  ARENALITE_ASSIGN_OR_RETURN(SplitData * data, context.CreateData<SplitData>());
  data->inputs = inputs;
  ARENALITE_ASSIGN_OR_RETURN(
      data->sizes, context.AllocateArray<int64_t>(context.num_outputs()));
  if (context.HasValue(context.input(inputs.axis)) &&
      (inputs.sizes < 0 || context.HasValue(context.input(inputs.sizes)))) {
    return ResolveSplit(context, [&](int o, const Shape& shape) {
      return context.SetOutputShape(o, shape);
    });
  }
  context.SetEval(EvalDynamicSplit);
  for (int o = 0; o < context.num_outputs(); ++o) {
    ARENALITE_RETURN_IF_ERROR(context.SetOutputDynamic(o));
  }
  return OkStatus();
}

Status PrepareSplit(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, INT32_MAX));
  return PrepareParts(context, kSplitInputs);
}

Status PrepareSplitV(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, INT32_MAX));
  return PrepareParts(context, kSplitVInputs);
}

int64_t SplitOverlap(const OpContext& context, int output, int input) {
  const auto& data = context.data<SplitData>();
  // Axis and sizes are tiny.
  if (input != data.inputs.data) return kNoOverlap;
  int64_t offset = 0;
  for (int o = 0; o < output; ++o) offset += data.sizes[o];
  // The input is read once, in order. After its first piece this output has
  // written `size` bytes while `offset + size` are read: the tightest moment,
  // as each further outer index reads at least as much more as it writes.
  // Where that piece is the last of all, nothing limits it.
  const bool is_last_read =
      data.outer <= 1 && offset + data.sizes[output] == data.total;
  return is_last_read ? context.input(input).bytes : offset;
}

}  // namespace

namespace ops {

const OpDefinition kSplit = {
    "SPLIT",
    schema::BuiltinOperator_SPLIT,
    4,
    kOpDefault,
    sizeof(SplitOptions),
    ParseSplit<schema::SplitOptions>,
    PrepareSplit,
    EvalSplit,
    SplitOverlap,
};
const OpDefinition kSplitV = {
    "SPLIT_V",
    schema::BuiltinOperator_SPLIT_V,
    2,
    kOpDefault,
    sizeof(SplitOptions),
    ParseSplit<schema::SplitVOptions>,
    PrepareSplitV,
    EvalSplit,
    SplitOverlap,
};

}  // namespace ops
}  // namespace arenalite
