// ComputeLifetimes: from a Timeline to the requests that the planner places.

#ifndef ARENALITE_LIFETIME_LIFETIMES_H_
#define ARENALITE_LIFETIME_LIFETIMES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/planner.h"
#include "arenalite/status.h"
#include "lifetime/timeline.h"

namespace arenalite {

struct LifetimeOptions {
  // Every offset and size is a multiple of it: a power of two.
  int32_t alignment = 16;
  // Graph inputs die after their last read instead of living to the end.
  bool allow_input_reuse = false;
  // Every tensor lives through all steps in bytes of its own; no view, no
  // overlap. The debugging switch.
  bool preserve_all = false;
  // False: ops never write over their inputs.
  bool allow_overlap = true;
};

// Requests 0..num_storages-1 are storages; then comes the scratch of all
// steps, in order. A storage that lives to the end has last_step ==
// num_steps: one past the last op, when the application reads.
struct Lifetimes {
  Array<BufferRequest> requests;
  Array<AllowedOverlap> overlaps;
  Array<int32_t> storage_of;  // Of each tensor; -1: no planned bytes.
  int32_t num_storages = 0;
};

// Fails only for lack of memory, and when sizes overflow 64 bits.
Result<Lifetimes> ComputeLifetimes(const Timeline& timeline,
                                   const LifetimeOptions& options);

}  // namespace arenalite

#endif  // ARENALITE_LIFETIME_LIFETIMES_H_
