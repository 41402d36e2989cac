#include "runtime/prepare.h"

#include <utility>

#include "runtime/host.h"

namespace arenalite {
namespace {

// Outputs of all-constant nodes are computed while preparing up to this size:
// enough for every shape, axis or small table, too little for weights, which
// are cheaper to recompute than to keep.
constexpr int64_t kMaxFoldedBytes = 1024;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

TensorMemory InitialMemory(const TensorInfo& info,
                           const TensorSettings& settings) {
  if (info.has_data) return TensorMemory::kConstant;
  if (settings.custom.data() != nullptr) return TensorMemory::kCustom;
  if (info.is_variable) return TensorMemory::kVariable;
  if (TensorTypeBits(info.type) == 0) return TensorMemory::kDynamic;
  return TensorMemory::kArena;
}

// Sets a tensor to what file and settings say, before any prepare.
Status ResetTensor(Frame& frame, size_t index) {
  const TensorInfo& info = frame.info->tensors[index];
  const TensorSettings& settings = frame.settings[index];
  Tensor& tensor = frame.tensors[index];
  tensor.name = info.name;
  tensor.type = info.type;
  tensor.quantization = info.quantization;
  tensor.sparsity = info.sparsity;
  tensor.shape = settings.resized ? settings.shape : info.shape;
  tensor.memory = InitialMemory(info, settings);
  switch (tensor.memory) {
    case TensorMemory::kConstant:
      tensor.bytes = static_cast<int64_t>(info.data.size());
      return OkStatus();
    case TensorMemory::kDynamic:
      tensor.bytes = 0;
      tensor.data = nullptr;
      return OkStatus();
    default:
      break;
  }
  tensor.data = nullptr;
  Result<int64_t> bytes = TensorBytes(tensor.type, tensor.shape);
  if (!bytes.ok()) {
    return std::move(bytes).status().WithPrefix(
        {"tensor ", TextPiece(index).view(), " '", info.name, "': "});
  }
  tensor.bytes = *bytes;
  return OkStatus();
}

// Prepares the nodes of one frame.
class Preparation {
 public:
  Preparation(Frame& frame, DynamicMemory& memory)
      : frame_(frame), memory_(memory) {}

  Status Run() {
    frame_.data.Clear();
    frame_.scratch.Clear();
    for (size_t i = 0; i < frame_.tensors.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(ResetTensor(frame_, i));
    }
    for (int32_t node : frame_.info->order) {
      ARENALITE_RETURN_IF_ERROR(AtNode(PrepareNode(node), frame_, node));
    }
    for (Node& node : frame_.nodes) {
      node.wiring.scratch =
          Span<Scratch>(frame_.scratch.data() + node.first_scratch,
                        static_cast<size_t>(node.num_scratch));
    }
    return OkStatus();
  }

 private:
  Status PrepareNode(int32_t index) {
    Node& node = frame_.nodes[Index(index)];
    const NodeInfo& info = *node.info;
    node.wiring.tensors = frame_.tensors.data();
    node.wiring.inputs = info.inputs;
    node.wiring.outputs = info.outputs;
    node.wiring.intermediates = info.intermediates;
    node.wiring.data = nullptr;
    node.wiring.scratch = {};
    node.first_scratch = static_cast<int32_t>(frame_.scratch.size());
    node.num_scratch = 0;
    node.mode = NodeMode::kPlanned;
    if (node.definition == nullptr) return OkStatus();
    node.wiring.eval = node.definition->eval;
    if (HasDynamicInput(info)) return Defer(node);
    if (CanAlias(node)) {
      ARENALITE_RETURN_IF_ERROR(RunPrepare(node));
      if (!HasDynamicOutput(info)) Alias(node);
      return OkStatus();
    }
    ARENALITE_RETURN_IF_ERROR(RunPrepare(node));
    return CanFold(node) ? Fold(node) : OkStatus();
  }

  Status RunPrepare(Node& node) {
    FrameHost host(frame_, memory_, frame_.data, frame_.scratch,
                   FrameHost::Phase::kPlanning);
    OpContext context(node.wiring, host);
    ARENALITE_RETURN_IF_ERROR(node.definition->prepare(context));
    node.num_scratch =
        static_cast<int32_t>(frame_.scratch.size()) - node.first_scratch;
    if (node.wiring.eval == nullptr) {
      return InternalError("prepare chose no eval function");
    }
    return OkStatus();
  }

  bool HasDynamicInput(const NodeInfo& info) const {
    for (int32_t input : info.inputs) {
      if (input >= 0 && frame_.tensors[Index(input)].is_dynamic()) return true;
    }
    return false;
  }

