#include "arenalite/interpreter.h"

#include <gtest/gtest.h>

#include <cstring>

#include "testing/build.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::HasStatus;
using testing::IsOk;
using testing::TryBuild;

// "Triple": y = 3 x, by way of scratch; fails while told to.
bool triple_fails = false;

Status PrepareTriple(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(
      context.RequestScratch(context.input(0).bytes).status());
  return context.SetOutputShape(0, context.input(0).shape);
}

Status EvalTriple(OpContext& context) {
  if (triple_fails) return OutOfRangeError("told to fail");
  const Tensor& input = context.input(0);
  auto* scratch = context.scratch<float>(0);
  std::memcpy(scratch, input.data, static_cast<size_t>(input.bytes));
  for (int64_t i = 0; i < input.shape.NumElements(); ++i) {
    context.output(0).data_as<float>()[i] = 3 * scratch[i];
  }
  return OkStatus();
}

int64_t TripleOverlap(const OpContext&, int, int) { return 0; }

constexpr OpDefinition kTriple = {
    "Triple", kCustomOpCode, 1,          kOpDefault,   0,
    nullptr,  PrepareTriple, EvalTriple, TripleOverlap};

// "Count": adds its input to a variable, and gives the variable out.
Status PrepareCount(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}
Status EvalCount(OpContext& context) {
  float* sum = context.variable(1)->data_as<float>();
  *sum += *context.input(0).data_as<float>();
  *context.output(0).data_as<float>() = *sum;
  return OkStatus();
}
constexpr OpDefinition kCount = {
    "Count", kCustomOpCode, 1,         kOpHasState, 0,
    nullptr, PrepareCount,  EvalCount, nullptr};

// x -> Triple -> a -> Triple -> b -> Triple -> y, four floats each.
ModelBuilder TripleChain() {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {4});
  const int a = b.AddTensor("a", TensorType::kFloat32, {4});
  const int c = b.AddTensor("b", TensorType::kFloat32, {4});
  const int y = b.AddTensor("y", TensorType::kFloat32, {4});
  b.AddCustomOp("Triple", {x}, {a});
  b.AddCustomOp("Triple", {a}, {c});
  b.AddCustomOp("Triple", {c}, {y});
  b.SetOutputs({y});
  return b;
}

void Fill(BuiltModel& built, float value) {
  Tensor* input = built->input_tensor(0);
  for (int64_t i = 0; i < input->shape.NumElements(); ++i) {
    input->data_as<float>()[i] = value;
  }
}

float RunWith(BuiltModel& built, float value) {
  Fill(built, value);
  EXPECT_THAT(built->Invoke(), IsOk());
  return *built->typed_output_tensor<float>(0);
}

TEST(Interpreter, RunsAgainAndAgain) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 1), 27);
  EXPECT_EQ(RunWith(*built, -2), -54);
  // Input 16, one place for the chain 16, scratch 16.
  EXPECT_EQ((*built)->arena_used_bytes(), 48u);
}

TEST(Interpreter, TellsItsBudgetBeforeItAllocates) {
  class NoMemory final : public Allocator {
   public:
    void* Allocate(size_t, size_t) override { return nullptr; }
    void Deallocate(void*, size_t, size_t) override {}
  } no_memory;
  InterpreterOptions options;
  options.allocator = &no_memory;
  auto built = Build(TripleChain(), options, {&kTriple});
  Result<MemoryUsage> usage = (*built)->QueryMemory();
  ASSERT_THAT(usage, IsOk());
  EXPECT_EQ(usage->arena_bytes, 48);
  EXPECT_EQ(usage->peak_io_bytes + usage->peak_activation_bytes, 32);
  EXPECT_EQ(usage->peak_scratch_bytes, 16);
  EXPECT_GT(usage->metadata_bytes, 0);
  EXPECT_THAT((*built)->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted, "needs 48 bytes"));
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kFailedPrecondition, "AllocateTensors"));
}

