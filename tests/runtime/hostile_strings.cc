// String tensors whose offsets lie: set by the application, or written by an
// operator, and read by each operator that reads text.

#include <algorithm>
#include <cstring>

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

// A custom operator that calls the bytes of its input a string tensor of shape
// [2], whatever they are.
const OpDefinition& Liar() {
  static const OpDefinition liar = [] {
    OpDefinition definition;
    definition.name = "Liar";
    definition.builtin_code = kCustomOpCode;
    definition.prepare = [](OpContext& context) {
      return context.SetOutputDynamic(0);
    };
    definition.eval = [](OpContext& context) {
      const Tensor& lie = context.input(0);
      ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, {2}, lie.bytes));
      std::memcpy(context.output(0).data, lie.data,
                  static_cast<size_t>(lie.bytes));
      return OkStatus();
    };
    return definition;
  }();
  return liar;
}

struct StringOp {
  const char* name;
  ModelBuilder model;
  int position;  // Of the input of two strings, tensor in<position>.
};
void PrintTo(const StringOp& op, std::ostream* stream) { *stream << op.name; }

std::vector<StringOp> StringOps() {
  const Operand text{{2}, kText};
  const Operand words = Constant<uint8_t>(
      {2}, {2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 'a', 'b'});
  Operand known = words;
  known.type = kText;
  const Operand flags{{2}, TensorType::kBool};
  return {
      {"Equal", OneOp(schema::BuiltinOperator_EQUAL, {text, known}, {flags}),
       0},
      {"NotEqual",
       OneOp(schema::BuiltinOperator_NOT_EQUAL, {known, text}, {flags}), 1},
      {"Gather",
       OneOp(schema::BuiltinOperator_GATHER, {text, Ints({1, 0})}, {text},
             [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); }),
       0},
      {"GatherNd",
       OneOp(schema::BuiltinOperator_GATHER_ND,
             {text, Constant<int32_t>({1, 1}, {1})}, {text}),
       0},
      {"HashtableLookup",
       OneOp(schema::BuiltinOperator_HASHTABLE_LOOKUP,
             {Ints({1, 0}), Ints({0, 1}), text},
             {text, {{2}, TensorType::kUInt8}}),
       2},
      {"SkipGram",
       OneOp(schema::BuiltinOperator_SKIP_GRAM, {text}, {text},
             [](Fbb& fbb) { return schema::CreateSkipGramOptions(fbb, 1, 0); }),
       0},
      {"Slice",
       OneOp(schema::BuiltinOperator_SLICE, {text, Ints({1}), Ints({1})},
             {text}),
       0},
      {"StridedSlice",
       OneOp(schema::BuiltinOperator_STRIDED_SLICE,
             {text, Ints({0}), Ints({2}), Ints({1})}, {text},
             [](Fbb& fbb) { return schema::CreateStridedSliceOptions(fbb); }),
       0},
      {"Tile", OneOp(schema::BuiltinOperator_TILE, {text, Ints({2})}, {text}),
       0},
      {"Transpose",
       OneOp(schema::BuiltinOperator_TRANSPOSE, {text, Ints({0})}, {text}), 0},
  };
}

class StringFault : public ::testing::TestWithParam<StringOp> {
 protected:
  // Two strings, "a" and "bc", in 19 bytes.
  static std::vector<int32_t> Good() {
    return {2, 16, 17, 19, 'a' | 'b' << 8 | 'c' << 16};
  }
  // Each offset and the count wrong, one at a time; `run` gives the status.
  template <class Run>
  static void ForEachLie(Run run) {
    ASSERT_THAT(run(Good()), IsOk());
    for (size_t word = 0; word < 4; ++word) {
      for (const int32_t wrong : {-1, 1, 15, 20, 1 << 20, kMax, kMin}) {
        std::vector<int32_t> bad = Good();
        bad[word] = wrong;
        const std::string found =
            (word == 0 ? "holds " : "at byte ") + std::to_string(wrong);
        EXPECT_THAT(run(bad), HasStatus(kRange, found)) << word;
        EXPECT_THAT(run(bad), HasStatus(kRange, "string tensor 'in"));
        EXPECT_THAT(run(bad), HasStatus(kRange, " 'main' op "));
      }
    }
    EXPECT_THAT(run(Good()), IsOk());
  }
};

TEST_P(StringFault, OfTheApplicationIsRefused) {
  auto built = Build(GetParam().model);
  Interpreter& interpreter = *built->interpreter;
  const auto run = [&](const std::vector<int32_t>& words, size_t bytes) {
    Status status = interpreter.AllocateTensors();
    if (status.ok()) {
      status = interpreter.SetDynamicInput(
          GetParam().position,
          Span<const uint8_t>(reinterpret_cast<const uint8_t*>(words.data()),
                              bytes));
    }
    return status.ok() ? interpreter.Invoke() : std::move(status);
  };
  ForEachLie([&](const auto& words) { return run(words, 19); });
  for (size_t bytes = 0; bytes < 19; ++bytes) {
    EXPECT_THAT(run(Good(), bytes), HasStatus(kRange, "string tensor 'in"))
        << bytes;
  }
}

TEST_P(StringFault, OfAnOperatorIsRefused) {
  ModelBuilder b = GetParam().model;
  auto& inputs = b.subgraph().inputs;
  inputs.erase(std::find(inputs.begin(), inputs.end(), GetParam().position));
  const int lie = b.AddInput("lie", TensorType::kUInt8, {19});
  b.AddCustomOp("Liar", {lie}, {GetParam().position});
  auto& ops = b.subgraph().ops;
  std::rotate(ops.begin(), ops.end() - 1, ops.end());
  auto built = Build(b, {}, {&Liar()});
  Interpreter& interpreter = *built->interpreter;
  ASSERT_THAT(interpreter.AllocateTensors(), IsOk());
  ForEachLie([&](const std::vector<int32_t>& words) {
    std::memcpy(interpreter.tensor(lie)->data, words.data(), 19);
    return interpreter.Invoke();
  });
}

INSTANTIATE_TEST_SUITE_P(Op, StringFault, ::testing::ValuesIn(StringOps()),
                         NameOf<StringOp>);

// FILL repeats one string.
TEST(StringFault, ValueOfFill) {
  auto built = Build(OneOp(schema::BuiltinOperator_FILL,
                           {Ints({3}), {{}, kText}}, {{{3}, kText}}));
  Interpreter& interpreter = *built->interpreter;
  ASSERT_THAT(interpreter.AllocateTensors(), IsOk());
  const auto run = [&](std::vector<int32_t> words) {
    EXPECT_THAT(interpreter.SetDynamicInput(
                    1, Span<const uint8_t>(
                           reinterpret_cast<const uint8_t*>(words.data()), 13)),
                IsOk());
    return interpreter.Invoke();
  };
  EXPECT_THAT(run({1, 12, 13, 'a'}), IsOk());
  EXPECT_THAT(run({1, 12, 14, 'a'}), HasStatus(kRange, "at byte 14"));
  EXPECT_THAT(run({2, 12, 13, 'a'}), HasStatus(kRange, "holds 2 strings"));
  EXPECT_THAT(run({1, kMin, 13, 'a'}),
              HasStatus(kRange, "string tensor 'in1'"));
}

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
