#include "runtime/timeline_builder.h"

#include <algorithm>
#include <utility>

#include "runtime/node_overlap.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

class Builder {
 public:
  Builder(const Program& program, const Array<int32_t>& first_tensor)
      : program_(program), first_tensor_(first_tensor) {}

  Result<Timeline> Run() {
    for (const Frame& frame : program_.frames) {
      ARENALITE_RETURN_IF_ERROR(AddTensors(frame));
    }
    MarkBoundary();
    ARENALITE_RETURN_IF_ERROR(timeline_.steps.Reserve(program_.steps.size()));
    for (const Step& step : program_.steps) {
      ARENALITE_RETURN_IF_ERROR(AddStep(step));
    }
    for (const LoopRegion& loop : program_.loops) {
      ARENALITE_RETURN_IF_ERROR(timeline_.loops.Append(loop));
    }
    return std::move(timeline_);
  }

 private:
  int32_t Number(TensorRef ref) const {
    return first_tensor_[Index(ref.frame)] + ref.tensor;
  }

  Status AddTensors(const Frame& frame) {
    for (size_t i = 0; i < frame.tensors.size(); ++i) {
      const Tensor& tensor = frame.tensors[i];
      TimelineTensor entry;
      entry.bytes = tensor.bytes;
      entry.alignment = TensorTypeAlignment(tensor.type);
      entry.planned = tensor.is_planned();
      entry.kept = frame.settings[i].preserved;
      ARENALITE_RETURN_IF_ERROR(timeline_.tensors.Append(entry));
    }
    return OkStatus();
  }

  // What the application fills and reads: inputs and outputs of frame 0.
  void MarkBoundary() {
    for (int32_t input : program_.main().info->inputs) {
      if (input >= 0) timeline_.tensors[Index(input)].is_input = true;
    }
    for (int32_t output : program_.main().info->outputs) {
      if (output >= 0) timeline_.tensors[Index(output)].is_output = true;
    }
  }

  Status AddStep(const Step& step) {
    switch (step.kind) {
      case StepKind::kNode:
        ARENALITE_RETURN_IF_ERROR(AddNode(step.frame, step.node));
        break;
      case StepKind::kCopy:
        ARENALITE_RETURN_IF_ERROR(AddCopies(step));
        break;
      case StepKind::kBranch:
        ARENALITE_RETURN_IF_ERROR(
            timeline_.reads.Append(Number(step.condition)));
        break;
      case StepKind::kJump:
      case StepKind::kOnce:
      case StepKind::kDone:
      case StepKind::kLabel:
        break;
    }
    TimelineStep entry;
    entry.reads_end = static_cast<int32_t>(timeline_.reads.size());
    entry.writes_end = static_cast<int32_t>(timeline_.writes.size());
    entry.claims_end = static_cast<int32_t>(timeline_.claims.size());
    entry.scratch_end = static_cast<int32_t>(timeline_.scratch_bytes.size());
    return timeline_.steps.Append(entry);
  }

  Status AddCopies(const Step& step) {
    ARENALITE_RETURN_IF_ERROR(SortSources(step));
    for (int32_t i = 0; i < step.num_copies; ++i) {
      const Copy& copy = program_.copies[Index(step.first_copy + i)];
      const int32_t from = Number(copy.from);
      const int32_t to = Number(copy.to);
      ARENALITE_RETURN_IF_ERROR(timeline_.reads.Append(from));
      ARENALITE_RETURN_IF_ERROR(timeline_.writes.Append(to));
      const int64_t distance = IsReadTwice(from) ? kNoOverlap : 0;
      ARENALITE_RETURN_IF_ERROR(timeline_.claims.Append({to, from, distance}));
      if (!copy.may_share) continue;
      ARENALITE_RETURN_IF_ERROR(
          AddAlias(from, to, copy.kind, copy.region_begin));
    }
    return OkStatus();
  }

