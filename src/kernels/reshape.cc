// RESHAPE, SQUEEZE, EXPAND_DIMS: other dimensions for the same bytes. The
// runtime lets input and output share their storage; eval copies only where
// they do not.

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "base/checked_math.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kMaxDims = kMaxRank;

struct ReshapeOptions {
  bool has_shape;
  int rank;
  int32_t dims[kMaxDims];
};

Status ParseReshape(const OpSource& source, void* options) {
  auto* parsed = static_cast<ReshapeOptions*>(options);
  const auto* table = OptionsTable<schema::ReshapeOptions>(source);
  if (table == nullptr || table->new_shape() == nullptr) return OkStatus();
  const auto& shape = *table->new_shape();
  if (shape.size() > kMaxDims) {
    return InvalidModelError("new_shape has rank ", shape.size(),
                             ", allowed 0..", kMaxDims);
  }
  parsed->has_shape = true;
  parsed->rank = static_cast<int>(shape.size());
  for (int i = 0; i < parsed->rank; ++i) {
    parsed->dims[i] = shape.Get(static_cast<uint32_t>(i));
  }
  return OkStatus();
}

Status CopyBytes(OpContext& context) {
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  // Strings, and what prepare inside Invoke has sized, are dynamic.
  if (output.is_dynamic()) {
    ARENALITE_RETURN_IF_ERROR(
        context.ResizeOutput(0, output.shape, input.bytes));
  }
  if (output.data != input.data && input.bytes > 0) {
    std::memmove(output.data, input.data, static_cast<size_t>(input.bytes));
  }
  return OkStatus();
}

// Product of the dimensions other than 0.
int64_t NonZeroElements(const Shape& shape) {
  int64_t product = 1;
  for (int32_t dim : shape.dims()) product *= dim == 0 ? 1 : dim;
  return product;
}

// The requested dimensions with a single -1 resolved against the input. In a
// shape without elements the -1 is what the dimensions other than 0 leave.
Result<Shape> ResolveDims(Span<const int32_t> dims, const Shape& input) {
  const int64_t elements = input.NumElements();
  int64_t known = 1;     // Product of the dimensions,
  int64_t non_zero = 1;  // and without those of 0.
  int stretch = -1;
  Shape shape;
  shape.set_rank(static_cast<int>(dims.size()));
  for (int i = 0; i < shape.rank(); ++i) {
    const int32_t dim = dims[static_cast<size_t>(i)];
    if (dim == -1 && stretch < 0) {
      stretch = i;
      shape.set_dim(i, 1);
      continue;
    }
    if (dim < 0) {
      return InvalidModelError("new shape ", dims,
                               " is no shape: one -1 and sizes >= 0 allowed");
    }
    if (!CheckedMul(non_zero, dim == 0 ? 1 : dim, &non_zero)) {
      return InvalidModelError("the element count of new shape ", dims,
                               " overflows 64 bits, the input holds ",
                               elements);
    }
    known *= dim;
    shape.set_dim(i, dim);
  }
  if (stretch >= 0) {
    const int64_t rest =
        known == 0 ? NonZeroElements(input) / non_zero : elements / known;
    if (rest > INT32_MAX) {
      return InvalidModelError("new shape ", dims, " for ", elements,
                               " elements overflows a dimension");
    }
    shape.set_dim(stretch, static_cast<int32_t>(rest));
    known *= rest;
  }
  if (known != elements) {
    return InvalidModelError("new shape ", dims, " holds ", known,
                             " elements, the input holds ", elements);
  }
  return shape;
}

// The dimensions asked for by input 1 (a 1-D int32 tensor) or the options.
Result<Shape> RequestedShape(OpContext& context, const Tensor* shape_tensor) {
  const Shape& input = context.input(0).shape;
  const auto& options = context.options<ReshapeOptions>();
  if (shape_tensor == nullptr) {
    // Old converters wrote a lone 0 for a scalar.
    const bool scalar = options.rank == 1 && options.dims[0] == 0;
    const size_t rank = scalar ? 0 : static_cast<size_t>(options.rank);
    return ResolveDims(Span<const int32_t>(options.dims, rank), input);
  }
  const int64_t rank = shape_tensor->shape.NumElements();
  if (rank > kMaxRank) {
    return InvalidModelError("new shape has rank ", rank, ", allowed 0..",
                             kMaxRank);
  }
  return ResolveDims(Span<const int32_t>(shape_tensor->data_as<int32_t>(),
                                         static_cast<size_t>(rank)),
                     input);
}

Status EvalDynamicReshape(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(
      Shape shape, RequestedShape(context, context.optional_input(1)));
  ARENALITE_RETURN_IF_ERROR(
      context.ResizeOutput(0, shape, context.input(0).bytes));
  return CopyBytes(context);
}

Status CheckTypes(OpContext& context) {
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  if (input == output) return OkStatus();
  return InvalidModelError("output 0 is ", TensorTypeName(output),
                           ", but input 0 is ", TensorTypeName(input));
}

Status PrepareReshape(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context));
  const Tensor* shape = context.optional_input(1);
  if (shape != nullptr &&
      (shape->type != TensorType::kInt32 || shape->shape.rank() != 1)) {
    // A shape input of another form counts as absent, as for the reference.
    if (!context.options<ReshapeOptions>().has_shape) {
      return InvalidModelError("input 1 (new shape) is ",
                               TensorTypeName(shape->type), " of shape ",
                               shape->shape.dims(), ", allowed 1-D INT32");
    }
    shape = nullptr;
  }
  if (shape != nullptr && !context.HasValue(*shape)) {
    context.SetEval(EvalDynamicReshape);
    return context.SetOutputBounded(0, context.input(0).bytes);
  }
  ARENALITE_ASSIGN_OR_RETURN(Shape resolved, RequestedShape(context, shape));
  return context.SetOutputShape(0, resolved);
}

