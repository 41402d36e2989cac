#include "runtime/dynamic_call.h"

#include <cstring>
#include <utility>

#include "runtime/control_flow.h"
#include "runtime/prepare.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Scratch of a deferred node, taken for one run.
class DeferredScratch {
 public:
  DeferredScratch(DynamicMemory& memory, Array<Scratch>& scratch)
      : memory_(memory), scratch_(scratch) {}
  ~DeferredScratch() {
    for (DynamicBlock& block : blocks_) memory_.Free(block);
  }

  Status Take() {
    ARENALITE_RETURN_IF_ERROR(blocks_.Resize(scratch_.size()));
    for (size_t i = 0; i < scratch_.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(memory_.Resize(blocks_[i], scratch_[i].bytes));
      scratch_[i].data = blocks_[i].data;
    }
    return OkStatus();
  }

 private:
  DynamicMemory& memory_;
  Array<Scratch>& scratch_;
  Array<DynamicBlock> blocks_;
};

// One call with all its callees' tensors in dynamic memory.
class DynamicCall {
 public:
  DynamicCall(Program& program, int32_t frame, int32_t node,
              const SharedMemory& memory, InvokeGuard& guard)
      : program_(program),
        caller_(program.frames[Index(frame)]),
        node_(caller_.nodes[Index(node)]),
        memory_(memory),
        guard_(guard) {}

  Status Run() {
    const Span<const int32_t> inputs = node_.info->inputs;
    switch (CallKindOf(*node_.info)) {
      case CallKind::kLoop:
        return RunLoop();
      case CallKind::kBranch: {
        ARENALITE_ASSIGN_OR_RETURN(const size_t branch, ChosenBranch());
        return CallOne(node_.callees[branch],
                       inputs.subspan(1, inputs.size() - 1));
      }
      case CallKind::kOnce:
        return RunOnce();
      default:
        return CallOne(node_.callees[0], inputs);
    }
  }

 private:
  // `arguments` of the caller in, the callee's steps, its results out.
  Status CallOne(int32_t callee, Span<const int32_t> arguments) {
    ARENALITE_RETURN_IF_ERROR(RunFrame(callee, arguments));
    return CopyResults(program_.frames[Index(callee)]);
  }

  Status RunFrame(int32_t index, Span<const int32_t> arguments) {
    Frame& callee = program_.frames[Index(index)];
    ARENALITE_RETURN_IF_ERROR(MakeDynamic(callee));
    for (size_t i = 0; i < arguments.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(
          CopyTensor(caller_, arguments[i], callee, callee.info->inputs[i]));
    }
    for (int32_t node : callee.info->order) {
      ARENALITE_RETURN_IF_ERROR(guard_.CheckCancelled());
      guard_.Observe(OpEvent::Phase::kBefore, callee, node);
      ARENALITE_RETURN_IF_ERROR(AtNode(
          RunDeferred(program_, index, node, memory_, guard_), callee, node));
      guard_.Observe(OpEvent::Phase::kAfter, callee, node);
    }
    return OkStatus();
  }

  Status CopyResults(const Frame& callee) {
    for (size_t i = 0; i < node_.info->outputs.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(CopyTensor(callee, callee.info->outputs[i],
                                           caller_, node_.info->outputs[i]));
    }
    return OkStatus();
  }

  Status RunOnce() {
    const int32_t subgraph = program_.frames[Index(node_.callees[0])].subgraph;
    if (memory_.resources.HasRun(subgraph)) return OkStatus();
    ARENALITE_RETURN_IF_ERROR(CallOne(node_.callees[0], {}));
    memory_.resources.MarkRun(subgraph);
    return OkStatus();
  }

