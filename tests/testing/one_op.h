// OneOp: a model of one operator, in one expression.

#ifndef ARENALITE_TESTS_TESTING_ONE_OP_H_
#define ARENALITE_TESTS_TESTING_ONE_OP_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "writer/model_builder.h"

namespace arenalite {
namespace testing {

// A tensor of the model: an input or output, or a constant.
struct Operand {
  Operand(std::vector<int32_t> dims, TensorType of = TensorType::kFloat32,
          Quant quantization = {})
      : shape(std::move(dims)), type(of), quant(std::move(quantization)) {}

  std::vector<int32_t> shape;
  TensorType type;
  Quant quant;
  std::optional<std::vector<uint8_t>> data;  // Of a constant.
  bool is_variable = false;
};

template <class T>
Operand Constant(std::vector<int32_t> shape, const std::vector<T>& values,
                 Quant quant = {}) {
  Operand operand(std::move(shape), TensorTypeOf<T>::kValue, std::move(quant));
  operand.data = ModelBuilder::ToBytes(values);
  return operand;
}
inline Operand Variable(std::vector<int32_t> shape) {
  Operand operand(std::move(shape));
  operand.is_variable = true;
  return operand;
}
// A shape, axes, paddings...: int32 of rank 1.
inline Operand Ints(std::vector<int32_t> values) {
  const auto size = static_cast<int32_t>(values.size());
  return Constant<int32_t>({size}, values);
}

inline int AddOperand(ModelBuilder& b, const std::string& name,
                      const Operand& operand, bool is_input) {
  if (operand.data) {
    return b.AddConstantBytes(name, operand.type, operand.shape, *operand.data,
                              operand.quant);
  }
  if (operand.is_variable) {
    return b.AddVariable(name, operand.type, operand.shape, operand.quant);
  }
  return is_input
             ? b.AddInput(name, operand.type, operand.shape, operand.quant)
             : b.AddTensor(name, operand.type, operand.shape, operand.quant);
}

// Its tensors are called in0, in1, ..., out0, ...
inline ModelBuilder OneOp(schema::BuiltinOperator code,
                          const std::vector<Operand>& inputs,
                          const std::vector<Operand>& outputs,
                          int version = 1) {
  ModelBuilder b;
  std::vector<int32_t> in;
  std::vector<int32_t> out;
  for (const Operand& operand : inputs) {
    in.push_back(
        AddOperand(b, "in" + std::to_string(in.size()), operand, true));
  }
  for (const Operand& operand : outputs) {
    out.push_back(
        AddOperand(b, "out" + std::to_string(out.size()), operand, false));
  }
  b.AddOp(code, in, out, version);
  b.SetOutputs(out);
  return b;
}

template <class Create, class = std::enable_if_t<std::is_invocable_v<
                            Create, flatbuffers::FlatBufferBuilder&>>>
ModelBuilder OneOp(schema::BuiltinOperator code,
                   const std::vector<Operand>& inputs,
                   const std::vector<Operand>& outputs, Create create,
                   int version = 1) {
  ModelBuilder b = OneOp(code, inputs, outputs, version);
  ModelBuilder::SetOptions(b.op(0), std::move(create));
  return b;
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_ONE_OP_H_
