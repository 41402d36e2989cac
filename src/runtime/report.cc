#include "runtime/report.h"

#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

TensorReport ReportTensor(const Frame& frame, size_t i) {
  const Tensor& tensor = frame.tensors[i];
  TensorReport entry;
  entry.subgraph = frame.subgraph;
  entry.index = static_cast<int32_t>(i);
  entry.name = tensor.name;
  entry.type = tensor.type;
  entry.memory = tensor.memory;
  entry.shape = tensor.shape;
  entry.bytes = tensor.bytes;
  return entry;
}

Status AddTensors(const Program& program, const ProgramPlan& plan,
                  MemoryReport& report) {
  size_t number = 0;
  for (const Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      TensorReport entry = ReportTensor(frame, i);
      entry.is_input = plan.timeline.tensors[number].is_input;
      entry.is_output = plan.timeline.tensors[number].is_output;
      entry.storage = plan.lifetimes.storage_of[number];
      if (entry.storage >= 0) {
        const BufferRequest& request =
            plan.lifetimes.requests[Index(entry.storage)];
        entry.offset = plan.plan.offsets[Index(entry.storage)];
        entry.first_step = request.first_step;
        entry.last_step = request.last_step;
      }
      ARENALITE_RETURN_IF_ERROR(report.tensors.Append(entry));
    }
  }
  return OkStatus();
}

Status AddSteps(const Program& program, const ProgramPlan& plan,
                MemoryReport& report) {
  const size_t count = program.steps.size();
  ARENALITE_RETURN_IF_ERROR(report.steps.Resize(count));
  for (size_t i = 0; i < count; ++i) {
    const Step& from = program.steps[i];
    const Node& node =
        program.frames[Index(from.frame)].nodes[Index(from.node)];
    StepReport& step = report.steps[i];
    step.subgraph = program.frames[Index(from.frame)].subgraph;
    step.node = from.node;
    step.op_name = node.info->op_name;
    step.has_kernel = node.definition != nullptr || !node.callees.empty();
    for (int64_t bytes : plan.timeline.ScratchOf(static_cast<int>(i))) {
      step.scratch_bytes += bytes;
    }
  }
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> live, LiveBytes(plan));
  for (size_t i = 0; i < count; ++i) report.steps[i].live_bytes = live[i];
  return OkStatus();
}

}  // namespace

Result<MemoryReport> BuildReport(const Program& program,
                                 const ProgramPlan& plan,
                                 const MemoryUsage& usage) {
  MemoryReport report;
  report.usage = usage;
  report.strategy = plan.plan.strategy;
  report.proven_optimal = plan.plan.proven_optimal;
  ARENALITE_RETURN_IF_ERROR(AddTensors(program, plan, report));
  ARENALITE_RETURN_IF_ERROR(AddSteps(program, plan, report));
  for (const AllowedOverlap& overlap : plan.lifetimes.overlaps) {
    ARENALITE_RETURN_IF_ERROR(report.overlaps.Append(overlap));
  }
  return report;
}

}  // namespace arenalite
