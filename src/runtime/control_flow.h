// Which subgraphs an op calls.

#ifndef ARENALITE_RUNTIME_CONTROL_FLOW_H_
#define ARENALITE_RUNTIME_CONTROL_FLOW_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "graph/graph.h"

namespace arenalite {

enum class CallKind : uint8_t {
  kNone,    // Not a control-flow op.
  kCall,    // One subgraph, once: CALL, STABLEHLO_COMPOSITE.
  kOnce,    // One subgraph at the first Invoke only: CALL_ONCE.
  kBranch,  // One of several, chosen by input 0: IF, STABLEHLO_CASE.
  kLoop,    // A condition and a body: WHILE, STABLEHLO_WHILE.
};

CallKind CallKindOf(const NodeInfo& node);

// The subgraphs that `node` names, in the order: then, else; the branches of a
// case; condition, body. Empty for other ops.
Result<Array<int32_t>> CalledSubgraphs(const NodeInfo& node);

// For kBranch: the value of input 0 that chooses branch `i` of `count`. The
// last branch takes all other values.
int32_t BranchValue(const NodeInfo& node, int32_t i);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_CONTROL_FLOW_H_
