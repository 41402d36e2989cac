#include "arenalite/interpreter.h"

#include <utility>

#include "base/checked_math.h"
#include "graph/build_graph.h"
#include "runtime/interpreter_core.h"

namespace arenalite {
namespace {

constexpr int32_t kMaxAlignment = 4096;

Status CheckOptions(const InterpreterOptions& options) {
  if (!IsPowerOfTwo(options.alignment) || options.alignment > kMaxAlignment) {
    return InvalidArgumentError("alignment is ", options.alignment,
                                ", allowed powers of two up to ",
                                kMaxAlignment);
  }
  return OkStatus();
}

}  // namespace

Interpreter::Interpreter(std::unique_ptr<InterpreterCore> core)
    : core_(std::move(core)) {}
Interpreter::~Interpreter() = default;

Result<std::unique_ptr<Interpreter>> Interpreter::Create(
    const FlatBufferModel& model, const OpResolver& resolver,
    const InterpreterOptions& options) {
  ARENALITE_RETURN_IF_ERROR(CheckOptions(options));
  ARENALITE_ASSIGN_OR_RETURN(Graph graph, BuildGraph(model.model()));
  ARENALITE_ASSIGN_OR_RETURN(
      std::unique_ptr<InterpreterCore> core,
      InterpreterCore::Create(options, resolver, std::move(graph)));
  std::unique_ptr<Interpreter> interpreter(new (std::nothrow)
                                               Interpreter(std::move(core)));
  if (interpreter == nullptr) {
    return ResourceExhaustedError("out of memory for an interpreter");
  }
  return interpreter;
}

Status InterpreterBuilder::operator()(
    std::unique_ptr<Interpreter>* interpreter) const {
  if (interpreter == nullptr) {
    return InvalidArgumentError("the place for the interpreter is null");
  }
  ARENALITE_ASSIGN_OR_RETURN(*interpreter, Build());
  return OkStatus();
}

Status Interpreter::AllocateTensors() { return core_->AllocateTensors(0); }

Status Interpreter::Invoke() { return core_->Invoke(0); }

Span<const int32_t> Interpreter::inputs() const {
  return core_->main().program.main().info->inputs;
}

Span<const int32_t> Interpreter::outputs() const {
  return core_->main().program.main().info->outputs;
}

size_t Interpreter::tensors_size() const {
  return core_->main().program.main().tensors.size();
}

Tensor* Interpreter::tensor(int index) {
  const bool in_range =
      index >= 0 && static_cast<size_t>(index) < tensors_size();
  return in_range ? &core_->main().program.tensor({0, index}) : nullptr;
}

Tensor* Interpreter::input_tensor(size_t position) {
  return position < inputs().size() ? tensor(inputs()[position]) : nullptr;
}

Tensor* Interpreter::output_tensor(size_t position) {
  return position < outputs().size() ? tensor(outputs()[position]) : nullptr;
}

Status Interpreter::ResizeInputTensor(int index, Span<const int32_t> dims) {
  return core_->ResizeInput(0, index, dims);
}

Status Interpreter::ResizeInputTensorStrict(int index,
                                            Span<const int32_t> dims) {
  return core_->ResizeInputStrict(0, index, dims);
}

Status Interpreter::SetMaximumInputShape(int index, Span<const int32_t> dims) {
  return core_->SetMaximum(0, index, dims);
}

Status Interpreter::SetDynamicInput(int index, Span<const uint8_t> bytes) {
  return core_->SetDynamicInput(index, bytes);
}

Span<const int32_t> Interpreter::execution_plan() const {
  return core_->main().program.main().info->order;
}

Status Interpreter::SetExecutionPlan(Span<const int32_t> order) {
  return core_->SetOrder(order);
}

size_t Interpreter::nodes_size() const {
  return core_->main().program.main().nodes.size();
}

Status Interpreter::ResetVariableTensors() { return core_->ResetVariables(); }

Status Interpreter::ReleaseNonPersistentMemory() {
  return core_->ReleasePlanned();
}

Status Interpreter::SetCustomAllocationForTensor(int index,
                                                 Span<uint8_t> memory) {
  return core_->SetCustomMemory(index, memory);
}

Status Interpreter::PreserveTensor(int index) { return core_->Preserve(index); }

size_t Interpreter::signatures_size() const {
  return core_->graph().signatures.size();
}

const char* Interpreter::signature_key(size_t i) const {
  return i < signatures_size() ? core_->graph().signatures[i].key : nullptr;
}

Result<SignatureRunner> Interpreter::GetSignatureRunner(const char* key) {
  const bool any = key == nullptr || *key == '\0';
  if (any && signatures_size() != 1) {
    return InvalidArgumentError("the model has ", signatures_size(),
                                " signatures: name one of them");
  }
  for (const SignatureInfo& info : core_->graph().signatures) {
    if (!any && std::string_view(key) != info.key) continue;
    ARENALITE_ASSIGN_OR_RETURN(size_t entry,
                               core_->FindOrAddEntry(info.subgraph));
    return SignatureRunner(core_.get(), &info, entry);
  }
  return NotFoundError("the model has no signature '", key, "'");
}

Result<MemoryUsage> Interpreter::QueryMemory() { return core_->QueryMemory(); }

Result<MemoryReport> Interpreter::ReportMemory() {
  return core_->ReportMemory();
}

Result<Array<uint8_t>> Interpreter::SavePlan() { return core_->SavePlan(); }

size_t Interpreter::arena_used_bytes() const {
  return core_->arena_used_bytes();
}

}  // namespace arenalite
