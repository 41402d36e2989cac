// The order of requests that does not depend on how the caller numbers them.

#ifndef ARENALITE_PLAN_CANONICAL_ORDER_H_
#define ARENALITE_PLAN_CANONICAL_ORDER_H_

#include "arenalite/planner.h"

namespace arenalite {

// The indices of all requests of size > 0 in the order that Problem describes.
Result<Array<int32_t>> CanonicalOrder(Span<const BufferRequest> requests,
                                      Span<const AllowedOverlap> overlaps);

// Mixes `value` into the running hash `seed`. The same on every machine.
constexpr uint64_t MixHash(uint64_t seed, uint64_t value) {
  // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
  uint64_t z = seed * 0x9e3779b97f4a7c15u + value + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace arenalite

#endif  // ARENALITE_PLAN_CANONICAL_ORDER_H_
