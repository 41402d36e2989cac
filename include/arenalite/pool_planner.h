// Planning for several memories of different speed.

#ifndef ARENALITE_POOL_PLANNER_H_
#define ARENALITE_POOL_PLANNER_H_

#include "arenalite/planner.h"

namespace arenalite {

// A memory, such as fast SRAM or slow PSRAM. Offsets count from its start.
struct MemoryPool {
  int64_t capacity = -1;      // Bytes; -1: without limit.
  int64_t cost_per_byte = 0;  // Of an access, >= 0, in any unit.
};

// Of one request: where it may go, and how much it is used.
struct PoolUse {
  uint64_t allowed_pools = ~uint64_t{0};  // Bit p: pool p may hold it.
  int64_t accessed_bytes = 0;             // Read and written in all, >= 0.
};

struct PoolPlan {
  Array<int32_t> pools;        // For each request.
  Array<int64_t> offsets;      // For each request, in its pool.
  Array<int64_t> total_bytes;  // Of each pool.
  int64_t access_cost = 0;     // sum(accessed_bytes * cost_per_byte)
};

// Fills the cheapest pool with what gains most from being there, spills the
// rest to the next one, and so on. The access cost is as low as a greedy
// choice with exchanges finds; where everything fits into the cheapest pools
// it may use, it is the least. At most 64 pools. When it fails, it names the
// pool, how many bytes it lacks, and the step and buffers that are to blame.
Result<PoolPlan> PlanPools(Span<const BufferRequest> requests,
                           Span<const AllowedOverlap> overlaps,
                           Span<const PoolUse> uses,
                           Span<const MemoryPool> pools,
                           const PlanOptions& options);

}  // namespace arenalite

#endif  // ARENALITE_POOL_PLANNER_H_
