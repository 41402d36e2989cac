#include "runtime/prepare.h"

#include <utility>

#include "runtime/prepare_calls.h"
#include "runtime/read_aliases.h"

namespace arenalite {
namespace {

// Outputs of all-constant nodes are computed while preparing up to this size:
// enough for every shape, axis or small table, too little for weights, which
// are cheaper to recompute than to keep.
constexpr int64_t kMaxFoldedBytes = 1024;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// An op that does not know of the sparse layout would read beyond its end.
Status CheckDenseInputs(const Frame& frame, const Node& node) {
  const uint32_t traits = node.definition->traits;
  if ((traits & (kOpTakesSparse | kOpReadsShapes)) != 0) return OkStatus();
  for (size_t i = 0; i < node.info->inputs.size(); ++i) {
    const int32_t input = node.info->inputs[i];
    if (input < 0) continue;
    ARENALITE_RETURN_IF_ERROR(
        CheckDense("input", i, frame.info->tensors[Index(input)]));
  }
  return OkStatus();
}

// Prepares the nodes of one frame.
class Preparation {
 public:
  Preparation(Program& program, int32_t frame, const SharedMemory& memory)
      : program_(program),
        frame_(program.frames[Index(frame)]),
        memory_(memory) {}

  Status Run() {
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
    ShowReadsInPlace(frame_);
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
    node.is_sized = false;
    if (!node.callees.empty()) return PrepareCall(node);
    if (node.definition == nullptr) return OkStatus();
    node.wiring.eval = node.definition->eval;
    if (HasDynamicInput(info)) return Defer(node);
    ARENALITE_RETURN_IF_ERROR(RunPrepare(node));
    if (CanAlias(node)) {
      Alias(node);
      return OkStatus();
    }
    return CanFold(node) ? Fold(node) : OkStatus();
  }

  // Prepares what the node calls, and takes the shapes of its results.
  Status PrepareCall(Node& node) {
    if (HasDynamicInput(*node.info)) return Defer(node);
    ARENALITE_RETURN_IF_ERROR(
        CheckFileTypes(frame_, node.info->inputs, "input"));
    for (int32_t callee : node.callees) {
      ARENALITE_RETURN_IF_ERROR(PassInputs(frame_, node, program_, callee));
      ARENALITE_RETURN_IF_ERROR(Preparation(program_, callee, memory_).Run());
      const Frame& called = program_.frames[Index(callee)];
      ARENALITE_RETURN_IF_ERROR(
          CheckFileTypes(called, called.info->outputs, "result"));
    }
    ARENALITE_RETURN_IF_ERROR(CheckPreparedChoice(program_, frame_, node));
    if (!ResultsAreFixed(program_, frame_, node)) return Defer(node);
    const Frame& last =
        program_.frames[Index(node.callees[node.callees.size() - 1])];
    FrameHost host(frame_, memory_, frame_.data, frame_.scratch,
                   FrameHost::Phase::kPlanning);
    for (size_t i = 0; i < node.info->outputs.size(); ++i) {
      const int32_t from = last.info->outputs[i];
      const int32_t to = node.info->outputs[i];
      if (from < 0 || to < 0) continue;
      ARENALITE_RETURN_IF_ERROR(host.SetShape(frame_.tensors[Index(to)],
                                              last.tensors[Index(from)].shape));
    }
    return OkStatus();
  }

  Status RunPrepare(Node& node) {
    ARENALITE_RETURN_IF_ERROR(CheckDenseInputs(frame_, node));
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
      if (output >= 0 && frame_.tensors[Index(output)].is_dynamic()) {
        return true;
      }
    }
    return false;
  }

  // What a deferred node calls runs in dynamic memory, too.
  Status MakeCalleesDynamic(const Node& node) {
    for (int32_t callee : node.callees) {
      Frame& frame = program_.frames[Index(callee)];
      ARENALITE_RETURN_IF_ERROR(MakeDynamic(frame));
      for (const Node& inner : frame.nodes) {
        ARENALITE_RETURN_IF_ERROR(MakeCalleesDynamic(inner));
      }
    }
    return OkStatus();
  }

