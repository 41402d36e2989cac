// Running what could not be planned: nodes whose input shapes data decide,
// and calls whose inner shapes do.

#ifndef ARENALITE_RUNTIME_DYNAMIC_CALL_H_
#define ARENALITE_RUNTIME_DYNAMIC_CALL_H_

#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "runtime/host.h"
#include "runtime/program.h"

namespace arenalite {

// Counts iterations, asks for cancellation and tells the observer, for a whole
// Invoke.
class InvokeGuard {
 public:
  explicit InvokeGuard(const InterpreterOptions& options) : options_(options) {}

  // Before every op.
  Status CheckCancelled() const;
  // After every iteration of any loop.
  Status CountIteration();
  // Around every op that runs.
  void Observe(OpEvent::Phase phase, const Frame& frame, int32_t node) const {
    if (options_.op_observer != nullptr) Report(phase, frame, node);
  }

 private:
  void Report(OpEvent::Phase phase, const Frame& frame, int32_t node) const;

  const InterpreterOptions& options_;
  int64_t iterations_ = 0;
};

// Prepares and runs one deferred node of `frame`, a call or not. What nobody
// reads after it is still to be freed.
Status RunDeferred(Program& program, int32_t frame, int32_t node,
                   const SharedMemory& memory, InvokeGuard& guard);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_DYNAMIC_CALL_H_
