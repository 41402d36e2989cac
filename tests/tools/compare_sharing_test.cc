#include "tools/measure/compare_sharing.h"

#include <gtest/gtest.h>

#include <cstring>

#include "testing/build.h"
#include "testing/random_graph.h"
#include "tools/command_error.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using Kind = SharingDifference::Kind;
constexpr auto kFloat = TensorType::kFloat32;

Status PrepareSame(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}

// "Reverse", from both ends: in place it would read what it has written.
Status EvalReverse(OpContext& context) {
  const int64_t count = context.input(0).shape.NumElements();
  const float* from = context.input(0).data_as<float>();
  float* to = context.output(0).data_as<float>();
  for (int64_t i = 0; i < count; ++i) to[i] = from[count - 1 - i];
  return OkStatus();
}
int64_t InPlace(const OpContext&, int, int) { return 0; }
constexpr OpDefinition kDishonest = {
    "Reverse", kCustomOpCode, 1,           kOpDefault, 0,
    nullptr,   PrepareSame,   EvalReverse, InPlace};
constexpr OpDefinition kHonest = {
    "Reverse", kCustomOpCode, 1,           kOpDefault, 0,
    nullptr,   PrepareSame,   EvalReverse, nullptr};

// "Scribble" copies its input, and writes 16 bytes beyond its output.
Status EvalScribble(OpContext& context) {
  const Tensor& input = context.input(0);
  uint8_t* to = context.output(0).data_as<uint8_t>();
  std::memmove(to, input.data, static_cast<size_t>(input.bytes));
  std::memset(to + input.bytes, 77, 16);
  return OkStatus();
}
constexpr OpDefinition kScribble = {
    "Scribble",  kCustomOpCode, 1,      kOpDefault, 0, nullptr,
    PrepareSame, EvalScribble,  InPlace};

// "Fails" when an input is what poison is made of.
Status EvalFails(OpContext& context) {
  const Tensor& input = context.input(0);
  std::memcpy(context.output(0).data, input.data,
              static_cast<size_t>(input.bytes));
  if (input.data != context.output(0).data) return OkStatus();
  return OutOfRangeError("shares its bytes");
}
constexpr OpDefinition kFails = {
    "Fails", kCustomOpCode, 1,         kOpDefault, 0,
    nullptr, PrepareSame,   EvalFails, InPlace};

void AddOp(ModelBuilder& b, int x, int y, int sum) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {sum},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

// x -> ADD -> doubled -> `op` -> y -> ADD -> z
ModelBuilder Chain(const char* op) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {8});
  const int doubled = b.AddTensor("doubled", kFloat, {8});
  const int y = b.AddTensor("y", kFloat, {8});
  const int z = b.AddTensor("z", kFloat, {8});
  AddOp(b, x, x, doubled);
  b.AddCustomOp(op, {doubled}, {y});
  AddOp(b, y, y, z);
  b.SetOutputs({z});
  return b;
}

void FillWithPositions(Interpreter& interpreter) {
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor& tensor = *interpreter.input_tensor(i);
    if (tensor.type != kFloat) continue;
    const int64_t count = tensor.shape.NumElements();
    for (int64_t k = 0; k < count; ++k) {
      tensor.data_as<float>()[k] = static_cast<float>(k);
    }
  }
}

SharingReport Compare(const ModelBuilder& builder,
                      std::vector<const OpDefinition*> customs = {},
                      SharingOptions options = {}) {
  auto built = Build(builder, {}, std::move(customs));
  if (!options.fill) options.fill = FillWithPositions;
  return CompareSharing(*built->model, built->resolver, options);
}

TEST(CompareSharing, NamesAnOpWithAWrongOverlapNumber) {
  const SharingReport report = Compare(Chain("Reverse"), {&kDishonest});
  const SharingDifference& difference = report.difference;
  EXPECT_EQ(difference.kind, Kind::kOutput);
  EXPECT_EQ(difference.node, 1);
  EXPECT_EQ(difference.op_name, "Reverse");
  EXPECT_EQ(difference.tensor, 2);
  EXPECT_EQ(difference.tensor_name, "y");
  // 14 12 10 8 | 6 4 2 0 is right; the last four read what was written.
  EXPECT_EQ(difference.element, 4);
  EXPECT_EQ(difference.shared, "8 (0x41000000)");
  EXPECT_EQ(difference.separate, "6 (0x40c00000)");
  EXPECT_EQ(DescribeDifference(difference),
            "subgraph 0 op 1 Reverse: output tensor 2 'y' element 4 is "
            "8 (0x41000000) with sharing, 6 (0x40c00000) without; its inputs "
            "were the same, so its overlap number or its kernel is wrong");
}

TEST(CompareSharing, AcceptsTheSameOpWithoutOne) {
  const SharingReport report = Compare(Chain("Reverse"), {&kHonest});
  EXPECT_TRUE(report.same());
  EXPECT_EQ(report.ops, 3);
  SharingOptions twice;
  twice.runs = 2;
  EXPECT_EQ(Compare(Chain("Reverse"), {&kHonest}, twice).ops, 6);
}

