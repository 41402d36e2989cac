#include "kernels/unary.h"

#include "kernels/quantization.h"

namespace arenalite {

Status PrepareSameShape(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  return context.SetOutputShape(0, context.input(0).shape);
}

Status PrepareSameType(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameShape(context));
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  if (input == output) return OkStatus();
  return InvalidModelError("output 0 is ", TensorTypeName(output),
                           ", but input 0 is ", TensorTypeName(input));
}

Status UnsupportedInput(const OpContext& context, const char* allowed) {
  return UnimplementedError("input 0 is ",
                            TensorTypeName(context.input(0).type), ", allowed ",
                            allowed);
}

Status CheckUnaryQuantization(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(context.input(0), "input 0"));
  return CheckPerTensorQuantization(context.output(0), "output 0");
}

Status CheckSymmetric(const OpContext& context) {
  const int32_t input = context.input(0).quantization.zero_point();
  const int32_t output = context.output(0).quantization.zero_point();
  if (input == 0 && output == 0) return OkStatus();
  return InvalidModelError("INT16 zero points are ", input, " (input 0) and ",
                           output, " (output 0), allowed 0");
}

int64_t BlockOverlap(const OpContext& context, int64_t block) {
  const Tensor& input = context.input(0);
  const int64_t steps = (input.shape.NumElements() + block - 1) / block;
  // A last (or only) block is in registers before its output is written.
  if (steps <= 1) return input.bytes;
  const int64_t in_bits = TensorTypeBits(input.type) * block;
  const int64_t out_bits = TensorTypeBits(context.output(0).type) * block;
  // r(t) - w(t) = (t + 1) * (in - out) is monotonic in t: an end is least.
  if (in_bits >= out_bits) return in_bits / 8 - out_bits / 8;
  return (steps - 1) * in_bits / 8 - (steps - 1) * out_bits / 8;
}

int64_t MapOverlap(const OpContext& context, int, int) {
  return BlockOverlap(context, kUnaryBlock);
}

}  // namespace arenalite