  Status SortSources(const Step& step) {
    sources_.Clear();
    for (int32_t i = 0; i < step.num_copies; ++i) {
      const Copy& copy = program_.copies[Index(step.first_copy + i)];
      ARENALITE_RETURN_IF_ERROR(sources_.Append(Number(copy.from)));
    }
    std::sort(sources_.begin(), sources_.end());
    return OkStatus();
  }

  // A copy over its own source is harmless, unless another copy of the step
  // reads that source too.
  bool IsReadTwice(int32_t from) const {
    const auto [begin, end] =
        std::equal_range(sources_.begin(), sources_.end(), from);
    return end - begin > 1;
  }

  Status AddAlias(int32_t from, int32_t to, AliasKind kind, int32_t begin) {
    return timeline_.aliases.Append(
        {timeline_.num_steps(), from, to, kind, begin});
  }

  Status AddNode(int32_t f, int32_t n) {
    const Node& node = program_.frames[Index(f)].nodes[Index(n)];
    if (node.mode == NodeMode::kElided) return OkStatus();
    for (int32_t input : node.info->inputs) {
      if (input < 0) continue;
      ARENALITE_RETURN_IF_ERROR(timeline_.reads.Append(Number({f, input})));
    }
    for (int32_t output : node.info->outputs) {
      if (output < 0) continue;
      ARENALITE_RETURN_IF_ERROR(timeline_.writes.Append(Number({f, output})));
    }
    if (IsView(node)) {
      ARENALITE_RETURN_IF_ERROR(AddAlias(Number({f, node.info->inputs[0]}),
                                         Number({f, node.info->outputs[0]}),
                                         AliasKind::kView, 0));
    }
    ARENALITE_RETURN_IF_ERROR(AddClaims(f, node));
    for (const Scratch& scratch : node.wiring.scratch) {
      ARENALITE_RETURN_IF_ERROR(timeline_.scratch_bytes.Append(scratch.bytes));
    }
    return OkStatus();
  }

  bool IsPlanned(int32_t f, int32_t tensor) const {
    return tensor >= 0 && timeline_.tensors[Index(Number({f, tensor}))].planned;
  }

  bool IsBounded(int32_t f, int32_t tensor) const {
    return program_.tensor({f, tensor}).memory == TensorMemory::kBounded;
  }

  Status AddClaims(int32_t f, const Node& node) {
    if (!HasOverlap(node)) return OkStatus();
    for (size_t o = 0; o < node.info->outputs.size(); ++o) {
      const int32_t output = node.info->outputs[o];
      // The number would follow from a shape that is not known yet.
      if (!IsPlanned(f, output) || IsBounded(f, output)) continue;
      for (size_t i = 0; i < node.info->inputs.size(); ++i) {
        const int32_t input = node.info->inputs[i];
        if (!IsPlanned(f, input)) continue;
        ARENALITE_RETURN_IF_ERROR(
            timeline_.claims.Append({Number({f, output}), Number({f, input}),
                                     NodeOverlap(node, o, i)}));
      }
    }
    return OkStatus();
  }

  const Program& program_;
  const Array<int32_t>& first_tensor_;
  Array<int32_t> sources_;  // Of the copies of one step, ascending.
  Timeline timeline_;
};

}  // namespace

Result<Timeline> BuildTimeline(const Program& program,
                               const Array<int32_t>& first_tensor) {
  return Builder(program, first_tensor).Run();
}

Result<Array<int32_t>> NumberTensors(const Program& program) {
  Array<int32_t> first;
  int64_t next = 0;
  for (const Frame& frame : program.frames) {
    ARENALITE_RETURN_IF_ERROR(first.Append(static_cast<int32_t>(next)));
    next += static_cast<int64_t>(frame.tensors.size());
  }
  if (next > INT32_MAX) {
    return ResourceExhaustedError("the program has ", next, " tensors");
  }
  ARENALITE_RETURN_IF_ERROR(first.Append(static_cast<int32_t>(next)));
  return first;
}

}  // namespace arenalite
