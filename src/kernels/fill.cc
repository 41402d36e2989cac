// FILL: a scalar repeated to a shape that a tensor holds.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/shape_tensor.h"
#include "kernels/string_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Status EvalFill(OpContext& context) {
  Tensor& output = context.output(0);
  const Tensor& value = context.input(1);
  if (output.bytes == 0) return OkStatus();
  // Doubles what is filled until all is.
  uint8_t* to = output.data_as<uint8_t>();
  std::memmove(to, value.data, static_cast<size_t>(value.bytes));
  for (int64_t done = value.bytes; done < output.bytes; done *= 2) {
    std::memcpy(to + done, to,
                static_cast<size_t>(std::min(done, output.bytes - done)));
  }
  return OkStatus();
}

Status EvalDynamicFill(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 0, "dims"));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  return EvalFill(context);
}

Status EvalFillString(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 0, "dims"));
  ARENALITE_ASSIGN_OR_RETURN(StringReader value,
                             StringReader::Create(context.input(1)));
  const int64_t count = shape.NumElements();
  const int64_t length = static_cast<int64_t>(value[0].size());
  if (length > 0 && count > INT32_MAX / length) {
    return ResourceExhaustedError(count, " strings of ", length,
                                  " bytes do not fit in a tensor");
  }
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes,
                             PackedStringBytes(count, count * length));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape, bytes));
  StringWriter writer(context.output(0).data, count);
  for (int64_t i = 0; i < count; ++i) writer.Append(value[0]);
  return OkStatus();
}

Status PrepareFill(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckShapeTensor(context, 0, "dims"));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 1));
  const Tensor& value = context.input(1);
  if (value.shape.rank() != 0) {
    return InvalidModelError("input 1 (value) has shape ", value.shape.dims(),
                             ", allowed is a scalar");
  }
  if (value.type == TensorType::kString) {
    context.SetEval(EvalFillString);
    return context.SetOutputDynamic(0);
  }
  if (TensorTypeBits(value.type) < 8) {
    return UnimplementedError("no kernel for input 1 (value) of type ",
                              TensorTypeName(value.type));
  }
  if (!context.HasValue(context.input(0))) {
    context.SetEval(EvalDynamicFill);
    return context.SetOutputDynamic(0);
  }
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadShape(context, 0, "dims"));
  return context.SetOutputShape(0, shape);
}

}  // namespace

namespace ops {

const OpDefinition kFill = {
    "FILL",      schema::BuiltinOperator_FILL,
    4,           kOpDefault,
    0,           nullptr,
    PrepareFill, EvalFill,
    nullptr,  // Both inputs are tiny.
};

}  // namespace ops
}  // namespace arenalite
