// AppendTensor: one tensor of the file as plain data.

#ifndef ARENALITE_GRAPH_BUILD_TENSOR_H_
#define ARENALITE_GRAPH_BUILD_TENSOR_H_

#include "graph/graph.h"
#include "model/model.h"

namespace arenalite {

// Appends `from` to the tensors of `subgraph`. Fails only for lack of memory.
Status AppendTensor(const Model& model, const schema::Tensor& from,
                    SubgraphInfo& subgraph);

}  // namespace arenalite

#endif  // ARENALITE_GRAPH_BUILD_TENSOR_H_
