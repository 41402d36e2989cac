// MemoryUsage and MemoryReport: what a model needs, and why.

#ifndef ARENALITE_MEMORY_REPORT_H_
#define ARENALITE_MEMORY_REPORT_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/planner.h"
#include "arenalite/span.h"
#include "arenalite/tensor.h"

namespace arenalite {

// Exact byte counts of one interpreter.
struct MemoryUsage {
  // What the arena takes in all: planned + persistent. A caller's buffer of
  // so many bytes (at the arena's alignment) is enough, one byte less is not.
  int64_t arena_bytes = 0;
  int64_t planned_bytes = 0;     // Reused from step to step.
  int64_t persistent_bytes = 0;  // Variables: keep their value.

  // The peak is the first step that needs most, allowed overlaps taken off.
  // Where ops write over their inputs the sum of the three can exceed
  // planned_bytes.
  int32_t peak_step = 0;
  int64_t peak_io_bytes = 0;  // Inputs and outputs of the graph.
  int64_t peak_activation_bytes = 0;
  int64_t peak_scratch_bytes = 0;

  int64_t naive_bytes = 0;        // Every planned tensor in bytes of its own.
  int64_t lower_bound_bytes = 0;  // No plan for these requests is smaller.
  int64_t liveness_bound_bytes = 0;  // The same if nothing ever overlapped.

  int64_t metadata_bytes = 0;  // The runtime's own structures, on the heap.
  int64_t dynamic_bytes = 0;   // Held now by tensors whose shape data decide.
  int64_t peak_dynamic_bytes = 0;  // The most of them, scratch included, ever.
  int64_t plans_made = 0;  // By the planner, since the interpreter's start.
};

// One tensor of the program. Steps are positions in MemoryReport::steps.
struct TensorReport {
  int32_t subgraph = 0;
  int32_t index = 0;      // In its subgraph.
  const char* name = "";  // In the model's memory.
  TensorType type = TensorType::kFloat32;
  // kVariable: in the persistent part. kDynamic: outside of the arena, and
  // shape and bytes are not known before Invoke.
  TensorMemory memory = TensorMemory::kNone;
  Shape shape;
  int64_t bytes = 0;
  // Of the planned arena; -1 for tensors that are not planned.
  int64_t offset = -1;
  // Tensors with the same storage are views of the same bytes; -1: none.
  int32_t storage = -1;
  // Those of its storage. -1 for tensors that are not planned.
  int32_t first_step = -1;
  int32_t last_step = -1;  // == number of steps: lives to the end.
  // The tensor's own, planned or not. -1: no step writes (reads) it.
  int32_t writer_step = -1;
  int32_t last_reader_step = -1;
  bool is_input = false;
  bool is_output = false;
  bool is_kept = false;  // PreserveTensor asked for it.
};

// One run of bytes of the planned arena.
struct StorageReport {
  int64_t offset = 0;
  int64_t bytes = 0;  // Of its largest member, rounded up to the alignment.
  int32_t alignment = 1;
  int32_t first_step = 0;
  int32_t last_step = 0;  // == number of steps: lives to the end.
  // Holds such a member.
  bool is_input = false;
  bool is_output = false;
  bool is_kept = false;
  // Scratch of the op at first_step: has no members.
  bool is_scratch = false;

  int32_t members_end = 0;  // See MemoryReport::MembersOf.
};

// One step: an operator, in the order of execution, or what control flow
// becomes.
struct StepReport {
  int32_t subgraph = 0;
  int32_t node = 0;
  const char* op_name = "";
  bool has_kernel = true;
  // True: the copies, branches and jumps of control flow `node`.
  bool is_control = false;
  // False: its results were known before Invoke, so it never runs.
  bool runs = true;
  // Shapes that depend on data, or that change from one iteration of a loop to
  // the next: prepared inside of Invoke, results in dynamic memory.
  bool is_dynamic = false;
  int64_t live_bytes = 0;  // Sum over all that is live, scratch included.
  // No plan gives this step fewer: live_bytes less the allowed overlaps.
  int64_t bound_bytes = 0;
  int64_t scratch_bytes = 0;

  int32_t reads_end = 0;  // See MemoryReport::ReadsOf, WritesOf.
  int32_t writes_end = 0;
};

// What became of the chance to write an op's output over its input.
enum class OverlapVerdict : uint8_t {
  kAllowed,     // By so many bytes, see AllowedOverlap.
  kReadLater,   // A later step reads the input's bytes.
  kLivesToEnd,  // The input's bytes belong to a graph input, output or kept
                // tensor.
  kUsedBefore,  // The output's bytes are in use before this step already.
  kOpForbids,   // The op reads after it has written, or has no kernel.
  kTurnedOff,   // InterpreterOptions forbid it.
};

// "read_later". Static storage.
const char* OverlapVerdictName(OverlapVerdict verdict);

// One pair of storages that meet at an op.
struct OverlapChance {
  int32_t step = 0;
  int32_t output = 0;  // Storages.
  int32_t input = 0;
  OverlapVerdict verdict = OverlapVerdict::kAllowed;
  int64_t allowed_bytes = 0;  // As in AllowedOverlap; 0 unless kAllowed.
};

// Everything the planner knew and decided. Valid while the model lives.
struct MemoryReport {
  MemoryUsage usage;
  PlanStrategy strategy = PlanStrategy::kAuto;
  bool proven_optimal = false;
  int32_t alignment = 16;
  // Of all subgraphs that the program runs, one after the other.
  Array<TensorReport> tensors;
  Array<StepReport> steps;
  int64_t end_bytes = 0;  // Live after the last step: what is read then.
  // Those of tensors, then the scratch of all steps in order.
  Array<StorageReport> storages;
  Array<AllowedOverlap> overlaps;  // Between storages, as allowed.
  Array<OverlapChance> chances;    // Ascending steps.

  // Ranges of these lists, which hold positions in `tensors`.
  Array<int32_t> members;
  Array<int32_t> reads;
  Array<int32_t> writes;

  Span<const int32_t> MembersOf(size_t storage) const {
    return Slice(members, storages, storage, &StorageReport::members_end);
  }
  Span<const int32_t> ReadsOf(size_t step) const {
    return Slice(reads, steps, step, &StepReport::reads_end);
  }
  Span<const int32_t> WritesOf(size_t step) const {
    return Slice(writes, steps, step, &StepReport::writes_end);
  }

 private:
  template <class T>
  static Span<const int32_t> Slice(const Array<int32_t>& list,
                                   const Array<T>& owners, size_t owner,
                                   int32_t T::*end) {
    const int32_t first = owner == 0 ? 0 : owners[owner - 1].*end;
    return Span<const int32_t>(list.data() + first,
                               static_cast<size_t>(owners[owner].*end - first));
  }
};

}  // namespace arenalite

#endif  // ARENALITE_MEMORY_REPORT_H_
