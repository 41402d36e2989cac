// PrepareFrame: shapes, kernels' data, scratch, folded constants. Nodes
// without a kernel keep the shapes that the file states.

#ifndef ARENALITE_RUNTIME_PREPARE_H_
#define ARENALITE_RUNTIME_PREPARE_H_

#include "arenalite/status.h"
#include "runtime/frame.h"

namespace arenalite {

// Prepares every node in execution order, from the shapes in the settings.
// After success each tensor has its shape, bytes and kind of memory; only
// kArena and kVariable tensors still lack their data. Constants whose value
// follows from other constants are computed here, so that shapes that a model
// computes do not make tensors dynamic.
Status PrepareFrame(Frame& frame, DynamicMemory& memory);

// Prepares a deferred node inside Invoke, when all its inputs are known.
// `data` and `scratch` are the node's own for this run.
Status PrepareDeferred(Frame& frame, int32_t node, DynamicMemory& memory,
                       OpDataPool& data, Array<Scratch>& scratch);

// Gives all dynamic tensors' bytes back.
void FreeDynamicTensors(Frame& frame, DynamicMemory& memory);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PREPARE_H_
