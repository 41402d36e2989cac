// Interpreter: plans and runs one model.
//
//   auto model = FlatBufferModel::BuildFromFile("model.tflite");
//   BuiltinOpResolver resolver;
//   auto interpreter = InterpreterBuilder(**model, resolver).Build();
//   (*interpreter)->AllocateTensors();
//   float* input = (*interpreter)->typed_input_tensor<float>(0);
//   ... fill input ...
//   (*interpreter)->Invoke();
//
// Every call that can fail returns a Status whose message names the subgraph,
// the op or the tensor, the value found and the value allowed. After an error
// the interpreter can be used again: fix the cause and repeat the call.

#ifndef ARENALITE_INTERPRETER_H_
#define ARENALITE_INTERPRETER_H_

#include <cstdint>
#include <memory>

#include "arenalite/allocator.h"
#include "arenalite/arena_group.h"
#include "arenalite/array.h"
#include "arenalite/memory_report.h"
#include "arenalite/model.h"
#include "arenalite/op_resolver.h"
#include "arenalite/planner.h"
#include "arenalite/signature_runner.h"
#include "arenalite/span.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

// One op of an Invoke, as an observer sees it. Valid during the call.
struct OpEvent {
  enum class Phase : uint8_t { kBefore, kAfter };

  Phase phase = Phase::kBefore;
  int32_t subgraph = 0;  // Numbers of the file.
  int32_t node = 0;
  const char* op_name = "";
  const Tensor* tensors = nullptr;  // All of the subgraph.
  Span<const int32_t> inputs;       // Indices of `tensors`; -1: absent.
  Span<const int32_t> outputs;
};

struct InterpreterOptions {
  // Every tensor's address is a multiple of it: a power of two up to 4096.
  // Never below the element type's own alignment.
  int32_t alignment = 16;
  // The memory of graph inputs may be reused after their last read: fill them
  // before every Invoke.
  bool allow_input_reuse = false;
  // Every tensor keeps bytes of its own and can be read after Invoke. Takes
  // the naive sum of bytes; for debugging.
  bool preserve_all_tensors = false;
  // Ops may write over inputs that die with them.
  bool allow_overlap = true;
  // Fills all bytes with a pattern the moment they die, so that a wrong
  // lifetime shows as a wrong result; for debugging.
  bool poison_memory = false;
  PlanStrategy plan_strategy = PlanStrategy::kAuto;
  // A plan made by SavePlan of an interpreter with the same model, shapes and
  // options, used instead of planning; another one is refused. The caller
  // keeps the bytes alive as long as the interpreter. Empty: plan here.
  Span<const uint8_t> plan_file;
  // Where the arena lives; empty: it comes from `allocator`. The caller keeps
  // the buffer alive as long as the interpreter.
  Span<uint8_t> arena_buffer;
  // For the arena (without a buffer) and dynamic tensors; null: the heap.
  Allocator* allocator = nullptr;
  // Shares the arena of a group; variables stay apart, in `arena_buffer` or
  // from `allocator`. Null: an arena of its own. The group must outlive the
  // interpreter.
  ArenaGroup* arena_group = nullptr;
  // The most shapes of inputs whose plans are kept, with the current one: to
  // go back to one of them plans nothing and takes no memory. Each costs its
  // metadata (MemoryUsage::metadata_bytes), but no arena; the one that was not
  // used for longest goes first. At least 1.
  int32_t max_kept_plans = 8;
  // The most that the arena may take: a file that asks for more is refused.
  int64_t max_arena_bytes = int64_t{1} << 32;
  // A tensor whose shape data decide, but with a known maximum of bytes, is
  // planned for that maximum. False: it comes from the allocator, with the
  // bytes that it needs.
  bool plan_bounded_tensors = true;
  // The most that all other tensors whose shape data decide may hold at once.
  int64_t max_dynamic_bytes = int64_t{1} << 30;
  // The most iterations of all loops in one Invoke, so that none is endless.
  int64_t max_loop_iterations = 100'000'000;
  // Asked before every op and after every iteration of a loop; true ends the
  // Invoke with kCancelled.
  bool (*should_cancel)(void* user_data) = nullptr;
  void* cancel_user_data = nullptr;
  // Told of every op before and, when it succeeded, after it ran: to time it
  // or to read its tensors. Ops folded into constants never run. IF, WHILE and
  // the like show as the ops that they run; only where data decide shapes also
  // as an op around them. It must not call the interpreter.
  void (*op_observer)(void* user_data, const OpEvent& event) = nullptr;
  void* observer_user_data = nullptr;
  // Builds also when an op has no kernel: such an interpreter can plan and
  // report, but AllocateTensors fails and names the op.
  bool allow_missing_kernels = false;
};

// One interpreter is used by one thread at a time. Several interpreters may
// share a model and a resolver on several threads. While Invoke runs (from
// inside of a custom operator, say), calls that change the interpreter are
// refused with kFailedPrecondition.
class Interpreter {
 public:
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // What InterpreterBuilder::Build calls.
  static Result<std::unique_ptr<Interpreter>> Create(
      const FlatBufferModel& model, const OpResolver& resolver,
      const InterpreterOptions& options);

  // Shapes, plan and memory. Call it once after building and after each
  // change (ResizeInputTensor, SetExecutionPlan, ...). New variables, and those
  // whose size changed, start as ResetVariableTensors leaves them; others keep
  // their value. Values of other tensors are lost. The arena grows where it
  // must, and then gives its old bytes back first; it shrinks only by
  // ReleaseNonPersistentMemory. In an ArenaGroup this takes the arena.
  Status AllocateTensors();

  // Runs the model on the bytes of its inputs. Allocates nothing, unless the
  // model has tensors whose shape data decide.
  Status Invoke();

