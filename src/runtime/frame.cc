#include "runtime/frame.h"

#include <cstring>
#include <utility>

#include "runtime/control_flow.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Collects the operators that have no kernel, each once, for one message.
class MissingKernels {
 public:
  Status Add(const NodeInfo& node) {
    if (nodes_.size() == kMostNamed) return OkStatus();
    for (const NodeInfo* known : nodes_) {
      if (std::strcmp(known->op_name, node.op_name) == 0 &&
          known->version == node.version) {
        return OkStatus();
      }
    }
    return nodes_.Append(&node);
  }

  Status ToStatus(const OpResolver& resolver) const {
    Status status;
    for (const NodeInfo* node : nodes_) {
      const OpDefinition* known = resolver.FindBuiltin(node->builtin_code);
      const bool newer = node->builtin_code != kCustomOpCode && known;
      Status one =
          newer ? UnimplementedError(node->op_name, " version ", node->version,
                                     " (known up to ", known->max_version, ")")
                : UnimplementedError(node->op_name, " version ", node->version);
      status = status.ok()
                   ? std::move(one)
                   : std::move(one).WithPrefix({status.message(), ", "});
    }
    if (nodes_.size() == kMostNamed) {
      status = std::move(status).WithPrefix({"perhaps others, and "});
    }
    return std::move(status).WithPrefix(
        {"the resolver has no kernel for these operators: "});
  }

 private:
  // A file may have any number of custom operators.
  static constexpr size_t kMostNamed = 64;

  Array<const NodeInfo*> nodes_;
};

const OpDefinition* FindDefinition(const NodeInfo& node,
                                   const OpResolver& resolver) {
  const OpDefinition* definition =
      node.builtin_code == kCustomOpCode
          ? resolver.FindCustom(node.op_name)
          : resolver.FindBuiltin(node.builtin_code);
  const bool known = definition && node.version <= definition->max_version;
  return known ? definition : nullptr;
}

class GraphCatalog final : public SubgraphCatalog {
 public:
  explicit GraphCatalog(const Graph& graph) : graph_(graph) {}

  Result<int32_t> OnlyOperator(int32_t subgraph) const override {
    const size_t count = graph_.subgraphs.size();
    if (subgraph < 0 || Index(subgraph) >= count) {
      return InvalidModelError("names subgraph ", subgraph, ", allowed 0..",
                               count - 1);
    }
    const Array<NodeInfo>& nodes = graph_.subgraphs[Index(subgraph)].nodes;
    if (nodes.empty()) return OpSource::kNoOperator;
    if (nodes.size() == 1) return nodes[0].builtin_code;
    return UnimplementedError("subgraph ", subgraph, " has ", nodes.size(),
                              " operators, allowed are 0 or 1");
  }

 private:
  const Graph& graph_;
};

OpSource SourceOf(const NodeInfo& info, const SubgraphCatalog& subgraphs) {
  OpSource source;
  source.subgraphs = &subgraphs;
  source.version = info.version;
  source.builtin_options = info.builtin_options;
  source.builtin_options_type = info.builtin_options_type;
  source.builtin_options_2 = info.builtin_options_2;
  source.builtin_options_2_type = info.builtin_options_2_type;
  source.custom_options = info.custom_options;
  source.num_inputs = static_cast<int>(info.inputs.size());
  source.num_outputs = static_cast<int>(info.outputs.size());
  return source;
}

Status ParseNode(const SubgraphCatalog& subgraphs, Frame& frame, Node& node) {
  if (node.definition == nullptr) return OkStatus();
  void* options = frame.options.Allocate(node.definition->options_bytes);
  if (options == nullptr) {
    return ResourceExhaustedError("out of memory for the options");
  }
  node.wiring.options = options;
  if (node.definition->parse == nullptr) return OkStatus();
  return node.definition->parse(SourceOf(*node.info, subgraphs), options);
}

