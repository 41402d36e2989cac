#include "runtime/interpreter_core.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arenalite/plan_file.h"
#include "base/checked_math.h"
#include "graph/order.h"
#include "runtime/invoke.h"
#include "runtime/log_plan.h"
#include "runtime/prepare.h"
#include "runtime/report.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

void ResetValue(Tensor& tensor) {
  const bool byte_wide = TensorTypeBits(tensor.type) == 8;
  const int value = byte_wide ? tensor.quantization.zero_point() : 0;
  if (tensor.bytes > 0 && tensor.data != nullptr) {
    std::memset(tensor.data, value, static_cast<size_t>(tensor.bytes));
  }
}

bool IsInput(const Frame& frame, int32_t tensor) {
  const Span<const int32_t> inputs = frame.info->inputs;
  return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

}  // namespace

InterpreterCore::InterpreterCore(const InterpreterOptions& options,
                                 const OpResolver& resolver, Graph&& graph)
    : options_(options),
      resolver_(resolver),
      graph_(std::move(graph)),
      dynamic_(options.allocator ? *options.allocator : DefaultAllocator(),
               options.max_dynamic_bytes),
      arena_(options_) {}

InterpreterCore::~InterpreterCore() {
  for (EntryPoint& entry : entries_) {
    FreeDynamicTensors(entry.program, dynamic_);
  }
}

Result<size_t> InterpreterCore::FindOrAddEntry(int32_t subgraph) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].program.main().subgraph == subgraph) return i;
  }
  EntryPoint entry;
  ARENALITE_ASSIGN_OR_RETURN(entry.program,
                             CreateProgram(graph_, subgraph, resolver_,
                                           options_.allow_missing_kernels));
  ARENALITE_RETURN_IF_ERROR(entries_.Append(std::move(entry)));
  return entries_.size() - 1;
}

Status InterpreterCore::EnsurePlanned(EntryPoint& entry) {
  if (entry.stage != Stage::kBuilt) return OkStatus();
  entry.usage = MemoryUsage();
  ARENALITE_RETURN_IF_ERROR(PrepareProgram(entry.program, shared()));
  ARENALITE_RETURN_IF_ERROR(CompileSteps(entry.program));
  ARENALITE_ASSIGN_OR_RETURN(entry.plan, PlanProgram(entry.program, options_));
  ARENALITE_ASSIGN_OR_RETURN(entry.usage, ComputeUsage(entry.plan, options_));
  if (options_.poison_memory) {
    ARENALITE_ASSIGN_OR_RETURN(entry.poison,
                               PoisonSchedule::Create(entry.plan));
  }
  ARENALITE_RETURN_IF_ERROR(PlaceVariables(entry));
  entry.stage = Stage::kPlanned;
  return OkStatus();
}

Status InterpreterCore::PlaceVariables(EntryPoint& entry) {
  ARENALITE_RETURN_IF_ERROR(
      entry.variables.Resize(entry.plan.timeline.tensors.size()));
  ARENALITE_RETURN_IF_ERROR(resource_slots_.Resize(resources_.all().size()));
  size_t number = 0;
  for (const Frame& frame : entry.program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      const Tensor& tensor = frame.tensors[i];
      if (tensor.memory != TensorMemory::kVariable ||
          frame.resource_of[i] >= 0) {
        continue;
      }
      const int32_t alignment =
          std::max(options_.alignment, TensorTypeAlignment(tensor.type));
      ARENALITE_RETURN_IF_ERROR(
          variables_.Place(entry.variables[number], tensor.bytes, alignment));
    }
  }
  for (size_t i = 0; i < resource_slots_.size(); ++i) {
    const Tensor& value = resources_.all()[i].value;
    const int32_t alignment =
        std::max(options_.alignment, TensorTypeAlignment(value.type));
    ARENALITE_RETURN_IF_ERROR(
        variables_.Place(resource_slots_[i], value.bytes, alignment));
  }
  return OkStatus();
}

