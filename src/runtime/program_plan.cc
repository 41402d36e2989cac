#include "runtime/program_plan.h"

#include <algorithm>
#include <utility>

#include "arenalite/plan_file.h"
#include "base/checked_math.h"
#include "runtime/step_bytes.h"
#include "runtime/timeline_builder.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

LifetimeOptions LifetimeOptionsFrom(const InterpreterOptions& options) {
  LifetimeOptions result;
  result.alignment = options.alignment;
  result.allow_input_reuse = options.allow_input_reuse;
  result.preserve_all = options.preserve_all_tensors;
  result.allow_overlap = options.allow_overlap;
  return result;
}

Status MarkInputStorages(ProgramPlan& plan) {
  ARENALITE_RETURN_IF_ERROR(
      plan.holds_input.Resize(Index(plan.lifetimes.num_storages)));
  for (size_t i = 0; i < plan.timeline.tensors.size(); ++i) {
    const int32_t storage = plan.lifetimes.storage_of[i];
    if (storage >= 0 && plan.timeline.tensors[i].is_input) {
      plan.holds_input[Index(storage)] = 1;
    }
  }
  return OkStatus();
}

// Up to eight of the storages live at `step`, each by one of its tensors.
Status AppendLiveTensors(Status text, int32_t step, const Program& program,
                         const ProgramPlan& plan) {
  Array<uint8_t> named;
  if (!named.Resize(plan.lifetimes.requests.size()).ok()) return text;
  int shown = 0;
  size_t number = 0;
  for (const Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      const int32_t storage = plan.lifetimes.storage_of[number];
      if (storage < 0 || named[Index(storage)] != 0 || shown == 8) continue;
      const BufferRequest& request = plan.lifetimes.requests[Index(storage)];
      if (request.first_step > step || request.last_step < step) continue;
      named[Index(storage)] = 1;
      ++shown;
      text = ResourceExhaustedError(text.message(), " tensor ", i, " '",
                                    frame.tensors[i].name, "' ", request.size);
    }
  }
  return text;
}

}  // namespace

size_t ProgramPlan::HeapBytes() const {
  return timeline.tensors.capacity_bytes() + timeline.steps.capacity_bytes() +
         timeline.reads.capacity_bytes() + timeline.writes.capacity_bytes() +
         timeline.claims.capacity_bytes() +
         timeline.scratch_bytes.capacity_bytes() +
         lifetimes.requests.capacity_bytes() +
         lifetimes.overlaps.capacity_bytes() +
         lifetimes.storage_of.capacity_bytes() + plan.offsets.capacity_bytes() +
         first_tensor.capacity_bytes() + holds_input.capacity_bytes();
}

namespace {

// Leaves room for aligning every tensor of a file.
constexpr int64_t kMaxSumOfBytes = INT64_MAX / 4;

// Refuses sizes that no plan can bring below the limit, before time is spent on
// them, and sums that 64 bits do not hold.
Status CheckSizes(const Program& program, const InterpreterOptions& options) {
  int64_t sum = 0;
  for (const Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i) {
      const Tensor& tensor = frame.tensors[i];
      if (!tensor.is_planned() && tensor.memory != TensorMemory::kVariable) {
        continue;
      }
      const int64_t bytes = std::max(tensor.bytes, tensor.capacity);
      const bool fits = bytes <= options.max_arena_bytes &&
                        CheckedAdd(sum, bytes, &sum) && sum <= kMaxSumOfBytes;
      if (fits) continue;
      return ResourceExhaustedError(
          "subgraph ", frame.subgraph, " '", frame.info->name, "' tensor ", i,
          " '", tensor.name, "' of shape ", tensor.shape.dims(), " needs ",
          bytes, " bytes, max_arena_bytes allows ", options.max_arena_bytes);
    }
  }
  return OkStatus();
}

// From the caller's plan file, or from the planner.
Result<MemoryPlan> MakePlan(Span<const BufferRequest> requests,
                            Span<const AllowedOverlap> overlaps,
                            const InterpreterOptions& options) {
  if (!options.plan_file.empty()) {
    return LoadPlan(options.plan_file, requests, overlaps);
  }
  PlanOptions plan_options;
  plan_options.strategy = options.plan_strategy;
  return PlanMemory(requests, overlaps, plan_options);
}

}  // namespace

Result<ProgramPlan> PlanProgram(const Program& program,
                                const InterpreterOptions& options) {
  ARENALITE_RETURN_IF_ERROR(CheckSizes(program, options));
  ProgramPlan result;
  ARENALITE_ASSIGN_OR_RETURN(result.first_tensor, NumberTensors(program));
  ARENALITE_ASSIGN_OR_RETURN(result.timeline,
                             BuildTimeline(program, result.first_tensor));
  ARENALITE_ASSIGN_OR_RETURN(
      result.lifetimes,
      ComputeLifetimes(result.timeline, LifetimeOptionsFrom(options)));
  const Span<const BufferRequest> requests(result.lifetimes.requests);
  const Span<const AllowedOverlap> overlaps(result.lifetimes.overlaps);
  ARENALITE_ASSIGN_OR_RETURN(result.plan,
                             MakePlan(requests, overlaps, options));
#ifndef NDEBUG
  ARENALITE_RETURN_IF_ERROR(CheckPlan(requests, overlaps, result.plan));
#endif
  ARENALITE_RETURN_IF_ERROR(MarkInputStorages(result));
  if (result.plan.total_bytes > options.max_arena_bytes) {
    return WithPeak(
        ResourceExhaustedError("the arena needs ", result.plan.total_bytes,
                               " bytes, max_arena_bytes allows ",
                               options.max_arena_bytes),
        program, result);
  }
  return result;
}

