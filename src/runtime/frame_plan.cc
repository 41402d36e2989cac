#include "runtime/frame_plan.h"

#include <algorithm>
#include <utility>

#include "base/checked_math.h"
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

// Lays variables end to end; the sum is a multiple of the arena's alignment,
// so that the planned part that follows is aligned too.
Status PlaceVariables(const Frame& frame, const InterpreterOptions& options,
                      FramePlan& plan) {
  SimpleMemoryArena arena({});
  ARENALITE_RETURN_IF_ERROR(plan.variable_offsets.Resize(frame.tensors.size()));
  plan.variable_offsets.Fill(-1);
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    const Tensor& tensor = frame.tensors[i];
    if (tensor.memory != TensorMemory::kVariable) continue;
    const int32_t alignment =
        std::max(options.alignment, TensorTypeAlignment(tensor.type));
    plan.arena_alignment = std::max(plan.arena_alignment, alignment);
    ARENALITE_ASSIGN_OR_RETURN(plan.variable_offsets[i],
                               arena.Allocate(tensor.bytes, alignment));
  }
  plan.persistent_bytes = AlignUp(arena.required_bytes(), plan.arena_alignment);
  return OkStatus();
}

Status MarkInputStorages(FramePlan& plan) {
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

// Sum of the sizes live at each step; the last entry is after the last step.
Result<Array<int64_t>> LiveBytes(const FramePlan& plan) {
  const size_t steps = plan.timeline.steps.size() + 1;
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> live,
                             Array<int64_t>::Create(steps + 1));
  for (const BufferRequest& request : plan.lifetimes.requests) {
    live[Index(request.first_step)] += request.size;
    live[Index(request.last_step) + 1] -= request.size;
  }
  for (size_t i = 1; i < steps; ++i) live[i] += live[i - 1];
  return live;
}

}  // namespace

size_t FramePlan::HeapBytes() const {
  return timeline.tensors.capacity_bytes() + timeline.steps.capacity_bytes() +
         timeline.reads.capacity_bytes() + timeline.writes.capacity_bytes() +
         timeline.claims.capacity_bytes() +
         timeline.scratch_bytes.capacity_bytes() +
         lifetimes.requests.capacity_bytes() +
         lifetimes.overlaps.capacity_bytes() +
         lifetimes.storage_of.capacity_bytes() + plan.offsets.capacity_bytes() +
         variable_offsets.capacity_bytes() + holds_input.capacity_bytes();
}

Result<FramePlan> PlanFrame(const Frame& frame,
                            const InterpreterOptions& options) {
  FramePlan result;
  ARENALITE_ASSIGN_OR_RETURN(result.timeline, BuildTimeline(frame));
  ARENALITE_ASSIGN_OR_RETURN(
      result.lifetimes,
      ComputeLifetimes(result.timeline, LifetimeOptionsFrom(options)));
  const Span<const BufferRequest> requests(result.lifetimes.requests);
  const Span<const AllowedOverlap> overlaps(result.lifetimes.overlaps);
  PlanOptions plan_options;
  plan_options.strategy = options.plan_strategy;
  ARENALITE_ASSIGN_OR_RETURN(result.plan,
                             PlanMemory(requests, overlaps, plan_options));
#ifndef NDEBUG
  ARENALITE_RETURN_IF_ERROR(CheckPlan(requests, overlaps, result.plan));
#endif
  for (const BufferRequest& request : requests) {
    result.arena_alignment =
        std::max(result.arena_alignment, request.alignment);
  }
  ARENALITE_RETURN_IF_ERROR(PlaceVariables(frame, options, result));
  ARENALITE_RETURN_IF_ERROR(MarkInputStorages(result));
  if (result.plan.total_bytes > options.max_arena_bytes ||
      result.persistent_bytes >
          options.max_arena_bytes - result.plan.total_bytes) {
    return WithPeak(
        ResourceExhaustedError("the arena needs ", result.plan.total_bytes,
                               " planned and ", result.persistent_bytes,
                               " persistent bytes, max_arena_bytes allows ",
                               options.max_arena_bytes),
        frame, result);
  }
  return result;
}

void BindFrame(Frame& frame, const FramePlan& plan, uint8_t* persistent,
               uint8_t* planned) {
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    Tensor& tensor = frame.tensors[i];
    const int32_t storage = plan.lifetimes.storage_of[i];
    if (tensor.memory == TensorMemory::kVariable) {
      tensor.data = persistent + plan.variable_offsets[i];
    } else if (tensor.memory == TensorMemory::kCustom) {
      tensor.data = frame.settings[i].custom.data();
    } else if (storage >= 0) {
      tensor.data = planned + plan.plan.offsets[Index(storage)];
    }
  }
  size_t request = Index(plan.lifetimes.num_storages);
  for (int32_t index : frame.info->order) {
    Node& node = frame.nodes[Index(index)];
    if (node.mode == NodeMode::kElided) continue;
    for (Scratch& scratch : node.wiring.scratch) {
      scratch.data = planned + plan.plan.offsets[request++];
    }
  }
}

void UnbindFrame(Frame& frame, bool variables_too) {
  for (Tensor& tensor : frame.tensors) {
    if (tensor.memory == TensorMemory::kArena ||
        (variables_too && tensor.memory == TensorMemory::kVariable)) {
      tensor.data = nullptr;
    }
  }
}

Result<MemoryUsage> ComputeUsage(const FramePlan& plan,
                                 const InterpreterOptions& options) {
  MemoryUsage usage;
  usage.planned_bytes = plan.plan.total_bytes;
  usage.persistent_bytes = plan.persistent_bytes;
  usage.arena_bytes = plan.arena_bytes();
  usage.lower_bound_bytes = plan.plan.lower_bound_bytes;
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> live, LiveBytes(plan));
  for (size_t step = 0; step + 1 < live.size(); ++step) {
    if (live[step] > usage.liveness_bound_bytes) {
      usage.liveness_bound_bytes = live[step];
      usage.peak_step = static_cast<int32_t>(step);
    }
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

Status WithPeak(Status status, const Frame& frame, const FramePlan& plan) {
  Result<Array<int64_t>> live = LiveBytes(plan);
  if (status.ok() || !live.ok() || live->size() < 3) return status;
  size_t peak = 0;
  for (size_t step = 0; step + 2 < live->size(); ++step) {
    if ((*live)[step] > (*live)[peak]) peak = step;
  }
  const auto step = static_cast<int32_t>(peak);
  const NodeInfo& node = frame.info->nodes[Index(frame.info->order[peak])];
  Status text = ResourceExhaustedError(status.message(), "; the peak is step ",
                                       step, " ", node.op_name, " with ",
                                       (*live)[peak], " live bytes:");
  Array<uint8_t> named;
  if (!named.Resize(plan.lifetimes.requests.size()).ok()) return text;
  int shown = 0;
  for (size_t i = 0; i < frame.tensors.size() && shown < 8; ++i) {
    const int32_t storage = plan.lifetimes.storage_of[i];
    if (storage < 0 || named[Index(storage)] != 0) continue;
    const BufferRequest& request = plan.lifetimes.requests[Index(storage)];
    if (request.first_step > step || request.last_step < step) continue;
    named[Index(storage)] = 1;
    ++shown;
    text = ResourceExhaustedError(text.message(), " tensor ", i, " '",
                                  frame.tensors[i].name, "' ", request.size);
  }
  return text;
}

}  // namespace arenalite
