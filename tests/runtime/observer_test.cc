// What InterpreterOptions::op_observer is told.

#include <gtest/gtest.h>

#include <string>

#include "testing/build.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::HasStatus;
using testing::IsOk;

constexpr auto kFloat = TensorType::kFloat32;

// "+MUL0" for a node about to run, "-MUL0=8" after it, with its first output.
void Note(void* log, const OpEvent& event) {
  std::string& text = *static_cast<std::string*>(log);
  const bool before = event.phase == OpEvent::Phase::kBefore;
  text += before ? " +" : " -";
  text += event.op_name + std::to_string(event.node);
  if (event.subgraph != 0) text += "@" + std::to_string(event.subgraph);
  if (before) return;
  const Tensor& output = event.tensors[event.outputs[0]];
  text += "=" + std::to_string(static_cast<int>(*output.data_as<float>()));
}

InterpreterOptions Noting(std::string& log) {
  InterpreterOptions options;
  options.op_observer = Note;
  options.observer_user_data = &log;
  return options;
}

void AddOp(ModelBuilder& b, int x, int y, int sum) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {sum},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

TEST(Observer, SeesEveryOpBeforeAndAfter) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {4});
  const int constant = b.AddConstant<float>("c", {4}, {1, 1, 1, 1});
  const int folded = b.AddTensor("folded", kFloat, {4});
  const int y = b.AddTensor("y", kFloat, {4});
  const int z = b.AddTensor("z", kFloat, {4});
  AddOp(b, constant, constant, folded);
  AddOp(b, x, folded, y);
  AddOp(b, y, y, z);
  b.SetOutputs({z});
  std::string log;
  auto built = Build(b, Noting(log));
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(log, "");
  for (int i = 0; i < 4; ++i) (*built)->typed_input_tensor<float>(0)[i] = 3;
  ASSERT_THAT((*built)->Invoke(), IsOk());
  EXPECT_EQ(log, " +ADD1 -ADD1=5 +ADD2 -ADD2=10");
}

TEST(Observer, SeesTheOpsThatControlFlowRuns) {
  ModelBuilder b;
  const int choose = b.AddInput("choose", TensorType::kBool, {1});
  const int x = b.AddInput("x", kFloat, {4});
  const int z = b.AddTensor("z", kFloat, {4});
  b.AddOp(schema::BuiltinOperator_IF, {choose, x}, {z},
          [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 2); });
  b.SetOutputs({z});
  for (const char* name : {"then", "else"}) {
    b.AddSubgraph(name);
    const int v = b.AddInput("v", kFloat, {4});
    const int w = b.AddTensor("w", kFloat, {4});
    AddOp(b, v, v, w);
    b.SetOutputs({w});
  }
  std::string log;
  auto built = Build(b, Noting(log));
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  for (bool choice : {true, false}) {
    *(*built)->typed_input_tensor<bool>(0) = choice;
    for (int i = 0; i < 4; ++i) (*built)->typed_input_tensor<float>(1)[i] = 2;
    ASSERT_THAT((*built)->Invoke(), IsOk());
  }
  EXPECT_EQ(log, " +ADD0@1 -ADD0@1=4 +ADD0@2 -ADD0@2=4");
}

Status PrepareFailing(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}
Status EvalFailing(OpContext&) { return OutOfRangeError("told to fail"); }
constexpr OpDefinition kFailing = {
    "Failing", kCustomOpCode,  1,           kOpDefault, 0,
    nullptr,   PrepareFailing, EvalFailing, nullptr};

TEST(Observer, SeesNoEndOfAnOpThatFails) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {4});
  const int y = b.AddTensor("y", kFloat, {4});
  b.AddCustomOp("Failing", {x}, {y});
  b.SetOutputs({y});
  std::string log;
  auto built = Build(b, Noting(log), {&kFailing});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_THAT((*built)->Invoke(), HasStatus(StatusCode::kOutOfRange, ""));
  EXPECT_EQ(log, " +Failing0");
}

// The shape of y depends on data: ADD is prepared when it runs. An observer
// sees also what nobody reads.
TEST(Observer, SeesOpsThatArePreparedInsideInvoke) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {4});
  const int shape = b.AddInput("shape", TensorType::kInt32, {2});
  const int y = b.AddTensor("y", kFloat, {});
  const int z = b.AddTensor("z", kFloat, {});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {y});
  AddOp(b, y, y, z);
  AddOp(b, y, z, b.AddTensor("unread", kFloat, {}));
  b.SetOutputs({z});
  std::string log;
  auto built = Build(b, Noting(log));
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  for (int i = 0; i < 4; ++i) (*built)->typed_input_tensor<float>(0)[i] = 2;
  for (int i : {0, 1}) (*built)->typed_input_tensor<int32_t>(1)[i] = 2;
  ASSERT_THAT((*built)->Invoke(), IsOk());
  EXPECT_EQ(log, " +RESHAPE0 -RESHAPE0=2 +ADD1 -ADD1=4 +ADD2 -ADD2=6");
}

}  // namespace
}  // namespace arenalite