  Status RunLoop() {
    for (int32_t output : node_.info->outputs) {
      if (output >= 0) continue;
      return UnimplementedError(
          "has an absent output and shapes that depend on data: one of both "
          "is allowed");
    }
    for (size_t i = 0; i < node_.info->inputs.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(CopyTensor(caller_, node_.info->inputs[i],
                                           caller_, node_.info->outputs[i]));
    }
    while (true) {
      ARENALITE_RETURN_IF_ERROR(
          RunFrame(node_.callees[0], node_.info->outputs));
      const Frame& condition = program_.frames[Index(node_.callees[0])];
      const Tensor& result =
          condition.tensors[Index(condition.info->outputs[0])];
      if (result.bytes != 1) {
        return InvalidModelError("the loop's condition has ", result.bytes,
                                 " elements, allowed 1");
      }
      if (!*result.data_as<bool>()) return OkStatus();
      ARENALITE_RETURN_IF_ERROR(CallOne(node_.callees[1], node_.info->outputs));
      ARENALITE_RETURN_IF_ERROR(guard_.CountIteration());
    }
  }

  Result<size_t> ChosenBranch() const {
    const Tensor& choice = caller_.tensors[Index(node_.info->inputs[0])];
    if (choice.shape.NumElements() != 1) {
      return InvalidModelError("chooses by a tensor of shape ",
                               choice.shape.dims(), ", allowed one element");
    }
    const int32_t value = choice.type == TensorType::kBool
                              ? *choice.data_as<uint8_t>()
                              : *choice.data_as<int32_t>();
    const size_t last = node_.callees.size() - 1;
    for (size_t i = 0; i < last; ++i) {
      if (BranchValue(*node_.info, static_cast<int32_t>(i)) == value) return i;
    }
    return last;
  }

  // Takes dynamic memory for tensor `to` of `frame`. Absent tensors are left
  // alone.
  Status CopyTensor(const Frame& source, int32_t from_index, Frame& frame,
                    int32_t to) {
    if (from_index < 0 || to < 0) return OkStatus();
    const Tensor& from = source.tensors[Index(from_index)];
    FrameHost host(frame, memory_, frame.data, frame.scratch,
                   FrameHost::Phase::kInvoking);
    Tensor& tensor = frame.tensors[Index(to)];
    // A result that is a constant of the file needs no copy of itself.
    if (tensor.data == from.data && tensor.bytes == from.bytes) {
      return OkStatus();
    }
    ARENALITE_RETURN_IF_ERROR(
        host.ResizeDynamic(tensor, from.shape, from.bytes));
    if (from.bytes > 0) {
      std::memcpy(tensor.data, from.data, static_cast<size_t>(from.bytes));
    }
    return OkStatus();
  }

  Program& program_;
  Frame& caller_;
  Node& node_;
  const SharedMemory& memory_;
  InvokeGuard& guard_;
};

}  // namespace

Status InvokeGuard::CheckCancelled() const {
  if (options_.should_cancel == nullptr ||
      !options_.should_cancel(options_.cancel_user_data)) {
    return OkStatus();
  }
  return CancelledError("cancelled before this op");
}

Status InvokeGuard::CountIteration() {
  if (++iterations_ <= options_.max_loop_iterations) return OkStatus();
  return ResourceExhaustedError("loops ran more than max_loop_iterations, ",
                                options_.max_loop_iterations,
                                ": raise it if the model needs more");
}

void InvokeGuard::Report(OpEvent::Phase phase, const Frame& frame,
                         int32_t node) const {
  const NodeInfo& info = *frame.nodes[Index(node)].info;
  OpEvent event;
  event.phase = phase;
  event.subgraph = frame.subgraph;
  event.node = node;
  event.op_name = info.op_name;
  event.tensors = frame.tensors.data();
  event.inputs = info.inputs;
  event.outputs = info.outputs;
  options_.op_observer(options_.observer_user_data, event);
}

Status RunDeferred(Program& program, int32_t frame, int32_t node,
                   const SharedMemory& memory, InvokeGuard& guard) {
  Frame& own = program.frames[Index(frame)];
  Node& deferred = own.nodes[Index(node)];
  if (!deferred.callees.empty()) {
    return DynamicCall(program, frame, node, memory, guard).Run();
  }
  OpDataPool data;
  Array<Scratch> scratch;
  ARENALITE_RETURN_IF_ERROR(PrepareDeferred(own, node, memory, data, scratch));
  DeferredScratch bytes(memory.dynamic, scratch);
  ARENALITE_RETURN_IF_ERROR(bytes.Take());
  FrameHost host(own, memory, data, scratch, FrameHost::Phase::kInvoking);
  return EvalNode(deferred, host);
}

}  // namespace arenalite
