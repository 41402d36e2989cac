// BuildTimeline: from a program's steps to what lifetimes see.

#ifndef ARENALITE_RUNTIME_TIMELINE_BUILDER_H_
#define ARENALITE_RUNTIME_TIMELINE_BUILDER_H_

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "lifetime/timeline.h"
#include "runtime/program.h"

namespace arenalite {

// Step i of the timeline is step i of the program; a node that is elided
// touches nothing. The tensors of frame f begin at first_tensor[f].
Result<Timeline> BuildTimeline(const Program& program,
                               const Array<int32_t>& first_tensor);

// Where each frame's tensors begin in one numbering; the last entry counts all.
Result<Array<int32_t>> NumberTensors(const Program& program);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_TIMELINE_BUILDER_H_
