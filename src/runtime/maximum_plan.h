// MaximumPlan: one plan, made for declared maximum shapes, for all smaller
// ones.
//
// Smaller shapes keep the offsets of the maximum. What was disjoint at the
// maximum's sizes is disjoint at smaller ones. What shared bytes by an overlap
// number may be wrong at another shape, because the number is another one; so
// each op is asked again. No op can be wrong in any other way: a pair that
// shares bytes now shared them at the maximum, where the input died at the op.

#ifndef ARENALITE_RUNTIME_MAXIMUM_PLAN_H_
#define ARENALITE_RUNTIME_MAXIMUM_PLAN_H_

#include <cstdint>
#include <utility>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "runtime/program.h"
#include "runtime/shape_plans.h"

namespace arenalite {

class MaximumPlan {
 public:
  // Takes note of a program that was planned for the maximum shapes.
  // `placement` stays where it is: it is the current one.
  Status Note(const Program& program, const PlanForShapes& placement);
  void Clear() { made_ = false; }

  // Made for the stated maximum shapes of this frame, which is at its maximum.
  bool IsFor(const Frame& main) const {
    return made_ && HasShapes(main, shapes_);
  }
  bool is_made() const { return made_; }
  int64_t planned_bytes() const { return made_ ? planned_bytes_ : 0; }

  // Exchanges the program's placement for the one kept here: to use it, or to
  // put it back.
  void Exchange(Program& program, PlanForShapes& placement) {
    std::swap(static_cast<StepLists&>(program), steps_);
    std::swap(placement, placement_);
  }

  // True when the program, prepared for smaller shapes, is right with `plan`,
  // the maximum's, which is in use.
  bool Serves(const Program& program, const ProgramPlan& plan) const;

  size_t HeapBytes() const {
    return shapes_.capacity_bytes() + nodes_.capacity_bytes() +
           steps_.HeapBytes() + placement_.HeapBytes();
  }

 private:
  struct NodeFacts {
    NodeMode mode = NodeMode::kPlanned;
    int32_t num_scratch = 0;
  };

  bool SameNodes(const Program& program) const;

  bool made_ = false;
  int64_t planned_bytes_ = 0;
  Array<Shape> shapes_;
  Array<NodeFacts> nodes_;  // Of all frames, one after the other.
  StepLists steps_;         // While another placement is in use.
  PlanForShapes placement_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_MAXIMUM_PLAN_H_
