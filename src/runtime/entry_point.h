// EntryPoint: one subgraph that an application runs, with its plan.

#ifndef ARENALITE_RUNTIME_ENTRY_POINT_H_
#define ARENALITE_RUNTIME_ENTRY_POINT_H_

#include <algorithm>
#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "runtime/host.h"
#include "runtime/maximum_plan.h"
#include "runtime/program.h"
#include "runtime/shape_plans.h"
#include "runtime/variable_store.h"

namespace arenalite {

// How far an entry point has come; each change throws it back.
enum class Stage : uint8_t { kBuilt, kPlanned, kAllocated };

// What the frames of an entry point hold.
enum class Prepared : uint8_t {
  kNothing,        // Nothing that can be relied on.
  kForItself,      // A program with a plan of its own.
  kWithinMaximum,  // One that runs within the maximum's plan.
};

struct EntryPoint {
  explicit EntryPoint(const InterpreterOptions& options)
      : kept(static_cast<size_t>(std::max(options.max_kept_plans, 1) - 1)) {}

  Program program;
  PlanForShapes placement;
  Array<Shape> shapes;  // Of the inputs, that the program is prepared for.
  ShapePlans kept;
  MaximumPlan maximum;
  Array<VariableSlot> variables;  // One for each tensor of all frames.
  Stage stage = Stage::kBuilt;
  Prepared prepared = Prepared::kNothing;

  // What its plans take of the planned arena; 0 without one.
  int64_t planned_bytes() const;
  size_t HeapBytes() const;
};

// Planned tensors lose their bytes until the next AllocateTensors. Plans stay.
void Unplan(EntryPoint& entry);
// The same where no plan that was made can serve any more.
void ForgetPlans(EntryPoint& entry);

// Makes the program ready for the stated shapes of its inputs: by a plan that
// is kept, by the plan of the maximum, or by a new one, which adds one to
// `plans_made`. After an error the entry point can be planned again.
Status PlanEntry(EntryPoint& entry, const SharedMemory& memory,
                 const InterpreterOptions& options, int64_t& plans_made);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_ENTRY_POINT_H_
