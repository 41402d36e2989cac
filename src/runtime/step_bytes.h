// How many bytes each step of a plan needs.

#ifndef ARENALITE_RUNTIME_STEP_BYTES_H_
#define ARENALITE_RUNTIME_STEP_BYTES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "lifetime/lifetimes.h"

namespace arenalite {

struct StepBytes {
  int64_t live = 0;   // Sum of the sizes of all that is live.
  int64_t bound = 0;  // The same less what overlaps may save at best.
};

// Of each step, then what is live after the last one.
Result<Array<StepBytes>> ComputeStepBytes(const Lifetimes& lifetimes,
                                          int num_steps);

// The step that needs most: by bound, then by live bytes, then the first.
int32_t PeakStep(Span<const StepBytes> steps);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_STEP_BYTES_H_
