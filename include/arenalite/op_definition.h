// OpDefinition: everything arenalite knows of one operator. Built-in and
// custom operators are defined the same way.
//
// The life of an operator in a model:
//   parse    once, when the interpreter is built: options of the file -> a
//            plain options struct of the op.
//   prepare  at every AllocateTensors: validates types, shapes and options,
//            sets output shapes, asks for scratch, keeps what eval needs.
//   overlap  after prepare, for each (output, input): how far the output may
//            reach into the memory of an input that dies at this op.
//   eval     at every Invoke: computes. Never allocates, never re-validates.
//
// Functions are called from the thread that calls the interpreter. They keep
// no state but what the context gives them.

#ifndef ARENALITE_OP_DEFINITION_H_
#define ARENALITE_OP_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "arenalite/span.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

// Answers questions of an operator about the other subgraphs of its model.
class SubgraphCatalog {
 public:
  // The builtin code of a subgraph's only operator. OpSource::kNoOperator when
  // it has none; an error when it has several, or is not in the model.
  virtual Result<int32_t> OnlyOperator(int32_t subgraph) const = 0;

 protected:
  ~SubgraphCatalog() = default;
};

// What the file says of one operator. Valid while the model lives.
struct OpSource {
  static constexpr int32_t kNoOperator = -1;

  int32_t version = 1;
  // The schema tables of BuiltinOptions and BuiltinOptions2, or null; each
  // with the union's type number.
  const void* builtin_options = nullptr;
  int32_t builtin_options_type = 0;
  const void* builtin_options_2 = nullptr;
  int32_t builtin_options_2_type = 0;
  // The bytes a custom operator carries; often a FlexBuffer. Not verified.
  Span<const uint8_t> custom_options;
  int num_inputs = 0;
  int num_outputs = 0;
  // Valid during parse; null where there are no other subgraphs.
  const SubgraphCatalog* subgraphs = nullptr;

  // For options that name a subgraph as the function to apply.
  Result<int32_t> OnlyOperatorOf(int32_t subgraph) const {
    if (subgraphs) return subgraphs->OnlyOperator(subgraph);
    return InvalidModelError("subgraph ", subgraph, " is not in the model");
  }
};

// A value that ops share by name and that lives from Invoke to Invoke.
struct ResourceVariable {
  const char* container = "";  // In the model's memory, as is the name.
  const char* name = "";
  Tensor value;
  int64_t placed_bytes = 0;  // Bytes that value.data has; the runtime's to set.
  bool has_shape = false;    // An op has said what it holds.
  bool initialized = false;  // It has been assigned since the last reset.
};

// Services that the runtime (or a test) gives to a running op.
class OpHost {
 public:
  virtual void* AllocateData(size_t bytes) = 0;
  virtual Status SetShape(Tensor& tensor, const Shape& shape) = 0;
  virtual Status SetDynamic(Tensor& tensor) = 0;
  virtual Result<int> RequestScratch(int64_t bytes) = 0;
  virtual Status ResizeDynamic(Tensor& tensor, const Shape& shape,
                               int64_t string_bytes) = 0;
  virtual bool HasValue(const Tensor& tensor) const = 0;
  // Inline, as those below: a host may have no plan.
  virtual Status SetBounded(Tensor& tensor, int64_t) {
    return SetDynamic(tensor);
  }
  // Inline, so that code with RTTI can derive from this class.
  virtual Result<int32_t> ResourceId(const char*, const char* name) {
    return FailedPreconditionError("variable '", name,
                                   "': there are no variables here");
  }
  virtual ResourceVariable* FindResource(int32_t) { return nullptr; }

 protected:
  ~OpHost() = default;
};

class OpContext;
using EvalFunction = Status (*)(OpContext& context);

// One piece of memory that eval may use as it likes; contents do not survive
// from one eval to the next.
struct Scratch {
  int64_t bytes = 0;
  void* data = nullptr;  // Null until the plan is committed.
};

// The op's window on its tensors: the same in prepare, overlap and eval, with
// the calls that belong to one of them marked so.
class OpContext {
 public:
  // Plain wiring, filled by the runtime or a test.
  struct Wiring {
    Tensor* tensors = nullptr;   // All tensors of the subgraph.
    Span<const int32_t> inputs;  // Indices; -1 is an absent optional input.
    Span<const int32_t> outputs;
    Span<const int32_t> intermediates;
    const void* options = nullptr;
    void* data = nullptr;
    Span<Scratch> scratch;
    EvalFunction eval = nullptr;
  };
  OpContext(Wiring& wiring, OpHost& host) : w_(wiring), host_(host) {}

  int num_inputs() const { return static_cast<int>(w_.inputs.size()); }
  int num_outputs() const { return static_cast<int>(w_.outputs.size()); }
  // Null when the i-th input is absent: -1 in the file, or beyond its end.
  const Tensor* optional_input(int i) const { return InputOrNull(i); }
  // Only for inputs that CheckCounts (or the op) knows to be present.
  const Tensor& input(int i) const { return *InputOrNull(i); }
  // A state input (a variable tensor) that eval writes; null when absent.
  Tensor* variable(int i) const { return InputOrNull(i); }
  Tensor& output(int i) const { return w_.tensors[w_.outputs[Index(i)]]; }
  // Extra tensors that some quantized recurrent ops name only for their
  // quantization; null when absent.
  const Tensor* intermediate(int i) const;

