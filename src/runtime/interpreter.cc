#include "arenalite/interpreter.h"

#include <cstring>
#include <utility>

#include "base/checked_math.h"
#include "graph/build_graph.h"
#include "graph/order.h"
#include "runtime/frame.h"
#include "runtime/frame_arena.h"
#include "runtime/frame_plan.h"
#include "runtime/invoke.h"
#include "runtime/poison.h"
#include "runtime/prepare.h"
#include "runtime/report.h"

namespace arenalite {
namespace {

constexpr int32_t kMaxAlignment = 4096;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

Status CheckOptions(const InterpreterOptions& options) {
  if (!IsPowerOfTwo(options.alignment) || options.alignment > kMaxAlignment) {
    return InvalidArgumentError("alignment is ", options.alignment,
                                ", allowed powers of two up to ",
                                kMaxAlignment);
  }
  return OkStatus();
}

}  // namespace

// How far the interpreter has come; each change throws it back.
enum class Stage { kBuilt, kPlanned, kAllocated };

struct Interpreter::State {
  State(const InterpreterOptions& given, Graph&& built, Frame&& created)
      : options(given),
        graph(std::move(built)),
        frame(std::move(created)),
        memory(given.allocator ? *given.allocator : DefaultAllocator(),
               given.max_dynamic_bytes),
        arena(options) {}
  ~State() { FreeDynamicTensors(frame, memory); }

  SubgraphInfo& info() { return graph.subgraphs[Index(frame.subgraph)]; }
  Status EnsurePlanned();
  Status CheckKernels() const;
  Status CheckCustomMemory() const;
  Status CheckTensor(int index) const;
  // Planned tensors lose their bytes until the next AllocateTensors.
  void Invalidate() {
    stage = Stage::kBuilt;
    UnbindFrame(frame, true);
  }
  void ResetVariables();
  size_t HeapBytes() const;