TEST(Interpreter, TakesExactlyTheBufferItAsksFor) {
  alignas(16) uint8_t memory[48];
  for (size_t size : {size_t{48}, size_t{47}}) {
    InterpreterOptions options;
    options.arena_buffer = Span<uint8_t>(memory, size);
    auto built = Build(TripleChain(), options, {&kTriple});
    if (size == 48) {
      ASSERT_THAT((*built)->AllocateTensors(), IsOk());
      EXPECT_EQ(RunWith(*built, 1), 27);
    } else {
      EXPECT_THAT(
          (*built)->AllocateTensors(),
          HasStatus(StatusCode::kResourceExhausted,
                    "needs 48 bytes (48 planned, 0 persistent), the buffer "
                    "has 47: 1 bytes are missing; the peak is step 0 Triple"));
    }
  }
}

TEST(Interpreter, AllOptionsGiveTheSameResult) {
  for (int mask = 0; mask < 16; ++mask) {
    for (int alignment : {1, 16, 64}) {
      InterpreterOptions options;
      options.allow_input_reuse = (mask & 1) != 0;
      options.preserve_all_tensors = (mask & 2) != 0;
      options.poison_memory = (mask & 4) != 0;
      options.allow_overlap = (mask & 8) != 0;
      options.alignment = alignment;
      auto built = Build(TripleChain(), options, {&kTriple});
      ASSERT_THAT((*built)->AllocateTensors(), IsOk());
      EXPECT_EQ(RunWith(*built, 1), 27);
      EXPECT_EQ(RunWith(*built, 2), 54);
    }
  }
}

TEST(Interpreter, NeedsAPlaceToBeBuiltIn) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  InterpreterBuilder builder(*built->model, built->resolver);
  EXPECT_THAT(builder(nullptr),
              HasStatus(StatusCode::kInvalidArgument, "is null"));
  EXPECT_THAT(builder(&built->interpreter), IsOk());
}

TEST(Interpreter, WorksAgainAfterAFailedInvoke) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  triple_fails = true;
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kOutOfRange,
                        "subgraph 0 'main' op 0 Triple, output tensor 1 'a': "
                        "told to fail"));
  triple_fails = false;
  EXPECT_EQ(RunWith(*built, 1), 27);
}

TEST(Interpreter, CanBeCancelled) {
  int countdown = 1;
  InterpreterOptions options;
  options.should_cancel = [](void* data) {
    return --*static_cast<int*>(data) < 0;
  };
  options.cancel_user_data = &countdown;
  auto built = Build(TripleChain(), options, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_THAT((*built)->Invoke(), HasStatus(StatusCode::kCancelled, "op 1"));
  countdown = 100;
  EXPECT_EQ(RunWith(*built, 1), 27);
}

TEST(Interpreter, PlansAgainAfterAResize) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  const int32_t dims[] = {2, 50};
  ASSERT_THAT((*built)->ResizeInputTensor(0, dims), IsOk());
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kFailedPrecondition, ""));
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({2, 50}));
  EXPECT_EQ((*built)->arena_used_bytes(), 3u * 400);
  EXPECT_EQ(RunWith(*built, 1), 27);
  const int32_t negative[] = {-3};
  EXPECT_THAT((*built)->ResizeInputTensor(0, negative),
              HasStatus(StatusCode::kInvalidArgument, "'x'"));
  EXPECT_THAT((*built)->ResizeInputTensor(1, dims),
              HasStatus(StatusCode::kInvalidArgument, "no graph input"));
  EXPECT_EQ(RunWith(*built, 2), 54);
}

TEST(Interpreter, RefusesAnInvalidExecutionPlan) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  const int32_t bad[] = {1, 0, 2};
  EXPECT_THAT((*built)->SetExecutionPlan(bad),
              HasStatus(StatusCode::kInvalidArgument, "Triple"));
  const int32_t good[] = {0, 1, 2};
  ASSERT_THAT((*built)->SetExecutionPlan(good), IsOk());
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 1), 27);
}

