// How many bytes each step of a plan needs.

#ifndef ARENALITE_RUNTIME_STEP_BYTES_H_
#define ARENALITE_RUNTIME_STEP_BYTES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "lifetime/lifetimes.h"

namespace arenalite {

// The sizes of all that is live at each step, then of what is live after the
// last one.
Result<Array<int64_t>> ComputeLiveBytes(const Lifetimes& lifetimes,
                                        int num_steps);

// The same less what overlaps may save at best: no plan gives a step fewer.
Result<Array<int64_t>> ComputeBoundBytes(const Lifetimes& lifetimes,
                                         const Array<int64_t>& live);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_STEP_BYTES_H_
