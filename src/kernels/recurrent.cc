#include "kernels/recurrent.h"

#include <algorithm>
#include <cmath>

#include "kernels/quantization.h"
#include "model_generated.h"

namespace arenalite {

Matrix BindMatrix(const Tensor* tensor) {
  Matrix matrix;
  if (tensor == nullptr) return matrix;
  matrix.data = tensor->data;
  matrix.scale = tensor->quantization.scale();
  matrix.rows = tensor->shape.dim(0);
  matrix.cols = tensor->shape.NumElements(1, tensor->shape.rank());
  return matrix;
}

Status CheckActivation(int32_t activation) {
  if (activation >= schema::ActivationFunctionType_NONE &&
      activation <= schema::ActivationFunctionType_SIGN_BIT) {
    return OkStatus();
  }
  return InvalidModelError("fused_activation_function is ", activation,
                           ", allowed 0..5");
}

void ApplyActivation(int32_t activation, float* values, int64_t count) {
  const auto apply = [=](auto f) {
    for (int64_t i = 0; i < count; ++i) values[i] = f(values[i]);
  };
  switch (activation) {
    case schema::ActivationFunctionType_RELU:
      return apply([](float x) { return std::max(0.0f, x); });
    case schema::ActivationFunctionType_RELU_N1_TO_1:
      return apply([](float x) { return std::clamp(x, -1.0f, 1.0f); });
    case schema::ActivationFunctionType_RELU6:
      return apply([](float x) { return std::clamp(x, 0.0f, 6.0f); });
    case schema::ActivationFunctionType_TANH:
      return apply([](float x) { return std::tanh(x); });
    case schema::ActivationFunctionType_SIGN_BIT:
      return apply([](float x) { return std::signbit(x) ? 1.0f : 0.0f; });
    default:
      return;
  }
}

void ApplyLogistic(float* values, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    values[i] = 1.0f / (1.0f + std::exp(-values[i]));
  }
}

int64_t ForwardOverlap(const Tensor& input, const Tensor& output) {
  const Shape& in = input.shape;
  const Shape& out = output.shape;
  const int64_t rows = in.NumElements(0, in.rank() - 1);
  if (rows <= 1) return input.bytes;
  const int64_t in_bytes =
      in.dim_from_end(0) * int64_t{TensorTypeBits(input.type)} / 8;
  const int64_t out_bytes =
      out.dim_from_end(0) * int64_t{TensorTypeBits(output.type)} / 8;
  const int64_t growth = in_bytes - out_bytes;
  return std::min(growth, growth * (rows - 1));
}

Status CheckState(const Tensor* state, const char* what, TensorType type,
                  int64_t elements) {
  if (state == nullptr) return InvalidModelError(what, " is absent");
  if (state->memory != TensorMemory::kVariable &&
      state->memory != TensorMemory::kCustom) {
    return InvalidModelError(what, " is not a variable tensor");
  }
  if (state->type != type || state->shape.NumElements() != elements) {
    return InvalidModelError(what, " is ", TensorTypeName(state->type),
                             " of shape ", state->shape.dims(), ", allowed ",
                             TensorTypeName(type), " of ", elements,
                             " elements");
  }
  return OkStatus();
}

Status CheckTensor(const Tensor& tensor, const char* what, TensorType type,
                   const Shape& shape) {
  if (tensor.type == type && tensor.shape == shape) return OkStatus();
  return InvalidModelError(what, " is ", TensorTypeName(tensor.type),
                           " of shape ", tensor.shape.dims(), ", allowed ",
                           TensorTypeName(type), " of shape ", shape.dims());
}

Status CheckWeights(const Tensor& tensor, const char* what, TensorType type,
                    const Shape& shape) {
  ARENALITE_RETURN_IF_ERROR(CheckTensor(tensor, what, type, shape));
  return IsHybridWeight(type) ? CheckPerTensorQuantization(tensor, what)
                              : OkStatus();
}

bool IsHybridWeight(TensorType type) {
  return type == TensorType::kInt8 || type == TensorType::kUInt8;
}

}  // namespace arenalite
