#include <gtest/gtest.h>

#include "testing/build.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::HasStatus;
using testing::IsOk;
using testing::TryBuild;

constexpr auto kFloat = TensorType::kFloat32;

void Add(ModelBuilder& b, int x, int y, int sum) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {sum},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

// Subgraph `name`: x -> `ops` times x + x, through tensors of `elements`.
int AddDoubling(ModelBuilder& b, const char* name, int elements, int ops) {
  const int index = b.AddSubgraph(name);
  int x = b.AddInput("x", kFloat, {elements});
  for (int i = 0; i < ops; ++i) {
    const int y = b.AddTensor("y", kFloat, {elements});
    Add(b, x, x, y);
    x = y;
  }
  b.SetOutputs({x});
  return index;
}

// z = choose ? f(x) : g(x), and x + z, so that x lives across the branch.
ModelBuilder IfModel(int then_ops, int else_ops) {
  ModelBuilder b;
  const int choose = b.AddInput("choose", TensorType::kBool, {1});
  const int x = b.AddInput("x", kFloat, {64});
  const int z = b.AddTensor("z", kFloat, {64});
  const int y = b.AddTensor("y", kFloat, {64});
  b.AddOp(schema::BuiltinOperator_IF, {choose, x}, {z},
          [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 2); });
  Add(b, x, z, y);
  b.SetOutputs({y});
  AddDoubling(b, "then", 64, then_ops);
  AddDoubling(b, "else", 64, else_ops);
  return b;
}

float RunIf(BuiltModel& built, bool choose, float x) {
  *built->typed_input_tensor<bool>(0) = choose;
  for (int i = 0; i < 64; ++i) built->typed_input_tensor<float>(1)[i] = x;
  EXPECT_THAT(built->Invoke(), IsOk());
  return built->typed_output_tensor<float>(0)[63];
}

TEST(If, RunsTheChosenBranch) {
  for (bool share : {false, true}) {
    InterpreterOptions options;
    options.preserve_all_tensors = !share;
    options.poison_memory = true;
    auto built = Build(IfModel(1, 3), options);
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    EXPECT_EQ(RunIf(*built, true, 1), 1 + 2);
    EXPECT_EQ(RunIf(*built, false, 1), 1 + 8);
    EXPECT_EQ(RunIf(*built, true, 2), 2 + 4);
  }
}

// A branch that hands its input through must not let the other branch's
// result overwrite it: x is read again afterwards.
TEST(If, KeepsAnInputThatOneBranchHandsThrough) {
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(IfModel(0, 2), options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunIf(*built, true, 3), 3 + 3);
  EXPECT_EQ(RunIf(*built, false, 3), 3 + 12);
}

// step     if  then.........  else.........  add
// x        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx   256
// choose   x...                                    16
// z            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx   256
// then/else inner tensors take each other's place.
TEST(If, BranchesShareTheirMemory) {
  InterpreterOptions options;
  options.allow_overlap = false;
  auto one = Build(IfModel(3, 0), options);
  auto both = Build(IfModel(3, 3), options);
  const int64_t alone = (*one)->QueryMemory()->arena_bytes;
  const int64_t together = (*both)->QueryMemory()->arena_bytes;
  EXPECT_LE(together, alone + 256);
  EXPECT_LT(together, (*both)->QueryMemory()->naive_bytes);
}

