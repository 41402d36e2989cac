// FramePlan: where every byte of a prepared frame will be.

#ifndef ARENALITE_RUNTIME_FRAME_PLAN_H_
#define ARENALITE_RUNTIME_FRAME_PLAN_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"
#include "arenalite/planner.h"
#include "lifetime/lifetimes.h"
#include "lifetime/timeline.h"
#include "memory/simple_memory_arena.h"
#include "runtime/frame.h"

namespace arenalite {

struct FramePlan {
  Timeline timeline;
  Lifetimes lifetimes;
  MemoryPlan plan;
  // Of each tensor in the persistent arena; -1: it is no variable there.
  Array<int64_t> variable_offsets;
  int64_t persistent_bytes = 0;
  // The largest alignment of any request: that of the arena's address.
  int32_t arena_alignment = 1;

  // Of each storage: it holds a graph input.
  Array<uint8_t> holds_input;

  size_t HeapBytes() const;
  bool is_input_storage(size_t request) const {
    return request < holds_input.size() && holds_input[request] != 0;
  }
  // Bytes of the whole arena: persistent part, then the planned part.
  int64_t arena_bytes() const { return persistent_bytes + plan.total_bytes; }
};

// The pipeline after prepare, as one function: timeline, lifetimes, plan.
// Refuses more than `options.max_arena_bytes`, naming the peak.
Result<FramePlan> PlanFrame(const Frame& frame,
                            const InterpreterOptions& options);

// Points variables into `persistent`, every planned tensor and scratch into
// `planned`.
void BindFrame(Frame& frame, const FramePlan& plan, uint8_t* persistent,
               uint8_t* planned);
// Undoes BindFrame: planned tensors lose their data, variables too when asked.
void UnbindFrame(Frame& frame, bool variables_too);

// Figures of a plan; heap and dynamic bytes are the caller's to add.
Result<MemoryUsage> ComputeUsage(const FramePlan& plan,
                                 const InterpreterOptions& options);

// "; the peak is step 3 CONV_2D with 'conv1' 18432 bytes, ..." for errors.
Status WithPeak(Status status, const Frame& frame, const FramePlan& plan);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_FRAME_PLAN_H_