// A multiple of the arena's alignment: the planned part follows.
int64_t InterpreterCore::PersistentBytes() const {
  return AlignUp(variables_.required_bytes(), arena_.alignment());
}

int64_t InterpreterCore::PlannedBytes() const {
  int64_t bytes = 0;
  for (const EntryPoint& entry : entries_) {
    if (entry.stage == Stage::kBuilt) continue;
    bytes = std::max(bytes, entry.plan.plan.total_bytes);
  }
  return bytes;
}

Status InterpreterCore::AllocateTensors(size_t index) {
  EntryPoint& entry = entries_[index];
  ARENALITE_RETURN_IF_ERROR(CheckKernels(entry.program));
  if (entry.stage == Stage::kAllocated) entry.stage = Stage::kPlanned;
  ARENALITE_RETURN_IF_ERROR(EnsurePlanned(entry));
  ARENALITE_RETURN_IF_ERROR(CheckCustomMemory(entry.program.main()));
  LogPlan(entry.program, entry.plan, entry.variables, PlannedBytes(),
          PersistentBytes());
  Status committed = arena_.Commit(PersistentBytes(), PlannedBytes());
  if (!committed.ok()) {
    for (EntryPoint& other : entries_) {
      UnbindPlanned(other.program);
      if (other.stage == Stage::kAllocated) other.stage = Stage::kPlanned;
    }
    return WithPeak(std::move(committed), entry.program, entry.plan);
  }
  entry.stage = Stage::kAllocated;
  // Others may have to move with the arena.
  for (EntryPoint& other : entries_) {
    if (other.stage != Stage::kAllocated) continue;
    BindPlanned(other.program, other.plan, arena_.planned());
    BindVariables(other);
  }
  ResetVariablesOf(entry, true);
  return OkStatus();
}

void InterpreterCore::BindVariables(EntryPoint& entry) {
  for (size_t i = 0; i < resource_slots_.size(); ++i) {
    ResourceVariable& variable = resources_.all()[i];
    variable.value.data = arena_.persistent() + resource_slots_[i].offset;
    if (resource_slots_[i].fresh) variable.initialized = false;
    resource_slots_[i].fresh = false;
  }
  size_t number = 0;
  for (Frame& frame : entry.program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      Tensor& tensor = frame.tensors[i];
      if (tensor.memory != TensorMemory::kVariable) continue;
      const ResourceVariable* named = resources_.Find(frame.resource_of[i]);
      tensor.data = named
                        ? named->value.data
                        : arena_.persistent() + entry.variables[number].offset;
    }
  }
}

void InterpreterCore::ResetVariablesOf(EntryPoint& entry, bool only_fresh) {
  size_t number = 0;
  for (Frame& frame : entry.program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      if (frame.tensors[i].memory != TensorMemory::kVariable ||
          frame.resource_of[i] >= 0) {
        continue;
      }
      VariableSlot& slot = entry.variables[number];
      if (slot.fresh || !only_fresh) ResetValue(frame.tensors[i]);
      slot.fresh = false;
    }
  }
}

