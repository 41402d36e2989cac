// BuildTimeline: from a prepared frame to the steps that lifetimes see.

#ifndef ARENALITE_RUNTIME_TIMELINE_BUILDER_H_
#define ARENALITE_RUNTIME_TIMELINE_BUILDER_H_

#include "arenalite/status.h"
#include "lifetime/timeline.h"
#include "runtime/frame.h"

namespace arenalite {

// Step i is the i-th node of the frame's order; tensors keep their numbers.
// Elided nodes are steps that touch nothing.
Result<Timeline> BuildTimeline(const Frame& frame);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_TIMELINE_BUILDER_H_
