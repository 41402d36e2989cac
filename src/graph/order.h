// Execution order: topological, stable.

#ifndef ARENALITE_GRAPH_ORDER_H_
#define ARENALITE_GRAPH_ORDER_H_

#include "graph/graph.h"

namespace arenalite {

// The nodes of `subgraph` in the file's order where every read follows its
// write; else in the stable topological order nearest to it (among the ready
// nodes the first of the file). Fails when nodes form a cycle, naming one.
Result<Array<int32_t>> TopologicalOrder(const SubgraphInfo& subgraph);

// Accepts `order` when it names each node once and every read follows its
// write; else names the first op that reads something unwritten.
Status CheckOrder(const SubgraphInfo& subgraph, Span<const int32_t> order);

}  // namespace arenalite

#endif  // ARENALITE_GRAPH_ORDER_H_