void BindPlanned(Program& program, const ProgramPlan& plan, uint8_t* planned) {
  size_t number = 0;
  for (Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      Tensor& tensor = frame.tensors[i];
      const int32_t storage = plan.lifetimes.storage_of[number];
      if (tensor.memory == TensorMemory::kCustom) {
        tensor.data = frame.settings[i].custom.data();
      } else if (storage >= 0) {
        tensor.data = planned + plan.plan.offsets[Index(storage)];
      }
    }
  }
  size_t request = Index(plan.lifetimes.num_storages);
  for (const Step& step : program.steps) {
    if (step.kind != StepKind::kNode) continue;
    Node& node = program.frames[Index(step.frame)].nodes[Index(step.node)];
    if (node.mode == NodeMode::kElided) continue;
    for (Scratch& scratch : node.wiring.scratch) {
      scratch.data = planned + plan.plan.offsets[request++];
    }
  }
}

void UnbindPlanned(Program& program) {
  for (Frame& frame : program.frames) {
    for (Tensor& tensor : frame.tensors) {
      if (tensor.is_planned()) tensor.data = nullptr;
    }
  }
}

void UnbindAll(Program& program) {
  UnbindPlanned(program);
  for (Frame& frame : program.frames) {
    for (Tensor& tensor : frame.tensors) {
      if (tensor.memory == TensorMemory::kVariable) tensor.data = nullptr;
    }
  }
}

Result<MemoryUsage> ComputeUsage(const ProgramPlan& plan,
                                 const InterpreterOptions& options) {
  MemoryUsage usage;
  usage.planned_bytes = plan.plan.total_bytes;
  usage.lower_bound_bytes = plan.plan.lower_bound_bytes;
  usage.peak_step = plan.plan.peak_step;
  ARENALITE_ASSIGN_OR_RETURN(
      const Array<int64_t> live,
      ComputeLiveBytes(plan.lifetimes, plan.timeline.num_steps()));
  for (int64_t bytes : live) {
    usage.liveness_bound_bytes = std::max(usage.liveness_bound_bytes, bytes);
  }
  for (size_t i = 0; i < plan.timeline.tensors.size(); ++i) {
    const int32_t storage = plan.lifetimes.storage_of[i];
    if (storage < 0) continue;
    usage.naive_bytes +=
        AlignUp(plan.timeline.tensors[i].bytes, options.alignment);
  }
  const auto storages = Index(plan.lifetimes.num_storages);
  ARENALITE_ASSIGN_OR_RETURN(Array<uint8_t> is_io,
                             Array<uint8_t>::Create(storages));
  for (size_t i = 0; i < plan.timeline.tensors.size(); ++i) {
    const TimelineTensor& tensor = plan.timeline.tensors[i];
    const int32_t storage = plan.lifetimes.storage_of[i];
    if (storage >= 0 && (tensor.is_input || tensor.is_output)) {
      is_io[Index(storage)] = 1;
    }
  }
  for (size_t i = 0; i < plan.lifetimes.requests.size(); ++i) {
    const BufferRequest& request = plan.lifetimes.requests[i];
    const bool is_scratch = i >= storages;
    if (is_scratch) usage.naive_bytes += request.size;
    if (request.first_step > usage.peak_step ||
        request.last_step < usage.peak_step) {
      continue;
    }
    int64_t& part = is_scratch ? usage.peak_scratch_bytes
                    : is_io[i] ? usage.peak_io_bytes
                               : usage.peak_activation_bytes;
    part += request.size;
  }
  return usage;
}

Status WithPeak(Status status, const Program& program,
                const ProgramPlan& plan) {
  Result<Array<int64_t>> live =
      ComputeLiveBytes(plan.lifetimes, plan.timeline.num_steps());
  const int32_t step = plan.plan.peak_step;
  const size_t peak = Index(step);
  if (status.ok() || !live.ok() || peak >= program.steps.size()) return status;
  const Step& at = program.steps[peak];
  const Frame& frame = program.frames[Index(at.frame)];
  Status text =
      ResourceExhaustedError(status.message(), "; the peak is step ", step, " ",
                             frame.info->nodes[Index(at.node)].op_name,
                             " with ", (*live)[peak], " live bytes:");
  return AppendLiveTensors(std::move(text), step, program, plan);
}

}  // namespace arenalite