  Status Defer(Node& node) {
    node.mode = NodeMode::kDeferred;
    ARENALITE_RETURN_IF_ERROR(MakeCalleesDynamic(node));
    for (int32_t output : node.info->outputs) {
      if (output < 0) continue;
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

  // A view of a constant is that constant: no byte is planned for it. Wider
  // elements than the constant's may find it off their alignment.
  bool CanAlias(const Node& node) const {
    if ((node.definition->traits & kOpIsView) == 0 ||
        node.info->inputs.empty() || node.info->inputs[0] < 0) {
      return false;
    }
    const Tensor& input = frame_.tensors[Index(node.info->inputs[0])];
    const Tensor& output = frame_.tensors[Index(node.info->outputs[0])];
    const auto address = reinterpret_cast<uintptr_t>(input.data);
    const auto alignment =
        static_cast<uintptr_t>(TensorTypeAlignment(output.type));
    return input.is_constant() && address % alignment == 0 &&
           OutputsAreInner(node) && !HasDynamicOutput(*node.info);
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
    const uint32_t traits = node.definition->traits;
    if ((traits & kOpHasState) != 0 || node.num_scratch > 0) return false;
    if (!OutputsAreInner(node) || HasDynamicOutput(*node.info)) return false;
    const bool reads_shapes = (traits & kOpReadsShapes) != 0;
    if (!reads_shapes && !InputsAreConstant(*node.info)) return false;
    int64_t bytes = 0;
    for (int32_t output : node.info->outputs) {
      const int64_t size = frame_.tensors[Index(output)].bytes;
      if (size > kMaxFoldedBytes) return false;
      bytes += size;
    }
    return bytes <= kMaxFoldedBytes;
  }

  // False also for a node without inputs: nothing says that it is a constant.
  bool InputsAreConstant(const NodeInfo& info) const {
    for (int32_t input : info.inputs) {
      if (input >= 0 && !frame_.tensors[Index(input)].is_constant()) {
        return false;
      }
    }
    return !info.inputs.empty();
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
    ARENALITE_RETURN_IF_ERROR(EvalNode(node, host));
    for (int32_t output : node.info->outputs) {
      frame_.tensors[Index(output)].memory = TensorMemory::kConstant;
    }
    node.mode = NodeMode::kElided;
    return OkStatus();
  }

  Program& program_;
  Frame& frame_;
  const SharedMemory& memory_;
};

// Also of frames whose nodes are prepared inside of Invoke.
Status CheckCalls(const Program& program, const Frame& frame) {
  for (size_t i = 0; i < frame.nodes.size(); ++i) {
    const Node& node = frame.nodes[i];
    if (node.callees.empty()) continue;
    ARENALITE_RETURN_IF_ERROR(AtNode(CheckCall(program, frame, node), frame,
                                     static_cast<int32_t>(i)));
  }
  return OkStatus();
}

// The application would read beyond its bytes.
Status CheckDenseOutputs(const Frame& main) {
  for (size_t i = 0; i < main.info->outputs.size(); ++i) {
    const int32_t output = main.info->outputs[i];
    if (output < 0 || main.info->tensors[Index(output)].sparsity == nullptr) {
      continue;
    }
    return UnimplementedError("graph output ", i, " is tensor ", output, " '",
                              main.info->tensors[Index(output)].name,
                              "', which is sparse, allowed are dense tensors");
  }
  return OkStatus();
}

}  // namespace

Status PrepareProgram(Program& program, const SharedMemory& memory) {
  FreeDynamicTensors(program, memory.dynamic);
  memory.resources.ForgetShapes();
  for (Frame& frame : program.frames) {
    frame.data.Rewind();
    FindLastNodes(frame, &frame == &program.main());
    ARENALITE_RETURN_IF_ERROR(CheckCalls(program, frame));
  }
  ARENALITE_RETURN_IF_ERROR(CheckDenseOutputs(program.main()));
  return Preparation(program, 0, memory).Run();
}

Status PrepareDeferred(Frame& frame, int32_t node, const SharedMemory& memory,
                       OpDataPool& data, Array<Scratch>& scratch) {
  Node& deferred = frame.nodes[Index(node)];
  ARENALITE_RETURN_IF_ERROR(CheckDenseInputs(frame, deferred));
  deferred.wiring.data = nullptr;
  deferred.wiring.eval = deferred.definition->eval;
  FrameHost host(frame, memory, data, scratch, FrameHost::Phase::kInvoking);
  OpContext context(deferred.wiring, host);
  ARENALITE_RETURN_IF_ERROR(deferred.definition->prepare(context));
  deferred.is_sized = !host.has_late_output();
  deferred.wiring.scratch = Span<Scratch>(scratch.data(), scratch.size());
  if (deferred.wiring.eval == nullptr) {
    return InternalError("prepare chose no eval function");
  }
  return OkStatus();
}

Status MakeDynamic(Frame& frame) {
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    Tensor& tensor = frame.tensors[i];
    if (tensor.memory == TensorMemory::kVariable &&
        frame.info->tensors[i].is_variable) {
      continue;
    }
    frame.settings[i].value = nullptr;
    ARENALITE_RETURN_IF_ERROR(ResetTensor(frame, i));
    if (tensor.is_constant()) continue;
    tensor.memory = TensorMemory::kDynamic;
    tensor.data = frame.dynamic[i].data;
    tensor.bytes = 0;
  }
  for (Node& node : frame.nodes) {
    node.mode = NodeMode::kDeferred;
    node.wiring.scratch = {};
    node.wiring.tensors = frame.tensors.data();
    node.wiring.inputs = node.info->inputs;
    node.wiring.outputs = node.info->outputs;
    node.wiring.intermediates = node.info->intermediates;
  }
  return OkStatus();
}

void FreeDynamicTensors(Program& program, DynamicMemory& memory) {
  for (Frame& frame : program.frames) FreeAll(frame, memory);
}

}  // namespace arenalite
