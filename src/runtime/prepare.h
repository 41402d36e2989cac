// PrepareProgram: shapes, kernels' data, scratch, folded constants. Nodes
// without a kernel keep the shapes that the file states.

#ifndef ARENALITE_RUNTIME_PREPARE_H_
#define ARENALITE_RUNTIME_PREPARE_H_

#include "arenalite/status.h"
#include "runtime/host.h"
#include "runtime/program.h"

namespace arenalite {

// Prepares every node of every frame in execution order, from the shapes in
// the main frame's settings. After success each tensor has its shape, bytes
// and kind of memory; only kArena and kVariable tensors still lack their
// data. Constants whose value follows from other constants are computed here,
// so that shapes that a model computes do not make tensors dynamic. Memory of
// an earlier prepare is used again.
Status PrepareProgram(Program& program, const SharedMemory& memory);

// Prepares a deferred node inside Invoke, when all its inputs are known.
// `data` and `scratch` are the node's own for this run.
Status PrepareDeferred(Frame& frame, int32_t node, const SharedMemory& memory,
                       OpDataPool& data, Array<Scratch>& scratch);

// Makes every tensor of a called frame dynamic and every node deferred: how a
// call runs whose shapes are not known before.
Status MakeDynamic(Frame& frame);

// Gives all dynamic tensors' bytes back.
void FreeDynamicTensors(Program& program, DynamicMemory& memory);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PREPARE_H_