TEST(Interpreter, KeepsVariablesFromInvokeToInvoke) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {1});
  const int state = b.AddVariable("state", TensorType::kFloat32, {1});
  const int y = b.AddTensor("y", TensorType::kFloat32, {1});
  b.AddCustomOp("Count", {x, state}, {y});
  b.SetOutputs({y});
  auto built = Build(b, {}, {&kCount});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->QueryMemory()->persistent_bytes, 16);
  EXPECT_EQ(RunWith(*built, 2), 2);
  EXPECT_EQ(RunWith(*built, 3), 5);
  ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
  EXPECT_FALSE((*built)->Invoke().ok());
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 2), 7);
  ASSERT_THAT((*built)->ResetVariableTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 4), 4);
}

TEST(Interpreter, UsesTheCallersMemoryForTensors) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  alignas(16) float output[4] = {};
  auto* bytes = reinterpret_cast<uint8_t*>(output);
  ASSERT_THAT((*built)->SetCustomAllocationForTensor(3, {bytes, 15}), IsOk());
  EXPECT_THAT((*built)->AllocateTensors(),
              HasStatus(StatusCode::kInvalidArgument, "15 bytes, 16"));
  ASSERT_THAT((*built)->SetCustomAllocationForTensor(3, {bytes, 16}), IsOk());
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 1), 27);
  EXPECT_EQ(output[3], 27);
  EXPECT_FALSE((*built)->SetCustomAllocationForTensor(1, {bytes, 16}).ok());
  EXPECT_FALSE((*built)->SetCustomAllocationForTensor(3, {bytes + 1, 15}).ok());
}

TEST(Interpreter, PreservesOneTensorOnRequest) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  ASSERT_THAT((*built)->PreserveTensor(1), IsOk());
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 1), 27);
  EXPECT_EQ(*(*built)->typed_tensor<float>(1), 3);
}

TEST(Interpreter, ViewsMoveNoByte) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {4});
  const int a = b.AddTensor("a", TensorType::kFloat32, {4});
  const int shape = b.AddConstant<int32_t>("shape", {2}, {2, 2});
  const int v = b.AddTensor("v", TensorType::kFloat32, {2, 2});
  const int y = b.AddTensor("y", TensorType::kFloat32, {2, 2});
  b.AddCustomOp("Triple", {x}, {a});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {a, shape}, {v});
  b.AddCustomOp("Triple", {v}, {y});
  b.SetOutputs({y});
  auto built = Build(b, {}, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->tensor(a)->data, (*built)->tensor(v)->data);
  EXPECT_EQ(RunWith(*built, 1), 9);
  EXPECT_EQ((*built)->arena_used_bytes(), 48u);
}

// RESHAPE by a shape that the application sets: the rest is dynamic.
TEST(Interpreter, RunsTensorsWhoseShapeDataDecide) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {6});
  const int shape = b.AddInput("shape", TensorType::kInt32, {2});
  const int v = b.AddTensor("v", TensorType::kFloat32, {});
  const int y = b.AddTensor("y", TensorType::kFloat32, {});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {v});
  b.AddCustomOp("Triple", {v}, {y});
  b.SetOutputs({y});
  auto built = Build(b, {}, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  int32_t* dims = (*built)->typed_input_tensor<int32_t>(1);
  dims[0] = 3;
  dims[1] = -1;
  EXPECT_EQ(RunWith(*built, 1), 3);
  EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({3, 2}));
  // v has the bytes of x; y waits to be read.
  EXPECT_EQ((*built)->tensor(v)->data, (*built)->tensor(x)->data);
  EXPECT_EQ((*built)->QueryMemory()->dynamic_bytes, 24);
  dims[1] = 5;
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kInvalidModel, "op 0 RESHAPE"));
  dims[1] = 2;
  EXPECT_EQ(RunWith(*built, 2), 6);
  ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
  EXPECT_EQ((*built)->QueryMemory()->dynamic_bytes, 0);
  // Nothing of the last run is left where tensors get their memory anew.
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  dims = (*built)->typed_input_tensor<int32_t>(1);
  dims[0] = dims[1] = 1;
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kInvalidModel, "op 0 RESHAPE"));
  dims[0] = 6;
  EXPECT_EQ(RunWith(*built, 3), 9);
}

