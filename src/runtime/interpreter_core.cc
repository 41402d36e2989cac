#include "runtime/interpreter_core.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "arenalite/plan_file.h"
#include "base/checked_math.h"
#include "graph/order.h"
#include "runtime/invoke.h"
#include "runtime/log_plan.h"
#include "runtime/prepare.h"
#include "runtime/report.h"
#include "runtime/tensor_settings.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Notes that Invoke runs, and that it has returned.
class RunMark {
 public:
  RunMark(bool& running, ProgramArena& arena)
      : running_(running), arena_(arena) {
    running_ = true;
    arena_.BeginRun();
  }
  ~RunMark() {
    running_ = false;
    arena_.EndRun();
  }
  RunMark(const RunMark&) = delete;
  RunMark& operator=(const RunMark&) = delete;

 private:
  bool& running_;
  ProgramArena& arena_;
};

}  // namespace

InterpreterCore::InterpreterCore(const InterpreterOptions& options,
                                 const OpResolver& resolver, Graph&& graph)
    : options_(options),
      resolver_(resolver),
      graph_(std::move(graph)),
      variables_(resources_, options.alignment),
      dynamic_(options.allocator ? *options.allocator : DefaultAllocator(),
               options.max_dynamic_bytes),
      arena_(options_, *this) {}

InterpreterCore::~InterpreterCore() {
  for (EntryPoint& entry : entries_) {
    FreeDynamicTensors(entry.program, dynamic_);
  }
}

Result<std::unique_ptr<InterpreterCore>> InterpreterCore::Create(
    const InterpreterOptions& options, const OpResolver& resolver,
    Graph&& graph) {
  std::unique_ptr<InterpreterCore> core(
      new (std::nothrow) InterpreterCore(options, resolver, std::move(graph)));
  if (core == nullptr) {
    return ResourceExhaustedError("out of memory for an interpreter");
  }
  ARENALITE_RETURN_IF_ERROR(
      core->resources_.Init(core->graph_.subgraphs.size()));
  ARENALITE_RETURN_IF_ERROR(core->arena_.JoinGroup());
  ARENALITE_RETURN_IF_ERROR(core->FindOrAddEntry(0).status());
  return core;
}

Result<size_t> InterpreterCore::FindOrAddEntry(int32_t subgraph) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].program.main().subgraph == subgraph) return i;
  }
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  EntryPoint entry(options_);
  ARENALITE_ASSIGN_OR_RETURN(entry.program,
                             CreateProgram(graph_, subgraph, resolver_,
                                           options_.allow_missing_kernels));
  if (options_.preserve_all_tensors) {
    for (TensorSettings& each : entry.program.main().settings) {
      each.preserved = true;
    }
  }
  ARENALITE_RETURN_IF_ERROR(entries_.Append(std::move(entry)));
  return entries_.size() - 1;
}

Status InterpreterCore::CheckIdle() const {
  if (!running_) return OkStatus();
  return FailedPreconditionError(
      "the interpreter is running: the call is allowed when its Invoke has "
      "returned");
}

Status InterpreterCore::EnsurePlanned(EntryPoint& entry) {
  if (entry.stage != Stage::kBuilt) return OkStatus();
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  ARENALITE_RETURN_IF_ERROR(resources_.SaveShapes(shapes_before_));
  Status planned = PlanEntry(entry, shared(), options_, plans_made_);
  // Others rely on the shapes of the variables that all share.
  if (resources_.DifferFrom(shapes_before_)) {
    for (EntryPoint& other : entries_) {
      if (&other != &entry) ForgetPlans(other);
    }
  }
  ARENALITE_RETURN_IF_ERROR(std::move(planned));
  ARENALITE_RETURN_IF_ERROR(PlanVariables(entry));
  entry.stage = Stage::kPlanned;
  arena_.Announce(PlannedBytes());
  return OkStatus();
}

Status InterpreterCore::PlanVariables(EntryPoint& entry) {
  Status placed = variables_.Place(entry.program, entry.variables);
  if (placed.ok()) return placed;
  // Some have lost their place, named ones perhaps.
  for (EntryPoint& any : entries_) Unplan(any);
  return placed;
}

// A multiple of the arena's alignment: the planned part follows.
int64_t InterpreterCore::PersistentBytes() const {
  return AlignUp(variables_.required_bytes(), arena_.alignment());
}

int64_t InterpreterCore::PlannedBytes() const {
  int64_t bytes = 0;
  for (const EntryPoint& entry : entries_) {
    bytes = std::max(bytes, entry.planned_bytes());
  }
  return bytes;
}