struct SqueezeOptions {
  int count;  // 0: every dimension of 1.
  int32_t axes[kMaxDims];
};

Status ParseSqueeze(const OpSource& source, void* options) {
  auto* parsed = static_cast<SqueezeOptions*>(options);
  const auto* table = OptionsTable<schema::SqueezeOptions>(source);
  if (table == nullptr || table->squeeze_dims() == nullptr) return OkStatus();
  const auto& axes = *table->squeeze_dims();
  if (axes.size() > kMaxDims) {
    return InvalidModelError("squeeze_dims has ", axes.size(),
                             " entries, allowed 0..", kMaxDims);
  }
  parsed->count = static_cast<int>(axes.size());
  for (int i = 0; i < parsed->count; ++i) {
    parsed->axes[i] = axes.Get(static_cast<uint32_t>(i));
  }
  return OkStatus();
}

Status PrepareSqueeze(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context));
  const Shape& input = context.input(0).shape;
  const auto& options = context.options<SqueezeOptions>();
  bool squeeze[kMaxDims] = {};
  for (int i = 0; i < input.rank() && options.count == 0; ++i) {
    squeeze[i] = input.dim(i) == 1;
  }
  for (int i = 0; i < options.count; ++i) {
    const int32_t axis = options.axes[i];
    const int64_t index = axis < 0 ? int64_t{axis} + input.rank() : axis;
    if (index < 0 || index >= input.rank() ||
        input.dim(static_cast<int>(index)) != 1) {
      return InvalidModelError("squeeze_dims names axis ", axis,
                               " of input shape ", input.dims(),
                               ", allowed are dimensions of 1");
    }
    squeeze[index] = true;
  }
  Shape output;
  for (int i = 0; i < input.rank(); ++i) {
    if (squeeze[i]) continue;
    output.set_rank(output.rank() + 1);
    output.set_dim(output.rank() - 1, input.dim(i));
  }
  return context.SetOutputShape(0, output);
}

Result<int64_t> ReadAxis(const Tensor& axis) {
  if (axis.shape.NumElements() != 1) {
    return InvalidModelError("input 1 (axis) has ", axis.shape.NumElements(),
                             " elements, allowed 1");
  }
  if (axis.type == TensorType::kInt32) return *axis.data_as<int32_t>();
  return *axis.data_as<int64_t>();
}

Result<Shape> ExpandedShape(const Shape& input, int64_t axis) {
  const int rank = input.rank();
  const int64_t index = axis < 0 ? axis + rank + 1 : axis;
  if (axis < -rank - 1 || index > rank || rank == kMaxRank) {
    return InvalidModelError("input 1 (axis) is ", axis, " for input shape ",
                             input.dims(), ", allowed [", -rank - 1, ", ", rank,
                             "] and rank at most ", kMaxRank);
  }
  Shape output;
  output.set_rank(rank + 1);
  for (int i = 0; i <= rank; ++i) {
    output.set_dim(
        i, i < index ? input.dim(i) : (i == index ? 1 : input.dim(i - 1)));
  }
  return output;
}

Status EvalDynamicExpandDims(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(int64_t axis, ReadAxis(context.input(1)));
  ARENALITE_ASSIGN_OR_RETURN(Shape shape,
                             ExpandedShape(context.input(0).shape, axis));
  ARENALITE_RETURN_IF_ERROR(
      context.ResizeOutput(0, shape, context.input(0).bytes));
  return CopyBytes(context);
}

Status PrepareExpandDims(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context));
  const Tensor& axis = context.input(1);
  if (axis.type != TensorType::kInt32 && axis.type != TensorType::kInt64) {
    return UnimplementedError("input 1 (axis) is ", TensorTypeName(axis.type),
                              ", allowed INT32 or INT64");
  }
  if (!context.HasValue(axis)) {
    context.SetEval(EvalDynamicExpandDims);
    return context.SetOutputBounded(0, context.input(0).bytes);
  }
  ARENALITE_ASSIGN_OR_RETURN(int64_t value, ReadAxis(axis));
  ARENALITE_ASSIGN_OR_RETURN(Shape shape,
                             ExpandedShape(context.input(0).shape, value));
  return context.SetOutputShape(0, shape);
}

int64_t InPlace(const OpContext&, int, int input) {
  return input == 0 ? 0 : kNoOverlap;
}

}  // namespace

namespace ops {

const OpDefinition kReshape = {
    "RESHAPE",
    schema::BuiltinOperator_RESHAPE,
    1,
    kOpIsView,
    sizeof(ReshapeOptions),
    ParseReshape,
    PrepareReshape,
    CopyBytes,
    InPlace,
};
const OpDefinition kSqueeze = {
    "SQUEEZE",
    schema::BuiltinOperator_SQUEEZE,
    2,
    kOpIsView,
    sizeof(SqueezeOptions),
    ParseSqueeze,
    PrepareSqueeze,
    CopyBytes,
    InPlace,
};
const OpDefinition kExpandDims = {
    "EXPAND_DIMS",
    schema::BuiltinOperator_EXPAND_DIMS,
    1,
    kOpIsView,
    0,
    nullptr,
    PrepareExpandDims,
    CopyBytes,
    InPlace,
};

}  // namespace ops
}  // namespace arenalite