// The shape of x is known before x is: y needs no dynamic memory.
TEST(Interpreter, FoldsWhatFollowsFromShapes) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {2, 3});
  const int flat = b.AddInput("flat", TensorType::kFloat32, {6});
  const int shape = b.AddTensor("shape", TensorType::kInt32, {2});
  const int y = b.AddTensor("y", TensorType::kFloat32, {});
  b.AddOp(schema::BuiltinOperator_SHAPE, {x}, {shape});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {flat, shape}, {y});
  b.SetOutputs({y});
  auto built = Build(b);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->output_tensor(0)->memory, TensorMemory::kArena);
  EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({2, 3}));
  EXPECT_TRUE((*built)->tensor(shape)->is_constant());
}

TEST(Interpreter, NamesEveryOperatorWithoutAKernel) {
  ModelBuilder b = TripleChain();
  EXPECT_THAT(TryBuild(b), HasStatus(StatusCode::kUnimplemented,
                                     "operators: Triple version 1"));
  InterpreterOptions options;
  options.allow_missing_kernels = true;
  auto built = Build(b, options);
  EXPECT_EQ((*built)->QueryMemory()->arena_bytes, 48);
  EXPECT_THAT((*built)->AllocateTensors(),
              HasStatus(StatusCode::kUnimplemented, "op 0 Triple"));
}

TEST(Interpreter, ReportsWhatItPlanned) {
  auto built = Build(TripleChain(), {}, {&kTriple});
  Result<MemoryReport> report = (*built)->ReportMemory();
  ASSERT_THAT(report, IsOk());
  ASSERT_EQ(report->tensors.size(), 4u);
  ASSERT_EQ(report->steps.size(), 3u);
  EXPECT_STREQ(report->tensors[1].name, "a");
  EXPECT_EQ(report->tensors[1].first_step, 0);
  EXPECT_EQ(report->tensors[1].last_step, 1);
  EXPECT_EQ(report->tensors[3].last_step, 3);
  EXPECT_EQ(report->tensors[1].offset, report->tensors[2].offset);
  EXPECT_EQ(report->steps[1].live_bytes, 64);
  EXPECT_EQ(report->steps[1].scratch_bytes, 16);
  EXPECT_EQ(report->overlaps.size(), 2u);
}

TEST(Interpreter, TakesASavedPlanAndRefusesAnother) {
  auto planner = Build(TripleChain(), {}, {&kTriple});
  Result<Array<uint8_t>> file = (*planner)->SavePlan();
  ASSERT_THAT(file, IsOk());
  InterpreterOptions options;
  options.plan_file = Span<const uint8_t>(*file);
  auto built = Build(TripleChain(), options, {&kTriple});
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ(RunWith(*built, 1), 27);
  EXPECT_EQ((*built)->arena_used_bytes(), 48u);
  const int32_t dims[] = {8};
  ASSERT_THAT((*built)->ResizeInputTensor(0, dims), IsOk());
  EXPECT_FALSE((*built)->AllocateTensors().ok());
}

TEST(Interpreter, RefusesAbsurdOptionsAndSizes) {
  InterpreterOptions options;
  options.alignment = 24;
  EXPECT_THAT(TryBuild(TripleChain(), options, {&kTriple}),
              HasStatus(StatusCode::kInvalidArgument, "alignment is 24"));
  options.alignment = 16;
  options.max_arena_bytes = 47;
  auto built = Build(TripleChain(), options, {&kTriple});
  EXPECT_THAT((*built)->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted, "allows 47"));
}

}  // namespace
}  // namespace arenalite
