// ModelBuilder: writes a `.tflite` file in a few lines.
//
//     ModelBuilder b;
//     int x = b.AddInput("x", TensorType::kFloat32, {1, 4});
//     int y = b.AddTensor("y", TensorType::kFloat32, {1, 4});
//     b.AddOp(schema::BuiltinOperator_RELU, {x}, {y});
//     b.SetOutputs({y});
//     std::vector<uint8_t> file = b.Finish();
//
// It checks nothing: what is asked for is written, also where it is wrong.
// Anything that has no function here can be set in spec().

#ifndef ARENALITE_WRITER_MODEL_BUILDER_H_
#define ARENALITE_WRITER_MODEL_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arenalite/tensor.h"
#include "writer/model_spec.h"

namespace arenalite {

class ModelBuilder {
 public:
  using Shape = std::vector<int32_t>;
  using Indices = std::vector<int32_t>;

  // Starts with one empty subgraph, "main".
  ModelBuilder() { AddSubgraph("main"); }

  // A tensor of the current subgraph. All of these return its index.
  int AddTensor(std::string name, TensorType type, Shape shape,
                Quant quant = {});
  // A tensor that is also appended to the subgraph's inputs.
  int AddInput(std::string name, TensorType type, Shape shape,
               Quant quant = {});
  int AddVariable(std::string name, TensorType type, Shape shape,
                  Quant quant = {});
  // A tensor with a buffer of its own. The number of bytes may be wrong.
  int AddConstantBytes(std::string name, TensorType type, Shape shape,
                       std::vector<uint8_t> bytes, Quant quant = {});
  // The type follows from the values: AddConstant<float>("w", {2}, {1, 2}).
  template <class T>
  int AddConstant(std::string name, Shape shape, const std::vector<T>& values,
                  Quant quant = {}) {
    return AddConstantBytes(std::move(name), TensorTypeOf<T>::kValue,
                            std::move(shape), ToBytes(values),
                            std::move(quant));
  }
  // Unknown dimensions: -1 where the shape's value is only a stand-in.
  void SetShapeSignature(int tensor, Shape signature);

  // An op without options. Ops return their index.
  int AddOp(schema::BuiltinOperator code, Indices inputs, Indices outputs,
            int version = 1);
  // `create` makes the options, whose union type follows from theirs:
  //   b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {z}, [](auto& fbb) {
  //     return schema::CreateAddOptions(fbb);
  //   });
  template <class Create, class = std::enable_if_t<std::is_invocable_v<
                              Create, flatbuffers::FlatBufferBuilder&>>>
  int AddOp(schema::BuiltinOperator code, Indices inputs, Indices outputs,
            Create create, int version = 1) {
    const int index =
        AddOp(code, std::move(inputs), std::move(outputs), version);
    SetOptions(op(index), std::move(create));
    return index;
  }
  template <class Create>
  static void SetOptions(OpSpec& op, Create create) {
    SetOptionsType(
        op, std::invoke_result_t<Create, flatbuffers::FlatBufferBuilder&>());
    op.options = [create =
                      std::move(create)](flatbuffers::FlatBufferBuilder& fbb) {
      return create(fbb).Union();
    };
  }
  int AddCustomOp(std::string name, Indices inputs, Indices outputs,
                  std::vector<uint8_t> options = {});

  // Outputs of the current subgraph.
  void SetOutputs(Indices tensors);

  // Appends a subgraph, and makes it the current one. Returns its index.
  int AddSubgraph(std::string name);
  // The subgraph that all other calls are about.
  void SetCurrentSubgraph(int index);

  // A signature of the current subgraph.
  void AddSignature(std::string key, std::vector<SignatureSpec::Binding> inputs,
                    std::vector<SignatureSpec::Binding> outputs);
  // Returns the index of the metadata's buffer.
  uint32_t AddMetadata(std::string name, std::vector<uint8_t> bytes);
  // Returns the index of a buffer that tensors may share.
  uint32_t AddBuffer(std::vector<uint8_t> bytes);

  // Everything so far, open to any change. References last until the next Add.
  ModelSpec& spec() { return spec_; }
  SubgraphSpec& subgraph() { return spec_.subgraphs[Index(current_)]; }
  TensorSpec& tensor(int index) { return subgraph().tensors[Index(index)]; }
  OpSpec& op(int index) { return subgraph().ops[Index(index)]; }

  // The file. May be called again, after changes too.
  std::vector<uint8_t> Finish() const;

  template <class T>
  static std::vector<uint8_t> ToBytes(const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) {
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return bytes;
  }

 private:
  static size_t Index(int i) { return static_cast<size_t>(i); }

  template <class T>
  static void SetOptionsType(OpSpec& op, flatbuffers::Offset<T>) {
    op.options_type = static_cast<schema::BuiltinOptions>(
        schema::BuiltinOptionsTraits<T>::enum_value);
    op.options_2_type = static_cast<schema::BuiltinOptions2>(
        schema::BuiltinOptions2Traits<T>::enum_value);
  }

  ModelSpec spec_;
  int current_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_WRITER_MODEL_BUILDER_H_