// i = 0, x: while i < n: i += 1, x += step, with n and step invariant.
ModelBuilder WhileModel() {
  constexpr auto kInt = TensorType::kInt32;
  ModelBuilder b;
  const int n = b.AddInput("n", kInt, {1});
  const int step = b.AddInput("step", kFloat, {16});
  const int x = b.AddInput("x", kFloat, {16});
  const int zero = b.AddConstant<int32_t>("zero", {1}, {0});
  std::vector<int> out;
  out.push_back(b.AddTensor("i_out", kInt, {1}));
  out.push_back(b.AddTensor("n_out", kInt, {1}));
  out.push_back(b.AddTensor("step_out", kFloat, {16}));
  out.push_back(b.AddTensor("x_out", kFloat, {16}));
  b.AddOp(schema::BuiltinOperator_WHILE, {zero, n, step, x}, out,
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.SetOutputs({out[0], out[3]});
  for (const char* name : {"cond", "body"}) {
    b.AddSubgraph(name);
    const int i = b.AddInput("i", kInt, {1});
    const int limit = b.AddInput("n", kInt, {1});
    const int add = b.AddInput("step", kFloat, {16});
    const int value = b.AddInput("x", kFloat, {16});
    if (name[0] == 'c') {
      const int less = b.AddTensor("less", TensorType::kBool, {1});
      b.AddOp(schema::BuiltinOperator_LESS, {i, limit}, {less});
      b.SetOutputs({less});
    } else {
      const int one = b.AddConstant<int32_t>("one", {1}, {1});
      const int next = b.AddTensor("next", kInt, {1});
      const int sum = b.AddTensor("sum", kFloat, {16});
      Add(b, i, one, next);
      Add(b, value, add, sum);
      b.SetOutputs({next, limit, add, sum});
    }
  }
  return b;
}

TEST(While, CountsAndKeepsInvariants) {
  for (bool share : {false, true}) {
    InterpreterOptions options;
    options.preserve_all_tensors = !share;
    options.poison_memory = true;
    auto built = Build(WhileModel(), options);
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    for (int n : {0, 1, 5}) {
      *(*built)->typed_input_tensor<int32_t>(0) = n;
      for (int e = 0; e < 16; ++e) {
        (*built)->typed_input_tensor<float>(1)[e] = 0.5f;
        (*built)->typed_input_tensor<float>(2)[e] = 10;
      }
      ASSERT_THAT((*built)->Invoke(), IsOk());
      EXPECT_EQ(*(*built)->typed_output_tensor<int32_t>(0), n);
      EXPECT_EQ((*built)->typed_output_tensor<float>(1)[15], 10 + 0.5f * n);
    }
  }
}

// Besides the pinned inputs (16 + 64 + 64 bytes), the state takes its outputs
// (16 + 64), the condition 16, and n its place in the loop: nothing is double
// buffered, because both sums work in place.
TEST(While, DoubleBuffersNothingThatWorksInPlace) {
  auto built = Build(WhileModel());
  EXPECT_LE((*built)->QueryMemory()->arena_bytes, 144 + 80 + 16 + 16);
}

TEST(While, EndsAtTheLimitOfIterations) {
  InterpreterOptions options;
  options.max_loop_iterations = 100;
  auto built = Build(WhileModel(), options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  *(*built)->typed_input_tensor<int32_t>(0) = 1000000;
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kResourceExhausted,
                        "op 0 WHILE, output tensor 4 'i_out': loops ran more "
                        "than max_loop_iterations, 100"));
  *(*built)->typed_input_tensor<int32_t>(0) = 100;
  EXPECT_THAT((*built)->Invoke(), IsOk());
}

// A body that swaps two states: neither copy may see the other's result.
TEST(While, SwapsItsStates) {
  constexpr auto kInt = TensorType::kInt32;
  ModelBuilder b;
  const int n = b.AddInput("n", kInt, {1});
  const int x = b.AddInput("x", kInt, {1});
  const int y = b.AddInput("y", kInt, {1});
  const int n_out = b.AddTensor("n_out", kInt, {1});
  const int x_out = b.AddTensor("x_out", kInt, {1});
  const int y_out = b.AddTensor("y_out", kInt, {1});
  b.AddOp(schema::BuiltinOperator_WHILE, {n, x, y}, {n_out, x_out, y_out},
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.SetOutputs({x_out, y_out});
  b.AddSubgraph("cond");
  const int left = b.AddInput("n", kInt, {1});
  b.AddInput("x", kInt, {1});
  b.AddInput("y", kInt, {1});
  const int zero = b.AddConstant<int32_t>("zero", {1}, {0});
  const int more = b.AddTensor("more", TensorType::kBool, {1});
  b.AddOp(schema::BuiltinOperator_GREATER, {left, zero}, {more});
  b.SetOutputs({more});
  b.AddSubgraph("body");
  const int count = b.AddInput("n", kInt, {1});
  const int a = b.AddInput("x", kInt, {1});
  const int c = b.AddInput("y", kInt, {1});
  const int minus = b.AddConstant<int32_t>("minus", {1}, {-1});
  const int next = b.AddTensor("next", kInt, {1});
  Add(b, count, minus, next);
  b.SetOutputs({next, c, a});
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(b, options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  for (int times : {0, 1, 2, 3}) {
    *(*built)->typed_input_tensor<int32_t>(0) = times;
    *(*built)->typed_input_tensor<int32_t>(1) = 7;
    *(*built)->typed_input_tensor<int32_t>(2) = 9;
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ(*(*built)->typed_output_tensor<int32_t>(0), times % 2 ? 9 : 7);
    EXPECT_EQ(*(*built)->typed_output_tensor<int32_t>(1), times % 2 ? 7 : 9);
  }
}

// "init" assigns 5 once; "main" adds its input to the variable and returns it.
ModelBuilder CounterModel() {
  ModelBuilder b;
  const auto handle = [&b](const char* name) {
    const int tensor = b.AddTensor(name, TensorType::kResource, {1});
    b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {tensor}, [](auto& fbb) {
      return schema::CreateVarHandleOptions(fbb, fbb.CreateString("c"),
                                            fbb.CreateString("sum"));
    });
    return tensor;
  };
  const int x = b.AddInput("x", kFloat, {4});
  b.AddOp(schema::BuiltinOperator_CALL_ONCE, {}, {},
          [](auto& fbb) { return schema::CreateCallOnceOptions(fbb, 1); });
  const int sum = handle("handle");
  const int old = b.AddTensor("old", kFloat, {4});
  const int next = b.AddTensor("next", kFloat, {4});
  b.AddOp(schema::BuiltinOperator_READ_VARIABLE, {sum}, {old});
  Add(b, old, x, next);
  b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {sum, next}, {});
  b.SetOutputs({next});
  b.AddSubgraph("init");
  const int five = b.AddConstant<float>("five", {4}, {5, 5, 5, 5});
  b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {handle("h"), five}, {});
  b.SetOutputs({});
  return b;
}