Status CreateNodes(const Graph& graph, Frame& frame, const OpResolver& resolver,
                   bool allow_missing_kernels) {
  ARENALITE_RETURN_IF_ERROR(frame.nodes.Resize(frame.info->nodes.size()));
  MissingKernels missing;
  for (size_t i = 0; i < frame.nodes.size(); ++i) {
    Node& node = frame.nodes[i];
    node.info = &frame.info->nodes[i];
    node.definition = FindDefinition(*node.info, resolver);
    if (node.definition == nullptr && !allow_missing_kernels &&
        CallKindOf(*node.info) == CallKind::kNone) {
      ARENALITE_RETURN_IF_ERROR(missing.Add(*node.info));
    }
  }
  ARENALITE_RETURN_IF_ERROR(missing.ToStatus(resolver));
  const GraphCatalog subgraphs(graph);
  for (size_t i = 0; i < frame.nodes.size(); ++i) {
    ARENALITE_RETURN_IF_ERROR(
        AtNode(ParseNode(subgraphs, frame, frame.nodes[i]), frame,
               static_cast<int32_t>(i)));
  }
  return OkStatus();
}

TensorMemory InitialMemory(const TensorInfo& info,
                           const TensorSettings& settings) {
  if (info.has_data || settings.value != nullptr) {
    return TensorMemory::kConstant;
  }
  if (settings.custom.data() != nullptr) return TensorMemory::kCustom;
  if (info.is_variable) return TensorMemory::kVariable;
  if (TensorTypeBits(info.type) == 0) return TensorMemory::kDynamic;
  return TensorMemory::kArena;
}

// Constants that the file stores off their natural alignment are copied.
Status RealignConstants(Frame& frame) {
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    const TensorInfo& info = frame.info->tensors[i];
    const auto alignment =
        static_cast<uintptr_t>(TensorTypeAlignment(info.type));
    const auto address = reinterpret_cast<uintptr_t>(info.data.data());
    Tensor& tensor = frame.tensors[i];
    tensor.data = const_cast<uint8_t*>(info.data.data());
    if (!info.has_data || address % alignment == 0) continue;
    tensor.data = frame.options.Allocate(info.data.size());
    if (tensor.data == nullptr) {
      return ResourceExhaustedError("out of memory to realign constant ", i,
                                    " '", info.name, "' of ", info.data.size(),
                                    " bytes");
    }
    std::memcpy(tensor.data, info.data.data(), info.data.size());
  }
  return OkStatus();
}

}  // namespace

size_t Frame::HeapBytes() const {
  return settings.capacity_bytes() + tensors.capacity_bytes() +
         nodes.capacity_bytes() + scratch.capacity_bytes() +
         dynamic.capacity_bytes() + last_node.capacity_bytes() +
         is_graph_output.capacity_bytes() + resource_of.capacity_bytes() +
         options.bytes() + data.bytes();
}

const Shape& StatedShape(const Frame& frame, size_t tensor) {
  const TensorSettings& settings = frame.settings[tensor];
  if (frame.at_maximum && settings.has_maximum) return settings.maximum;
  return settings.resized ? settings.shape : frame.info->tensors[tensor].shape;
}

Status ResetTensor(Frame& frame, size_t index) {
  const TensorInfo& info = frame.info->tensors[index];
  const TensorSettings& settings = frame.settings[index];
  Tensor& tensor = frame.tensors[index];
  tensor.name = info.name;
  tensor.type = info.type;
  tensor.quantization = info.quantization;
  tensor.sparsity = info.sparsity;
  tensor.shape = StatedShape(frame, index);
  tensor.memory = InitialMemory(info, settings);
  tensor.bytes = 0;
  tensor.capacity = 0;
  frame.resource_of[index] = -1;
  if (info.has_data) {
    tensor.bytes = static_cast<int64_t>(info.data.size());
    return OkStatus();
  }
  tensor.data = const_cast<void*>(settings.value);
  if (tensor.memory == TensorMemory::kDynamic) return OkStatus();
  Result<int64_t> bytes = TensorBytes(tensor.type, tensor.shape);
  if (!bytes.ok()) {
    return std::move(bytes).status().WithPrefix(
        {"tensor ", TextPiece(index).view(), " '", info.name, "': "});
  }
  tensor.bytes = *bytes;
  return OkStatus();
}

