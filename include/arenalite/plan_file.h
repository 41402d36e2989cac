// Plans as files: planned once on a large machine, loaded on a small one.
//
// A file is keyed by a hash of the requests and overlaps, so that it is used
// for exactly what was planned. The same plan gives the same bytes, whatever
// the compiler.

#ifndef ARENALITE_PLAN_FILE_H_
#define ARENALITE_PLAN_FILE_H_

#include "arenalite/planner.h"

namespace arenalite {

// What a plan file is keyed by. Depends on the order of both.
uint64_t HashRequests(Span<const BufferRequest> requests,
                      Span<const AllowedOverlap> overlaps);

// The bytes of a plan file. `plan` must have an offset for each request.
Result<Array<uint8_t>> SavePlan(Span<const BufferRequest> requests,
                                Span<const AllowedOverlap> overlaps,
                                const MemoryPlan& plan);

// The plan of a file. Refuses bytes that are no plan file, a file made for
// other requests, and, by CheckPlan(), one whose offsets are wrong.
Result<MemoryPlan> LoadPlan(Span<const uint8_t> bytes,
                            Span<const BufferRequest> requests,
                            Span<const AllowedOverlap> overlaps);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_FILE_H_
