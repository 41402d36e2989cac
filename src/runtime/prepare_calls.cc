#include "runtime/prepare_calls.h"

#include "runtime/control_flow.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Inputs of the op that are not passed on: the choice of a branch.
size_t Skipped(const Node& node) {
  return CallKindOf(*node.info) == CallKind::kBranch ? 1 : 0;
}

Status CheckSame(const char* what, size_t found, size_t allowed) {
  if (found == allowed) return OkStatus();
  return InvalidModelError("has ", found, " ", what, ", allowed ", allowed,
                           " as the called subgraph has");
}

Status CheckType(const char* what, size_t position, TensorType found,
                 TensorType allowed,
                 const char* why = " as in the called subgraph") {
  if (found == allowed) return OkStatus();
  return InvalidModelError(what, " ", position, " is ", TensorTypeName(found),
                           ", allowed ", TensorTypeName(allowed), why);
}

// A scalar (one element) of the type that a choice needs.
Status CheckChoice(const TensorInfo& tensor, TensorType allowed) {
  if (tensor.type == allowed) return OkStatus();
  return InvalidModelError("chooses by a tensor of type ",
                           TensorTypeName(tensor.type), ", allowed ",
                           TensorTypeName(allowed));
}

// One that the caller passes: a copy would write over a constant.
Status CheckInput(size_t position, const TensorInfo& from,
                  const TensorInfo& to) {
  ARENALITE_RETURN_IF_ERROR(CheckType("input", position, from.type, to.type));
  ARENALITE_RETURN_IF_ERROR(CheckDense("input", position, from));
  if (!to.has_data) return OkStatus();
  return InvalidModelError("input ", position, " is passed to tensor '",
                           to.name,
                           "' of the called subgraph, which is a constant, "
                           "allowed are tensors without data");
}

Status CheckInputs(const Frame& caller, const Node& node, const Frame& callee) {
  const size_t skipped = Skipped(node);
  const Span<const int32_t> inputs = node.info->inputs;
  ARENALITE_RETURN_IF_ERROR(
      CheckSame("inputs", inputs.size(), callee.info->inputs.size() + skipped));
  for (size_t i = 0; i < callee.info->inputs.size(); ++i) {
    const int32_t from = inputs[i + skipped];
    const int32_t to = callee.info->inputs[i];
    if (from < 0 || to < 0) continue;  // Nothing is passed.
    ARENALITE_RETURN_IF_ERROR(CheckInput(i + skipped,
                                         caller.info->tensors[Index(from)],
                                         callee.info->tensors[Index(to)]));
  }
  return OkStatus();
}

Status CheckOutputs(const Frame& caller, const Node& node,
                    const Frame& callee) {
  const Span<const int32_t> outputs = node.info->outputs;
  ARENALITE_RETURN_IF_ERROR(
      CheckSame("outputs", outputs.size(), callee.info->outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const int32_t from = callee.info->outputs[i];
    if (from < 0 || outputs[i] < 0) continue;
    const TensorInfo& result = callee.info->tensors[Index(from)];
    ARENALITE_RETURN_IF_ERROR(
        CheckType("output", i, caller.info->tensors[Index(outputs[i])].type,
                  result.type));
    ARENALITE_RETURN_IF_ERROR(CheckDense("output", i, result));
  }
  return OkStatus();
}

Status CheckLoop(const Program& program, const Frame& caller,
                 const Node& node) {
  const Frame& condition = program.frames[Index(node.callees[0])];
  const Frame& body = program.frames[Index(node.callees[1])];
  ARENALITE_RETURN_IF_ERROR(CheckInputs(caller, node, condition));
  ARENALITE_RETURN_IF_ERROR(CheckInputs(caller, node, body));
  ARENALITE_RETURN_IF_ERROR(CheckOutputs(caller, node, body));
  ARENALITE_RETURN_IF_ERROR(CheckSame("outputs", node.info->outputs.size(),
                                      node.info->inputs.size()));
  // The state enters as an input, and comes round as a result.
  for (size_t i = 0; i < node.info->outputs.size(); ++i) {
    const int32_t input = node.info->inputs[i];
    const int32_t output = node.info->outputs[i];
    if (input < 0 || output < 0) continue;
    ARENALITE_RETURN_IF_ERROR(
        CheckType("output", i, caller.info->tensors[Index(output)].type,
                  caller.info->tensors[Index(input)].type, " as the input"));
  }
  if (condition.info->outputs.size() != 1 || condition.info->outputs[0] < 0) {
    return InvalidModelError("has a condition with ",
                             condition.info->outputs.size(),
                             " outputs, allowed 1 that is present");
  }
  return CheckChoice(condition.info->tensors[Index(condition.info->outputs[0])],
                     TensorType::kBool);
}

Status CheckBranches(const Program& program, const Frame& caller,
                     const Node& node) {
  if (node.info->inputs.empty() || node.info->inputs[0] < 0) {
    return InvalidModelError("input 0 is absent, but chooses the branch");
  }
  const bool is_if = BranchValue(*node.info, 0) == 1;
  ARENALITE_RETURN_IF_ERROR(
      CheckChoice(caller.info->tensors[Index(node.info->inputs[0])],
                  is_if ? TensorType::kBool : TensorType::kInt32));
  for (int32_t index : node.callees) {
    const Frame& callee = program.frames[Index(index)];
    ARENALITE_RETURN_IF_ERROR(CheckInputs(caller, node, callee));
    ARENALITE_RETURN_IF_ERROR(CheckOutputs(caller, node, callee));
  }
  return OkStatus();
}

bool HasDynamicTensor(const Program& program, const Frame& frame) {
  for (const Tensor& tensor : frame.tensors) {
    if (tensor.is_dynamic()) return true;
  }
  for (const Node& node : frame.nodes) {
    for (int32_t callee : node.callees) {
      if (HasDynamicTensor(program, program.frames[Index(callee)])) return true;
    }
  }
  return false;
}

// The shape of a frame's output, or null when it is absent.
const Shape* OutputShape(const Frame& frame, size_t i) {
  const int32_t tensor = frame.info->outputs[i];
  return tensor < 0 ? nullptr : &frame.tensors[Index(tensor)].shape;
}

// Absent tensors agree with everything.
bool Agree(const Shape* a, const Shape* b) {
  return a == nullptr || b == nullptr || *a == *b;
}

}  // namespace

