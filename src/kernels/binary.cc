#include "kernels/binary.h"

namespace arenalite {

Status CheckBinaryOp(OpContext& context, TensorType output_type) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const TensorType a = context.input(0).type;
  const TensorType b = context.input(1).type;
  if (a != b) {
    return InvalidModelError("inputs are ", TensorTypeName(a), " and ",
                             TensorTypeName(b), ", allowed one type");
  }
  const TensorType output = context.output(0).type;
  if (output != output_type) {
    return InvalidModelError("output 0 is ", TensorTypeName(output),
                             ", allowed for inputs of ", TensorTypeName(a),
                             " is ", TensorTypeName(output_type));
  }
  return OkStatus();
}

Status CheckBinaryOp(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  // As for the reference, the result has the operands' type, whatever number
  // the file says it is. Text and handles are refused: their memory is not that
  // of numbers.
  Tensor& output = context.output(0);
  const bool is_number =
      TensorTypeBits(output.type) != 0 && output.type != TensorType::kResource;
  if (is_number) output.type = context.input(0).type;
  return CheckBinaryOp(context, context.input(0).type);
}

Status CheckEqualShapes(const OpContext& context) {
  const Shape& a = context.input(0).shape;
  const Shape& b = context.input(1).shape;
  if (a == b) return OkStatus();
  return InvalidModelError("inputs have shapes ", a.dims(), " and ", b.dims(),
                           ", allowed are equal ones");
}

Status PrepareBinaryLoop(OpContext& context, BroadcastLoop& loop) {
  const Shape* shapes[] = {&context.input(0).shape, &context.input(1).shape};
  ARENALITE_ASSIGN_OR_RETURN(loop.broadcast,
                             MakeBroadcast(Span<const Shape* const>(shapes)));
  for (int i = 0; i < 2; ++i) {
    loop.input_bytes[i] = TensorTypeBits(context.input(i).type) / 8;
  }
  loop.output_bytes = TensorTypeBits(context.output(0).type) / 8;
  context.SetEval(EvalBroadcast);
  return context.SetOutputShape(0, loop.broadcast.output);
}

Result<OutputStage> MakeOutputStage(int32_t activation, const Tensor& output) {
  ARENALITE_ASSIGN_OR_RETURN(ActivationRange range,
                             QuantizedActivationRange(activation, output));
  const int32_t zero_point = output.quantization.zero_point();
  return OutputStage{zero_point, range.min - zero_point,
                     range.max - zero_point};
}

Status CheckBinaryQuantization(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(context.input(0), "input 0"));
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(context.input(1), "input 1"));
  return CheckPerTensorQuantization(context.output(0), "output 0");
}

Status UnsupportedBinaryType(const OpContext& context) {
  return UnimplementedError("no kernel for inputs of type ",
                            TensorTypeName(context.input(0).type));
}

}  // namespace arenalite
