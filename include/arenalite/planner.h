// The memory planner: which bytes each buffer gets.
//
// Works on plain requests; knows no model. Link the target
// arenalite::planner to use it alone.

#ifndef ARENALITE_PLANNER_H_
#define ARENALITE_PLANNER_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

// One buffer: `size` bytes, live in the closed interval of steps
// [first_step, last_step]. Buffers whose intervals meet get disjoint bytes
// unless an AllowedOverlap names them.
struct BufferRequest {
  int64_t size = 0;  // >= 0. Takes no room when 0.
  int32_t first_step = 0;
  int32_t last_step = 0;      // >= first_step
  int32_t alignment = 1;      // Offsets are multiples of it: a power of two.
  int64_t fixed_offset = -1;  // >= 0: the offset this buffer must have.
};

// The buffer `output` may start inside of, or below, the buffer `input`:
// both are placed right when they are disjoint, or when
//     offset(output) + size(output) - bytes <= offset(input),
// that is, the output's tail reaches at most `bytes` into the input's head.
// (DESIGN: bytes = So + D.) A pair may be named once; bytes <= 0 allows none.
struct AllowedOverlap {
  int32_t output = 0;  // Index of the request.
  int32_t input = 0;
  int64_t bytes = 0;
};

enum class PlanStrategy : uint8_t {
  kAuto,             // The best of all greedy ones and a short search.
  kGreedyBySize,     // Larger first, into the tightest gap.
  kFirstUse,         // In order of first step, into the lowest gap.
  kGreedyByBreadth,  // Buffers of the fullest step first, the tightest gap.
  kExhaustive,       // All greedy ones, then a search with a large budget.
};

// "greedy_by_size". Static storage.
const char* PlanStrategyName(PlanStrategy strategy);

// How far a search has come.
struct PlanProgress {
  int64_t nodes = 0;  // Of the search: about a microsecond each.
  int64_t node_budget = 0;
  int64_t total_bytes = 0;        // Of the best plan so far.
  int64_t lower_bound_bytes = 0;  // Proven so far.
};

struct PlanOptions {
  PlanStrategy strategy = PlanStrategy::kAuto;
  // >= 0: any plan of at most so many bytes will do; where none is found, the
  // smallest that was. -1: the smallest.
  int64_t capacity = -1;
  // For kExhaustive: it ends after so many nodes. -1 stands for a budget that
  // takes about a second: three million nodes, fewer for more than 500 buffers,
  // but four for each buffer.
  int64_t node_budget = -1;
  // Called about every millisecond of a search. When it returns true, the
  // search ends and its best plan so far is returned.
  bool (*cancel)(void* context, const PlanProgress& progress) = nullptr;
  void* cancel_context = nullptr;
};

struct MemoryPlan {
  Array<int64_t> offsets;         // One for each request.
  int64_t total_bytes = 0;        // max(offset + size) of those with a size.
  int64_t lower_bound_bytes = 0;  // No plan for these requests is smaller.
  int32_t peak_step = 0;          // Its live buffers give the lower bound.
  bool proven_optimal = false;    // total_bytes == the least possible.
  int64_t nodes = 0;              // Of the exhaustive search.
  PlanStrategy strategy = PlanStrategy::kAuto;  // That found it.
};

// The same requests in another order get the same plan (up to that order).
// Errors name the request and the value.
Result<MemoryPlan> PlanMemory(Span<const BufferRequest> requests,
                              Span<const AllowedOverlap> overlaps,
                              const PlanOptions& options);

// Verifies a plan against its requests in O(n^2), sharing no code with the
// planners: alignment, fixed offsets, disjointness, total.
Status CheckPlan(Span<const BufferRequest> requests,
                 Span<const AllowedOverlap> overlaps, const MemoryPlan& plan);

// How far the plan is above its lower bound: 0 when it is optimal.
inline double GapPercent(const MemoryPlan& plan) {
  if (plan.total_bytes <= plan.lower_bound_bytes) return 0;
  return 100.0 *
         static_cast<double>(plan.total_bytes - plan.lower_bound_bytes) /
         static_cast<double>(plan.lower_bound_bytes);
}

// How a plan exceeds a capacity.
struct Misfit {
  int64_t shortfall_bytes = 0;  // 0: it fits.
  bool impossible = false;  // The lower bound exceeds it, too: no plan fits.
  // Where to save bytes: the plan's peak step when no plan fits, or else the
  // fullest step at which a buffer ends above the capacity.
  int32_t step = 0;
  Array<int32_t> buffers;  // Live at that step, the largest first.
};
Result<Misfit> ExplainMisfit(Span<const BufferRequest> requests,
                             const MemoryPlan& plan, int64_t capacity);

}  // namespace arenalite

#endif  // ARENALITE_PLANNER_H_