// Not Scribble's output is wrong, but what lies behind it, in either layout.
TEST(CompareSharing, NamesWhatOverwroteALiveTensor) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {8});
  const int small = b.AddTensor("small", kFloat, {8});
  const int kept = b.AddTensor("kept", kFloat, {4});
  const int y = b.AddTensor("y", kFloat, {8});
  const int z = b.AddTensor("z", kFloat, {4});
  const int begin = b.AddConstant<int32_t>("begin", {1}, {2});
  const int size = b.AddConstant<int32_t>("size", {1}, {4});
  AddOp(b, x, x, small);
  b.AddOp(schema::BuiltinOperator_SLICE, {x, begin, size}, {kept});
  b.AddCustomOp("Scribble", {small}, {y});
  AddOp(b, kept, kept, z);
  b.SetOutputs({y, z});
  const SharingDifference difference = Compare(b, {&kScribble}).difference;
  EXPECT_EQ(difference.kind, Kind::kInput);
  EXPECT_EQ(difference.op_name, "ADD");
  EXPECT_EQ(difference.node, 3);
  EXPECT_EQ(difference.tensor_name, "kept");
  EXPECT_EQ(difference.culprit.substr(0, 34),
            "while subgraph 0 op 2 Scribble ran");
}

TEST(CompareSharing, TellsOfAnOpThatFailsWithSharingOnly) {
  const SharingDifference difference =
      Compare(Chain("Fails"), {&kFails}).difference;
  EXPECT_EQ(difference.kind, Kind::kError);
  EXPECT_NE(DescribeDifference(difference).find("shares its bytes"),
            std::string::npos);
}

TEST(CompareSharing, ThrowsWhenTheModelFailsAnyway) {
  SharingOptions options;
  options.configure = [](Interpreter& interpreter) {
    const int32_t dims[] = {-1};
    if (!interpreter.ResizeInputTensor(0, dims).ok()) {
      throw CommandError("no shape");
    }
  };
  EXPECT_THROW(Compare(Chain("Reverse"), {&kHonest}, options), CommandError);
}

// IF runs a dishonest op in one of its branches.
ModelBuilder Branches() {
  ModelBuilder b;
  const int choose = b.AddInput("choose", TensorType::kBool, {1});
  const int x = b.AddInput("x", kFloat, {8});
  const int z = b.AddTensor("z", kFloat, {8});
  b.AddOp(schema::BuiltinOperator_IF, {choose, x}, {z},
          [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 2); });
  b.SetOutputs({z});
  for (const char* name : {"then", "else"}) {
    b.AddSubgraph(name);
    const int v = b.AddInput("v", kFloat, {8});
    const int w = b.AddTensor("w", kFloat, {8});
    const int r = b.AddTensor("r", kFloat, {8});
    AddOp(b, v, v, w);
    if (name[0] == 't') b.AddCustomOp("Reverse", {w}, {r});
    if (name[0] == 'e') AddOp(b, w, w, r);
    b.SetOutputs({r});
  }
  return b;
}

TEST(CompareSharing, LooksIntoControlFlow) {
  for (bool choice : {true, false}) {
    SharingOptions options;
    options.fill = [&](Interpreter& interpreter) {
      FillWithPositions(interpreter);
      *interpreter.typed_input_tensor<bool>(0) = choice;
    };
    const SharingReport report = Compare(Branches(), {&kDishonest}, options);
    EXPECT_EQ(report.same(), !choice);
    if (!choice) continue;
    EXPECT_EQ(report.difference.op_name, "Reverse");
    EXPECT_EQ(report.difference.subgraph, 1);
    EXPECT_TRUE(Compare(Branches(), {&kHonest}, options).same());
  }
}

// The shape of the dishonest op's output depends on data.
TEST(CompareSharing, HandlesTensorsOutsideOfThePlan) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {8});
  const int shape = b.AddInput("shape", TensorType::kInt32, {2});
  const int y = b.AddTensor("y", kFloat, {});
  const int z = b.AddTensor("z", kFloat, {});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {y});
  AddOp(b, y, y, z);
  AddOp(b, y, z, b.AddTensor("unread", kFloat, {}));
  b.SetOutputs({z});
  SharingOptions options;
  options.fill = [](Interpreter& interpreter) {
    FillWithPositions(interpreter);
    for (int i : {0, 1})
      interpreter.typed_input_tensor<int32_t>(1)[i] = 4 - 2 * i;
  };
  const SharingReport report = Compare(b, {}, options);
  EXPECT_TRUE(report.same()) << DescribeDifference(report.difference);
  EXPECT_EQ(report.ops, 3);
}

TEST(CompareSharing, AcceptsRandomGraphs) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SharingOptions options;
    options.interpreter.allow_input_reuse = seed % 2 == 0;
    options.runs = 2;
    options.fill = [&](Interpreter& interpreter) {
      Prng prng(seed);
      for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
        testing::FillRandom(prng, *interpreter.input_tensor(i));
      }
    };
    const SharingReport report =
        Compare(testing::RandomGraph(seed, {}), testing::RandomGraphCustomOps(),
                options);
    EXPECT_TRUE(report.same())
        << seed << ": " << DescribeDifference(report.difference);
  }
}

}  // namespace
}  // namespace arenalite
