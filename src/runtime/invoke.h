// InvokeProgram: runs the steps of a bound program.

#ifndef ARENALITE_RUNTIME_INVOKE_H_
#define ARENALITE_RUNTIME_INVOKE_H_

#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "runtime/host.h"
#include "runtime/poison.h"
#include "runtime/program.h"

namespace arenalite {

// Runs every step in order. Allocates only for dynamic tensors. `poison` may
// be null; `planned` is the planned part of the arena. After an error the
// program can be run again.
Status InvokeProgram(Program& program, const SharedMemory& memory,
                     const InterpreterOptions& options,
                     const PoisonSchedule* poison, uint8_t* planned);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_INVOKE_H_
