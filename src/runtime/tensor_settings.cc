#include "runtime/tensor_settings.h"

#include <algorithm>
#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// The shape that `dims` give to a graph input.
Result<Shape> ShapeOfInput(const Frame& frame, int32_t tensor,
                           Span<const int32_t> dims) {
  ARENALITE_RETURN_IF_ERROR(CheckTensorIndex(frame, tensor));
  const TensorInfo& info = frame.info->tensors[Index(tensor)];
  if (!IsGraphInput(frame, tensor) || info.has_data) {
    return InvalidArgumentError("tensor ", tensor, " '", info.name,
                                "' is no graph input: only those can be "
                                "resized");
  }
  Result<Shape> shape = Shape::Create(dims);
  if (shape.ok()) return shape;
  return std::move(shape).status().WithPrefix(
      {"input tensor ", TextPiece(tensor).view(), " '", info.name, "': "});
}

Status CheckRank(const char* name, int32_t tensor, size_t found, int allowed) {
  if (found == Index(allowed)) return OkStatus();
  return InvalidArgumentError("input tensor ", tensor, " '", name, "': ", found,
                              " dimensions, allowed ", allowed);
}

Status CheckWithin(const char* name, int32_t tensor, const Shape& shape,
                   const Shape& maximum) {
  ARENALITE_RETURN_IF_ERROR(
      CheckRank(name, tensor, shape.dims().size(), maximum.rank()));
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape.dim(i) <= maximum.dim(i)) continue;
    return InvalidArgumentError("input tensor ", tensor, " '", name,
                                "': dimension ", i, " is ", shape.dim(i),
                                ", its declared maximum is ", maximum.dim(i));
  }
  return OkStatus();
}

}  // namespace

Status CheckTensorIndex(const Frame& frame, int32_t tensor) {
  if (tensor >= 0 && Index(tensor) < frame.tensors.size()) return OkStatus();
  return InvalidArgumentError("tensor index ", tensor,
                              " is out of range: ", "there are ",
                              frame.tensors.size(), " tensors");
}

bool IsGraphInput(const Frame& frame, int32_t tensor) {
  const Span<const int32_t> inputs = frame.info->inputs;
  return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

Status SetInputShape(Frame& frame, int32_t tensor, Span<const int32_t> dims) {
  ARENALITE_ASSIGN_OR_RETURN(const Shape shape,
                             ShapeOfInput(frame, tensor, dims));
  TensorSettings& settings = frame.settings[Index(tensor)];
  if (settings.has_maximum) {
    ARENALITE_RETURN_IF_ERROR(
        CheckWithin(frame.info->tensors[Index(tensor)].name, tensor, shape,
                    settings.maximum));
  }
  settings.resized = true;
  settings.shape = shape;
  return OkStatus();
}

Status CheckOnlyOpenDims(const Frame& frame, int32_t tensor,
                         Span<const int32_t> dims) {
  ARENALITE_RETURN_IF_ERROR(CheckTensorIndex(frame, tensor));
  const TensorInfo& info = frame.info->tensors[Index(tensor)];
  ARENALITE_RETURN_IF_ERROR(
      CheckRank(info.name, tensor, dims.size(), info.shape.rank()));
  for (int i = 0; i < info.shape.rank(); ++i) {
    const bool open =
        !info.shape_signature.empty() && info.shape_signature[Index(i)] == -1;
    if (open || dims[Index(i)] == info.shape.dim(i)) continue;
    return InvalidArgumentError(
        "input tensor ", tensor, " '", info.name, "': dimension ", i, " is ",
        dims[Index(i)], ", allowed ", info.shape.dim(i),
        ": the model leaves it fixed; ResizeInputTensor changes it anyway");
  }
  return OkStatus();
}

Status SetInputMaximum(Frame& frame, int32_t tensor, Span<const int32_t> dims) {
  ARENALITE_ASSIGN_OR_RETURN(const Shape maximum,
                             ShapeOfInput(frame, tensor, dims));
  TensorSettings& settings = frame.settings[Index(tensor)];
  if (!dims.empty()) {
    ARENALITE_RETURN_IF_ERROR(
        CheckWithin(frame.info->tensors[Index(tensor)].name, tensor,
                    StatedShape(frame, Index(tensor)), maximum));
  }
  settings.has_maximum = !dims.empty();
  settings.maximum = maximum;
  return OkStatus();
}

Status SetCustomMemory(Frame& frame, int32_t tensor, Span<uint8_t> memory) {
  ARENALITE_RETURN_IF_ERROR(CheckTensorIndex(frame, tensor));
  const TensorInfo& info = frame.info->tensors[Index(tensor)];
  const bool allowed = info.is_variable || IsGraphInput(frame, tensor) ||
                       frame.is_graph_output[Index(tensor)] != 0;
  if (!allowed || info.has_data) {
    return InvalidArgumentError(
        "tensor ", tensor, " '", info.name,
        "' is no graph input, output or variable: only those can live in the "
        "caller's memory");
  }
  const auto alignment = static_cast<uintptr_t>(TensorTypeAlignment(info.type));
  if (reinterpret_cast<uintptr_t>(memory.data()) % alignment != 0) {
    return InvalidArgumentError("the memory for tensor ", tensor, " '",
                                info.name, "' is not aligned to ", alignment,
                                " bytes");
  }
  frame.settings[Index(tensor)].custom = memory;
  return OkStatus();
}

Status CheckCustomMemory(const Frame& frame) {
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    const Tensor& tensor = frame.tensors[i];
    const auto size = static_cast<int64_t>(frame.settings[i].custom.size());
    if (tensor.memory != TensorMemory::kCustom || size >= tensor.bytes) {
      continue;
    }
    return InvalidArgumentError("the caller's memory for tensor ", i, " '",
                                tensor.name, "' has ", size, " bytes, ",
                                tensor.bytes, " are needed");
  }
  return OkStatus();
}

}  // namespace arenalite
