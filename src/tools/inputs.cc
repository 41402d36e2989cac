#include "tools/inputs.h"

#include <charconv>
#include <cstring>

#include "tools/command_error.h"
#include "tools/files.h"
#include "writer/prng.h"

namespace arenalite {
namespace {

template <class T>
void Store(Tensor& tensor, int64_t i, T value) {
  std::memcpy(tensor.data_as<uint8_t>() + i * static_cast<int64_t>(sizeof(T)),
              &value, sizeof(T));
}

void FillElement(Tensor& tensor, int64_t i, uint64_t bits) {
  switch (tensor.type) {
    case TensorType::kFloat32:
      Store(
          tensor, i,
          static_cast<float>(static_cast<double>(bits >> 40) / (1 << 23) - 1));
      break;
    case TensorType::kInt32:
      Store(tensor, i, static_cast<int32_t>(bits % 10));
      break;
    case TensorType::kInt64:
      Store(tensor, i, static_cast<int64_t>(bits % 10));
      break;
    case TensorType::kInt16:
      Store(tensor, i, static_cast<uint16_t>(bits));
      break;
    case TensorType::kBool:
      Store(tensor, i, static_cast<uint8_t>(bits & 1));
      break;
    default:
      Store(tensor, i, static_cast<uint8_t>(bits));
      break;
  }
}

// Elements of types without a case of their own are filled byte by byte.
int64_t FillCount(const Tensor& tensor) {
  switch (tensor.type) {
    case TensorType::kFloat32:
    case TensorType::kInt32:
    case TensorType::kInt64:
    case TensorType::kInt16:
    case TensorType::kBool:
      return tensor.shape.NumElements();
    default:
      return tensor.bytes;
  }
}

void FillFromFile(Interpreter& interpreter, size_t position,
                  const std::string& path) {
  Tensor* found = interpreter.input_tensor(position);
  if (found == nullptr || found->is_constant()) {
    throw CommandError("input " + std::to_string(position) + " is " +
                       (found ? "a constant" : "absent") +
                       " in the model: it takes no value");
  }
  Tensor& tensor = *found;
  const std::vector<uint8_t> bytes = ReadFile(path);
  if (tensor.is_dynamic()) {
    ThrowIfError(interpreter.SetDynamicInput(interpreter.inputs()[position],
                                             Span<const uint8_t>(bytes)));
    return;
  }
  if (bytes.size() != static_cast<size_t>(tensor.bytes)) {
    throw CommandError("input " + std::to_string(position) + " '" +
                       tensor.name + "' takes " + std::to_string(tensor.bytes) +
                       " bytes, '" + path + "' has " +
                       std::to_string(bytes.size()));
  }
  if (!bytes.empty()) std::memcpy(tensor.data, bytes.data(), bytes.size());
}

}  // namespace

InputArgument ParseInputArgument(const Interpreter& interpreter,
                                 const std::string& argument) {
  const size_t equals = argument.find('=');
  size_t position = 0;
  const char* begin = argument.data();
  const auto parsed = std::from_chars(begin, begin + argument.size(), position);
  if (equals == std::string::npos || parsed.ptr != begin + equals) {
    throw CommandError("'" + argument + "' is not of the form i=VALUE");
  }
  if (position >= interpreter.inputs().size()) {
    throw CommandError("'" + argument + "' names input " +
                       std::to_string(position) + ", the model has " +
                       std::to_string(interpreter.inputs().size()) +
                       " inputs, counted from 0");
  }
  return {position, argument.substr(equals + 1)};
}

void FillInputs(Interpreter& interpreter, const std::vector<std::string>& given,
                uint64_t seed) {
  Prng generator(seed);
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor* tensor = interpreter.input_tensor(i);
    if (tensor == nullptr || tensor->is_constant() || tensor->is_dynamic()) {
      continue;
    }
    const int64_t count = FillCount(*tensor);
    for (int64_t e = 0; e < count; ++e) {
      FillElement(*tensor, e, generator.Next());
    }
  }
  for (const std::string& argument : given) {
    const InputArgument input = ParseInputArgument(interpreter, argument);
    FillFromFile(interpreter, input.position, input.text);
  }
}

std::vector<int32_t> ParseDims(const std::string& text,
                               const std::string& argument) {
  std::vector<int32_t> dims;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    int32_t dim = 0;
    const auto parsed = std::from_chars(at, end, dim);
    const bool ends = parsed.ptr == end || *parsed.ptr == 'x';
    if (parsed.ec != std::errc() || !ends) {
      throw CommandError("'" + argument + "' is not of the form i=1x224x224x3");
    }
    dims.push_back(dim);
    at = parsed.ptr + 1;
  }
  return dims;
}

void ResizeInputs(Interpreter& interpreter,
                  const std::vector<std::string>& shapes) {
  for (const std::string& argument : shapes) {
    const InputArgument input = ParseInputArgument(interpreter, argument);
    const std::vector<int32_t> dims = ParseDims(input.text, argument);
    ThrowIfError(interpreter.ResizeInputTensor(
        interpreter.inputs()[input.position], Span<const int32_t>(dims)));
  }
}

}  // namespace arenalite
