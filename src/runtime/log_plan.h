// LogPlan: a plan as log lines.

#ifndef ARENALITE_RUNTIME_LOG_PLAN_H_
#define ARENALITE_RUNTIME_LOG_PLAN_H_

#include <cstdint>

#include "runtime/program.h"
#include "runtime/program_plan.h"
#include "runtime/variable_store.h"

namespace arenalite {

// At INFO: the arena's size, then each tensor that has bytes in it, by index:
//   arena: total=46080 planned=46080 persistent=0 steps=31
//   tensor 88 'input': offset=0 size=9216 first_step=0 last_step=31
//   tensor 5 'state' of subgraph 1: persistent offset=0 size=64
// Does nothing without a sink.
void LogPlan(const Program& program, const ProgramPlan& plan,
             const Array<VariableSlot>& variables, int64_t planned_bytes,
             int64_t persistent_bytes);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_LOG_PLAN_H_
