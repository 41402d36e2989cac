// The order of requests that does not depend on how the caller numbers them.

#ifndef ARENALITE_PLAN_CANONICAL_ORDER_H_
#define ARENALITE_PLAN_CANONICAL_ORDER_H_

#include "arenalite/planner.h"

namespace arenalite {

// The indices of all requests of size > 0 in the order that Problem describes.
Result<Array<int32_t>> CanonicalOrder(Span<const BufferRequest> requests,
                                      Span<const AllowedOverlap> overlaps);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_CANONICAL_ORDER_H_
