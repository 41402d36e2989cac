// Small integer tensors that say how to move data: axes, sizes, paddings.

#ifndef ARENALITE_KERNELS_INDEX_TENSOR_H_
#define ARENALITE_KERNELS_INDEX_TENSOR_H_

#include <cstdint>

#include "arenalite/op_definition.h"

namespace arenalite {

// Element i of an integer (or bool) tensor. The type has been checked.
inline int64_t ReadInteger(const Tensor& tensor, int64_t i) {
  switch (tensor.type) {
    case TensorType::kInt64:
      return tensor.data_as<int64_t>()[i];
    case TensorType::kInt32:
      return tensor.data_as<int32_t>()[i];
    case TensorType::kInt16:
      return tensor.data_as<int16_t>()[i];
    case TensorType::kInt8:
      return tensor.data_as<int8_t>()[i];
    default:
      return tensor.data_as<uint8_t>()[i];
  }
}

// Refuses input i (called `role`) unless its type is one of `types`.
inline Status CheckIndexType(const OpContext& context, int i, const char* role,
                             std::initializer_list<TensorType> types) {
  const TensorType found = context.input(i).type;
  for (TensorType type : types) {
    if (type == found) return OkStatus();
  }
  return UnimplementedError("input ", i, " (", role, ") is ",
                            TensorTypeName(found), ", allowed ",
                            TensorTypeName(*types.begin()),
                            types.size() > 1 ? " and other integers" : "");
}

// Refuses output o unless its type is that of input i.
inline Status CheckSameType(const OpContext& context, int o, int i) {
  const TensorType output = context.output(o).type;
  const TensorType input = context.input(i).type;
  if (input == output) return OkStatus();
  return InvalidModelError("output ", o, " is ", TensorTypeName(output),
                           ", but input ", i, " is ", TensorTypeName(input));
}

// `axis` counted from the front, for a tensor of `rank` dimensions.
inline Result<int> ResolveAxis(const char* role, int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    return InvalidModelError(role, " is ", axis, ", allowed [", -rank, ", ",
                             rank - 1, "]");
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_INDEX_TENSOR_H_
