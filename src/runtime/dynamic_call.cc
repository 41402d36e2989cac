#include "runtime/dynamic_call.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/control_flow.h"
#include "runtime/prepare.h"
#include "runtime/prepare_calls.h"

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

// One call with all its callees' tensors in dynamic memory. Arguments are not
// copied: a callee only reads them, and the caller holds them until it returns.
// Results that the callee holds become the caller's.
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
    ARENALITE_RETURN_IF_ERROR(CheckFileTypes(caller_, inputs, "input"));
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
  Frame& CalleeFrame(size_t i) {
    return program_.frames[Index(node_.callees[i])];
  }

  // `arguments` of the caller in, the callee's steps, its results out.
  Status CallOne(int32_t callee, Span<const int32_t> arguments) {
    Frame& frame = program_.frames[Index(callee)];
    ARENALITE_RETURN_IF_ERROR(RunFrame(callee, arguments));
    ARENALITE_RETURN_IF_ERROR(OwnResults(frame));
    ARENALITE_RETURN_IF_ERROR(TakeResults(frame));
    FreeAll(frame, memory_.dynamic);
    return OkStatus();
  }

  Status RunFrame(int32_t index, Span<const int32_t> arguments) {
    Frame& callee = program_.frames[Index(index)];
    ARENALITE_RETURN_IF_ERROR(MakeDynamic(callee));
    for (size_t i = 0; i < arguments.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(
          PassArgument(arguments[i], callee, callee.info->inputs[i]));
    }
    for (int32_t node : callee.info->order) {
      ARENALITE_RETURN_IF_ERROR(guard_.CheckCancelled());
      guard_.Observe(OpEvent::Phase::kBefore, callee, node);
      ARENALITE_RETURN_IF_ERROR(AtNode(
          RunDeferred(program_, index, node, memory_, guard_), callee, node));
      guard_.Observe(OpEvent::Phase::kAfter, callee, node);
      FreeAfter(callee, node, memory_.dynamic);
    }
    return CheckFileTypes(callee, callee.info->outputs, "result");
  }

  // Shows the caller's bytes; but a callee may change what is a variable.
  Status PassArgument(int32_t argument, Frame& callee, int32_t input) {
    if (input < 0) return OkStatus();
    if (argument < 0) return GiveBytes(callee, input);
    const Tensor& from = caller_.tensors[Index(argument)];
    Tensor& to = callee.tensors[Index(input)];
    if (from.memory == TensorMemory::kVariable || !to.is_dynamic()) {
      return CopyTensor(from, callee, input);
    }
    to.shape = from.shape;
    to.bytes = from.bytes;
    to.data = from.data;
    return OkStatus();
  }

  // Nothing is passed to this input: its value is unspecified, but it has one.
  // Text without bytes is no text.
  Status GiveBytes(Frame& frame, int32_t index) {
    Tensor& tensor = frame.tensors[Index(index)];
    if (!tensor.is_dynamic() || tensor.data != nullptr ||
        TensorTypeBits(tensor.type) == 0) {
      return OkStatus();
    }
    FrameHost host(frame, memory_, frame.data, frame.scratch,
                   FrameHost::Phase::kInvoking);
    const Shape shape = tensor.shape;
    ARENALITE_RETURN_IF_ERROR(host.ResizeDynamic(tensor, shape, 0));
    if (tensor.bytes > 0) {
      std::memset(tensor.data, 0, static_cast<size_t>(tensor.bytes));
    }
    return OkStatus();
  }

  // Copies results that are arguments of the caller: it takes one result after
  // the other, and another one may replace that argument before.
  Status OwnResults(Frame& callee) {
    for (size_t i = 0; i < callee.info->outputs.size(); ++i) {
      const int32_t output = callee.info->outputs[i];
      if (output < 0 || IsInPlace(callee, i)) continue;
      const Tensor shown = callee.tensors[Index(output)];
      if (shown.is_dynamic() && shown.bytes > 0 &&
          shown.data != callee.dynamic[Index(output)].data) {
        ARENALITE_RETURN_IF_ERROR(CopyTensor(shown, callee, output));
      }
    }
    return OkStatus();
  }

  // A state that the body of a loop hands through.
  bool IsInPlace(const Frame& callee, size_t i) const {
    const int32_t to = node_.info->outputs[i];
    if (to < 0) return false;
    const Tensor& from = callee.tensors[Index(callee.info->outputs[i])];
    const Tensor& result = caller_.tensors[Index(to)];
    return from.data != nullptr && from.data == result.data &&
           from.bytes == result.bytes;
  }

  Status TakeResults(Frame& callee) {
    const Span<const int32_t> outputs = callee.info->outputs;
    for (size_t i = 0; i < node_.info->outputs.size(); ++i) {
      const int32_t to = node_.info->outputs[i];
      if (outputs[i] < 0 || to < 0 || IsInPlace(callee, i)) continue;
      Tensor& from = callee.tensors[Index(outputs[i])];
      const Span<const int32_t> later =
          outputs.subspan(i + 1, outputs.size() - i - 1);
      const bool again =
          std::find(later.begin(), later.end(), outputs[i]) != later.end();
      if (!from.is_dynamic() || again) {
        ARENALITE_RETURN_IF_ERROR(CopyTensor(from, caller_, to));
        continue;
      }
      Tensor& result = caller_.tensors[Index(to)];
      std::swap(caller_.dynamic[Index(to)], callee.dynamic[Index(outputs[i])]);
      result.shape = from.shape;
      result.bytes = from.bytes;
      result.data = caller_.dynamic[Index(to)].data;
      from.data = nullptr;
    }
    return OkStatus();
  }

  Status RunOnce() {
    const int32_t subgraph = CalleeFrame(0).subgraph;
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
      const int32_t input = node_.info->inputs[i];
      const int32_t state = node_.info->outputs[i];
      ARENALITE_RETURN_IF_ERROR(
          input < 0
              ? GiveBytes(caller_, state)
              : CopyTensor(caller_.tensors[Index(input)], caller_, state));
    }
    while (true) {
      ARENALITE_ASSIGN_OR_RETURN(const bool more, RunCondition());
      if (!more) return OkStatus();
      ARENALITE_RETURN_IF_ERROR(CallOne(node_.callees[1], node_.info->outputs));
      ARENALITE_RETURN_IF_ERROR(guard_.CountIteration());
    }
  }

  Result<bool> RunCondition() {
    ARENALITE_RETURN_IF_ERROR(RunFrame(node_.callees[0], node_.info->outputs));
    Frame& condition = CalleeFrame(0);
    const Tensor& result = ConditionOf(condition);
    ARENALITE_RETURN_IF_ERROR(CheckChoiceSize(result));
    const bool more = *result.data_as<uint8_t>() != 0;
    FreeAll(condition, memory_.dynamic);
    return more;
  }

  Result<size_t> ChosenBranch() const {
    const Tensor& choice = caller_.tensors[Index(node_.info->inputs[0])];
    ARENALITE_RETURN_IF_ERROR(CheckChoiceSize(choice));
    const int32_t value = choice.type == TensorType::kBool
                              ? *choice.data_as<uint8_t>()
                              : *choice.data_as<int32_t>();
    const size_t last = node_.callees.size() - 1;
    for (size_t i = 0; i < last; ++i) {
      if (BranchValue(*node_.info, static_cast<int32_t>(i)) == value) return i;
    }
    return last;
  }

  // Takes dynamic memory for tensor `to` of `frame`, unless it is a variable,
  // which has its place.
  Status CopyTensor(const Tensor& from, Frame& frame, int32_t to) {
    Tensor& tensor = frame.tensors[Index(to)];
    if (tensor.is_dynamic()) {
      FrameHost host(frame, memory_, frame.data, frame.scratch,
                     FrameHost::Phase::kInvoking);
      ARENALITE_RETURN_IF_ERROR(
          host.ResizeDynamic(tensor, from.shape, from.bytes));
    } else if (from.shape != tensor.shape || from.bytes != tensor.bytes) {
      return InvalidModelError("variable '", tensor.name, "' has shape ",
                               tensor.shape.dims(), ", cannot take one of ",
                               from.shape.dims());
    }
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

// Prepares and runs one node that is no call.
Status RunNode(Frame& frame, int32_t index, const SharedMemory& memory) {
  Node& node = frame.nodes[Index(index)];
  OpDataPool data;
  Array<Scratch> scratch;
  ARENALITE_RETURN_IF_ERROR(
      PrepareDeferred(frame, index, memory, data, scratch));
  DeferredScratch bytes(memory.dynamic, scratch);
  ARENALITE_RETURN_IF_ERROR(bytes.Take());
  FrameHost host(frame, memory, data, scratch, FrameHost::Phase::kInvoking);
  return EvalNode(node, host);
}

}  // namespace

Status InvokeGuard::CheckCancelled() const {
  if (options_.should_cancel == nullptr ||
      !options_.should_cancel(options_.cancel_user_data)) {
    return OkStatus();
  }
  return CancelledError("cancelled");
}

Status InvokeGuard::CountIteration() {
  // A loop may have no ops at all.
  ARENALITE_RETURN_IF_ERROR(CheckCancelled());
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
  Status status = RunNode(own, node, memory);
  // These were for this run.
  deferred.wiring.scratch = {};
  deferred.wiring.data = nullptr;
  return status;
}

}  // namespace arenalite