Status InterpreterCore::AllocateTensors(size_t index) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  EntryPoint& entry = entries_[index];
  ARENALITE_RETURN_IF_ERROR(CheckKernels(entry.program));
  if (entry.stage == Stage::kAllocated) entry.stage = Stage::kPlanned;
  ARENALITE_RETURN_IF_ERROR(EnsurePlanned(entry));
  ARENALITE_RETURN_IF_ERROR(CheckCustomMemory(entry.program.main()));
  LogPlan(entry.program, entry.placement.plan, entry.variables, PlannedBytes(),
          PersistentBytes());
  Status committed = arena_.Commit(PersistentBytes(), PlannedBytes());
  if (!committed.ok()) {
    LoseArena();
    BindAll();
    const bool short_of_memory =
        committed.code() == StatusCode::kResourceExhausted;
    if (!short_of_memory) return committed;
    return WithPeak(std::move(committed), entry.program, entry.placement.plan);
  }
  lost_arena_ = false;
  entry.stage = Stage::kAllocated;
  BindAll();
  Variables::Reset(entry.program, entry.variables, true);
  return OkStatus();
}

// Whatever is allocated may have to move with the arena.
void InterpreterCore::BindAll() {
  for (EntryPoint& entry : entries_) {
    if (entry.stage != Stage::kAllocated) {
      UnbindAll(entry.program);
      continue;
    }
    BindPlanned(entry.program, entry.placement.plan, arena_.planned());
    variables_.Bind(entry.program, entry.variables, arena_.persistent());
  }
}

void InterpreterCore::LoseArena() {
  lost_arena_ = true;
  for (EntryPoint& entry : entries_) {
    UnbindPlanned(entry.program);
    if (entry.stage == Stage::kAllocated) entry.stage = Stage::kPlanned;
  }
}

Status InterpreterCore::Invoke(size_t index) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  EntryPoint& entry = entries_[index];
  if (entry.stage != Stage::kAllocated) {
    return FailedPreconditionError(
        "Invoke needs a successful AllocateTensors before it",
        lost_arena_ && options_.arena_group != nullptr
            ? ": another member of the arena group has taken the arena, and "
              "inputs must be filled again"
            : "");
  }
  const RunMark mark(running_, arena_);
  return InvokeProgram(
      entry.program, shared(), options_,
      options_.poison_memory ? &entry.placement.poison : nullptr,
      arena_.planned());
}

Status InterpreterCore::CheckKernels(const Program& program) const {
  for (const Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.nodes.size(); ++i) {
      const Node& node = frame.nodes[i];
      if (node.definition != nullptr || !node.callees.empty()) continue;
      return AtNode(
          UnimplementedError("the resolver has no kernel for version ",
                             node.info->version),
          frame, static_cast<int32_t>(i));
    }
  }
  return OkStatus();
}

Status InterpreterCore::ResizeInput(size_t index, int32_t tensor,
                                    Span<const int32_t> dims) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  EntryPoint& entry = entries_[index];
  Frame& frame = entry.program.main();
  ARENALITE_RETURN_IF_ERROR(SetInputShape(frame, tensor, dims));
  const bool same =
      entry.stage != Stage::kBuilt &&
      frame.tensors[Index(tensor)].shape == frame.settings[Index(tensor)].shape;
  if (!same) Unplan(entry);
  return OkStatus();
}

Status InterpreterCore::ResizeInputStrict(size_t index, int32_t tensor,
                                          Span<const int32_t> dims) {
  const Frame& frame = entries_[index].program.main();
  ARENALITE_RETURN_IF_ERROR(CheckOnlyOpenDims(frame, tensor, dims));
  return ResizeInput(index, tensor, dims);
}

Status InterpreterCore::SetMaximum(size_t index, int32_t tensor,
                                   Span<const int32_t> dims) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  EntryPoint& entry = entries_[index];
  ARENALITE_RETURN_IF_ERROR(
      SetInputMaximum(entry.program.main(), tensor, dims));
  ForgetPlans(entry);
  return OkStatus();
}

Status InterpreterCore::SetDynamicInput(int32_t index,
                                        Span<const uint8_t> bytes) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  Frame& frame = main().program.main();
  ARENALITE_RETURN_IF_ERROR(CheckTensorIndex(frame, index));
  Tensor& tensor = frame.tensors[Index(index)];
  if (main().stage != Stage::kAllocated || !tensor.is_dynamic() ||
      !IsGraphInput(frame, index)) {
    return FailedPreconditionError(
        "tensor ", index, " '", tensor.name,
        "' is no dynamic input of an interpreter with allocated tensors");
  }
  tensor.data = nullptr;
  tensor.bytes = 0;
  const auto size = static_cast<int64_t>(bytes.size());
  DynamicBlock& block = frame.dynamic[Index(index)];
  ARENALITE_RETURN_IF_ERROR(dynamic_.Resize(block, size));
  tensor.bytes = size;
  tensor.data = block.data;
  if (!bytes.empty()) std::memcpy(block.data, bytes.data(), bytes.size());
  return OkStatus();
}

