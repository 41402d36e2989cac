// BROADCAST_TO: an input repeated to a given shape. BROADCAST_ARGS: the shape
// to which two shapes broadcast.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/broadcast.h"
#include "kernels/index_tensor.h"
#include "kernels/shape_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// The loop nest of the input and of the asked shape, whose second "input" is
// never read.
Result<Broadcast> BroadcastToShape(const OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape asked, ReadShape(context, 1, "shape"));
  const Shape* shapes[] = {&context.input(0).shape, &asked};
  ARENALITE_ASSIGN_OR_RETURN(Broadcast broadcast,
                             MakeBroadcast(Span<const Shape* const>(shapes)));
  if (broadcast.output != asked) {
    return InvalidModelError("input 0 of shape ", context.input(0).shape.dims(),
                             " does not broadcast to ", asked.dims());
  }
  return broadcast;
}

// A BlockFunction that copies; the element's size is the functor.
void CopyBlock(const void* element_bytes, const void* const* inputs,
               void* output, int count) {
  if (inputs[0] == output) return;
  std::memmove(
      output, inputs[0],
      static_cast<size_t>(count) * *static_cast<const size_t*>(element_bytes));
}

struct BroadcastToData {
  BroadcastLoop loop;  // First, for EvalBroadcast and BroadcastOverlap.
  size_t element_bytes;
};

// The loop of the input alone, in the shape that input 1 asks for.
Status MakeLoop(const OpContext& context, BroadcastLoop& loop) {
  ARENALITE_ASSIGN_OR_RETURN(loop.broadcast, BroadcastToShape(context));
  loop.broadcast.num_inputs = 1;
  return OkStatus();
}

Status EvalDynamicBroadcastTo(OpContext& context) {
  auto& loop = context.data<BroadcastLoop>();
  ARENALITE_RETURN_IF_ERROR(MakeLoop(context, loop));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, loop.broadcast.output));
  if (context.output(0).bytes == 0) return OkStatus();
  return EvalBroadcast(context);
}

Status FinishBroadcastTo(OpContext& context, int64_t element_bytes) {
  ARENALITE_ASSIGN_OR_RETURN(BroadcastToData * data,
                             context.CreateData<BroadcastToData>());
  data->element_bytes = static_cast<size_t>(element_bytes);
  data->loop.functor = &data->element_bytes;
  data->loop.block = CopyBlock;
  data->loop.input_bytes[0] = element_bytes;
  data->loop.output_bytes = element_bytes;
  if (!context.HasValue(context.input(1))) {
    context.SetEval(EvalDynamicBroadcastTo);
    return context.SetOutputDynamic(0);
  }
  ARENALITE_RETURN_IF_ERROR(MakeLoop(context, data->loop));
  return context.SetOutputShape(0, data->loop.broadcast.output);
}

Status PrepareBroadcastTo(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckShapeTensor(context, 1, "shape"));
  const TensorType type = context.input(0).type;
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  const int bits = TensorTypeBits(type);
  if (bits < 8) {
    return UnimplementedError("no kernel for input 0 of type ",
                              TensorTypeName(type));
  }
  return FinishBroadcastTo(context, bits / 8);
}

int64_t BroadcastToOverlap(const OpContext& context, int output, int input) {
  // The shape decides what is written; it is no part of the loop.
  if (input != 0) return kNoOverlap;
  return BroadcastOverlap(context, output, input);
}

// The i-th of `rank` dimensions of a shape that may have fewer.
int64_t DimOf(const Tensor& shape, int64_t rank, int64_t i) {
  const int64_t index = i - (rank - shape.shape.NumElements());
  return index < 0 ? 1 : ReadInteger(shape, index);
}

Status EvalBroadcastArgs(OpContext& context) {
  Tensor& output = context.output(0);
  const int64_t rank = output.shape.NumElements();
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t a = DimOf(context.input(0), rank, i);
    const int64_t b = DimOf(context.input(1), rank, i);
    if (a != b && a != 1 && b != 1) {
      return OutOfRangeError("dimension ", i, " is ", a, " and ", b,
                             ", allowed are equal values or 1");
    }
    const int64_t dim = a == 1 ? b : a;
    if (output.type == TensorType::kInt32) {
      output.data_as<int32_t>()[i] = static_cast<int32_t>(dim);
    } else {
      output.data_as<int64_t>()[i] = dim;
    }
  }
  return OkStatus();
}

Status PrepareBroadcastArgs(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  for (int i = 0; i < 2; ++i) {
    ARENALITE_RETURN_IF_ERROR(CheckShapeTensor(context, i, "shape"));
    ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, i));
  }
  return context.SetOutputShape(0, {std::max(context.input(0).shape.dim(0),
                                             context.input(1).shape.dim(0))});
}

// Output element i is computed from element i of each shape, counted from the
// end: the shorter one is read that many elements behind.
int64_t BroadcastArgsOverlap(const OpContext& context, int, int input) {
  const Tensor& output = context.output(0);
  return context.input(input).bytes - output.bytes;
}

}  // namespace

namespace ops {

const OpDefinition kBroadcastTo = {
    "BROADCAST_TO",
    schema::BuiltinOperator_BROADCAST_TO,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareBroadcastTo,
    EvalBroadcast,
    BroadcastToOverlap,
};
const OpDefinition kBroadcastArgs = {
    "BROADCAST_ARGS",
    schema::BuiltinOperator_BROADCAST_ARGS,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareBroadcastArgs,
    EvalBroadcastArgs,
    BroadcastArgsOverlap,
};

}  // namespace ops
}  // namespace arenalite