Status InterpreterCore::Invoke(size_t index) {
  EntryPoint& entry = entries_[index];
  if (entry.stage != Stage::kAllocated) {
    return FailedPreconditionError(
        "Invoke needs a successful AllocateTensors before it");
  }
  return InvokeProgram(entry.program, shared(), options_,
                       options_.poison_memory ? &entry.poison : nullptr,
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

Status InterpreterCore::CheckCustomMemory(const Frame& frame) const {
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    const Tensor& tensor = frame.tensors[i];
    const auto size = static_cast<int64_t>(frame.settings[i].custom.size());
    if (tensor.memory != TensorMemory::kCustom || size >= tensor.bytes) {
      continue;
    }
    return InvalidArgumentError("the caller's memory for tensor ", i, " '",
                                tensor.name, "' has ", size, " bytes, ",
                                tensor.bytes, " are needed");
  }
  return OkStatus();
}

Status InterpreterCore::CheckTensor(const Frame& frame, int32_t tensor) const {
  if (tensor >= 0 && Index(tensor) < frame.tensors.size()) return OkStatus();
  return InvalidArgumentError("tensor index ", tensor,
                              " is out of range: ", "there are ",
                              frame.tensors.size(), " tensors");
}

// Planned tensors lose their bytes until the next AllocateTensors.
void InterpreterCore::Invalidate(EntryPoint& entry) {
  entry.stage = Stage::kBuilt;
  UnbindPlanned(entry.program);
}

Status InterpreterCore::ResizeInput(size_t index, int32_t tensor,
                                    Span<const int32_t> dims) {
  EntryPoint& entry = entries_[index];
  Frame& frame = entry.program.main();
  ARENALITE_RETURN_IF_ERROR(CheckTensor(frame, tensor));
  const TensorInfo& info = frame.info->tensors[Index(tensor)];
  if (!IsInput(frame, tensor) || info.has_data) {
    return InvalidArgumentError("tensor ", tensor, " '", info.name,
                                "' is no graph input: only those can be "
                                "resized");
  }
  Result<Shape> shape = Shape::Create(dims);
  if (!shape.ok()) {
    return std::move(shape).status().WithPrefix(
        {"input tensor ", TextPiece(tensor).view(), " '", info.name, "': "});
  }
  TensorSettings& settings = frame.settings[Index(tensor)];
  const bool same = entry.stage != Stage::kBuilt &&
                    frame.tensors[Index(tensor)].shape == *shape;
  settings.resized = true;
  settings.shape = *shape;
  if (!same) Invalidate(entry);
  return OkStatus();
}

Status InterpreterCore::SetDynamicInput(int32_t index,
                                        Span<const uint8_t> bytes) {
  Frame& frame = main().program.main();
  ARENALITE_RETURN_IF_ERROR(CheckTensor(frame, index));
  Tensor& tensor = frame.tensors[Index(index)];
  if (main().stage != Stage::kAllocated || !tensor.is_dynamic() ||
      !IsInput(frame, index)) {
    return FailedPreconditionError(
        "tensor ", index, " '", tensor.name,
        "' is no dynamic input of an interpreter with allocated tensors");
  }
  tensor.data = nullptr;
  tensor.bytes = static_cast<int64_t>(bytes.size());
  DynamicBlock& block = frame.dynamic[Index(index)];
  ARENALITE_RETURN_IF_ERROR(dynamic_.Resize(block, tensor.bytes));
  tensor.data = block.data;
  if (!bytes.empty()) std::memcpy(block.data, bytes.data(), bytes.size());
  return OkStatus();
}

Status InterpreterCore::SetOrder(Span<const int32_t> order) {
  SubgraphInfo& info = graph_.subgraphs[Index(main().program.main().subgraph)];
  const Status checked = CheckOrder(info, order);
  if (!checked.ok()) {
    return InvalidArgumentError("the execution plan is refused: ",
                                checked.message());
  }
  Array<int32_t> copy;
  ARENALITE_RETURN_IF_ERROR(copy.Resize(order.size()));
  std::copy(order.begin(), order.end(), copy.begin());
  info.order = std::move(copy);
  Invalidate(main());
  return OkStatus();
}

Status InterpreterCore::SetCustomMemory(int32_t index, Span<uint8_t> memory) {
  Frame& frame = main().program.main();
  ARENALITE_RETURN_IF_ERROR(CheckTensor(frame, index));
  const TensorInfo& info = frame.info->tensors[Index(index)];
  const bool allowed = info.is_variable || IsInput(frame, index) ||
                       frame.is_graph_output[Index(index)] != 0;
  if (!allowed || info.has_data) {
    return InvalidArgumentError(
        "tensor ", index, " '", info.name,
        "' is no graph input, output or variable: only those can live in the "
        "caller's memory");
  }
  const auto alignment = static_cast<uintptr_t>(TensorTypeAlignment(info.type));
  if (reinterpret_cast<uintptr_t>(memory.data()) % alignment != 0) {
    return InvalidArgumentError("the memory for tensor ", index, " '",
                                info.name, "' is not aligned to ", alignment,
                                " bytes");
  }
  frame.settings[Index(index)].custom = memory;
  Invalidate(main());
  return OkStatus();
}

Status InterpreterCore::Preserve(int32_t index) {
  Frame& frame = main().program.main();
  ARENALITE_RETURN_IF_ERROR(CheckTensor(frame, index));
  frame.settings[Index(index)].preserved = true;
  Invalidate(main());
  return OkStatus();
}

Status InterpreterCore::ResetVariables() {
  if (main().stage != Stage::kAllocated) {
    return FailedPreconditionError(
        "ResetVariableTensors needs a successful AllocateTensors before it");
  }
  resources_.Reset();
  for (EntryPoint& entry : entries_) {
    entry.program.once_done.Fill(0);
    if (entry.stage == Stage::kAllocated) ResetVariablesOf(entry, false);
  }
  return OkStatus();
}

void InterpreterCore::ReleasePlanned() {
  for (EntryPoint& entry : entries_) {
    if (entry.stage == Stage::kAllocated) entry.stage = Stage::kPlanned;
    UnbindPlanned(entry.program);
    FreeDynamicTensors(entry.program, dynamic_);
  }
  arena_.ReleasePlanned();
}

Result<MemoryUsage> InterpreterCore::QueryMemory() {
  ARENALITE_RETURN_IF_ERROR(EnsurePlanned(main()));
  MemoryUsage usage = main().usage;
  usage.persistent_bytes = PersistentBytes();
  usage.arena_bytes = usage.persistent_bytes + usage.planned_bytes;
  usage.metadata_bytes = static_cast<int64_t>(HeapBytes());
  usage.dynamic_bytes = dynamic_.held_bytes();
  return usage;
}

Result<MemoryReport> InterpreterCore::ReportMemory() {
  ARENALITE_ASSIGN_OR_RETURN(MemoryUsage usage, QueryMemory());
  return BuildReport(main().program, main().plan, usage, options_);
}

Result<Array<uint8_t>> InterpreterCore::SavePlan() {
  ARENALITE_RETURN_IF_ERROR(EnsurePlanned(main()));
  const ProgramPlan& plan = main().plan;
  return arenalite::SavePlan(
      Span<const BufferRequest>(plan.lifetimes.requests),
      Span<const AllowedOverlap>(plan.lifetimes.overlaps), plan.plan);
}

size_t InterpreterCore::arena_used_bytes() const {
  const int64_t planned = PlannedBytes();
  const bool any = std::any_of(
      entries_.begin(), entries_.end(),
      [](const EntryPoint& entry) { return entry.stage != Stage::kBuilt; });
  return any ? static_cast<size_t>(planned + PersistentBytes()) : 0;
}

size_t InterpreterCore::HeapBytes() const {
  size_t bytes = sizeof(*this) + resources_.HeapBytes() +
                 resource_slots_.capacity_bytes() + entries_.capacity_bytes() +
                 graph_.subgraphs.capacity_bytes();
  for (const EntryPoint& entry : entries_) {
    bytes += entry.program.HeapBytes() + entry.plan.HeapBytes() +
             entry.variables.capacity_bytes();
  }
  for (const SubgraphInfo& subgraph : graph_.subgraphs) {
    bytes += subgraph.tensors.capacity_bytes() +
             subgraph.nodes.capacity_bytes() + subgraph.order.capacity_bytes();
  }
  return bytes;
}

}  // namespace arenalite
