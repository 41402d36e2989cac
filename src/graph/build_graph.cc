#include "graph/build_graph.h"

#include <algorithm>
#include <utility>

#include "graph/build_tensor.h"
#include "graph/order.h"
#include "model/called_subgraphs.h"
#include "model/flatbuffer_span.h"
#include "model/op_code.h"

namespace arenalite {
namespace {

// The packed form of no strings: a count, and the end of the offsets.
constexpr uint8_t kNoStrings[8] = {0, 0, 0, 0, 8, 0, 0, 0};

NodeInfo BuildNode(const Model& model, const schema::Operator& from) {
  const schema::OperatorCode& code =
      *model.root().operator_codes()->Get(from.opcode_index());
  NodeInfo info;
  info.builtin_code = BuiltinCode(code);
  info.op_name = OperatorName(code);
  info.version = code.version();
  info.inputs = ToSpan(from.inputs());
  info.outputs = ToSpan(from.outputs());
  info.intermediates = ToSpan(from.intermediates());
  info.builtin_options = from.builtin_options();
  info.builtin_options_type = from.builtin_options_type();
  info.builtin_options_2 = from.builtin_options_2();
  info.builtin_options_2_type = from.builtin_options_2_type();
  info.custom_options = ToSpan(from.custom_options());
  if (from.large_custom_options_offset() > 1) {
    info.custom_options = model.OutsideData(from.large_custom_options_offset(),
                                            from.large_custom_options_size());
  }
  return info;
}

// Control flow may drop a result of the subgraph that it calls. Here such an
// output is a tensor of its own, so that no stage behind has to know of it.
Status CompleteOutputs(const Model& model, const schema::Operator& op,
                       NodeInfo& node, SubgraphInfo& info) {
  const Span<const int32_t> outputs = node.outputs;
  if (std::find(outputs.begin(), outputs.end(), -1) == outputs.end()) {
    return OkStatus();
  }
  const CalledSubgraphs called(op);
  const schema::SubGraph& callee = *model.root().subgraphs()->Get(
      static_cast<uint32_t>(called[called.size() - 1]));
  Array<int32_t> completed;
  ARENALITE_RETURN_IF_ERROR(completed.Resize(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    completed[i] = outputs[i];
    if (outputs[i] != -1) continue;
    completed[i] = static_cast<int32_t>(info.tensors.size());
    const auto like =
        static_cast<uint32_t>(callee.outputs()->Get(static_cast<uint32_t>(i)));
    ARENALITE_RETURN_IF_ERROR(
        AppendTensor(model, *callee.tensors()->Get(like), info));
    TensorInfo& dropped = info.tensors.back();
    dropped.name = "(dropped)";
    dropped.sparsity = nullptr;
    dropped.is_variable = false;
    dropped.has_data = false;
    dropped.data = {};
  }
  node.outputs = completed;
  return info.completed_outputs.Append(std::move(completed));
}

// Tensors without elements that nothing writes are constants: writers differ
// on whether they give them a buffer.
Status MarkEmptyConstants(SubgraphInfo& info) {
  ARENALITE_ASSIGN_OR_RETURN(Array<bool> written,
                             Array<bool>::Create(info.tensors.size()));
  for (int32_t tensor : info.inputs) {
    if (tensor >= 0) written[static_cast<size_t>(tensor)] = true;
  }
  for (const NodeInfo& node : info.nodes) {
    for (int32_t tensor : node.outputs) {
      written[static_cast<size_t>(tensor)] = true;
    }
  }
  for (size_t i = 0; i < info.tensors.size(); ++i) {
    TensorInfo& tensor = info.tensors[i];
    if (written[i] || tensor.has_data || tensor.is_variable ||
        tensor.shape.NumElements() != 0) {
      continue;
    }
    tensor.has_data = true;
    if (tensor.type == TensorType::kString) tensor.data = kNoStrings;
  }
  return OkStatus();
}

Result<SubgraphInfo> BuildSubgraph(const Model& model,
                                   const schema::SubGraph& from) {
  SubgraphInfo info;
  info.name = ToCString(from.name());
  info.inputs = ToSpan(from.inputs());
  info.outputs = ToSpan(from.outputs());
  const uint32_t tensors = SizeOf(from.tensors());
  ARENALITE_RETURN_IF_ERROR(info.tensors.Reserve(tensors));
  for (uint32_t i = 0; i < tensors; ++i) {
    ARENALITE_RETURN_IF_ERROR(
        AppendTensor(model, *from.tensors()->Get(i), info));
  }
  const uint32_t nodes = SizeOf(from.operators());
  ARENALITE_RETURN_IF_ERROR(info.nodes.Reserve(nodes));
  for (uint32_t i = 0; i < nodes; ++i) {
    const schema::Operator& op = *from.operators()->Get(i);
    ARENALITE_RETURN_IF_ERROR(info.nodes.Append(BuildNode(model, op)));
    ARENALITE_RETURN_IF_ERROR(
        CompleteOutputs(model, op, info.nodes.back(), info));
  }
  ARENALITE_RETURN_IF_ERROR(MarkEmptyConstants(info));
  ARENALITE_ASSIGN_OR_RETURN(info.order, TopologicalOrder(info));
  return info;
}

Status BuildBindings(
    const flatbuffers::Vector<flatbuffers::Offset<schema::TensorMap>>* from,
    Array<SignatureInfo::Binding>& bindings) {
  const uint32_t count = SizeOf(from);
  ARENALITE_RETURN_IF_ERROR(bindings.Reserve(count));
  for (uint32_t i = 0; i < count; ++i) {
    const schema::TensorMap& binding = *from->Get(i);
    ARENALITE_RETURN_IF_ERROR(
        bindings.Append({ToCString(binding.name()),
                         static_cast<int32_t>(binding.tensor_index())}));
  }
  return OkStatus();
}

Result<SignatureInfo> BuildSignature(const schema::SignatureDef& from) {
  SignatureInfo info;
  info.key = ToCString(from.signature_key());
  info.subgraph = static_cast<int32_t>(from.subgraph_index());
  ARENALITE_RETURN_IF_ERROR(BuildBindings(from.inputs(), info.inputs));
  ARENALITE_RETURN_IF_ERROR(BuildBindings(from.outputs(), info.outputs));
  return info;
}

}  // namespace

Result<Graph> BuildGraph(const Model& model) {
  Graph graph;
  const schema::Model& root = model.root();
  for (uint32_t i = 0; i < SizeOf(root.subgraphs()); ++i) {
    const schema::SubGraph& from = *root.subgraphs()->Get(i);
    Result<SubgraphInfo> subgraph = BuildSubgraph(model, from);
    if (!subgraph.ok()) {
      return std::move(subgraph).status().WithPrefix(
          {"subgraph ", TextPiece(i).view(), " '", ToCString(from.name()),
           "': "});
    }
    ARENALITE_RETURN_IF_ERROR(graph.subgraphs.Append(std::move(*subgraph)));
  }
  for (uint32_t i = 0; i < SizeOf(root.signature_defs()); ++i) {
    ARENALITE_ASSIGN_OR_RETURN(SignatureInfo signature,
                               BuildSignature(*root.signature_defs()->Get(i)));
    ARENALITE_RETURN_IF_ERROR(graph.signatures.Append(std::move(signature)));
  }
  return graph;
}

}  // namespace arenalite
