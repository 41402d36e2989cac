#include "writer/model_builder.h"

#include "writer/write_model.h"

namespace arenalite {

int ModelBuilder::AddTensor(std::string name, TensorType type, Shape shape,
                            Quant quant) {
  TensorSpec added;
  added.name = std::move(name);
  added.type = type;
  added.shape = std::move(shape);
  added.quant = std::move(quant);
  subgraph().tensors.push_back(std::move(added));
  return static_cast<int>(subgraph().tensors.size()) - 1;
}

int ModelBuilder::AddInput(std::string name, TensorType type, Shape shape,
                           Quant quant) {
  const int index =
      AddTensor(std::move(name), type, std::move(shape), std::move(quant));
  subgraph().inputs.push_back(index);
  return index;
}

int ModelBuilder::AddVariable(std::string name, TensorType type, Shape shape,
                              Quant quant) {
  const int index =
      AddTensor(std::move(name), type, std::move(shape), std::move(quant));
  tensor(index).is_variable = true;
  return index;
}

int ModelBuilder::AddConstantBytes(std::string name, TensorType type,
                                   Shape shape, std::vector<uint8_t> bytes,
                                   Quant quant) {
  const int index =
      AddTensor(std::move(name), type, std::move(shape), std::move(quant));
  tensor(index).buffer = AddBuffer(std::move(bytes));
  return index;
}

void ModelBuilder::SetShapeSignature(int index, Shape signature) {
  tensor(index).shape_signature = std::move(signature);
}

int ModelBuilder::AddOp(schema::BuiltinOperator code, Indices inputs,
                        Indices outputs, int version) {
  OpSpec added;
  added.code = code;
  added.version = version;
  added.inputs = std::move(inputs);
  added.outputs = std::move(outputs);
  subgraph().ops.push_back(std::move(added));
  return static_cast<int>(subgraph().ops.size()) - 1;
}

int ModelBuilder::AddCustomOp(std::string name, Indices inputs, Indices outputs,
                              std::vector<uint8_t> options) {
  const int index = AddOp(schema::BuiltinOperator_CUSTOM, std::move(inputs),
                          std::move(outputs));
  op(index).custom_name = std::move(name);
  op(index).custom_options = std::move(options);
  return index;
}

void ModelBuilder::SetOutputs(Indices tensors) {
  subgraph().outputs = std::move(tensors);
}

int ModelBuilder::AddSubgraph(std::string name) {
  spec_.subgraphs.emplace_back();
  spec_.subgraphs.back().name = std::move(name);
  current_ = static_cast<int>(spec_.subgraphs.size()) - 1;
  return current_;
}

void ModelBuilder::SetCurrentSubgraph(int index) { current_ = index; }

void ModelBuilder::AddSignature(std::string key,
                                std::vector<SignatureSpec::Binding> inputs,
                                std::vector<SignatureSpec::Binding> outputs) {
  spec_.signatures.push_back({std::move(key), std::move(inputs),
                              std::move(outputs),
                              static_cast<uint32_t>(current_)});
}

uint32_t ModelBuilder::AddMetadata(std::string name,
                                   std::vector<uint8_t> bytes) {
  const uint32_t buffer = AddBuffer(std::move(bytes));
  spec_.metadata.emplace_back(std::move(name), buffer);
  return buffer;
}

uint32_t ModelBuilder::AddBuffer(std::vector<uint8_t> bytes) {
  spec_.buffers.push_back(std::move(bytes));
  return static_cast<uint32_t>(spec_.buffers.size()) - 1;
}

std::vector<uint8_t> ModelBuilder::Finish() const { return WriteModel(spec_); }

}  // namespace arenalite