  // Refuses a node whose input or output count is outside of the bounds, or
  // one of whose first `min_inputs` inputs is absent.
  Status CheckCounts(int min_inputs, int max_inputs, int min_outputs,
                     int max_outputs) const;

  template <class T>
  const T& options() const {
    return *static_cast<const T*>(w_.options);
  }
  template <class T>
  T& data() const {
    return *static_cast<T*>(w_.data);
  }
  // eval: the memory asked for with RequestScratch.
  template <class T>
  T* scratch(int index) const {
    return static_cast<T*>(w_.scratch[Index(index)].data);
  }

  // prepare: a zero-initialised T that eval finds as data<T>(). Once only.
  template <class T>
  Result<T*> CreateData() {
    ARENALITE_ASSIGN_OR_RETURN(T * created, AllocateArray<T>(1));
    w_.data = created;
    return created;
  }
  // prepare: a zero-initialised array that lives until the next prepare.
  template <class T>
  Result<T*> AllocateArray(int64_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    ARENALITE_ASSIGN_OR_RETURN(void* memory, AllocateBytes(count, sizeof(T)));
    T* array = static_cast<T*>(memory);
    for (int64_t i = 0; i < count; ++i) new (array + i) T();
    return array;
  }
  // prepare: which function computes. Picks the typed one, so that eval has
  // no switch on types. Without this call, OpDefinition::eval runs.
  void SetEval(EvalFunction eval) { w_.eval = eval; }
  // prepare: the shape of output i, checked for overflow. When prepare runs
  // inside Invoke (a dynamic input), this also takes the bytes.
  Status SetOutputShape(int i, const Shape& shape) {
    return host_.SetShape(output(i), shape);
  }
  // prepare: the shape of output i depends on data. eval must then call
  // ResizeOutput before it writes.
  Status SetOutputDynamic(int i) { return host_.SetDynamic(output(i)); }
  // The same where output i never takes more than `max_bytes`, whatever data
  // say: so much is planned for it. No overlap is asked for.
  Status SetOutputBounded(int i, int64_t max_bytes) {
    return host_.SetBounded(output(i), max_bytes);
  }
  // prepare: `bytes` of memory for one eval, at least 16-byte aligned.
  // Returns the index for scratch().
  Result<int> RequestScratch(int64_t bytes) {
    return host_.RequestScratch(bytes);
  }
  // prepare: true when the bytes of this input can be read now: a constant, a
  // folded value, or any input when prepare runs inside Invoke.
  bool HasValue(const Tensor& tensor) const { return host_.HasValue(tensor); }

  // prepare: the number of the variable with this name, made at first use.
  // The strings must lie in the model's memory.
  Result<int32_t> ResourceId(const char* container, const char* name) {
    return host_.ResourceId(container, name);
  }
  // Null when there is none with this number.
  ResourceVariable* resource(int32_t id) const {
    return host_.FindResource(id);
  }

  // eval: gives a dynamic output its shape and bytes. `string_bytes` is the
  // packed size of a string tensor.
  Status ResizeOutput(int i, const Shape& shape, int64_t string_bytes = 0) {
    return host_.ResizeDynamic(output(i), shape, string_bytes);
  }

 private:
  static size_t Index(int i) { return static_cast<size_t>(i); }
  Tensor* InputOrNull(int i) const;
  Result<void*> AllocateBytes(int64_t count, size_t element_bytes);

  Wiring& w_;
  OpHost& host_;
};

// The overlap of a pair that must not share a byte.
constexpr int64_t kNoOverlap = INT64_MIN;

// Bits of OpDefinition::traits.
enum OpTraits : uint32_t {
  kOpDefault = 0,
  // Output 0 holds the bytes of input 0 unchanged: the planner may make both
  // one storage. eval copies, and is skipped when both have one address.
  kOpIsView = 1,
  // The result is not a function of the inputs (random numbers, variables,
  // resources): never folded.
  kOpHasState = 2,
  // The result depends on the inputs' shapes alone: folded wherever they are
  // known before Invoke.
  kOpReadsShapes = 4,
  // Understands sparse constants (Tensor::sparsity), or refuses them itself.
  // Other ops never see one.
  kOpTakesSparse = 8,
};

struct OpDefinition {
  const char* name = "";     // "CONV_2D", or the name of a custom operator.
  int32_t builtin_code = 0;  // Number in the schema; kCustomOpCode for custom.
  int32_t max_version = 1;   // Versions 1..max_version are understood.
  uint32_t traits = kOpDefault;
  // Bytes of the options struct that parse fills (zeroed); 0 for none.
  size_t options_bytes = 0;
  Status (*parse)(const OpSource& source, void* options) = nullptr;
  Status (*prepare)(OpContext& context) = nullptr;
  EvalFunction eval = nullptr;  // May be null when prepare calls SetEval.
  // The distance D in bytes for (output, input): eval stays correct as long
  // as the output's address is <= the input's address + D (or they are
  // disjoint), for an input that nobody reads later. kNoOverlap: never.
  // Null: no overlap for any pair.
  int64_t (*overlap)(const OpContext& context, int output, int input) = nullptr;
};

constexpr int32_t kCustomOpCode = 32;

}  // namespace arenalite

#endif  // ARENALITE_OP_DEFINITION_H_
