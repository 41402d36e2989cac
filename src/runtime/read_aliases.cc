#include "runtime/read_aliases.h"

#include "model_generated.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// The variable that a READ_ or ASSIGN_VARIABLE names, or -1 when unknown. Of
// a node that was not prepared, nothing is known to be right.
int32_t VariableOf(const Frame& frame, const Node& node) {
  const Span<const int32_t> inputs = node.info->inputs;
  if (inputs.empty() || inputs[0] < 0) return -1;
  const Tensor& handle = frame.tensors[Index(inputs[0])];
  const bool known = handle.type == TensorType::kResource &&
                     handle.is_constant() && handle.data != nullptr &&
                     handle.bytes >= static_cast<int64_t>(sizeof(int32_t));
  return known ? *handle.data_as<int32_t>() : -1;
}

bool MayAssign(const Frame& frame, const Node& node, int32_t variable) {
  if (node.info->builtin_code != schema::BuiltinOperator_ASSIGN_VARIABLE) {
    return false;
  }
  const int32_t assigned = VariableOf(frame, node);
  return assigned < 0 || assigned == variable;
}

// True when, from position `read` in the order on, every reader of `tensor`
// comes before an assignment, or is one. A call may assign anything.
bool ReadersComeFirst(const Frame& frame, size_t read, int32_t tensor,
                      int32_t variable) {
  const Array<int32_t>& order = frame.info->order;
  const int32_t last = frame.last_node[Index(tensor)];
  for (size_t i = read; order[i] != last; ++i) {
    const Node& node = frame.nodes[Index(order[i])];
    if (!node.callees.empty() || MayAssign(frame, node, variable)) return false;
  }
  return frame.nodes[Index(last)].callees.empty();
}

}  // namespace

void ShowReadsInPlace(Frame& frame) {
  for (size_t i = 0; i < frame.info->order.size(); ++i) {
    const Node& node = frame.nodes[Index(frame.info->order[i])];
    if (node.info->builtin_code != schema::BuiltinOperator_READ_VARIABLE ||
        node.mode != NodeMode::kPlanned || node.definition == nullptr) {
      continue;
    }
    const int32_t output = node.info->outputs[0];
    Tensor& tensor = frame.tensors[Index(output)];
    const int32_t variable = VariableOf(frame, node);
    if (variable < 0 || tensor.memory != TensorMemory::kArena ||
        frame.is_graph_output[Index(output)] != 0 ||
        frame.settings[Index(output)].preserved ||
        !ReadersComeFirst(frame, i, output, variable)) {
      continue;
    }
    tensor.memory = TensorMemory::kVariable;
    frame.resource_of[Index(output)] = variable;
  }
}

}  // namespace arenalite
