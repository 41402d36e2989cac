// BuildGraph: from a verified Model to a Graph.

#ifndef ARENALITE_GRAPH_BUILD_GRAPH_H_
#define ARENALITE_GRAPH_BUILD_GRAPH_H_

#include "graph/graph.h"
#include "model/model.h"

namespace arenalite {

// `model` must outlive the graph. Fails only for lack of memory, and for
// nodes that form a cycle.
Result<Graph> BuildGraph(const Model& model);

}  // namespace arenalite

#endif  // ARENALITE_GRAPH_BUILD_GRAPH_H_