  bool HasDynamicOutput(const NodeInfo& info) const {
    for (int32_t output : info.outputs) {
      if (frame_.tensors[Index(output)].is_dynamic()) return true;
    }
    return false;
  }

  Status Defer(Node& node) {
    node.mode = NodeMode::kDeferred;
    for (int32_t output : node.info->outputs) {
      Tensor& tensor = frame_.tensors[Index(output)];
      if (tensor.memory == TensorMemory::kCustom) {
        return InvalidArgumentError(
            "tensor ", output, " '", tensor.name,
            "' has a shape that depends on data: it cannot live in the "
            "caller's memory");
      }
      tensor.memory = TensorMemory::kDynamic;
      tensor.bytes = 0;
    }
    return OkStatus();
  }

  // A view of a constant is that constant: no byte is planned for it.
  bool CanAlias(const Node& node) const {
    return (node.definition->traits & kOpIsView) != 0 &&
           !node.info->inputs.empty() && node.info->inputs[0] >= 0 &&
           frame_.tensors[Index(node.info->inputs[0])].is_constant() &&
           OutputsAreInner(node);
  }

  void Alias(Node& node) {
    const Tensor& input = frame_.tensors[Index(node.info->inputs[0])];
    Tensor& output = frame_.tensors[Index(node.info->outputs[0])];
    output.memory = TensorMemory::kConstant;
    output.data = input.data;
    node.mode = NodeMode::kElided;
  }

  bool OutputsAreInner(const Node& node) const {
    for (int32_t output : node.info->outputs) {
      if (frame_.is_graph_output[Index(output)] != 0) return false;
    }
    return !node.info->outputs.empty();
  }

  bool CanFold(const Node& node) const {
    if ((node.definition->traits & kOpHasState) != 0) return false;
    if (node.num_scratch > 0 || node.info->inputs.empty()) return false;
    if (!OutputsAreInner(node) || HasDynamicOutput(*node.info)) return false;
    const bool reads_shapes = (node.definition->traits & kOpReadsShapes) != 0;
    for (int32_t input : node.info->inputs) {
      if (input >= 0 && !reads_shapes &&
          !frame_.tensors[Index(input)].is_constant()) {
        return false;
      }
    }
    int64_t bytes = 0;
    for (int32_t output : node.info->outputs) {
      const int64_t size = frame_.tensors[Index(output)].bytes;
      if (size > kMaxFoldedBytes) return false;
      bytes += size;
    }
    return bytes <= kMaxFoldedBytes;
  }

  Status Fold(Node& node) {
    for (int32_t output : node.info->outputs) {
      Tensor& tensor = frame_.tensors[Index(output)];
      tensor.data = frame_.data.Allocate(static_cast<size_t>(tensor.bytes));
      if (tensor.data == nullptr) {
        return ResourceExhaustedError("out of memory for a folded constant");
      }
    }
    FrameHost host(frame_, memory_, frame_.data, frame_.scratch,
                   FrameHost::Phase::kPlanning);
    OpContext context(node.wiring, host);
    ARENALITE_RETURN_IF_ERROR(node.wiring.eval(context));
    for (int32_t output : node.info->outputs) {
      frame_.tensors[Index(output)].memory = TensorMemory::kConstant;
    }
    node.mode = NodeMode::kElided;
    return OkStatus();
  }

  Frame& frame_;
  DynamicMemory& memory_;
};

}  // namespace

Status PrepareFrame(Frame& frame, DynamicMemory& memory) {
  FreeDynamicTensors(frame, memory);
  return Preparation(frame, memory).Run();
}

Status PrepareDeferred(Frame& frame, int32_t node, DynamicMemory& memory,
                       OpDataPool& data, Array<Scratch>& scratch) {
  Node& deferred = frame.nodes[Index(node)];
  deferred.wiring.data = nullptr;
  deferred.wiring.eval = deferred.definition->eval;
  FrameHost host(frame, memory, data, scratch, FrameHost::Phase::kInvoking);
  OpContext context(deferred.wiring, host);
  ARENALITE_RETURN_IF_ERROR(deferred.definition->prepare(context));
  deferred.wiring.scratch = Span<Scratch>(scratch.data(), scratch.size());
  if (deferred.wiring.eval == nullptr) {
    return InternalError("prepare chose no eval function");
  }
  return OkStatus();
}

void FreeDynamicTensors(Frame& frame, DynamicMemory& memory) {
  for (size_t i = 0; i < frame.dynamic.size(); ++i) {
    memory.Free(frame.dynamic[i]);
    if (frame.tensors[i].is_dynamic()) frame.tensors[i].data = nullptr;
  }
}

}  // namespace arenalite
