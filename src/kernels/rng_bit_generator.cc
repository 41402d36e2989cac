// STABLEHLO_RNG_BIT_GENERATOR: random bits and the state after them, as
// functions of the state before.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/philox.h"

namespace arenalite {
namespace {

struct RngOptions {
  bool threefry;
};

Status ParseRng(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable2<schema::StablehloRngBitGeneratorOptions>(source);
  if (table == nullptr) return OkStatus();
  const int algorithm = table->algorithm();
  if (algorithm < schema::RngAlgorithm_DEFAULT ||
      algorithm > schema::RngAlgorithm_THREEFRY) {
    return InvalidModelError("algorithm is ", algorithm, ", allowed 0..2");
  }
  static_cast<RngOptions*>(options)->threefry =
      algorithm == schema::RngAlgorithm_THREEFRY;
  return OkStatus();
}

// Fills the output with what `generate` makes of the running counter, whose
// low two words are words 2 and 3 of the state.
template <class Words, class Generate>
void FillWords(Tensor& output, Words& counter, Generate generate) {
  auto* out = output.data_as<uint32_t>();
  const int64_t count = output.bytes / 4;
  for (int64_t i = 0; i < count;) {
    const Words words = generate(counter);
    const int64_t taken =
        std::min(static_cast<int64_t>(words.size()), count - i);
    std::copy_n(words.begin(), taken, out + i);
    i += taken;
    if (++counter[0] == 0) ++counter[1];
  }
}

Status EvalRng(OpContext& context) {
  const Tensor& state = context.input(0);
  uint32_t words[6];
  std::memcpy(words, state.data, static_cast<size_t>(state.bytes));
  const Words2 key = {words[0], words[1]};
  if (context.options<RngOptions>().threefry) {
    Words2 counter = {words[2], words[3]};
    FillWords(context.output(1), counter,
              [&](const Words2& at) { return Threefry(at, key); });
    std::copy_n(counter.begin(), 2, words + 2);
  } else {
    // Of a state of two, the key also stands for the counter's high words.
    const int high = state.bytes == 24 ? 4 : 0;
    Words4 counter = {words[2], words[3], words[high], words[high + 1]};
    FillWords(context.output(1), counter,
              [&](const Words4& at) { return Philox(at, key); });
    std::copy_n(counter.begin(), 2, words + 2);
  }
  std::memcpy(context.output(0).data, words, static_cast<size_t>(state.bytes));
  return OkStatus();
}

Status PrepareRng(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 2, 2));
  const Tensor& state = context.input(0);
  const bool threefry = context.options<RngOptions>().threefry;
  if (state.type != TensorType::kUInt64 || state.shape.rank() != 1 ||
      state.shape.dim(0) < 2 || state.shape.dim(0) > (threefry ? 2 : 3)) {
    return InvalidModelError("input 0 (state) is ", TensorTypeName(state.type),
                             " of shape ", state.shape.dims(),
                             ", allowed UINT64 [2]", threefry ? "" : " or [3]");
  }
  const TensorType new_state = context.output(0).type;
  if (new_state != TensorType::kUInt64) {
    return InvalidModelError("output 0 (state) is ", TensorTypeName(new_state),
                             ", allowed UINT64");
  }
  const Tensor& output = context.output(1);
  switch (output.type) {
    case TensorType::kInt32:
    case TensorType::kUInt32:
    case TensorType::kInt64:
    case TensorType::kUInt64:
      break;
    default:
      return UnimplementedError("output 1 is ", TensorTypeName(output.type),
                                ", allowed INT32, UINT32, INT64 or UINT64");
  }
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, state.shape));
  // The file alone says how many bits are wanted.
  const Shape shape = output.shape;
  return context.SetOutputShape(1, shape);
}

// The state is read before anything is written.
int64_t RngOverlap(const OpContext& context, int, int) {
  return context.input(0).bytes;
}

}  // namespace

namespace ops {

const OpDefinition kStablehloRngBitGenerator = {
    "STABLEHLO_RNG_BIT_GENERATOR",
    schema::BuiltinOperator_STABLEHLO_RNG_BIT_GENERATOR,
    1,
    kOpDefault,
    sizeof(RngOptions),
    ParseRng,
    PrepareRng,
    EvalRng,
    RngOverlap,
};

}  // namespace ops
}  // namespace arenalite