TEST(Variables, LiveInThePersistentArenaAndStartOnce) {
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(CounterModel(), options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->QueryMemory()->persistent_bytes, 16);
  const auto add = [&](float x) {
    for (int i = 0; i < 4; ++i) {
      (*built)->typed_input_tensor<float>(0)[i] = x;
    }
    EXPECT_THAT((*built)->Invoke(), IsOk());
    return (*built)->typed_output_tensor<float>(0)[3];
  };
  EXPECT_EQ(add(1), 6);
  EXPECT_EQ(add(2), 8);
  ASSERT_THAT((*built)->ResetVariableTensors(), IsOk());
  EXPECT_EQ(add(1), 6);
  // The read is the variable's own bytes.
  EXPECT_EQ((*built)->tensor(2)->memory, TensorMemory::kVariable);
}

TEST(Calls, RefuseMismatchedSubgraphs) {
  ModelBuilder b = IfModel(1, 1);
  b.SetCurrentSubgraph(2);
  b.subgraph().inputs.clear();
  auto built = TryBuild(b);
  if (built.ok()) {
    EXPECT_THAT((**built)->AllocateTensors(),
                HasStatus(StatusCode::kInvalidModel, "op 0 IF"));
  }
}

TEST(Signatures, ShareOneArena) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {64});
  const int y = b.AddTensor("y", kFloat, {64});
  Add(b, x, x, y);
  b.SetOutputs({y});
  b.AddSignature("double", {{"x", x}}, {{"y", y}});
  const int other = AddDoubling(b, "more", 16, 3);
  b.SetCurrentSubgraph(other);
  b.AddSignature("more", {{"x", 0}}, {{"y", 3}});
  auto built = Build(b);
  auto twice = (*built)->GetSignatureRunner("double");
  auto more = (*built)->GetSignatureRunner("more");
  ASSERT_THAT(twice, IsOk());
  ASSERT_THAT(more, IsOk());
  ASSERT_THAT(twice->AllocateTensors(), IsOk());
  const size_t alone = (*built)->arena_used_bytes();
  ASSERT_THAT(more->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->arena_used_bytes(), alone);
  *more->input_tensor("x")->data_as<float>() = 1;
  ASSERT_THAT(more->Invoke(), IsOk());
  EXPECT_EQ(*more->output_tensor("y")->data_as<float>(), 8);
  *twice->input_tensor("x")->data_as<float>() = 4;
  ASSERT_THAT(twice->Invoke(), IsOk());
  EXPECT_EQ(*twice->output_tensor("y")->data_as<float>(), 8);
  EXPECT_THAT((*built)->GetSignatureRunner("none"),
              HasStatus(StatusCode::kNotFound, "none"));
  EXPECT_EQ(more->input_tensor("none"), nullptr);
}

}  // namespace
}  // namespace arenalite
