// What control flow and variables cost: which bytes are shared, and which
// copies do not happen.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "testing/apart.h"

namespace arenalite {
namespace {

using testing::ApartSizes;
using testing::Build;
using testing::BuiltModel;
using testing::IsOk;

constexpr auto kFloat = TensorType::kFloat32;
constexpr auto kInt = TensorType::kInt32;

void Add(ModelBuilder& b, int x, int y, int sum) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {sum},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

// "Mirror": reverses a vector; no overlap, so it needs a second buffer.
Status PrepareMirror(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}
Status EvalMirror(OpContext& context) {
  const int64_t n = context.input(0).shape.NumElements();
  for (int64_t i = 0; i < n; ++i) {
    context.output(0).data_as<float>()[i] =
        context.input(0).data_as<float>()[n - 1 - i];
  }
  return OkStatus();
}
constexpr OpDefinition kMirror = {
    "Mirror", kCustomOpCode, 1,          kOpDefault, 0,
    nullptr,  PrepareMirror, EvalMirror, nullptr};

// The report's line for a tensor, by subgraph and name.
TensorReport Line(BuiltModel& built, int subgraph, const std::string& name) {
  const Result<MemoryReport> report = built->ReportMemory();
  EXPECT_THAT(report, IsOk());
  for (const TensorReport& tensor : report->tensors) {
    if (tensor.subgraph == subgraph && tensor.name == name) return tensor;
  }
  ADD_FAILURE() << "no tensor " << name;
  return {};
}

// while i < n: i += 1; sum += step; mirrored = Mirror(mirrored).
ModelBuilder LoopModel() {
  ModelBuilder b;
  const int n = b.AddInput("n", kInt, {1});
  const int step = b.AddInput("step", kFloat, {16});
  const int x = b.AddInput("x", kFloat, {16});
  const int zero = b.AddConstant<int32_t>("zero", {1}, {0});
  std::vector<int> out;
  out.push_back(b.AddTensor("i_out", kInt, {1}));
  out.push_back(b.AddTensor("n_out", kInt, {1}));
  out.push_back(b.AddTensor("step_out", kFloat, {16}));
  out.push_back(b.AddTensor("sum_out", kFloat, {16}));
  out.push_back(b.AddTensor("mirror_out", kFloat, {16}));
  b.AddOp(schema::BuiltinOperator_WHILE, {zero, n, step, x, x}, out,
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.SetOutputs({out[3], out[4]});
  for (const char* name : {"cond", "body"}) {
    b.AddSubgraph(name);
    const int i = b.AddInput("i", kInt, {1});
    const int limit = b.AddInput("n", kInt, {1});
    const int add = b.AddInput("step", kFloat, {16});
    const int sum = b.AddInput("sum", kFloat, {16});
    const int mirrored = b.AddInput("mirror", kFloat, {16});
    if (name[0] == 'c') {
      const int less = b.AddTensor("less", TensorType::kBool, {1});
      b.AddOp(schema::BuiltinOperator_LESS, {i, limit}, {less});
      b.SetOutputs({less});
    } else {
      const int one = b.AddConstant<int32_t>("one", {1}, {1});
      const int next = b.AddTensor("next_i", kInt, {1});
      const int next_sum = b.AddTensor("next_sum", kFloat, {16});
      const int next_mirror = b.AddTensor("next_mirror", kFloat, {16});
      Add(b, i, one, next);
      Add(b, sum, add, next_sum);
      b.AddCustomOp("Mirror", {mirrored}, {next_mirror});
      b.SetOutputs({next, limit, add, next_sum, next_mirror});
    }
  }
  return b;
}

TEST(ControlMemory, LoopsCopyAndDoubleBufferOnlyWhatTheyMust) {
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(LoopModel(), options, {&kMirror});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  // Invariants are the caller's own bytes, in condition and body.
  for (const char* name : {"n", "step"}) {
    const int32_t storage = Line(*built, 0, name).storage;
    EXPECT_GE(storage, 0);
    EXPECT_EQ(Line(*built, 0, std::string(name) + "_out").storage, storage);
    EXPECT_EQ(Line(*built, 1, name).storage, storage);
    EXPECT_EQ(Line(*built, 2, name).storage, storage);
  }
  // What is computed in place stays where it is from iteration to iteration.
  EXPECT_EQ(Line(*built, 2, "next_sum").storage,
            Line(*built, 2, "sum").storage);
  EXPECT_EQ(Line(*built, 2, "next_i").storage, Line(*built, 2, "i").storage);
  EXPECT_EQ(Line(*built, 0, "sum_out").storage, Line(*built, 2, "sum").storage);
  // What cannot be has two places.
  EXPECT_NE(Line(*built, 2, "next_mirror").storage,
            Line(*built, 2, "mirror").storage);
  for (int32_t n : {0, 1, 4, 5}) {
    *(*built)->typed_input_tensor<int32_t>(0) = n;
    for (int i = 0; i < 16; ++i) {
      (*built)->typed_input_tensor<float>(1)[i] = 0.5f;
      (*built)->typed_input_tensor<float>(2)[i] = static_cast<float>(i);
    }
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ((*built)->typed_output_tensor<float>(0)[3], 3 + 0.5f * n);
    EXPECT_EQ((*built)->typed_output_tensor<float>(1)[3], n % 2 ? 12 : 3);
  }
}

// One plan, made for 64 elements, with its copies and jumps.
TEST(ControlMemory, LoopsOfSmallerShapesRunInThePlanOfTheMaximum) {
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(LoopModel(), options, {&kMirror});
  const int32_t maximum[] = {64};
  for (int input : {1, 2}) {
    ASSERT_THAT((*built)->SetMaximumInputShape(input, maximum), IsOk());
  }
  for (int32_t size : {5, 64, 1, 33, 16}) {
    for (int input : {1, 2}) {
      ASSERT_THAT(
          (*built)->ResizeInputTensor(input, Span<const int32_t>(&size, 1)),
          IsOk());
    }
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    *(*built)->typed_input_tensor<int32_t>(0) = 3;
    for (int i = 0; i < size; ++i) {
      (*built)->typed_input_tensor<float>(1)[i] = 0.5f;
      (*built)->typed_input_tensor<float>(2)[i] = static_cast<float>(i);
    }
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({size}));
    for (int i = 0; i < size; ++i) {
      const auto value = static_cast<float>(i);
      EXPECT_EQ((*built)->typed_output_tensor<float>(0)[i], value + 1.5f);
      EXPECT_EQ((*built)->typed_output_tensor<float>(1)[size - 1 - i], value);
    }
    EXPECT_EQ((*built)->QueryMemory()->plans_made, 1);
  }
}

int AddChain(ModelBuilder& b, const char* name, int ops) {
  const int index = b.AddSubgraph(name);
  int x = b.AddInput("x", kFloat, {64});
  for (int i = 0; i < ops; ++i) {
    const int y = b.AddTensor("y", kFloat, {64});
    b.AddCustomOp("Mirror", {x}, {y});
    x = y;
  }
  b.SetOutputs({x});
  return index;
}

// z = choose ? f(x) : g(x)
ModelBuilder IfModel(int then_ops, int else_ops) {
  ModelBuilder b;
  const int choose = b.AddInput("choose", TensorType::kBool, {1});
  const int x = b.AddInput("x", kFloat, {64});
  const int z = b.AddTensor("z", kFloat, {64});
  b.AddOp(schema::BuiltinOperator_IF, {choose, x}, {z},
          [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 2); });
  b.SetOutputs({z});
  AddChain(b, "then", then_ops);
  AddChain(b, "else", else_ops);
  return b;
}

// Apart: choose, x, z; x and two buffers for each branch. Together: choose,
// x, z, which holds both results and so lives from the end of the first branch
// on, and two more buffers of either branch.
TEST(ControlMemory, BranchesTakeStrictlyLessThanAnArenaForEachSubgraph) {
  auto built = Build(IfModel(3, 4), {}, {&kMirror});
  const Result<ApartSizes> sizes =
      testing::MeasureApart(*built->model, built->resolver);
  ASSERT_THAT(sizes, IsOk());
  EXPECT_TRUE(sizes->has_calls);
  EXPECT_EQ(sizes->apart, 16 + 2 * 256 + 2 * (3 * 256));
  EXPECT_EQ(sizes->together, 16 + 4 * 256);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->arena_used_bytes(), static_cast<size_t>(sizes->together));
}

