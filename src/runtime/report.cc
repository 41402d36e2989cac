#include "runtime/report.h"

#include <algorithm>
#include <utility>

#include "runtime/step_bytes.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Builds the lists of one report.
class Writer {
 public:
  Writer(const Program& program, const ProgramPlan& plan, MemoryReport& report)
      : program_(program), plan_(plan), report_(report) {}

  Status Write() {
    ARENALITE_RETURN_IF_ERROR(AddTensors());
    ARENALITE_RETURN_IF_ERROR(AddStorages());
    ARENALITE_RETURN_IF_ERROR(AddMembers());
    ARENALITE_RETURN_IF_ERROR(AddSteps());
    ARENALITE_RETURN_IF_ERROR(AddStepBytes());
    MarkUses();
    for (const AllowedOverlap& overlap : plan_.lifetimes.overlaps) {
      ARENALITE_RETURN_IF_ERROR(report_.overlaps.Append(overlap));
    }
    return OkStatus();
  }

 private:
  Status AddTensors() {
    ARENALITE_RETURN_IF_ERROR(
        report_.tensors.Resize(plan_.timeline.tensors.size()));
    size_t number = 0;
    for (const Frame& frame : program_.frames) {
      for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
        TensorReport& entry = report_.tensors[number];
        const Tensor& tensor = frame.tensors[i];
        entry.subgraph = frame.subgraph;
        entry.index = static_cast<int32_t>(i);
        entry.name = tensor.name;
        entry.type = tensor.type;
        entry.memory = tensor.memory;
        entry.shape = tensor.shape;
        entry.bytes = std::max(tensor.bytes, tensor.capacity);
        AddPlace(number, entry);
      }
    }
    return OkStatus();
  }

  void AddPlace(size_t number, TensorReport& entry) const {
    const TimelineTensor& tensor = plan_.timeline.tensors[number];
    entry.is_input = tensor.is_input;
    entry.is_output = tensor.is_output;
    entry.is_kept = tensor.kept;
    entry.storage = plan_.lifetimes.storage_of[number];
    if (entry.storage < 0) return;
    const BufferRequest& request =
        plan_.lifetimes.requests[Index(entry.storage)];
    entry.offset = plan_.plan.offsets[Index(entry.storage)];
    entry.first_step = request.first_step;
    entry.last_step = request.last_step;
  }

  Status AddStorages() {
    const auto& requests = plan_.lifetimes.requests;
    ARENALITE_RETURN_IF_ERROR(report_.storages.Resize(requests.size()));
    for (size_t i = 0; i < requests.size(); ++i) {
      StorageReport& storage = report_.storages[i];
      storage.offset = plan_.plan.offsets[i];
      storage.bytes = requests[i].size;
      storage.alignment = requests[i].alignment;
      storage.first_step = requests[i].first_step;
      storage.last_step = requests[i].last_step;
      storage.is_scratch = i >= Index(plan_.lifetimes.num_storages);
    }
    return OkStatus();
  }

  // Counts, sums, then fills each storage's range from its end.
  Status AddMembers() {
    int32_t count = 0;
    for (const TensorReport& tensor : report_.tensors) {
      if (tensor.storage < 0) continue;
      StorageReport& storage = report_.storages[Index(tensor.storage)];
      ++storage.members_end;
      ++count;
      storage.is_input |= tensor.is_input;
      storage.is_output |= tensor.is_output;
      storage.is_kept |= tensor.is_kept;
    }
    ARENALITE_RETURN_IF_ERROR(report_.members.Resize(Index(count)));
    int32_t end = 0;
    for (StorageReport& storage : report_.storages) {
      end += std::exchange(storage.members_end, end);
    }
    // members_end is each range's begin here, and its end after the fill.
    for (size_t i = 0; i < report_.tensors.size(); ++i) {
      const int32_t storage = report_.tensors[i].storage;
      if (storage < 0) continue;
      report_.members[Index(report_.storages[Index(storage)].members_end++)] =
          static_cast<int32_t>(i);
    }
    return OkStatus();
  }

  Status AddSteps() {
    ARENALITE_RETURN_IF_ERROR(report_.steps.Resize(program_.steps.size()));
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      AddStep(program_.steps[i], report_.steps[i]);
      const int step = static_cast<int>(i);
      for (int64_t bytes : plan_.timeline.ScratchOf(step)) {
        report_.steps[i].scratch_bytes += bytes;
      }
      report_.steps[i].reads_end = plan_.timeline.steps[i].reads_end;
      report_.steps[i].writes_end = plan_.timeline.steps[i].writes_end;
    }
    ARENALITE_RETURN_IF_ERROR(CopyList(plan_.timeline.reads, report_.reads));
    return CopyList(plan_.timeline.writes, report_.writes);
  }

  void AddStep(const Step& from, StepReport& step) const {
    const Frame& frame = program_.frames[Index(from.frame)];
    const Node& node = frame.nodes[Index(from.node)];
    step.subgraph = frame.subgraph;
    step.node = from.node;
    step.op_name = node.info->op_name;
    step.is_dynamic = node.mode == NodeMode::kDeferred;
    step.has_kernel = node.definition != nullptr || !node.callees.empty();
    step.is_control = from.kind != StepKind::kNode;
    step.runs = step.is_control || node.mode != NodeMode::kElided;
    step.is_dynamic = !step.is_control && node.mode == NodeMode::kDeferred;
  }

  static Status CopyList(const Array<int32_t>& from, Array<int32_t>& to) {
    ARENALITE_RETURN_IF_ERROR(to.Reserve(from.size()));
    for (int32_t value : from) ARENALITE_RETURN_IF_ERROR(to.Append(value));
    return OkStatus();
  }

  Status AddStepBytes() {
    ARENALITE_ASSIGN_OR_RETURN(
        const Array<int64_t> live,
        ComputeLiveBytes(plan_.lifetimes, plan_.timeline.num_steps()));
    ARENALITE_ASSIGN_OR_RETURN(const Array<int64_t> bounds,
                               ComputeBoundBytes(plan_.lifetimes, live));
    for (size_t i = 0; i < report_.steps.size(); ++i) {
      report_.steps[i].live_bytes = live[i];
      report_.steps[i].bound_bytes = bounds[i];
    }
    report_.end_bytes = live.back();
    return OkStatus();
  }

  void MarkUses() {
    for (size_t step = 0; step < report_.steps.size(); ++step) {
      for (int32_t tensor : report_.ReadsOf(step)) {
        report_.tensors[Index(tensor)].last_reader_step =
            static_cast<int32_t>(step);
      }
      for (int32_t tensor : report_.WritesOf(step)) {
        int32_t& writer = report_.tensors[Index(tensor)].writer_step;
        if (writer < 0) writer = static_cast<int32_t>(step);
      }
    }
  }

  const Program& program_;
  const ProgramPlan& plan_;
  MemoryReport& report_;
};

}  // namespace

Result<MemoryReport> BuildReport(const Program& program,
                                 const ProgramPlan& plan,
                                 const MemoryUsage& usage,
                                 const InterpreterOptions& options) {
  MemoryReport report;
  report.usage = usage;
  report.strategy = plan.plan.strategy;
  report.proven_optimal = plan.plan.proven_optimal;
  report.alignment = options.alignment;
  ARENALITE_RETURN_IF_ERROR(Writer(program, plan, report).Write());
  ARENALITE_RETURN_IF_ERROR(AddChances(
      plan, !options.allow_overlap || options.preserve_all_tensors, report));
  return report;
}

}  // namespace arenalite
