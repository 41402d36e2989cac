#include "writer/write_model.h"

#include <algorithm>
#include <cstddef>

namespace arenalite {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::Vector;

constexpr size_t kDataAlignment = 16;
// One byte holds the old field for the op's number; readers take the new one
// where the old one says this.
constexpr int kCodeInNewField = 127;

template <class T>
Offset<Vector<T>> WriteUnlessEmpty(FlatBufferBuilder& fbb,
                                   const std::vector<T>& values) {
  return values.empty() ? 0 : fbb.CreateVector(values);
}

size_t RoundUp(size_t size) {
  return (size + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
}

// Writes one file, inner tables first as FlatBuffers asks.
class Writer {
 public:
  // Blobs outside of the FlatBuffer begin at `outside_start`.
  Writer(const ModelSpec& spec, size_t outside_start)
      : spec_(spec), outside_end_(outside_start) {
    fbb_.ForceDefaults(spec.write_defaults);
  }

  std::vector<uint8_t> Write();
  // What Write() put outside, in order; each is to start at a multiple of 16,
  // or outside_shift behind one.
  const std::vector<const std::vector<uint8_t>*>& outside() const {
    return outside_;
  }

 private:
  struct Opcode {
    const OpSpec* op;
    bool IsOf(const OpSpec& other) const {
      return op->code == other.code && op->version == other.version &&
             op->custom_name == other.custom_name;
    }
  };

  // Where `blob` will be, counted from the start of the file.
  uint64_t PutOutside(const std::vector<uint8_t>& blob) {
    const size_t start = RoundUp(outside_end_) + spec_.outside_shift;
    outside_end_ = start + blob.size();
    outside_.push_back(&blob);
    return start;
  }
  uint32_t OpcodeIndex(const OpSpec& op);
  Offset<schema::Buffer> WriteBuffer(const std::vector<uint8_t>& bytes);
  Offset<schema::QuantizationParameters> WriteQuant(const Quant& quant);
  Offset<schema::Tensor> WriteTensor(const TensorSpec& tensor);
  Offset<schema::Operator> WriteOp(const OpSpec& op);
  Offset<schema::SubGraph> WriteSubgraph(const SubgraphSpec& subgraph);
  Offset<Vector<Offset<schema::TensorMap>>> WriteBindings(
      const std::vector<SignatureSpec::Binding>& bindings);
  Offset<Vector<Offset<schema::SignatureDef>>> WriteSignatures();
  Offset<Vector<Offset<schema::OperatorCode>>> WriteOpcodes();
  Offset<Vector<Offset<schema::Metadata>>> WriteMetadata();

  const ModelSpec& spec_;
  size_t outside_end_;
  std::vector<const std::vector<uint8_t>*> outside_;
  FlatBufferBuilder fbb_;
  std::vector<Opcode> opcodes_;
};

uint32_t Writer::OpcodeIndex(const OpSpec& op) {
  const auto found =
      std::find_if(opcodes_.begin(), opcodes_.end(),
                   [&](const Opcode& opcode) { return opcode.IsOf(op); });
  const auto index = static_cast<uint32_t>(found - opcodes_.begin());
  if (found == opcodes_.end()) opcodes_.push_back({&op});
  return op.opcode_index < 0 ? index : static_cast<uint32_t>(op.opcode_index);
}

Offset<schema::Buffer> Writer::WriteBuffer(const std::vector<uint8_t>& bytes) {
  if (bytes.empty()) return schema::CreateBuffer(fbb_);
  if (spec_.data_outside) {
    return schema::CreateBuffer(fbb_, 0, PutOutside(bytes), bytes.size());
  }
  fbb_.ForceVectorAlignment(bytes.size(), sizeof(uint8_t), kDataAlignment);
  return schema::CreateBuffer(fbb_, fbb_.CreateVector(bytes));
}

Offset<schema::QuantizationParameters> Writer::WriteQuant(const Quant& quant) {
  if (quant.scales.empty() && quant.zero_points.empty()) return 0;
  const auto scales = WriteUnlessEmpty(fbb_, quant.scales);
  const auto zero_points = WriteUnlessEmpty(fbb_, quant.zero_points);
  schema::QuantizationParametersBuilder builder(fbb_);
  builder.add_scale(scales);
  builder.add_zero_point(zero_points);
  builder.add_quantized_dimension(quant.dimension);
  return builder.Finish();
}

Offset<schema::Tensor> Writer::WriteTensor(const TensorSpec& tensor) {
  const auto name = fbb_.CreateString(tensor.name);
  const auto shape = fbb_.CreateVector(tensor.shape);
  const auto signature = WriteUnlessEmpty(fbb_, tensor.shape_signature);
  const auto quant = WriteQuant(tensor.quant);
  schema::TensorBuilder builder(fbb_);
  builder.add_name(name);
  builder.add_type(static_cast<schema::TensorType>(tensor.type));
  builder.add_shape(shape);
  builder.add_shape_signature(signature);
  builder.add_quantization(quant);
  builder.add_buffer(tensor.buffer);
  builder.add_is_variable(tensor.is_variable);
  builder.add_has_rank(tensor.has_rank);
  return builder.Finish();
}

Offset<schema::Operator> Writer::WriteOp(const OpSpec& op) {
  const auto inputs = fbb_.CreateVector(op.inputs);
  const auto outputs = fbb_.CreateVector(op.outputs);
  const auto intermediates = WriteUnlessEmpty(fbb_, op.intermediates);
  const Offset<void> options = op.options ? op.options(fbb_) : 0;
  const bool outside = spec_.data_outside && !op.custom_options.empty();
  Offset<Vector<uint8_t>> custom_options = 0;
  if (!outside) custom_options = WriteUnlessEmpty(fbb_, op.custom_options);
  schema::OperatorBuilder builder(fbb_);
  builder.add_opcode_index(OpcodeIndex(op));
  builder.add_inputs(inputs);
  builder.add_outputs(outputs);
  builder.add_intermediates(intermediates);
  builder.add_custom_options(custom_options);
  if (outside) {
    builder.add_large_custom_options_offset(PutOutside(op.custom_options));
    builder.add_large_custom_options_size(op.custom_options.size());
  }
  if (op.options_2_type != schema::BuiltinOptions2_NONE) {
    builder.add_builtin_options_2_type(op.options_2_type);
    builder.add_builtin_options_2(options);
  } else {
    builder.add_builtin_options_type(op.options_type);
    builder.add_builtin_options(options);
  }
  return builder.Finish();
}

Offset<schema::SubGraph> Writer::WriteSubgraph(const SubgraphSpec& subgraph) {
  std::vector<Offset<schema::Tensor>> tensors;
  for (const TensorSpec& tensor : subgraph.tensors) {
    tensors.push_back(WriteTensor(tensor));
  }
  std::vector<Offset<schema::Operator>> ops;
  for (const OpSpec& op : subgraph.ops) ops.push_back(WriteOp(op));
  return schema::CreateSubGraphDirect(fbb_, &tensors, &subgraph.inputs,
                                      &subgraph.outputs, &ops,
                                      subgraph.name.c_str());
}

Offset<Vector<Offset<schema::TensorMap>>> Writer::WriteBindings(
    const std::vector<SignatureSpec::Binding>& bindings) {
  std::vector<Offset<schema::TensorMap>> written;
  written.reserve(bindings.size());
  for (const auto& [name, tensor] : bindings) {
    written.push_back(
        schema::CreateTensorMapDirect(fbb_, name.c_str(), tensor));
  }
  return fbb_.CreateVector(written);
}

Offset<Vector<Offset<schema::SignatureDef>>> Writer::WriteSignatures() {
  std::vector<Offset<schema::SignatureDef>> written;
  for (const SignatureSpec& signature : spec_.signatures) {
    const auto key = fbb_.CreateString(signature.key);
    const auto inputs = WriteBindings(signature.inputs);
    const auto outputs = WriteBindings(signature.outputs);
    schema::SignatureDefBuilder builder(fbb_);
    builder.add_signature_key(key);
    builder.add_inputs(inputs);
    builder.add_outputs(outputs);
    builder.add_subgraph_index(signature.subgraph);
    written.push_back(builder.Finish());
  }
  return WriteUnlessEmpty(fbb_, written);
}

Offset<Vector<Offset<schema::OperatorCode>>> Writer::WriteOpcodes() {
  std::vector<Offset<schema::OperatorCode>> written;
  for (const Opcode& opcode : opcodes_) {
    const OpSpec& op = *opcode.op;
    const char* name = op.code == schema::BuiltinOperator_CUSTOM
                           ? op.custom_name.c_str()
                           : nullptr;
    const int old_code = std::min<int>(op.code, kCodeInNewField);
    written.push_back(schema::CreateOperatorCodeDirect(
        fbb_, static_cast<int8_t>(old_code), name, op.version, op.code));
  }
  return fbb_.CreateVector(written);
}

Offset<Vector<Offset<schema::Metadata>>> Writer::WriteMetadata() {
  std::vector<Offset<schema::Metadata>> written;
  for (const auto& [name, buffer] : spec_.metadata) {
    written.push_back(schema::CreateMetadataDirect(fbb_, name.c_str(), buffer));
  }
  return WriteUnlessEmpty(fbb_, written);
}

std::vector<uint8_t> Writer::Write() {
  std::vector<Offset<schema::Buffer>> buffers;
  for (const auto& bytes : spec_.buffers) {
    buffers.push_back(WriteBuffer(bytes));
  }
  std::vector<Offset<schema::SubGraph>> subgraphs;
  for (const SubgraphSpec& subgraph : spec_.subgraphs) {
    subgraphs.push_back(WriteSubgraph(subgraph));
  }
  const auto written_subgraphs = fbb_.CreateVector(subgraphs);
  const auto written_buffers = fbb_.CreateVector(buffers);
  const auto opcodes = WriteOpcodes();
  const auto signatures = WriteSignatures();
  const auto metadata = WriteMetadata();
  const auto description = fbb_.CreateString(spec_.description);
  schema::ModelBuilder builder(fbb_);
  builder.add_version(spec_.version);
  builder.add_operator_codes(opcodes);
  builder.add_subgraphs(written_subgraphs);
  builder.add_description(description);
  builder.add_buffers(written_buffers);
  builder.add_signature_defs(signatures);
  builder.add_metadata(metadata);
  schema::FinishModelBuffer(fbb_, builder.Finish());
  const uint8_t* data = fbb_.GetBufferPointer();
  return std::vector<uint8_t>(data, data + fbb_.GetSize());
}

}  // namespace

std::vector<uint8_t> WriteModel(const ModelSpec& spec) {
  // Offsets have a fixed width, so the size of the FlatBuffer does not depend
  // on their values: a first pass measures it.
  size_t outside_start = kDataAlignment;
  if (spec.data_outside) {
    outside_start = Writer(spec, outside_start).Write().size();
  }
  Writer writer(spec, outside_start);
  std::vector<uint8_t> file = writer.Write();
  for (const std::vector<uint8_t>* blob : writer.outside()) {
    file.resize(RoundUp(file.size()) + spec.outside_shift);
    file.insert(file.end(), blob->begin(), blob->end());
  }
  return file;
}

}  // namespace arenalite
