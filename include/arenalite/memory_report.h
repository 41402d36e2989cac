// MemoryUsage and MemoryReport: what a model needs, and why.

#ifndef ARENALITE_MEMORY_REPORT_H_
#define ARENALITE_MEMORY_REPORT_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/planner.h"
#include "arenalite/tensor.h"

namespace arenalite {

// Exact byte counts of one interpreter.
struct MemoryUsage {
  // What the arena takes in all: planned + persistent. A caller's buffer of
  // so many bytes (at the arena's alignment) is enough, one byte less is not.
  int64_t arena_bytes = 0;
  int64_t planned_bytes = 0;     // Reused from step to step.
  int64_t persistent_bytes = 0;  // Variables: keep their value.

  // What is live at the peak step of the planned part. Where ops write over
  // their inputs the sum of the three can exceed planned_bytes.
  int32_t peak_step = 0;
  int64_t peak_io_bytes = 0;  // Inputs and outputs of the graph.
  int64_t peak_activation_bytes = 0;
  int64_t peak_scratch_bytes = 0;

  int64_t naive_bytes = 0;        // Every planned tensor in bytes of its own.
  int64_t lower_bound_bytes = 0;  // No plan for these requests is smaller.
  int64_t liveness_bound_bytes = 0;  // The same if nothing ever overlapped.

  int64_t metadata_bytes = 0;  // The runtime's own structures, on the heap.
  int64_t dynamic_bytes = 0;   // Held now by tensors whose shape data decide.
};

// One tensor of the plan.
struct TensorReport {
  int32_t subgraph = 0;
  int32_t index = 0;
  const char* name = "";  // In the model's memory.
  TensorType type = TensorType::kFloat32;
  TensorMemory memory = TensorMemory::kNone;
  Shape shape;
  int64_t bytes = 0;
  // Of the planned arena; -1 for tensors that are not planned.
  int64_t offset = -1;
  // Tensors with the same storage are views of the same bytes; -1: none.
  int32_t storage = -1;
  int32_t first_step = -1;
  int32_t last_step = -1;  // == number of steps: lives to the end.
  bool is_input = false;
  bool is_output = false;
};

// One step: an operator, in the order of execution.
struct StepReport {
  int32_t subgraph = 0;
  int32_t node = 0;
  const char* op_name = "";
  bool has_kernel = true;
  int64_t live_bytes = 0;  // Sum over all that is live, scratch included.
  int64_t scratch_bytes = 0;
};

// Everything the planner knew and decided. Valid while the model lives.
struct MemoryReport {
  MemoryUsage usage;
  PlanStrategy strategy = PlanStrategy::kAuto;
  bool proven_optimal = false;
  Array<TensorReport> tensors;
  Array<StepReport> steps;
  Array<AllowedOverlap> overlaps;  // Between storages, as allowed.
};

}  // namespace arenalite

#endif  // ARENALITE_MEMORY_REPORT_H_
