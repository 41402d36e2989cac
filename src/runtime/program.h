// Program: an entry point of a model with every subgraph it calls, as one
// sequence of steps. Control flow becomes copies and jumps, so that one
// timeline and one plan cover it.

#ifndef ARENALITE_RUNTIME_PROGRAM_H_
#define ARENALITE_RUNTIME_PROGRAM_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/op_resolver.h"
#include "arenalite/status.h"
#include "graph/graph.h"
#include "lifetime/timeline.h"
#include "runtime/frame.h"

namespace arenalite {

// A tensor of one of the program's frames.
struct TensorRef {
  int32_t frame = 0;
  int32_t tensor = 0;
};

enum class StepKind : uint8_t {
  kNode,    // Runs a node.
  kCopy,    // Moves tensors in or out of a called subgraph.
  kBranch,  // Jumps unless a scalar has the expected value.
  kJump,    // Always jumps; backwards it counts as an iteration.
  kOnce,    // Jumps when its node's subgraph has run since the last reset.
  kDone,    // Ends what a kOnce guards: it has run.
  kLabel,   // Does nothing: a place to jump to.
};

struct Step {
  StepKind kind = StepKind::kNode;
  int32_t frame = 0;
  int32_t node = 0;  // kNode, and for messages: the op it comes from.
  // kBranch, kJump, kOnce: where to go on.
  int32_t target = -1;
  int32_t first_copy = 0;  // kCopy: a range of Program::copies.
  int32_t num_copies = 0;
  TensorRef condition;  // kBranch.
  int32_t expected = 0;
};

struct Copy {
  TensorRef from;
  TensorRef to;
  bool may_share = true;
  AliasKind kind = AliasKind::kView;
  int32_t region_begin = 0;
};

// What CompileSteps makes of prepared frames.
struct StepLists {
  Array<Step> steps;
  Array<Copy> copies;
  Array<LoopRegion> loops;

  size_t HeapBytes() const {
    return steps.capacity_bytes() + copies.capacity_bytes() +
           loops.capacity_bytes();
  }
};

struct Program : StepLists {
  // 0 is the entry point; each call site of a subgraph has its own frame.
  Array<Frame> frames;

  Frame& main() { return frames[0]; }
  const Frame& main() const { return frames[0]; }
  Tensor& tensor(TensorRef ref) {
    return frames[static_cast<size_t>(ref.frame)]
        .tensors[static_cast<size_t>(ref.tensor)];
  }
  const Tensor& tensor(TensorRef ref) const {
    return frames[static_cast<size_t>(ref.frame)]
        .tensors[static_cast<size_t>(ref.tensor)];
  }
  size_t HeapBytes() const;
};

// Creates the frames of `subgraph` and, for every call in it, of what it
// calls. Steps come later, from CompileSteps.
Result<Program> CreateProgram(const Graph& graph, int32_t subgraph,
                              const OpResolver& resolver,
                              bool allow_missing_kernels);

// Lays all frames out as steps. The frames are prepared.
Status CompileSteps(Program& program);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PROGRAM_H_
