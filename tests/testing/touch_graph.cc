#include "testing/touch_graph.h"

#include <cstring>

namespace arenalite {
namespace testing {
namespace {

// FNV-1a.
class Hash {
 public:
  void Add(const void* data, size_t size) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    for (size_t i = 0; i < size; ++i) {
      value_ = (value_ ^ bytes[i]) * 0x100000001B3u;
    }
  }
  template <class T>
  void Add(Span<T> span) {
    Add(span.data(), span.size() * sizeof(T));
  }
  void Add(const char* text) { Add(text, std::strlen(text) + 1); }
  void Add(int64_t value) { Add(&value, sizeof(value)); }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xCBF29CE484222325u;
};

void AddTensor(const TensorInfo& tensor, Hash& hash) {
  hash.Add(tensor.name);
  hash.Add(static_cast<int64_t>(tensor.type));
  hash.Add(tensor.shape.dims());
  hash.Add(tensor.shape.NumElements());
  hash.Add(tensor.shape_signature);
  hash.Add(tensor.quantization.scales);
  hash.Add(tensor.quantization.zero_points);
  hash.Add(int64_t{tensor.is_variable} + 2 * int64_t{tensor.has_data});
  hash.Add(tensor.data);
}

void AddNode(const NodeInfo& node, Hash& hash) {
  hash.Add(int64_t{node.builtin_code});
  hash.Add(node.op_name);
  hash.Add(int64_t{node.version});
  hash.Add(node.inputs);
  hash.Add(node.outputs);
  hash.Add(node.intermediates);
  hash.Add(node.custom_options);
}

void AddSignature(const SignatureInfo& signature, Hash& hash) {
  hash.Add(signature.key);
  hash.Add(int64_t{signature.subgraph});
  for (const auto* bindings : {&signature.inputs, &signature.outputs}) {
    for (const SignatureInfo::Binding& binding : *bindings) {
      hash.Add(binding.name);
      hash.Add(int64_t{binding.tensor});
    }
  }
}

}  // namespace

uint64_t TouchGraph(const Graph& graph) {
  Hash hash;
  for (const SubgraphInfo& subgraph : graph.subgraphs) {
    hash.Add(subgraph.name);
    for (const TensorInfo& tensor : subgraph.tensors) AddTensor(tensor, hash);
    for (const NodeInfo& node : subgraph.nodes) AddNode(node, hash);
    hash.Add(subgraph.inputs);
    hash.Add(subgraph.outputs);
    hash.Add(Span<const int32_t>(subgraph.order));
  }
  for (const SignatureInfo& signature : graph.signatures) {
    AddSignature(signature, hash);
  }
  return hash.value();
}

}  // namespace testing
}  // namespace arenalite
