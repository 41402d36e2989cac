#include "runtime/report.h"

#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

Status AddTensors(const Frame& frame, const FramePlan& plan,
                  MemoryReport& report) {
  ARENALITE_RETURN_IF_ERROR(report.tensors.Resize(frame.tensors.size()));
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    const Tensor& tensor = frame.tensors[i];
    TensorReport& entry = report.tensors[i];
    entry.subgraph = frame.subgraph;
    entry.index = static_cast<int32_t>(i);
    entry.name = tensor.name;
    entry.type = tensor.type;
    entry.memory = tensor.memory;
    entry.shape = tensor.shape;
    entry.bytes = tensor.bytes;
    entry.is_input = plan.timeline.tensors[i].is_input;
    entry.is_output = plan.timeline.tensors[i].is_output;
    entry.storage = plan.lifetimes.storage_of[i];
    if (entry.storage < 0) continue;
    const BufferRequest& request =
        plan.lifetimes.requests[Index(entry.storage)];
    entry.offset = plan.plan.offsets[Index(entry.storage)];
    entry.first_step = request.first_step;
    entry.last_step = request.last_step;
  }
  return OkStatus();
}

Status AddSteps(const Frame& frame, const FramePlan& plan,
                MemoryReport& report) {
  const size_t count = frame.info->order.size();
  ARENALITE_RETURN_IF_ERROR(report.steps.Resize(count));
  for (size_t i = 0; i < count; ++i) {
    const int32_t index = frame.info->order[i];
    StepReport& step = report.steps[i];
    step.subgraph = frame.subgraph;
    step.node = index;
    step.op_name = frame.nodes[Index(index)].info->op_name;
    step.has_kernel = frame.nodes[Index(index)].definition != nullptr;
    for (int64_t bytes : plan.timeline.ScratchOf(static_cast<int>(i))) {
      step.scratch_bytes += bytes;
    }
  }
  for (const BufferRequest& request : plan.lifetimes.requests) {
    for (int32_t s = request.first_step;
         s <= request.last_step && Index(s) < count; ++s) {
      report.steps[Index(s)].live_bytes += request.size;
    }
  }
  return OkStatus();
}

}  // namespace

Result<MemoryReport> BuildReport(const Frame& frame, const FramePlan& plan,
                                 const MemoryUsage& usage) {
  MemoryReport report;
  report.usage = usage;
  report.strategy = plan.plan.strategy;
  report.proven_optimal = plan.plan.proven_optimal;
  ARENALITE_RETURN_IF_ERROR(AddTensors(frame, plan, report));
  ARENALITE_RETURN_IF_ERROR(AddSteps(frame, plan, report));
  for (const AllowedOverlap& overlap : plan.lifetimes.overlaps) {
    ARENALITE_RETURN_IF_ERROR(report.overlaps.Append(overlap));
  }
  return report;
}

}  // namespace arenalite
