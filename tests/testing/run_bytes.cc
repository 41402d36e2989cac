#include "testing/run_bytes.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "arenalite/interpreter.h"
#include "testing/random_graph.h"

namespace arenalite {
namespace testing {
namespace {

constexpr int64_t kMaxBytes = 64 << 10;
constexpr int64_t kMaxOps = 2000;

bool SpendOne(void* ops_left) { return --*static_cast<int64_t*>(ops_left) < 0; }

InterpreterOptions Limits(RunDepth depth, int64_t* ops_left) {
  InterpreterOptions options;
  options.max_arena_bytes = kMaxBytes;
  options.max_dynamic_bytes = kMaxBytes;
  options.max_loop_iterations = 100;
  options.poison_memory = true;
  options.should_cancel = SpendOne;
  options.cancel_user_data = ops_left;
  options.allow_missing_kernels = depth == RunDepth::kPlan;
  return options;
}

// Integers are often indices or sizes: small ones get further than most.
void FillSmall(Prng& prng, Tensor& tensor) {
  const int high = (1 << prng.Below(4)) - 1;  // 0, 1, 3 or 7.
  const int low = prng.OneIn(4) ? -2 : 0;
  const int width = tensor.type == TensorType::kInt32 ? 4 : 8;
  for (int64_t i = 0; i + width <= tensor.bytes; i += width) {
    const int64_t value = prng.Between(low, high);
    std::memcpy(tensor.data_as<uint8_t>() + i, &value,
                static_cast<size_t>(width));
  }
}

void FillInputs(Interpreter& interpreter, uint64_t seed) {
  Prng prng(seed);
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor* tensor = interpreter.input_tensor(i);
    if (tensor == nullptr || tensor->is_constant()) continue;
    if (tensor->data == nullptr) continue;
    const bool is_number = tensor->type == TensorType::kInt32 ||
                           tensor->type == TensorType::kInt64;
    if (is_number && !prng.OneIn(4)) {
      FillSmall(prng, *tensor);
    } else {
      FillRandom(prng, *tensor);
    }
  }
}

// Sanitizers watch this read.
void ReadOutputs(Interpreter& interpreter) {
  volatile uint8_t sink = 0;
  for (size_t i = 0; i < interpreter.outputs().size(); ++i) {
    const Tensor* tensor = interpreter.output_tensor(i);
    if (tensor == nullptr || tensor->data == nullptr) continue;
    const auto* bytes = tensor->data_as<uint8_t>();
    for (int64_t k = 0; k < tensor->bytes; ++k) sink = sink ^ bytes[k];
  }
}

Status RunOnce(Interpreter& interpreter, uint64_t seed) {
  ARENALITE_RETURN_IF_ERROR(interpreter.AllocateTensors());
  FillInputs(interpreter, seed);
  ARENALITE_RETURN_IF_ERROR(interpreter.Invoke());
  ReadOutputs(interpreter);
  return OkStatus();
}

Status RunSignatures(Interpreter& interpreter) {
  for (size_t i = 0; i < interpreter.signatures_size(); ++i) {
    ARENALITE_ASSIGN_OR_RETURN(
        SignatureRunner runner,
        interpreter.GetSignatureRunner(interpreter.signature_key(i)));
    ARENALITE_RETURN_IF_ERROR(runner.AllocateTensors());
    ARENALITE_RETURN_IF_ERROR(runner.Invoke());
  }
  return OkStatus();
}

// One more along the first dimension of the first input.
Status Grow(Interpreter& interpreter) {
  if (interpreter.inputs().empty()) return OkStatus();
  const Tensor* tensor = interpreter.input_tensor(0);
  if (tensor == nullptr || tensor->shape.rank() == 0) return OkStatus();
  std::vector<int32_t> dims(tensor->shape.dims().begin(),
                            tensor->shape.dims().end());
  if (dims[0] < INT32_MAX) ++dims[0];
  return interpreter.ResizeInputTensor(interpreter.inputs()[0],
                                       Span<const int32_t>(dims));
}

}  // namespace

Status RunBytes(Span<const uint8_t> bytes, RunDepth depth) {
  FlatBufferModel::BufferOptions load;
  load.copy = true;  // Exactly the file's size, so that any overrun shows.
  ARENALITE_ASSIGN_OR_RETURN(const auto model,
                             FlatBufferModel::BuildFromBuffer(bytes, load));
  int64_t ops_left = kMaxOps;
  // Another file is another draw of inputs.
  const auto seed = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
  BuiltinOpResolver resolver;
  for (const OpDefinition* custom : RandomGraphCustomOps()) {
    ARENALITE_RETURN_IF_ERROR(resolver.AddCustom(*custom));
  }
  ARENALITE_ASSIGN_OR_RETURN(
      const auto interpreter,
      InterpreterBuilder(*model, resolver, Limits(depth, &ops_left)).Build());
  ARENALITE_RETURN_IF_ERROR(interpreter->ReportMemory().status());
  if (depth == RunDepth::kPlan) return OkStatus();
  ARENALITE_RETURN_IF_ERROR(RunOnce(*interpreter, seed));
  ARENALITE_RETURN_IF_ERROR(RunSignatures(*interpreter));
  ARENALITE_RETURN_IF_ERROR(interpreter->ResetVariableTensors());
  ARENALITE_RETURN_IF_ERROR(interpreter->ReleaseNonPersistentMemory());
  ARENALITE_RETURN_IF_ERROR(Grow(*interpreter));
  return RunOnce(*interpreter, seed + 1);
}

}  // namespace testing
}  // namespace arenalite
