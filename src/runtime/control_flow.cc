#include "runtime/control_flow.h"

#include <utility>

#include "model_generated.h"

namespace arenalite {
namespace {

// Null when the operator carries none, or the table of another operator.
template <class Options>
const Options* First(const NodeInfo& node) {
  if (node.builtin_options_type !=
      schema::BuiltinOptionsTraits<Options>::enum_value) {
    return nullptr;
  }
  return static_cast<const Options*>(node.builtin_options);
}
// The same for the second union.
template <class Options>
const Options* Second(const NodeInfo& node) {
  if (node.builtin_options_2_type !=
      schema::BuiltinOptions2Traits<Options>::enum_value) {
    return nullptr;
  }
  return static_cast<const Options*>(node.builtin_options_2);
}

Status AppendCase(const NodeInfo& node, Array<int32_t>& called) {
  const auto* options = Second<schema::StablehloCaseOptions>(node);
  if (options == nullptr || options->branch_subgraph_indices() == nullptr) {
    return OkStatus();
  }
  for (int32_t subgraph : *options->branch_subgraph_indices()) {
    ARENALITE_RETURN_IF_ERROR(called.Append(subgraph));
  }
  return OkStatus();
}

template <class Options>
Status AppendLoop(const Options* options, Array<int32_t>& called) {
  if (options == nullptr) return OkStatus();
  ARENALITE_RETURN_IF_ERROR(called.Append(options->cond_subgraph_index()));
  return called.Append(options->body_subgraph_index());
}

Status AppendCalled(const NodeInfo& node, Array<int32_t>& called) {
  switch (node.builtin_code) {
    case schema::BuiltinOperator_CALL: {
      const auto* options = First<schema::CallOptions>(node);
      return options ? called.Append(static_cast<int32_t>(options->subgraph()))
                     : OkStatus();
    }
    case schema::BuiltinOperator_STABLEHLO_COMPOSITE: {
      const auto* options = Second<schema::StableHLOCompositeOptions>(node);
      return options ? called.Append(options->decomposition_subgraph_index())
                     : OkStatus();
    }
    case schema::BuiltinOperator_CALL_ONCE: {
      const auto* options = First<schema::CallOnceOptions>(node);
      return options ? called.Append(options->init_subgraph_index())
                     : OkStatus();
    }
    case schema::BuiltinOperator_IF: {
      const auto* options = First<schema::IfOptions>(node);
      if (options == nullptr) return OkStatus();
      ARENALITE_RETURN_IF_ERROR(called.Append(options->then_subgraph_index()));
      return called.Append(options->else_subgraph_index());
    }
    case schema::BuiltinOperator_STABLEHLO_CASE:
      return AppendCase(node, called);
    case schema::BuiltinOperator_WHILE:
      return AppendLoop(First<schema::WhileOptions>(node), called);
    default:
      return AppendLoop(Second<schema::StablehloWhileOptions>(node), called);
  }
}

}  // namespace

CallKind CallKindOf(const NodeInfo& node) {
  switch (node.builtin_code) {
    case schema::BuiltinOperator_CALL:
    case schema::BuiltinOperator_STABLEHLO_COMPOSITE:
      return CallKind::kCall;
    case schema::BuiltinOperator_CALL_ONCE:
      return CallKind::kOnce;
    case schema::BuiltinOperator_IF:
    case schema::BuiltinOperator_STABLEHLO_CASE:
      return CallKind::kBranch;
    case schema::BuiltinOperator_WHILE:
    case schema::BuiltinOperator_STABLEHLO_WHILE:
      return CallKind::kLoop;
    default:
      return CallKind::kNone;
  }
}

Result<Array<int32_t>> CalledSubgraphs(const NodeInfo& node) {
  Array<int32_t> called;
  if (CallKindOf(node) == CallKind::kNone) return called;
  ARENALITE_RETURN_IF_ERROR(AppendCalled(node, called));
  if (called.empty()) {
    return InvalidModelError(
        "names no subgraph: its options are absent or another operator's");
  }
  return called;
}

int32_t BranchValue(const NodeInfo& node, int32_t i) {
  return node.builtin_code == schema::BuiltinOperator_IF ? 1 - i : i;
}

}  // namespace arenalite
