// ProgramPlan: where every byte of a prepared program will be.

#ifndef ARENALITE_RUNTIME_PROGRAM_PLAN_H_
#define ARENALITE_RUNTIME_PROGRAM_PLAN_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"
#include "arenalite/planner.h"
#include "lifetime/lifetimes.h"
#include "lifetime/timeline.h"
#include "runtime/program.h"

namespace arenalite {

struct ProgramPlan {
  Timeline timeline;
  Lifetimes lifetimes;
  MemoryPlan plan;
  // Where each frame's tensors begin in the timeline's numbering.
  Array<int32_t> first_tensor;

  // Of each storage: it holds a graph input.
  Array<uint8_t> holds_input;

  size_t HeapBytes() const;
  bool is_input_storage(size_t request) const {
    return request < holds_input.size() && holds_input[request] != 0;
  }
};

// The pipeline after prepare, as one function: timeline, lifetimes, plan.
// Refuses more than `options.max_arena_bytes`, naming the peak.
Result<ProgramPlan> PlanProgram(const Program& program,
                                const InterpreterOptions& options);

// Points every planned tensor and scratch into `planned`, and tensors in the
// caller's memory there.
void BindPlanned(Program& program, const ProgramPlan& plan, uint8_t* planned);
// Undoes BindPlanned.
void UnbindPlanned(Program& program);
// The same, and for variables.
void UnbindAll(Program& program);

// Figures of a plan; persistent, heap and dynamic bytes are the caller's to
// add.
Result<MemoryUsage> ComputeUsage(const ProgramPlan& plan,
                                 const InterpreterOptions& options);

// "; the peak is step 3 CONV_2D with 'conv1' 18432 bytes, ..." for errors.
Status WithPeak(Status status, const Program& program, const ProgramPlan& plan);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PROGRAM_PLAN_H_
