#include "runtime/timeline_builder.h"

#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// A host for the overlap functions, which ask for nothing.
class NoHost final : public OpHost {
 public:
  void* AllocateData(size_t) override { return nullptr; }
  Status SetShape(Tensor&, const Shape&) override { return Refuse(); }
  Status SetDynamic(Tensor&) override { return Refuse(); }
  Result<int> RequestScratch(int64_t) override { return Refuse(); }
  Status ResizeDynamic(Tensor&, const Shape&, int64_t) override {
    return Refuse();
  }
  bool HasValue(const Tensor& tensor) const override {
    return tensor.is_constant();
  }

 private:
  static Status Refuse() {
    return InternalError("an overlap function may not change its op");
  }
};

class Builder {
 public:
  explicit Builder(const Frame& frame) : frame_(frame) {}

  Result<Timeline> Run() {
    ARENALITE_RETURN_IF_ERROR(AddTensors());
    ARENALITE_RETURN_IF_ERROR(
        timeline_.steps.Reserve(frame_.info->order.size()));
    for (int32_t node : frame_.info->order) {
      ARENALITE_RETURN_IF_ERROR(AddStep(frame_.nodes[Index(node)]));
    }
    return std::move(timeline_);
  }

 private:
  Status AddTensors() {
    ARENALITE_RETURN_IF_ERROR(timeline_.tensors.Resize(frame_.tensors.size()));
    for (size_t i = 0; i < frame_.tensors.size(); ++i) {
      const Tensor& tensor = frame_.tensors[i];
      TimelineTensor& entry = timeline_.tensors[i];
      entry.bytes = tensor.bytes;
      entry.alignment = TensorTypeAlignment(tensor.type);
      entry.planned = tensor.memory == TensorMemory::kArena;
      entry.is_output = frame_.is_graph_output[i] != 0;
      entry.kept = frame_.settings[i].preserved;
    }
    for (int32_t input : frame_.info->inputs) {
      if (input >= 0) timeline_.tensors[Index(input)].is_input = true;
    }
    return OkStatus();
  }

  Status AddStep(const Node& node) {
    if (node.mode != NodeMode::kElided) {
      for (int32_t input : node.info->inputs) {
        if (input < 0) continue;
        ARENALITE_RETURN_IF_ERROR(timeline_.reads.Append(input));
      }
      for (int32_t output : node.info->outputs) {
        ARENALITE_RETURN_IF_ERROR(timeline_.writes.Append(output));
      }
      ARENALITE_RETURN_IF_ERROR(AddClaims(node));
      for (int32_t i = 0; i < node.num_scratch; ++i) {
        const Scratch& scratch = frame_.scratch[Index(node.first_scratch + i)];
        ARENALITE_RETURN_IF_ERROR(
            timeline_.scratch_bytes.Append(scratch.bytes));
      }
    }
    TimelineStep step;
    step.reads_end = static_cast<int32_t>(timeline_.reads.size());
    step.writes_end = static_cast<int32_t>(timeline_.writes.size());
    step.claims_end = static_cast<int32_t>(timeline_.claims.size());
    step.scratch_end = static_cast<int32_t>(timeline_.scratch_bytes.size());
    step.is_view = IsView(node);
    return timeline_.steps.Append(step);
  }

  static bool IsView(const Node& node) {
    return node.mode == NodeMode::kPlanned && node.definition != nullptr &&
           (node.definition->traits & kOpIsView) != 0 &&
           !node.info->inputs.empty() && node.info->inputs[0] >= 0;
  }

  bool IsPlanned(int32_t tensor) const {
    return tensor >= 0 && timeline_.tensors[Index(tensor)].planned;
  }

  Status AddClaims(const Node& node) {
    if (node.mode != NodeMode::kPlanned || node.definition == nullptr ||
        node.definition->overlap == nullptr) {
      return OkStatus();
    }
    NoHost host;
    OpContext::Wiring wiring = node.wiring;
    const OpContext context(wiring, host);
    for (size_t o = 0; o < node.info->outputs.size(); ++o) {
      const int32_t output = node.info->outputs[o];
      if (!IsPlanned(output)) continue;
      for (size_t i = 0; i < node.info->inputs.size(); ++i) {
        const int32_t input = node.info->inputs[i];
        if (!IsPlanned(input)) continue;
        const int64_t distance = node.definition->overlap(
            context, static_cast<int>(o), static_cast<int>(i));
        ARENALITE_RETURN_IF_ERROR(
            timeline_.claims.Append({output, input, distance}));
      }
    }
    return OkStatus();
  }

  const Frame& frame_;
  Timeline timeline_;
};

}  // namespace

Result<Timeline> BuildTimeline(const Frame& frame) {
  return Builder(frame).Run();
}

}  // namespace arenalite
