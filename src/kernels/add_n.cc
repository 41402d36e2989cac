// ADD_N: the sum of two or more tensors of one shape.

#include "arenalite/builtin_ops.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int64_t kBlock = 256;

// A block of the sum is complete before it is stored: each input may lie where
// the output does.
template <class T>
Status EvalAddN(OpContext& context) {
  const int64_t count = context.output(0).shape.NumElements();
  T* output = context.output(0).data_as<T>();
  T sum[kBlock];
  for (int64_t first = 0; first < count; first += kBlock) {
    const int64_t size = std::min(kBlock, count - first);
    const size_t bytes = static_cast<size_t>(size) * sizeof(T);
    std::memcpy(sum, context.input(0).data_as<T>() + first, bytes);
    for (int k = 1; k < context.num_inputs(); ++k) {
      const T* input = context.input(k).data_as<T>() + first;
      for (int64_t i = 0; i < size; ++i) sum[i] = Plus::Apply(sum[i], input[i]);
    }
    std::memcpy(output + first, sum, bytes);
  }
  return OkStatus();
}

Status CheckInputs(OpContext& context) {
  const Tensor& first = context.input(0);
  for (int i = 0; i < context.num_inputs(); ++i) {
    const Tensor* input = context.optional_input(i);
    if (input == nullptr) return InvalidModelError("input ", i, " is absent");
    if (input->type != first.type || input->shape != first.shape) {
      return InvalidModelError("input ", i, " is ", TensorTypeName(input->type),
                               " of shape ", input->shape.dims(),
                               ", but input 0 is ", TensorTypeName(first.type),
                               " of shape ", first.shape.dims());
    }
  }
  if (context.output(0).type != first.type) {
    return InvalidModelError("output 0 is ",
                             TensorTypeName(context.output(0).type),
                             ", but input 0 is ", TensorTypeName(first.type));
  }
  return OkStatus();
}

Status PrepareAddN(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, INT32_MAX, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckInputs(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      context.SetEval(EvalAddN<float>);
      break;
    case TensorType::kInt32:
      context.SetEval(EvalAddN<int32_t>);
      break;
    default:
      return UnsupportedBinaryType(context);
  }
  return context.SetOutputShape(0, context.input(0).shape);
}

int64_t InPlace(const OpContext&, int, int) { return 0; }

}  // namespace

namespace ops {

const OpDefinition kAddN = {
    "ADD_N",     schema::BuiltinOperator_ADD_N,
    1,           kOpDefault,
    0,           nullptr,
    PrepareAddN, nullptr,
    InPlace,
};

}  // namespace ops
}  // namespace arenalite