// A model that reads and assigns the variable "v" of 1000 floats.
class VariableModel {
 public:
  VariableModel() { x_ = b.AddInput("x", kFloat, {1000}); }

  int Handle() {
    const int tensor = b.AddTensor("handle", TensorType::kResource, {1});
    b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {tensor}, [](auto& fbb) {
      return schema::CreateVarHandleOptions(fbb, fbb.CreateString(""),
                                            fbb.CreateString("v"));
    });
    return tensor;
  }
  int Read(const char* name) {
    const int tensor = b.AddTensor(name, kFloat, {1000});
    b.AddOp(schema::BuiltinOperator_READ_VARIABLE, {Handle()}, {tensor});
    return tensor;
  }
  void Assign(int value) {
    b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {Handle(), value}, {});
  }
  int Sum(int x, int y, const char* name) {
    const int tensor = b.AddTensor(name, kFloat, {1000});
    Add(b, x, y, tensor);
    return tensor;
  }
  int x() const { return x_; }

  ModelBuilder b;

 private:
  int x_ = 0;
};

float RunWith(BuiltModel& built, float x) {
  std::fill_n(built->typed_input_tensor<float>(0), 1000, x);
  EXPECT_THAT(built->Invoke(), IsOk());
  return built->typed_output_tensor<float>(0)[999];
}

