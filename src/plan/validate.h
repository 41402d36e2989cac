// Refuses requests that mean nothing, before any planner sees them.

#ifndef ARENALITE_PLAN_VALIDATE_H_
#define ARENALITE_PLAN_VALIDATE_H_

#include "arenalite/planner.h"

namespace arenalite {

// Success: every value is in its range, no pair of overlaps is named twice,
// and all buffers end to end, at their alignments, above every fixed one, end
// below kMaxPlanBytes: no later sum of offsets and sizes overflows.
Status ValidateRequests(Span<const BufferRequest> requests,
                        Span<const AllowedOverlap> overlaps);

inline constexpr int64_t kMaxPlanBytes = int64_t{1} << 60;

}  // namespace arenalite

#endif  // ARENALITE_PLAN_VALIDATE_H_
