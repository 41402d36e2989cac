#include "model/called_subgraphs.h"

#include "model/flatbuffer_span.h"

namespace arenalite {

CalledSubgraphs::CalledSubgraphs(const schema::Operator& op) {
  AddOptions(op);
  AddOptions2(op);
}

void CalledSubgraphs::AddOptions(const schema::Operator& op) {
  if (const auto* options = op.builtin_options_as_CallOptions()) {
    Add(options->subgraph());
  } else if (const auto* once = op.builtin_options_as_CallOnceOptions()) {
    Add(once->init_subgraph_index());
  } else if (const auto* branches = op.builtin_options_as_IfOptions()) {
    Add(branches->then_subgraph_index());
    Add(branches->else_subgraph_index());
  } else if (const auto* loop = op.builtin_options_as_WhileOptions()) {
    Add(loop->cond_subgraph_index());
    Add(loop->body_subgraph_index());
  }
}

void CalledSubgraphs::AddOptions2(const schema::Operator& op) {
  if (const auto* loop = op.builtin_options_2_as_StablehloWhileOptions()) {
    Add(loop->cond_subgraph_index());
    Add(loop->body_subgraph_index());
  } else if (const auto* scatter =
                 op.builtin_options_2_as_StablehloScatterOptions()) {
    Add(scatter->update_computation_subgraph_index());
  } else if (const auto* reduce =
                 op.builtin_options_2_as_StablehloReduceOptions()) {
    Add(reduce->body_subgraph_index());
  } else if (const auto* window =
                 op.builtin_options_2_as_StablehloReduceWindowOptions()) {
    Add(window->body_subgraph_index());
  } else if (const auto* sort =
                 op.builtin_options_2_as_StablehloSortOptions()) {
    Add(sort->comparator_subgraph_index());
  } else if (const auto* composite =
                 op.builtin_options_2_as_StableHLOCompositeOptions()) {
    Add(composite->decomposition_subgraph_index());
  } else if (const auto* cases =
                 op.builtin_options_2_as_StablehloCaseOptions()) {
    list_ = ToSpan(cases->branch_subgraph_indices());
  } else if (const auto* custom =
                 op.builtin_options_2_as_StablehloCustomCallOptions()) {
    list_ = ToSpan(custom->called_computations());
  }
}

}  // namespace arenalite
