// InvokeFrame: runs the nodes of a bound frame.

#ifndef ARENALITE_RUNTIME_INVOKE_H_
#define ARENALITE_RUNTIME_INVOKE_H_

#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "runtime/frame.h"
#include "runtime/poison.h"

namespace arenalite {

// Runs every node in order. Allocates only for dynamic tensors. `poison` may
// be null; `planned` is the planned part of the arena. After an error the
// frame can be run again.
Status InvokeFrame(Frame& frame, DynamicMemory& memory,
                   const InterpreterOptions& options,
                   const PoisonSchedule* poison, uint8_t* planned);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_INVOKE_H_
