// Frame: one subgraph made ready to run: tensors with their memory, nodes
// with their kernels.

#ifndef ARENALITE_RUNTIME_FRAME_H_
#define ARENALITE_RUNTIME_FRAME_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/op_definition.h"
#include "arenalite/op_resolver.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"
#include "graph/graph.h"
#include "runtime/dynamic_memory.h"
#include "runtime/op_data_pool.h"

namespace arenalite {

// What prepare found out about a node.
enum class NodeMode : uint8_t {
  kPlanned,   // Prepared; runs at Invoke.
  kDeferred,  // An input's shape depends on data: prepared inside Invoke.
  kElided,    // Its outputs have their bytes already: never runs.
};

struct Node {
  const NodeInfo* info = nullptr;
  const OpDefinition* definition = nullptr;  // Null: no kernel.
  OpContext::Wiring wiring;
  NodeMode mode = NodeMode::kPlanned;
  // Of a deferred node: prepare gave every output its shape.
  bool is_sized = false;
  // Of a control-flow op: the frames it calls, as CalledSubgraphs orders them.
  Array<int32_t> callees;
  // Scratch of a planned node: a range of Frame::scratch.
  int32_t first_scratch = 0;
  int32_t num_scratch = 0;
};

// What the application asked for one tensor; survives re-planning.
struct TensorSettings {
  bool resized = false;
  bool preserved = false;
  bool has_maximum = false;
  Shape shape;                  // When resized.
  Shape maximum;                // Of a graph input that declares one.
  Span<uint8_t> custom;         // The caller's memory, or empty.
  const void* value = nullptr;  // Of a callee's input that is a constant.
};

struct Frame {
  int32_t subgraph = 0;
  const SubgraphInfo* info = nullptr;
  Array<TensorSettings> settings;
  Array<Tensor> tensors;
  Array<Node> nodes;  // Indexed as in the file; info->order is how they run.
  Array<Scratch> scratch;
  Array<DynamicBlock> dynamic;  // Of each tensor.
  // Of each tensor: the node after which nobody reads it, or -1 for what stays.
  Array<int32_t> last_node;
  OpDataPool options;  // Parsed options, realigned constants.
  OpDataPool data;     // From prepare; gone at the next prepare.
  Array<uint8_t> is_graph_output;
  // Of each tensor: the variable whose bytes it shows, or -1.
  Array<int32_t> resource_of;
  // Inputs with a declared maximum take it instead of their shape.
  bool at_maximum = false;

  size_t HeapBytes() const;
};

// The shape that a tensor has before any prepare: what the application asked
// for, or else what the file states.
const Shape& StatedShape(const Frame& frame, size_t tensor);

// Sets a tensor to what file and settings say.
Status ResetTensor(Frame& frame, size_t tensor);

// Finds last_node from the execution order. Outputs of the frame stay, and
// where `is_main`, inputs and what the application wants to keep.
void FindLastNodes(Frame& frame, bool is_main);

// Gives the dynamic bytes of all tensors back whose last node is `node`.
void FreeAfter(Frame& frame, int32_t node, DynamicMemory& memory);
// Gives all dynamic bytes of the frame back.
void FreeAll(Frame& frame, DynamicMemory& memory);

// Resolves the kernel of every node and parses its options. With
// `allow_missing_kernels` nodes without a kernel stay; else the error names
// the first 64 operators that are missing.
Result<Frame> CreateFrame(const Graph& graph, int32_t subgraph,
                          const OpResolver& resolver,
                          bool allow_missing_kernels);

// Refuses a sparse constant, whose shape and bytes do not agree, as `what` (an
// input, an output) number `position`.
Status CheckDense(const char* what, size_t position, const TensorInfo& tensor);

// Puts "subgraph 0 'main' op 3 CONV_2D, output tensor 7 'conv1': " in front of
// an error of that node.
Status AtNode(Status status, const Frame& frame, int32_t node);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_FRAME_H_
