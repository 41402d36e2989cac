#include "runtime/maximum_plan.h"

#include <algorithm>

#include "runtime/node_overlap.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Every tensor of the arena has a place that is large enough.
bool TensorsFit(const Program& program, const ProgramPlan& plan) {
  size_t number = 0;
  for (const Frame& frame : program.frames) {
    for (const Tensor& tensor : frame.tensors) {
      const size_t i = number++;
      if (!tensor.is_planned()) continue;
      if (!plan.timeline.tensors[i].planned) return false;
      const int32_t storage = plan.lifetimes.storage_of[i];
      if (storage < 0) continue;  // No step touches it.
      if (tensor.bytes > plan.lifetimes.requests[Index(storage)].size) {
        return false;
      }
    }
  }
  return true;
}

// In the order of BindPlanned.
bool ScratchFits(const Program& program, const ProgramPlan& plan) {
  size_t request = Index(plan.lifetimes.num_storages);
  for (const Step& step : program.steps) {
    if (step.kind != StepKind::kNode) continue;
    const Node& node =
        program.frames[Index(step.frame)].nodes[Index(step.node)];
    if (node.mode == NodeMode::kElided) continue;
    for (const Scratch& scratch : node.wiring.scratch) {
      if (scratch.bytes > plan.lifetimes.requests[request++].size) return false;
    }
  }
  return true;
}

// Asks one op whether its outputs may lie on its inputs as they do.
class PairCheck {
 public:
  PairCheck(const Program& program, const ProgramPlan& plan, const Step& step)
      : plan_(plan),
        frame_(program.frames[Index(step.frame)]),
        first_(plan.first_tensor[Index(step.frame)]),
        node_(frame_.nodes[Index(step.node)]) {}

  bool Passes() const {
    if (node_.mode != NodeMode::kPlanned) return true;
    for (size_t o = 0; o < node_.info->outputs.size(); ++o) {
      for (size_t i = 0; i < node_.info->inputs.size(); ++i) {
        if (!PairPasses(o, i)) return false;
      }
    }
    return true;
  }

 private:
  // -1: has no bytes of the arena.
  int64_t OffsetOf(int32_t tensor) const {
    if (tensor < 0) return -1;
    const Tensor& value = frame_.tensors[Index(tensor)];
    if (!value.is_planned() || value.bytes == 0) return -1;
    const int32_t storage = plan_.lifetimes.storage_of[Index(first_ + tensor)];
    return storage < 0 ? -1 : plan_.plan.offsets[Index(storage)];
  }

  bool PairPasses(size_t o, size_t i) const {
    const int32_t output = node_.info->outputs[o];
    const int32_t input = node_.info->inputs[i];
    const int64_t out = OffsetOf(output);
    const int64_t in = OffsetOf(input);
    if (out < 0 || in < 0) return true;
    const bool disjoint = out + frame_.tensors[Index(output)].bytes <= in ||
                          in + frame_.tensors[Index(input)].bytes <= out;
    if (disjoint) return true;
    if (IsView(node_) && o == 0 && i == 0 && out == in) return true;
    if (!HasOverlap(node_)) return false;
    const int64_t distance = NodeOverlap(node_, o, i);
    return distance != kNoOverlap && out - in <= distance;
  }

  const ProgramPlan& plan_;
  const Frame& frame_;
  const int32_t first_;
  const Node& node_;
};

}  // namespace

Status MaximumPlan::Note(const Program& program,
                         const PlanForShapes& placement) {
  made_ = false;
  ARENALITE_RETURN_IF_ERROR(shapes_.Resize(placement.shapes.size()));
  std::copy(placement.shapes.begin(), placement.shapes.end(), shapes_.begin());
  nodes_.Clear();
  for (const Frame& frame : program.frames) {
    for (const Node& node : frame.nodes) {
      ARENALITE_RETURN_IF_ERROR(nodes_.Append({node.mode, node.num_scratch}));
    }
  }
  planned_bytes_ = placement.plan.plan.total_bytes;
  made_ = true;
  return OkStatus();
}

bool MaximumPlan::Serves(const Program& program,
                         const ProgramPlan& plan) const {
  if (!SameNodes(program) || !TensorsFit(program, plan) ||
      !ScratchFits(program, plan)) {
    return false;
  }
  for (const Step& step : program.steps) {
    if (step.kind != StepKind::kNode) continue;
    if (!PairCheck(program, plan, step).Passes()) return false;
  }
  return true;
}

// A node may have become a constant (smaller values are folded): then it does
// not run, and its place stays empty. Nothing else may differ.
bool MaximumPlan::SameNodes(const Program& program) const {
  size_t number = 0;
  for (const Frame& frame : program.frames) {
    for (const Node& node : frame.nodes) {
      const NodeFacts& facts = nodes_[number++];
      const bool folded = node.mode == NodeMode::kElided &&
                          facts.mode == NodeMode::kPlanned &&
                          node.callees.empty();
      if (node.mode != facts.mode && !folded) return false;
      if (node.num_scratch != facts.num_scratch) return false;
    }
  }
  return true;
}

}  // namespace arenalite
