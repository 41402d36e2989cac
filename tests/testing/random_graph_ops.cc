// The custom operators of random graphs.

#include <algorithm>
#include <cstring>

#include "testing/random_graph.h"

namespace arenalite {
namespace testing {
namespace {

int64_t InPlace(const OpContext&, int, int input) {
  return input == 0 ? 0 : kNoOverlap;
}

template <class T>
Status EvalAccumulate(OpContext& context) {
  const T* x = context.input(0).data_as<T>();
  T* state = context.variable(1)->data_as<T>();
  T* y = context.output(0).data_as<T>();
  const int64_t count = context.output(0).shape.NumElements();
  for (int64_t i = 0; i < count; ++i) {
    state[i] = static_cast<T>((state[i] + x[i]) / 2);
    y[i] = state[i];
  }
  return OkStatus();
}

// All tensors are of one type: float32 or int8.
Status CheckTypes(const OpContext& context) {
  const TensorType type = context.input(0).type;
  if ((type == TensorType::kFloat32 || type == TensorType::kInt8) &&
      context.output(0).type == type) {
    return OkStatus();
  }
  return UnimplementedError("input and output must be FLOAT32 or INT8");
}

Status PrepareAccumulate(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context));
  const Tensor* state = context.variable(1);
  if (state == nullptr || state->type != context.input(0).type ||
      state->shape.NumElements() != context.input(0).shape.NumElements()) {
    return InvalidModelError("input 1 must be a variable like input 0");
  }
  const bool is_float = context.input(0).type == TensorType::kFloat32;
  context.SetEval(is_float ? EvalAccumulate<float> : EvalAccumulate<int8_t>);
  return context.SetOutputShape(0, context.input(0).shape);
}

// More scratch than needed: what lies behind the copy is overwritten.
constexpr int64_t kSpareBytes = 100;

template <class T>
Status EvalReverse(OpContext& context) {
  const Tensor& x = context.input(0);
  T* scratch = context.scratch<T>(0);
  std::memset(context.scratch<uint8_t>(0), 0xEE,
              static_cast<size_t>(x.bytes + kSpareBytes));
  std::memcpy(scratch, x.data, static_cast<size_t>(x.bytes));
  std::reverse_copy(scratch, scratch + x.shape.NumElements(),
                    context.output(0).data_as<T>());
  return OkStatus();
}

Status PrepareReverse(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context));
  const bool is_float = context.input(0).type == TensorType::kFloat32;
  context.SetEval(is_float ? EvalReverse<float> : EvalReverse<int8_t>);
  ARENALITE_ASSIGN_OR_RETURN(
      [[maybe_unused]] const int scratch,
      context.RequestScratch(context.input(0).bytes + kSpareBytes));
  return context.SetOutputShape(0, context.input(0).shape);
}

OpDefinition Define(const char* name, Status (*prepare)(OpContext&)) {
  OpDefinition definition;
  definition.name = name;
  definition.builtin_code = kCustomOpCode;
  definition.prepare = prepare;
  definition.overlap = InPlace;
  return definition;
}

}  // namespace

std::vector<const OpDefinition*> RandomGraphCustomOps() {
  static const OpDefinition accumulate =
      Define("Accumulate", PrepareAccumulate);
  static const OpDefinition reverse = Define("Reverse", PrepareReverse);
  return {&accumulate, &reverse};
}

}  // namespace testing
}  // namespace arenalite