void FindLastNodes(Frame& frame, bool is_main) {
  frame.last_node.Fill(-1);
  for (int32_t index : frame.info->order) {
    const NodeInfo& node = frame.info->nodes[Index(index)];
    for (const Span<const int32_t> tensors : {node.inputs, node.outputs}) {
      for (int32_t tensor : tensors) {
        if (tensor >= 0) frame.last_node[Index(tensor)] = index;
      }
    }
  }
  for (size_t i = 0; i < frame.last_node.size(); ++i) {
    const bool stays = frame.is_graph_output[i] != 0 ||
                       (is_main && frame.settings[i].preserved);
    if (stays) frame.last_node[i] = -1;
  }
  if (!is_main) return;
  for (int32_t input : frame.info->inputs) {
    if (input >= 0) frame.last_node[Index(input)] = -1;
  }
}

void FreeAfter(Frame& frame, int32_t node, DynamicMemory& memory) {
  const NodeInfo& info = frame.info->nodes[Index(node)];
  for (const Span<const int32_t> tensors : {info.inputs, info.outputs}) {
    for (int32_t index : tensors) {
      if (index < 0 || frame.last_node[Index(index)] != node) continue;
      Tensor& tensor = frame.tensors[Index(index)];
      if (tensor.memory != TensorMemory::kDynamic) continue;
      tensor.data = nullptr;
      memory.Free(frame.dynamic[Index(index)]);
    }
  }
}

void FreeAll(Frame& frame, DynamicMemory& memory) {
  for (size_t i = 0; i < frame.dynamic.size(); ++i) {
    memory.Free(frame.dynamic[i]);
    Tensor& tensor = frame.tensors[i];
    if (tensor.memory == TensorMemory::kDynamic) tensor.data = nullptr;
  }
}

Result<Frame> CreateFrame(const Graph& graph, int32_t subgraph,
                          const OpResolver& resolver,
                          bool allow_missing_kernels) {
  Frame frame;
  frame.subgraph = subgraph;
  frame.info = &graph.subgraphs[Index(subgraph)];
  const size_t count = frame.info->tensors.size();
  ARENALITE_RETURN_IF_ERROR(frame.settings.Resize(count));
  ARENALITE_RETURN_IF_ERROR(frame.tensors.Resize(count));
  ARENALITE_RETURN_IF_ERROR(frame.dynamic.Resize(count));
  ARENALITE_RETURN_IF_ERROR(frame.last_node.Resize(count));
  ARENALITE_RETURN_IF_ERROR(frame.is_graph_output.Resize(count));
  ARENALITE_RETURN_IF_ERROR(frame.resource_of.Resize(count));
  for (int32_t output : frame.info->outputs) {
    if (output >= 0) frame.is_graph_output[Index(output)] = 1;
  }
  ARENALITE_RETURN_IF_ERROR(
      CreateNodes(graph, frame, resolver, allow_missing_kernels));
  ARENALITE_RETURN_IF_ERROR(RealignConstants(frame));
  for (size_t i = 0; i < count; ++i) {
    // What is wrong with a shape is said when it is to be allocated.
    (void)ResetTensor(frame, i).ok();
  }
  return frame;
}

Status CheckDense(const char* what, size_t position, const TensorInfo& tensor) {
  if (tensor.sparsity == nullptr) return OkStatus();
  return UnimplementedError(what, " ", position,
                            " is sparse, allowed are dense tensors: DENSIFY "
                            "makes one");
}

Status AtNode(Status status, const Frame& frame, int32_t node) {
  if (status.ok()) return status;
  const NodeInfo& info = frame.info->nodes[Index(node)];
  const int32_t output = info.outputs.empty() ? -1 : info.outputs[0];
  const char* output_name =
      output < 0 ? "" : frame.info->tensors[Index(output)].name;
  return std::move(status).WithPrefix(
      {"subgraph ", TextPiece(frame.subgraph).view(), " '", frame.info->name,
       "' op ", TextPiece(node).view(), " ", info.op_name, ", output tensor ",
       TextPiece(output).view(), " '", output_name, "': "});
}

}  // namespace arenalite
