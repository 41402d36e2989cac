// Timeline: which step touches which tensor, and what each op says of its
// memory. The form in which lifetime analysis sees a program: no graph, no
// subgraph, one sequence of steps.

#ifndef ARENALITE_LIFETIME_TIMELINE_H_
#define ARENALITE_LIFETIME_TIMELINE_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/span.h"

namespace arenalite {

struct TimelineTensor {
  int64_t bytes = 0;
  int32_t alignment = 1;   // The element type's own.
  bool planned = false;    // False: its bytes are not the arena's business.
  bool is_input = false;   // Written before the first step.
  bool is_output = false;  // Read after the last step.
  bool kept = false;       // Lives to the end on request.
};

// One statement of an op: the output may start at most `distance` bytes after
// the start of the input (DESIGN section 4, D).
struct OverlapClaim {
  int32_t output = 0;  // Tensors.
  int32_t input = 0;
  int64_t distance = 0;
};

// Two tensors that hold the same bytes after a step that copies one to the
// other: when they share a storage, nothing moves.
enum class AliasKind : uint8_t {
  // `to` shows `from` from now on; both are only read.
  kView,
  // `from` was computed in [region_begin, step], one of several branches of
  // which one runs; `to` is the result of them all.
  kBranchResult,
  // `from` was computed in the loop body [region_begin, step] and becomes the
  // next iteration's value of `to`.
  kLoopBack,
};

struct Alias {
  int32_t step = 0;
  int32_t from = 0;  // Tensors.
  int32_t to = 0;
  AliasKind kind = AliasKind::kView;
  int32_t region_begin = 0;
};

// Steps [begin, end] run any number of times; `end` runs once, at last.
struct LoopRegion {
  int32_t begin = 0;
  int32_t end = 0;
};

// Ranges of the flat arrays below.
struct TimelineStep {
  int32_t reads_end = 0;
  int32_t writes_end = 0;
  int32_t claims_end = 0;
  int32_t scratch_end = 0;
};

// Tensors are numbered from 0; each list of a step ends where its `_end` says
// and begins where the step before ended.
struct Timeline {
  Array<TimelineTensor> tensors;
  Array<TimelineStep> steps;
  Array<int32_t> reads;
  Array<int32_t> writes;
  Array<OverlapClaim> claims;
  Array<int64_t> scratch_bytes;
  Array<Alias> aliases;  // Ascending steps.
  Array<LoopRegion> loops;

  Span<const int32_t> ReadsOf(int step) const {
    return Slice(reads, step, &TimelineStep::reads_end);
  }
  Span<const int32_t> WritesOf(int step) const {
    return Slice(writes, step, &TimelineStep::writes_end);
  }
  Span<const OverlapClaim> ClaimsOf(int step) const {
    return Slice(claims, step, &TimelineStep::claims_end);
  }
  Span<const int64_t> ScratchOf(int step) const {
    return Slice(scratch_bytes, step, &TimelineStep::scratch_end);
  }
  int num_steps() const { return static_cast<int>(steps.size()); }

 private:
  template <class T>
  Span<const T> Slice(const Array<T>& all, int step,
                      int32_t TimelineStep::*end) const {
    const int32_t first =
        step == 0 ? 0 : steps[static_cast<size_t>(step) - 1].*end;
    const int32_t last = steps[static_cast<size_t>(step)].*end;
    return Span<const T>(all.data() + first, static_cast<size_t>(last - first));
  }
};

}  // namespace arenalite

#endif  // ARENALITE_LIFETIME_TIMELINE_H_
