#include "runtime/invoke.h"

#include <cstring>
#include <utility>

#include "runtime/dynamic_call.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

class Invocation {
 public:
  Invocation(Program& program, const SharedMemory& memory,
             const InterpreterOptions& options)
      : program_(program), memory_(memory), guard_(options) {}

  // Runs step `at`; returns the step to go on with.
  Result<int32_t> Run(int32_t at) {
    const Step& step = program_.steps[Index(at)];
    switch (step.kind) {
      case StepKind::kNode:
        ARENALITE_RETURN_IF_ERROR(RunNode(step));
        return at + 1;
      case StepKind::kCopy:
        RunCopies(step);
        return at + 1;
      case StepKind::kBranch:
        return IsExpected(step) ? at + 1 : step.target;
      case StepKind::kJump:
        if (step.target < at) {
          ARENALITE_RETURN_IF_ERROR(guard_.CountIteration());
        }
        return step.target;
      case StepKind::kOnce:
        return memory_.resources.HasRun(InitOf(step)) ? step.target : at + 1;
      case StepKind::kDone:
        memory_.resources.MarkRun(InitOf(step));
        return at + 1;
      case StepKind::kLabel:
        return at + 1;
    }
    return at + 1;
  }

 private:
  Status RunNode(const Step& step) {
    ARENALITE_RETURN_IF_ERROR(guard_.CheckCancelled());
    Frame& frame = program_.frames[Index(step.frame)];
    Node& node = frame.nodes[Index(step.node)];
    if (node.mode == NodeMode::kElided) return OkStatus();
    guard_.Observe(OpEvent::Phase::kBefore, frame, step.node);
    ARENALITE_RETURN_IF_ERROR(RunKernel(step, frame, node));
    guard_.Observe(OpEvent::Phase::kAfter, frame, step.node);
    FreeAfter(frame, step.node, memory_.dynamic);
    return OkStatus();
  }

  Status RunKernel(const Step& step, Frame& frame, Node& node) {
    if (node.mode == NodeMode::kDeferred) {
      return RunDeferred(program_, step.frame, step.node, memory_, guard_);
    }
    FrameHost host(frame, memory_, frame.data, frame.scratch,
                   FrameHost::Phase::kInvoking);
    return EvalNode(node, host);
  }

  // The subgraph that a CALL_ONCE calls.
  int32_t InitOf(const Step& step) const {
    const Node& node =
        program_.frames[Index(step.frame)].nodes[Index(step.node)];
    return program_.frames[Index(node.callees[0])].subgraph;
  }

  void RunCopies(const Step& step) {
    for (int32_t i = 0; i < step.num_copies; ++i) {
      const Copy& copy = program_.copies[Index(step.first_copy + i)];
      const Tensor& from = program_.tensor(copy.from);
      Tensor& to = program_.tensor(copy.to);
      if (to.data == from.data || to.bytes == 0) continue;
      std::memmove(to.data, from.data, static_cast<size_t>(to.bytes));
    }
  }

  bool IsExpected(const Step& step) const {
    const Tensor& tensor = program_.tensor(step.condition);
    const int32_t value = tensor.type == TensorType::kBool
                              ? *tensor.data_as<uint8_t>() != 0
                              : *tensor.data_as<int32_t>();
    return value == step.expected;
  }

  Program& program_;
  const SharedMemory& memory_;
  InvokeGuard guard_;
};

// What a run that failed holds, but for what it got and what it gives.
void FreeInner(Program& program, DynamicMemory& memory) {
  Frame& main = program.main();
  for (size_t i = 0; i < main.tensors.size(); ++i) {
    if (main.last_node[i] < 0) continue;
    memory.Free(main.dynamic[i]);
    if (main.tensors[i].memory != TensorMemory::kDynamic) continue;
    main.tensors[i].data = nullptr;
  }
  for (size_t f = 1; f < program.frames.size(); ++f) {
    FreeAll(program.frames[f], memory);
  }
}

}  // namespace

Status InvokeProgram(Program& program, const SharedMemory& memory,
                     const InterpreterOptions& options,
                     const PoisonSchedule* poison, uint8_t* planned) {
  if (poison != nullptr) poison->FillBeforeFirst(planned);
  Invocation invocation(program, memory, options);
  int32_t at = 0;
  while (Index(at) < program.steps.size()) {
    Result<int32_t> next = invocation.Run(at);
    if (!next.ok()) {
      FreeInner(program, memory.dynamic);
      const Step& step = program.steps[Index(at)];
      return AtNode(std::move(next).status(), program.frames[Index(step.frame)],
                    step.node);
    }
    if (poison != nullptr) poison->FillAfter(at, planned);
    at = *next;
  }
  return OkStatus();
}

}  // namespace arenalite