Status CheckCall(const Program& program, const Frame& caller,
                 const Node& node) {
  const CallKind kind = CallKindOf(*node.info);
  if (kind == CallKind::kLoop) return CheckLoop(program, caller, node);
  if (kind == CallKind::kBranch) return CheckBranches(program, caller, node);
  const Frame& callee = program.frames[Index(node.callees[0])];
  const bool passes =
      !callee.info->inputs.empty() || !callee.info->outputs.empty();
  if (kind == CallKind::kOnce && passes) {
    return InvalidModelError(
        "calls a subgraph with ", callee.info->inputs.size(), " inputs and ",
        callee.info->outputs.size(), " outputs, allowed none");
  }
  ARENALITE_RETURN_IF_ERROR(CheckInputs(caller, node, callee));
  return CheckOutputs(caller, node, callee);
}

Status CheckFileTypes(const Frame& frame, Span<const int32_t> tensors,
                      const char* what) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] < 0) continue;
    ARENALITE_RETURN_IF_ERROR(CheckType(
        what, i, frame.tensors[Index(tensors[i])].type,
        frame.info->tensors[Index(tensors[i])].type, " as the file says"));
  }
  return OkStatus();
}

Status PassInputs(const Frame& caller, const Node& node, Program& program,
                  int32_t callee) {
  Frame& inner = program.frames[Index(callee)];
  const size_t skipped = Skipped(node);
  const bool is_loop = CallKindOf(*node.info) == CallKind::kLoop;
  for (size_t i = 0; i < inner.info->inputs.size(); ++i) {
    const int32_t source = node.info->inputs[i + skipped];
    const int32_t target = inner.info->inputs[i];
    if (source < 0 || target < 0) continue;
    const Tensor& from = caller.tensors[Index(source)];
    TensorSettings& to = inner.settings[Index(target)];
    to.resized = true;
    to.shape = from.shape;
    to.value = from.is_constant() && !is_loop ? from.data : nullptr;
  }
  return OkStatus();
}

Status CheckChoiceSize(const Tensor& choice) {
  if (choice.shape.NumElements() == 1) return OkStatus();
  return InvalidModelError("chooses by tensor '", choice.name, "' of shape ",
                           choice.shape.dims(), ", allowed one element");
}

Status CheckPreparedChoice(const Program& program, const Frame& caller,
                           const Node& node) {
  const Tensor* choice = nullptr;
  switch (CallKindOf(*node.info)) {
    case CallKind::kBranch:
      choice = &caller.tensors[Index(node.info->inputs[0])];
      break;
    case CallKind::kLoop:
      choice = &ConditionOf(program.frames[Index(node.callees[0])]);
      break;
    default:
      return OkStatus();
  }
  return choice->is_dynamic() ? OkStatus() : CheckChoiceSize(*choice);
}

const Tensor& ConditionOf(const Frame& condition) {
  return condition.tensors[Index(condition.info->outputs[0])];
}

bool ResultsAreFixed(const Program& program, const Frame& caller,
                     const Node& node) {
  for (int32_t callee : node.callees) {
    if (HasDynamicTensor(program, program.frames[Index(callee)])) return false;
  }
  const CallKind kind = CallKindOf(*node.info);
  const Frame& first = program.frames[Index(node.callees[0])];
  for (size_t i = 0; i < node.info->outputs.size(); ++i) {
    if (kind == CallKind::kLoop) {
      const Frame& body = program.frames[Index(node.callees[1])];
      const int32_t input = node.info->inputs[i];
      const Shape* entering =
          input < 0 ? nullptr : &caller.tensors[Index(input)].shape;
      if (!Agree(OutputShape(body, i), entering)) return false;
      continue;
    }
    for (int32_t callee : node.callees) {
      const Frame& other = program.frames[Index(callee)];
      if (!Agree(OutputShape(other, i), OutputShape(first, i))) return false;
    }
  }
  return true;
}

}  // namespace arenalite