TEST(ControlMemory, ReadsBeforeTheNextAssignMoveNoByte) {
  VariableModel m;
  m.Assign(m.x());
  const int first = m.Read("first");
  const int second = m.Read("second");
  m.b.SetOutputs({m.Sum(first, second, "sum")});
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(m.b, options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->tensor(first)->memory, TensorMemory::kVariable);
  EXPECT_EQ((*built)->tensor(first)->data, (*built)->tensor(second)->data);
  EXPECT_EQ(RunWith(*built, 3), 6);
  const MemoryUsage usage = *(*built)->QueryMemory();
  EXPECT_EQ(usage.planned_bytes, 2 * 4000);  // x and the sum.
  EXPECT_EQ(usage.persistent_bytes, 4000);
}

TEST(ControlMemory, AReadThatOutlivesAnAssignIsACopy) {
  VariableModel m;
  m.Assign(m.x());
  const int before = m.Read("before");
  m.Assign(m.Sum(before, before, "double"));
  const int after = m.Read("after");
  m.b.SetOutputs({m.Sum(before, after, "sum")});
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(m.b, options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->tensor(before)->memory, TensorMemory::kArena);
  EXPECT_EQ((*built)->tensor(after)->memory, TensorMemory::kVariable);
  EXPECT_EQ(RunWith(*built, 3), 3 + 6);
}

// Whichever entry point comes first runs "init", for both.
TEST(ControlMemory, CallOnceRunsOnceForAllEntryPoints) {
  VariableModel m;
  for (const char* key : {"add", "more"}) {
    const bool first = key[0] == 'a';
    if (!first) m.b.AddSubgraph(key);
    const int x = first ? m.x() : m.b.AddInput("x", kFloat, {1000});
    m.b.AddOp(schema::BuiltinOperator_CALL_ONCE, {}, {},
              [](auto& fbb) { return schema::CreateCallOnceOptions(fbb, 2); });
    const int sum = m.Sum(m.Read("old"), x, "sum");
    m.Assign(sum);
    m.b.SetOutputs({sum});
    m.b.AddSignature(key, {{"x", x}}, {{"sum", sum}});
  }
  m.b.AddSubgraph("init");
  m.Assign(
      m.b.AddConstant<float>("one", {1000}, std::vector<float>(1000, 1.0f)));
  m.b.SetOutputs({});
  auto built = Build(m.b);
  float expected = 1;
  for (const char* key : {"more", "add", "add", "more"}) {
    auto runner = (*built)->GetSignatureRunner(key);
    ASSERT_THAT(runner, IsOk());
    ASSERT_THAT(runner->AllocateTensors(), IsOk());
    std::fill_n(runner->input_tensor("x")->data_as<float>(), 1000, 10.0f);
    ASSERT_THAT(runner->Invoke(), IsOk());
    expected += 10;
    EXPECT_EQ(*runner->output_tensor("sum")->data_as<float>(), expected);
  }
  ASSERT_THAT((*built)->ResetVariableTensors(), IsOk());
  auto runner = (*built)->GetSignatureRunner("add");
  ASSERT_THAT(runner->AllocateTensors(), IsOk());
  std::fill_n(runner->input_tensor("x")->data_as<float>(), 1000, 10.0f);
  ASSERT_THAT(runner->Invoke(), IsOk());
  EXPECT_EQ(*runner->output_tensor("sum")->data_as<float>(), 11);
}

TEST(ControlMemory, EntryPointsShareAnArenaOfTheLargest) {
  for (int first : {16, 900}) {
    const int second = 916 - first;
    ModelBuilder b;
    for (int elements : {first, second}) {
      if (elements == second) b.AddSubgraph("second");
      const int x = b.AddInput("x", kFloat, {elements});
      const int y = b.AddTensor("y", kFloat, {elements});
      b.AddCustomOp("Mirror", {x}, {y});
      b.SetOutputs({y});
      b.AddSignature(elements == first ? "first" : "second", {{"x", x}},
                     {{"y", y}});
    }
    auto built = Build(b, {}, {&kMirror});
    for (const char* key : {"first", "second"}) {
      auto runner = (*built)->GetSignatureRunner(key);
      ASSERT_THAT(runner, IsOk());
      ASSERT_THAT(runner->AllocateTensors(), IsOk());
    }
    EXPECT_EQ((*built)->arena_used_bytes(), 2u * 4 * 900);
    for (const char* key : {"first", "second", "first"}) {
      auto runner = (*built)->GetSignatureRunner(key);
      Tensor* x = runner->input_tensor("x");
      std::memset(x->data, 0, static_cast<size_t>(x->bytes));
      *x->data_as<float>() = 5;
      ASSERT_THAT(runner->Invoke(), IsOk());
      const Tensor* y = runner->output_tensor("y");
      EXPECT_EQ(y->data_as<float>()[y->shape.dim(0) - 1], 5);
    }
  }
}

}  // namespace
}  // namespace arenalite