  const InterpreterOptions options;
  Graph graph;
  Frame frame;
  DynamicMemory memory;
  FrameArena arena;
  FramePlan plan;
  PoisonSchedule poison;
  MemoryUsage usage;
  Stage stage = Stage::kBuilt;
};

Status Interpreter::State::EnsurePlanned() {
  if (stage != Stage::kBuilt) return OkStatus();
  usage = MemoryUsage();
  ARENALITE_RETURN_IF_ERROR(PrepareFrame(frame, memory));
  ARENALITE_ASSIGN_OR_RETURN(plan, PlanFrame(frame, options));
  ARENALITE_ASSIGN_OR_RETURN(usage, ComputeUsage(plan, options));
  if (options.poison_memory) {
    ARENALITE_ASSIGN_OR_RETURN(poison, PoisonSchedule::Create(plan));
  }
  stage = Stage::kPlanned;
  return OkStatus();
}

Status Interpreter::State::CheckKernels() const {
  for (size_t i = 0; i < frame.nodes.size(); ++i) {
    if (frame.nodes[i].definition != nullptr) continue;
    return AtNode(UnimplementedError("the resolver has no kernel for version ",
                                     frame.nodes[i].info->version),
                  frame, static_cast<int32_t>(i));
  }
  return OkStatus();
}

Status Interpreter::State::CheckTensor(int index) const {
  if (index >= 0 && Index(index) < frame.tensors.size()) return OkStatus();
  return InvalidArgumentError("tensor index ", index, " is out of range, ",
                              "allowed 0..", frame.tensors.size(), " - 1");
}

Status Interpreter::State::CheckCustomMemory() const {
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

void Interpreter::State::ResetVariables() {
  for (Tensor& tensor : frame.tensors) {
    if (tensor.memory != TensorMemory::kVariable) continue;
    const bool byte_wide = TensorTypeBits(tensor.type) == 8;
    const int value = byte_wide ? tensor.quantization.zero_point() : 0;
    if (tensor.bytes > 0) {
      std::memset(tensor.data, value, static_cast<size_t>(tensor.bytes));
    }
  }
}

size_t Interpreter::State::HeapBytes() const {
  size_t bytes = sizeof(State) + frame.HeapBytes() + plan.HeapBytes();
  for (const SubgraphInfo& subgraph : graph.subgraphs) {
    bytes += subgraph.tensors.capacity_bytes() +
             subgraph.nodes.capacity_bytes() + subgraph.order.capacity_bytes();
  }
  return bytes + graph.subgraphs.capacity_bytes();
}

Interpreter::Interpreter(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
Interpreter::~Interpreter() = default;

Result<std::unique_ptr<Interpreter>> Interpreter::Create(
    const FlatBufferModel& model, const OpResolver& resolver,
    const InterpreterOptions& options) {
  ARENALITE_RETURN_IF_ERROR(CheckOptions(options));
  ARENALITE_ASSIGN_OR_RETURN(Graph graph, BuildGraph(model.model()));
  ARENALITE_ASSIGN_OR_RETURN(
      Frame frame,
      CreateFrame(graph, 0, resolver, options.allow_missing_kernels));
  std::unique_ptr<State> state(
      new (std::nothrow) State(options, std::move(graph), std::move(frame)));
  if (state == nullptr) {
    return ResourceExhaustedError("out of memory for an interpreter");
  }
  std::unique_ptr<Interpreter> interpreter(new (std::nothrow)
                                               Interpreter(std::move(state)));
  if (interpreter == nullptr) {
    return ResourceExhaustedError("out of memory for an interpreter");
  }
  return interpreter;
}

Status InterpreterBuilder::operator()(
    std::unique_ptr<Interpreter>* interpreter) const {
  ARENALITE_ASSIGN_OR_RETURN(*interpreter, Build());
  return OkStatus();
}

Status Interpreter::AllocateTensors() {
  State& s = *state_;
  ARENALITE_RETURN_IF_ERROR(s.CheckKernels());
  if (s.stage == Stage::kAllocated) s.stage = Stage::kPlanned;
  ARENALITE_RETURN_IF_ERROR(s.EnsurePlanned());
  ARENALITE_RETURN_IF_ERROR(s.CheckCustomMemory());
  UnbindFrame(s.frame, true);
  Status committed = s.arena.Commit(
      s.plan.persistent_bytes, s.plan.plan.total_bytes, s.plan.arena_alignment);
  if (!committed.ok()) return WithPeak(std::move(committed), s.frame, s.plan);
  BindFrame(s.frame, s.plan, s.arena.persistent(), s.arena.planned());
  s.ResetVariables();
  s.stage = Stage::kAllocated;
  return OkStatus();
}

Status Interpreter::Invoke() {
  State& s = *state_;
  if (s.stage != Stage::kAllocated) {
    return FailedPreconditionError(
        "Invoke needs a successful AllocateTensors before it");
  }
  return InvokeFrame(s.frame, s.memory, s.options,
                     s.options.poison_memory ? &s.poison : nullptr,
                     s.arena.planned());
}

Span<const int32_t> Interpreter::inputs() const {
  return state_->frame.info->inputs;
}

Span<const int32_t> Interpreter::outputs() const {
  return state_->frame.info->outputs;
}

size_t Interpreter::tensors_size() const {
  return state_->frame.tensors.size();
}

Tensor* Interpreter::tensor(int index) {
  const bool in_range = state_->CheckTensor(index).ok();
  return in_range ? &state_->frame.tensors[Index(index)] : nullptr;
}

Tensor* Interpreter::input_tensor(size_t position) {
  return position < inputs().size() ? tensor(inputs()[position]) : nullptr;
}

Tensor* Interpreter::output_tensor(size_t position) {
  return position < outputs().size() ? tensor(outputs()[position]) : nullptr;
}

Status Interpreter::ResizeInputTensor(int index, Span<const int32_t> dims) {
  State& s = *state_;
  ARENALITE_RETURN_IF_ERROR(s.CheckTensor(index));
  bool is_input = false;
  for (int32_t input : inputs()) is_input = is_input || input == index;
  const Tensor& tensor = s.frame.tensors[Index(index)];
  const TensorInfo& info = s.info().tensors[Index(index)];
  if (!is_input || info.has_data) {
    return InvalidArgumentError("tensor ", index, " '", info.name,
                                "' is no graph input: only those can be "
                                "resized");
  }
  Result<Shape> shape = Shape::Create(dims);
  if (!shape.ok()) {
    return std::move(shape).status().WithPrefix(
        {"input tensor ", TextPiece(index).view(), " '", info.name, "': "});
  }
  TensorSettings& settings = s.frame.settings[Index(index)];
  const bool same = s.stage != Stage::kBuilt && tensor.shape == *shape;
  settings.resized = true;
  settings.shape = *shape;
  if (!same) s.Invalidate();
  return OkStatus();
}

Status Interpreter::SetDynamicInput(int index, Span<const uint8_t> bytes) {
  State& s = *state_;
  ARENALITE_RETURN_IF_ERROR(s.CheckTensor(index));
  Tensor& tensor = s.frame.tensors[Index(index)];
  if (s.stage != Stage::kAllocated || !tensor.is_dynamic()) {
    return FailedPreconditionError(
        "tensor ", index, " '", tensor.name,
        "' is no dynamic input of an interpreter with allocated tensors");
  }
  tensor.data = nullptr;
  tensor.bytes = static_cast<int64_t>(bytes.size());
  DynamicBlock& block = s.frame.dynamic[Index(index)];
  ARENALITE_RETURN_IF_ERROR(s.memory.Resize(block, tensor.bytes));
  tensor.data = block.data;
  if (!bytes.empty()) std::memcpy(block.data, bytes.data(), bytes.size());
  return OkStatus();
}

Span<const int32_t> Interpreter::execution_plan() const {
  return state_->frame.info->order;
}

Status Interpreter::SetExecutionPlan(Span<const int32_t> order) {
  State& s = *state_;
  const Status checked = CheckOrder(s.info(), order);
  if (!checked.ok()) {
    return InvalidArgumentError("the execution plan is refused: ",
                                checked.message());
  }
  Array<int32_t> copy;
  ARENALITE_RETURN_IF_ERROR(copy.Resize(order.size()));
  for (size_t i = 0; i < order.size(); ++i) copy[i] = order[i];
  s.info().order = std::move(copy);
  s.Invalidate();
  return OkStatus();
}

size_t Interpreter::nodes_size() const { return state_->frame.nodes.size(); }

Status Interpreter::ResetVariableTensors() {
  if (state_->stage != Stage::kAllocated) {
    return FailedPreconditionError(
        "ResetVariableTensors needs a successful AllocateTensors before it");
  }
  state_->ResetVariables();
  return OkStatus();
}

Status Interpreter::ReleaseNonPersistentMemory() {
  State& s = *state_;
  if (s.stage == Stage::kAllocated) s.stage = Stage::kPlanned;
  UnbindFrame(s.frame, false);
  FreeDynamicTensors(s.frame, s.memory);
  s.arena.ReleasePlanned();
  return OkStatus();
}

Status Interpreter::SetCustomAllocationForTensor(int index,
                                                 Span<uint8_t> memory) {
  State& s = *state_;
  ARENALITE_RETURN_IF_ERROR(s.CheckTensor(index));
  const TensorInfo& info = s.info().tensors[Index(index)];
  bool allowed = info.is_variable || s.frame.is_graph_output[Index(index)];
  for (int32_t input : inputs()) allowed = allowed || input == index;
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
  s.frame.settings[Index(index)].custom = memory;
  s.Invalidate();
  return OkStatus();
}

Status Interpreter::PreserveTensor(int index) {
  ARENALITE_RETURN_IF_ERROR(state_->CheckTensor(index));
  state_->frame.settings[Index(index)].preserved = true;
  state_->Invalidate();
  return OkStatus();
}

Result<MemoryUsage> Interpreter::QueryMemory() {
  State& s = *state_;
  ARENALITE_RETURN_IF_ERROR(s.EnsurePlanned());
  MemoryUsage usage = s.usage;
  usage.metadata_bytes = static_cast<int64_t>(s.HeapBytes());
  usage.dynamic_bytes = s.memory.held_bytes();
  return usage;
}

Result<MemoryReport> Interpreter::ReportMemory() {
  ARENALITE_ASSIGN_OR_RETURN(MemoryUsage usage, QueryMemory());
  return BuildReport(state_->frame, state_->plan, usage);
}

size_t Interpreter::arena_used_bytes() const {
  return state_->stage == Stage::kBuilt
             ? 0
             : static_cast<size_t>(state_->usage.arena_bytes);
}

}  // namespace arenalite