  // Indices of tensors. input(i) / output(i) below take positions in these.
  Span<const int32_t> inputs() const;
  Span<const int32_t> outputs() const;
  size_t tensors_size() const;
  // Null when the index is out of range. Absent optional inputs have index
  // -1. The pointer lasts as long as the interpreter. The shape is the file's
  // until AllocateTensors (dimensions that it leaves open stand as 1), and
  // `data` is null.
  Tensor* tensor(int index);
  Tensor* input_tensor(size_t position);
  Tensor* output_tensor(size_t position);
  // Null also when the element type is another one.
  template <class T>
  T* typed_tensor(int index) {
    return Typed<T>(tensor(index));
  }
  template <class T>
  T* typed_input_tensor(size_t position) {
    return Typed<T>(input_tensor(position));
  }
  template <class T>
  T* typed_output_tensor(size_t position) {
    return Typed<T>(output_tensor(position));
  }

  // Gives a graph input another shape; takes effect at AllocateTensors. A
  // shape above a declared maximum is refused.
  Status ResizeInputTensor(int index, Span<const int32_t> dims);
  // The same, but refuses another rank, and to change a dimension that the
  // model does not leave open (-1 in the tensor's shape_signature).
  Status ResizeInputTensorStrict(int index, Span<const int32_t> dims);
  // Declares the largest shape that a graph input will have, of the same rank;
  // no dims undo it. AllocateTensors then plans once, for the maximum of all
  // inputs that declare one, and the arena has the size for it. Every shape
  // with no larger dimension runs within that plan: going there plans nothing
  // and, once the maximum has been planned, takes no memory of the arena. A
  // shape whose tensors do not fit that plan (an op that needs more for less)
  // gets a plan of its own, like any other shape. While it uses the maximum's
  // plan, the figures of QueryMemory are the maximum's. Takes effect at
  // AllocateTensors.
  Status SetMaximumInputShape(int index, Span<const int32_t> dims);
  // Fills an input without a fixed size (strings, in packed form) with `bytes`
  // and gives it the shape it was resized to. After AllocateTensors.
  Status SetDynamicInput(int index, Span<const uint8_t> bytes);

  // The nodes in the order they run.
  Span<const int32_t> execution_plan() const;
  // Another order: each node once, every read after its write; an invalid one
  // is refused, naming the first op that reads something unwritten.
  Status SetExecutionPlan(Span<const int32_t> order);
  size_t nodes_size() const;

  // Variable tensors go to zero (quantized ones to their zero point); named
  // variables (VAR_HANDLE) become unassigned, and CALL_ONCE runs again. What is
  // not allocated is reset when it is.
  Status ResetVariableTensors();
  // Gives the planned arena and dynamic tensors back; variables and plans
  // stay. The next Invoke needs an AllocateTensors before it, which takes an
  // arena of the size for the current shapes (or their declared maximum).
  Status ReleaseNonPersistentMemory();

  // A graph input, graph output or variable lives in the caller's memory
  // instead of the arena: at least the tensor's bytes, aligned to its element
  // type, alive until replaced. Null data undoes it. Takes effect at
  // AllocateTensors.
  Status SetCustomAllocationForTensor(int index, Span<uint8_t> memory);
  // The tensor's value can be read after Invoke. Takes effect at
  // AllocateTensors.
  Status PreserveTensor(int index);

  // The named entry points of the file.
  size_t signatures_size() const;
  const char* signature_key(size_t i) const;
  // Runs one of them. Null or "": the only one. Valid while the interpreter
  // lives.
  Result<SignatureRunner> GetSignatureRunner(const char* key);

  // Plans if that is due, without allocating one byte of the arena.
  Result<MemoryUsage> QueryMemory();
  // The same with every tensor and step.
  Result<MemoryReport> ReportMemory();
  // The bytes of a plan file (see plan_file.h) with the current plan, for
  // InterpreterOptions::plan_file. Plans if that is due.
  Result<Array<uint8_t>> SavePlan();
  // Bytes of the whole arena under the current plans (with declared maximum
  // shapes: under theirs); 0 before there is one. Entry points that run one
  // after another share it. The planned part may live in an ArenaGroup. After
  // smaller shapes the arena may hold more: see ReleaseNonPersistentMemory.
  size_t arena_used_bytes() const;

 private:
  explicit Interpreter(std::unique_ptr<InterpreterCore> core);

  template <class T>
  static T* Typed(Tensor* tensor) {
    const bool fits =
        tensor != nullptr && tensor->type == TensorTypeOf<T>::kValue;
    return fits ? tensor->data_as<T>() : nullptr;
  }

  std::unique_ptr<InterpreterCore> core_;
};

// Builds interpreters. Model and resolver must outlive what it builds.
class InterpreterBuilder {
 public:
  InterpreterBuilder(const FlatBufferModel& model, const OpResolver& resolver)
      : model_(model), resolver_(resolver) {}
  InterpreterBuilder(const FlatBufferModel& model, const OpResolver& resolver,
                     const InterpreterOptions& options)
      : model_(model), resolver_(resolver), options_(options) {}

  // Resolves and parses every op. Fails with kUnimplemented for an operator
  // or version that the resolver does not know, naming the first 64.
  Result<std::unique_ptr<Interpreter>> Build() const {
    return Interpreter::Create(model_, resolver_, options_);
  }

  // The form known from TensorFlow Lite.
  Status operator()(std::unique_ptr<Interpreter>* interpreter) const;

 private:
  const FlatBufferModel& model_;
  const OpResolver& resolver_;
  InterpreterOptions options_;
};

}  // namespace arenalite

#endif  // ARENALITE_INTERPRETER_H_
