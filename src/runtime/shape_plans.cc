#include "runtime/shape_plans.h"

#include <algorithm>
#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Absent inputs have no shape: they stand as scalars.
const Shape& InputShape(const Frame& frame, size_t position) {
  static constexpr Shape kAbsent;
  const int32_t input = frame.info->inputs[position];
  return input < 0 ? kAbsent : StatedShape(frame, Index(input));
}

}  // namespace

bool HasShapes(const Frame& frame, const Array<Shape>& shapes) {
  if (shapes.size() != frame.info->inputs.size()) return false;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i] != InputShape(frame, i)) return false;
  }
  return true;
}

Status TakeShapes(const Frame& frame, Array<Shape>& shapes) {
  ARENALITE_RETURN_IF_ERROR(shapes.Resize(frame.info->inputs.size()));
  for (size_t i = 0; i < shapes.size(); ++i) shapes[i] = InputShape(frame, i);
  return OkStatus();
}

void ShapePlans::Keep(Program& program, PlanForShapes& placement,
                      const Resources& resources) {
  ShapePlan* plan = FreeSlot();
  if (plan == nullptr) return;
  if (!Resize(program, *plan).ok() ||
      !resources.SaveShapes(plan->resources).ok()) {
    plan->last_use = 0;
    return;
  }
  for (size_t f = 0; f < program.frames.size(); ++f) {
    Frame& frame = program.frames[f];
    // Constants stay in both: prepare does not bring them back.
    std::copy(frame.tensors.begin(), frame.tensors.end(),
              plan->frames[f].tensors.begin());
    Swap(frame, plan->frames[f]);
  }
  std::swap(static_cast<StepLists&>(program), plan->steps);
  std::swap(placement, plan->placement);
  plan->last_use = ++uses_;
}

bool ShapePlans::Exchange(Program& program, PlanForShapes& placement,
                          Resources& resources) {
  ShapePlan* plan = Find(program.main());
  if (plan == nullptr) return false;
  // Both lists have one entry for each variable that is known by now.
  for (size_t i = plan->resources.size(); i < resources.all().size(); ++i) {
    if (!plan->resources.Append({}).ok()) return false;
  }
  resources.ExchangeShapes(plan->resources);
  for (size_t f = 0; f < program.frames.size(); ++f) {
    Swap(program.frames[f], plan->frames[f]);
  }
  std::swap(static_cast<StepLists&>(program), plan->steps);
  std::swap(placement, plan->placement);
  plan->last_use = ++uses_;
  return true;
}

bool ShapePlans::Take(Program& program, PlanForShapes& placement,
                      Resources& resources) {
  if (!Exchange(program, placement, resources)) return false;
  for (ShapePlan& plan : plans_) {
    if (plan.last_use == uses_) plan.last_use = 0;
  }
  return true;
}

Status ShapePlans::Resize(const Program& program, ShapePlan& plan) {
  ARENALITE_RETURN_IF_ERROR(plan.frames.Resize(program.frames.size()));
  for (size_t f = 0; f < program.frames.size(); ++f) {
    const Frame& frame = program.frames[f];
    FrameState& state = plan.frames[f];
    ARENALITE_RETURN_IF_ERROR(state.tensors.Resize(frame.tensors.size()));
    ARENALITE_RETURN_IF_ERROR(state.nodes.Resize(frame.nodes.size()));
    ARENALITE_RETURN_IF_ERROR(
        state.resource_of.Resize(frame.resource_of.size()));
  }
  return OkStatus();
}

ShapePlans::NodeState ShapePlans::StateOf(const Node& node) {
  return {node.wiring.data, node.wiring.eval,   node.wiring.scratch,
          node.mode,        node.first_scratch, node.num_scratch};
}

void ShapePlans::SetState(Node& node, const NodeState& state) {
  node.wiring.data = state.data;
  node.wiring.eval = state.eval;
  node.wiring.scratch = state.scratch;
  node.mode = state.mode;
  node.first_scratch = state.first_scratch;
  node.num_scratch = state.num_scratch;
}

void ShapePlans::Swap(Frame& frame, FrameState& state) {
  std::swap_ranges(frame.tensors.begin(), frame.tensors.end(),
                   state.tensors.begin());
  for (size_t i = 0; i < frame.nodes.size(); ++i) {
    const NodeState current = StateOf(frame.nodes[i]);
    SetState(frame.nodes[i], state.nodes[i]);
    state.nodes[i] = current;
  }
  std::swap(frame.scratch, state.scratch);
  std::swap(frame.data, state.data);
  std::swap(frame.resource_of, state.resource_of);
}

ShapePlans::ShapePlan* ShapePlans::Find(const Frame& main) {
  for (ShapePlan& plan : plans_) {
    if (plan.last_use != 0 && HasShapes(main, plan.placement.shapes)) {
      return &plan;
    }
  }
  return nullptr;
}

// A new one, or the one whose last use is longest ago.
ShapePlans::ShapePlan* ShapePlans::FreeSlot() {
  ShapePlan* oldest = nullptr;
  for (ShapePlan& plan : plans_) {
    if (oldest == nullptr || plan.last_use < oldest->last_use) oldest = &plan;
  }
  const bool reuse = oldest != nullptr && oldest->last_use == 0;
  if (reuse || plans_.size() == capacity_) return oldest;
  return plans_.Append(ShapePlan()).ok() ? &plans_.back() : oldest;
}

size_t ShapePlans::HeapBytes() const {
  size_t bytes = plans_.capacity_bytes();
  for (const ShapePlan& plan : plans_) {
    bytes += plan.frames.capacity_bytes() + plan.steps.HeapBytes() +
             plan.placement.HeapBytes() + plan.resources.capacity_bytes();
    for (const FrameState& frame : plan.frames) {
      bytes += frame.tensors.capacity_bytes() + frame.nodes.capacity_bytes() +
               frame.scratch.capacity_bytes() + frame.data.bytes() +
               frame.resource_of.capacity_bytes();
    }
  }
  return bytes;
}

}  // namespace arenalite