Status InterpreterCore::SetOrder(Span<const int32_t> order) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  SubgraphInfo& info = graph_.subgraphs[Index(main().program.main().subgraph)];
  ARENALITE_RETURN_IF_ERROR(
      CheckOrder(info, order).WithPrefix({"the execution plan is refused: "}));
  Array<int32_t> copy;
  ARENALITE_RETURN_IF_ERROR(copy.Resize(order.size()));
  std::copy(order.begin(), order.end(), copy.begin());
  info.order = std::move(copy);
  // Others may call this subgraph.
  for (EntryPoint& entry : entries_) ForgetPlans(entry);
  return OkStatus();
}

Status InterpreterCore::SetCustomMemory(int32_t index, Span<uint8_t> memory) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  ARENALITE_RETURN_IF_ERROR(
      arenalite::SetCustomMemory(main().program.main(), index, memory));
  ForgetPlans(main());
  return OkStatus();
}

Status InterpreterCore::Preserve(int32_t index) {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  Frame& frame = main().program.main();
  ARENALITE_RETURN_IF_ERROR(CheckTensorIndex(frame, index));
  frame.settings[Index(index)].preserved = true;
  ForgetPlans(main());
  return OkStatus();
}

Status InterpreterCore::ResetVariables() {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  resources_.Reset();
  for (EntryPoint& entry : entries_) {
    if (entry.stage == Stage::kAllocated) {
      Variables::Reset(entry.program, entry.variables, false);
    } else {
      // Their bytes are set when they are allocated.
      for (VariableSlot& slot : entry.variables) slot.fresh = true;
    }
  }
  return OkStatus();
}

Status InterpreterCore::ReleasePlanned() {
  ARENALITE_RETURN_IF_ERROR(CheckIdle());
  for (EntryPoint& entry : entries_) {
    if (entry.stage == Stage::kAllocated) entry.stage = Stage::kPlanned;
    UnbindPlanned(entry.program);
    FreeDynamicTensors(entry.program, dynamic_);
  }
  arena_.ReleasePlanned();
  return OkStatus();
}

Result<MemoryUsage> InterpreterCore::QueryMemory() {
  ARENALITE_RETURN_IF_ERROR(EnsurePlanned(main()));
  MemoryUsage usage = main().placement.usage;
  usage.planned_bytes = main().planned_bytes();
  usage.persistent_bytes = PersistentBytes();
  usage.arena_bytes = usage.persistent_bytes + usage.planned_bytes;
  usage.metadata_bytes = static_cast<int64_t>(HeapBytes());
  usage.dynamic_bytes = dynamic_.held_bytes();
  usage.peak_dynamic_bytes = dynamic_.peak_bytes();
  usage.plans_made = plans_made_;
  return usage;
}

Result<MemoryReport> InterpreterCore::ReportMemory() {
  ARENALITE_ASSIGN_OR_RETURN(MemoryUsage usage, QueryMemory());
  return BuildReport(main().program, main().placement.plan, usage, options_);
}

Result<Array<uint8_t>> InterpreterCore::SavePlan() {
  ARENALITE_RETURN_IF_ERROR(EnsurePlanned(main()));
  const ProgramPlan& plan = main().placement.plan;
  return arenalite::SavePlan(
      Span<const BufferRequest>(plan.lifetimes.requests),
      Span<const AllowedOverlap>(plan.lifetimes.overlaps), plan.plan);
}

size_t InterpreterCore::arena_used_bytes() const {
  const bool any = std::any_of(
      entries_.begin(), entries_.end(),
      [](const EntryPoint& entry) { return entry.stage != Stage::kBuilt; });
  return any ? static_cast<size_t>(PlannedBytes() + PersistentBytes()) : 0;
}

size_t InterpreterCore::HeapBytes() const {
  size_t bytes = sizeof(*this) + resources_.HeapBytes() +
                 shapes_before_.capacity_bytes() + variables_.HeapBytes() +
                 entries_.capacity_bytes() + graph_.subgraphs.capacity_bytes();
  for (const EntryPoint& entry : entries_) bytes += entry.HeapBytes();
  for (const SubgraphInfo& subgraph : graph_.subgraphs) {
    bytes += subgraph.tensors.capacity_bytes() +
             subgraph.nodes.capacity_bytes() + subgraph.order.capacity_bytes();
  }
  return bytes;
}

}  // namespace arenalite
