// ShapePlans: what was prepared and planned for earlier input shapes, to go
// back to them without planning.

#ifndef ARENALITE_RUNTIME_SHAPE_PLANS_H_
#define ARENALITE_RUNTIME_SHAPE_PLANS_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/memory_report.h"
#include "arenalite/status.h"
#include "runtime/poison.h"
#include "runtime/program.h"
#include "runtime/program_plan.h"
#include "runtime/resources.h"

namespace arenalite {

// A plan with what follows from it.
struct PlanForShapes {
  Array<Shape> shapes;  // Of the graph inputs, that it was made for.
  ProgramPlan plan;
  PoisonSchedule poison;
  MemoryUsage usage;

  size_t HeapBytes() const {
    return shapes.capacity_bytes() + plan.HeapBytes() + poison.HeapBytes();
  }
};

// True when these are the stated shapes of the main frame's inputs.
bool HasShapes(const Frame& frame, const Array<Shape>& shapes);
// Makes them so.
Status TakeShapes(const Frame& frame, Array<Shape>& shapes);

// Keeps prepared programs with their placements; the one that was not used
// for longest makes room for another. Tensors stay where they are, so that
// pointers to them last: their contents go to and fro.
class ShapePlans {
 public:
  // At most `capacity` of them, at least 0.
  explicit ShapePlans(size_t capacity) : capacity_(capacity) {}

  // Moves the current state here. `program` is to be prepared next. Where
  // there is no memory to keep it, it is lost: it can be planned again.
  void Keep(Program& program, PlanForShapes& placement,
            const Resources& resources);
  // Exchanges the current state, which is kept, for that of the stated input
  // shapes. False when there is none. No memory is taken.
  bool Exchange(Program& program, PlanForShapes& placement,
                Resources& resources);
  // The same where there is no current state worth keeping.
  bool Take(Program& program, PlanForShapes& placement, Resources& resources);
  void Clear() { plans_.Reset(); }

  size_t HeapBytes() const;

 private:
  // What prepare made of a node.
  struct NodeState {
    void* data = nullptr;
    EvalFunction eval = nullptr;
    Span<Scratch> scratch;
    NodeMode mode = NodeMode::kPlanned;
    int32_t first_scratch = 0;
    int32_t num_scratch = 0;
  };
  struct FrameState {
    Array<Tensor> tensors;
    Array<NodeState> nodes;
    Array<Scratch> scratch;
    OpDataPool data;
    Array<int32_t> resource_of;
  };
  struct ShapePlan {
    Array<FrameState> frames;
    StepLists steps;
    PlanForShapes placement;
    Array<ResourceShape> resources;
    uint64_t last_use = 0;  // 0: holds nothing.
  };

  static Status Resize(const Program& program, ShapePlan& plan);
  static NodeState StateOf(const Node& node);
  static void SetState(Node& node, const NodeState& state);
  static void Swap(Frame& frame, FrameState& state);
  ShapePlan* Find(const Frame& main);
  ShapePlan* FreeSlot();

  size_t capacity_;
  Array<ShapePlan> plans_;
  uint64_t uses_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_SHAPE_PLANS_H_
