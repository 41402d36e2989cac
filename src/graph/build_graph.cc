#include "graph/build_graph.h"

#include <utility>

#include "graph/order.h"
#include "model/flatbuffer_span.h"
#include "model/op_code.h"

namespace arenalite {
namespace {

// The packed form of no strings: a count, and the end of the offsets.
constexpr uint8_t kNoStrings[8] = {0, 0, 0, 0, 8, 0, 0, 0};

using ZeroPoints = flatbuffers::Vector<int64_t>;

// Null where the tensor has none.
const ZeroPoints* ZeroPointsOf(const schema::Tensor& tensor) {
  return tensor.quantization() == nullptr ? nullptr
                                          : tensor.quantization()->zero_point();
}

bool IsAligned(const ZeroPoints* zero_points) {
  return reinterpret_cast<uintptr_t>(zero_points->Data()) % alignof(int64_t) ==
         0;
}

// Makes room for all zero points that have to be copied: views into the array
// must not move.
Status ReserveZeroPoints(const schema::SubGraph& from, SubgraphInfo& info) {
  size_t count = 0;
  for (uint32_t i = 0; i < SizeOf(from.tensors()); ++i) {
    const ZeroPoints* zero_points = ZeroPointsOf(*from.tensors()->Get(i));
    if (zero_points == nullptr || IsAligned(zero_points)) continue;
    count += zero_points->size();
  }
  return info.aligned_zero_points.Reserve(count);
}

Result<Span<const int64_t>> BuildZeroPoints(const schema::Tensor& from,
                                            SubgraphInfo& info) {
  const ZeroPoints* zero_points = ZeroPointsOf(from);
  if (zero_points == nullptr) return Span<const int64_t>();
  if (IsAligned(zero_points)) {
    return Span<const int64_t>(
        reinterpret_cast<const int64_t*>(zero_points->Data()),
        zero_points->size());
  }
  const size_t first = info.aligned_zero_points.size();
  for (uint32_t i = 0; i < zero_points->size(); ++i) {
    ARENALITE_RETURN_IF_ERROR(
        info.aligned_zero_points.Append(ReadInt64(zero_points, i)));
  }
  return Span<const int64_t>(info.aligned_zero_points.data() + first,
                             zero_points->size());
}

Result<Quantization> BuildQuantization(const schema::Tensor& from,
                                       SubgraphInfo& info) {
  Quantization quantization;
  if (from.quantization() == nullptr) return quantization;
  quantization.scales = ToSpan(from.quantization()->scale());
  quantization.quantized_dimension = from.quantization()->quantized_dimension();
  ARENALITE_ASSIGN_OR_RETURN(quantization.zero_points,
                             BuildZeroPoints(from, info));
  return quantization;
}

Result<TensorInfo> BuildTensor(const Model& model, const schema::Tensor& from,
                               SubgraphInfo& subgraph) {
  TensorInfo info;
  info.name = ToCString(from.name());
  info.type = static_cast<TensorType>(from.type());
  ARENALITE_ASSIGN_OR_RETURN(info.shape, Shape::Create(ToSpan(from.shape())));
  info.shape_signature = ToSpan(from.shape_signature());
  ARENALITE_ASSIGN_OR_RETURN(info.quantization,
                             BuildQuantization(from, subgraph));
  info.sparsity = from.sparsity();
  info.is_variable = from.is_variable();
  info.data = model.BufferData(from.buffer());
  info.has_data = !info.data.empty();
  return info;
}

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
      if (tensor >= 0) written[static_cast<size_t>(tensor)] = true;
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
  ARENALITE_RETURN_IF_ERROR(ReserveZeroPoints(from, info));
  const uint32_t tensors = SizeOf(from.tensors());
  ARENALITE_RETURN_IF_ERROR(info.tensors.Reserve(tensors));
  for (uint32_t i = 0; i < tensors; ++i) {
    ARENALITE_ASSIGN_OR_RETURN(
        TensorInfo tensor, BuildTensor(model, *from.tensors()->Get(i), info));
    ARENALITE_RETURN_IF_ERROR(info.tensors.Append(std::move(tensor)));
  }
  const uint32_t nodes = SizeOf(from.operators());
  ARENALITE_RETURN_IF_ERROR(info.nodes.Reserve(nodes));
  for (uint32_t i = 0; i < nodes; ++i) {
    ARENALITE_RETURN_IF_ERROR(
        info.nodes.Append(BuildNode(model, *from.operators()->Get(i))));
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
