// Graph: a verified model as plain data. Everything points into the model's
// memory; only the lists themselves are on the heap.

#ifndef ARENALITE_GRAPH_GRAPH_H_
#define ARENALITE_GRAPH_GRAPH_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/span.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

// A tensor as the file states it.
struct TensorInfo {
  const char* name = "";
  TensorType type = TensorType::kFloat32;
  Shape shape;  // Unknown dimensions (-1) of shape_signature stand as 1 here.
  Span<const int32_t> shape_signature;  // Empty: every dimension is fixed.
  Quantization quantization;
  const void* sparsity = nullptr;  // schema::SparsityParameters or null.
  bool is_variable = false;
  // True: a constant. Also for tensors without elements that nothing writes.
  bool has_data = false;
  Span<const uint8_t> data;  // Its bytes (empty is possible); any alignment.
};

// One operator.
struct NodeInfo {
  int32_t builtin_code = 0;  // schema::BuiltinOperator.
  const char* op_name = "";  // "CONV_2D"; a custom operator's own name.
  int32_t version = 1;
  Span<const int32_t> inputs;  // -1: absent.
  Span<const int32_t> outputs;
  Span<const int32_t> intermediates;      // -1: absent.
  const void* builtin_options = nullptr;  // Schema tables or null.
  int32_t builtin_options_type = 0;
  const void* builtin_options_2 = nullptr;
  int32_t builtin_options_2_type = 0;
  Span<const uint8_t> custom_options;
};

struct SubgraphInfo {
  const char* name = "";
  Array<TensorInfo> tensors;  // Those of the file, then dropped results.
  Array<NodeInfo> nodes;
  Span<const int32_t> inputs;  // -1: absent.
  Span<const int32_t> outputs;
  // What views of this subgraph point at where it is not in the file: zero
  // points that the file does not align, and outputs of control flow with a
  // tensor for each result that the file drops.
  Array<Array<int64_t>> aligned_zero_points;
  Array<Array<int32_t>> completed_outputs;
  // The execution plan: indices of nodes, each once, every node after the
  // nodes that write what it reads. The file's order where that is one.
  Array<int32_t> order;
};

// A named entry point.
struct SignatureInfo {
  struct Binding {
    const char* name = "";
    int32_t tensor = 0;
  };
  const char* key = "";
  int32_t subgraph = 0;
  Array<Binding> inputs;
  Array<Binding> outputs;
};

struct Graph {
  Array<SubgraphInfo> subgraphs;  // At least one; 0 is the main one.
  Array<SignatureInfo> signatures;
};

}  // namespace arenalite

#endif  // ARENALITE_GRAPH_GRAPH_H_
