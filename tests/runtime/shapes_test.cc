// Changing shapes: plans are kept, maximum shapes are planned once, memory
// neither grows nor leaks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "testing/build.h"
#include "testing/counted_heap.h"
#include "testing/random_graph.h"
#include "writer/layers.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::CountHeap;
using testing::CountingAllocator;
using testing::FailHeapAfter;
using testing::FillRandom;
using testing::HasStatus;
using testing::IsOk;

using Dims = std::vector<int32_t>;

// An image whose height and width are open, and a batch of vectors: growing
// and shrinking convolutions (whose overlap numbers depend on the shape), a
// diamond, a pool, views, a concatenation, dense layers.
ModelBuilder TwoInputModel() {
  ModelBuilder b;
  LayerBuilder net(b, {TensorType::kFloat32, /*seed=*/3});
  const int image = net.Input("image", {1, 8, 8, 2});
  const int vector = net.Input("vector", {1, 6});
  b.SetShapeSignature(image, {1, -1, -1, 2});
  b.SetShapeSignature(vector, {-1, 6});
  int x = net.Conv(image, 6, {3, 3, 1}, schema::ActivationFunctionType_RELU);
  const int wide = x;
  x = net.Depthwise(x, 1, {3, 3, 1});
  x = net.Add(x, wide);
  x = net.MaxPool(x, {2, 2, 2});
  x = net.Conv(x, 3, {3, 3, 2});
  const int maps = net.Unary(schema::BuiltinOperator_LOGISTIC, x);
  int v = net.Dense(vector, 5);
  v = net.Concat({v, net.Unary(schema::BuiltinOperator_TANH, v)}, 1);
  v = net.Softmax(net.Dense(v, 4));
  b.SetOutputs({maps, net.GlobalAverage(wide), v});
  return b;
}

struct Sizes {
  Dims image;
  Dims vector;
};

Sizes RandomSizes(Prng& prng, int most) {
  const auto any = [&] { return static_cast<int32_t>(1 + prng.Below(most)); };
  const int32_t height = any();
  const int32_t width = any();
  return {{1, height, width, 2}, {any(), 6}};
}

Status Resize(BuiltModel& built, const Sizes& sizes) {
  ARENALITE_RETURN_IF_ERROR(built->ResizeInputTensorStrict(
      built->inputs()[0], Span<const int32_t>(sizes.image)));
  return built->ResizeInputTensorStrict(built->inputs()[1],
                                        Span<const int32_t>(sizes.vector));
}

void Fill(BuiltModel& built, uint64_t seed) {
  Prng prng(seed);
  for (size_t i = 0; i < built->inputs().size(); ++i) {
    FillRandom(prng, *built->input_tensor(i));
  }
}

std::vector<uint8_t> Outputs(BuiltModel& built) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < built->outputs().size(); ++i) {
    const Tensor* tensor = built->output_tensor(i);
    const auto* data = tensor->data_as<uint8_t>();
    bytes.insert(bytes.end(), data, data + tensor->bytes);
  }
  return bytes;
}

// Empty after a failure.
std::vector<uint8_t> RunAt(BuiltModel& built, const Sizes& sizes,
                           uint64_t seed) {
  EXPECT_THAT(Resize(built, sizes), IsOk());
  EXPECT_THAT(built->AllocateTensors(), IsOk());
  Fill(built, seed);
  const Status status = built->Invoke();
  EXPECT_THAT(status, IsOk());
  return status.ok() ? Outputs(built) : std::vector<uint8_t>();
}

std::vector<uint8_t> RunFresh(const ModelBuilder& model, const Sizes& sizes,
                              uint64_t seed) {
  InterpreterOptions options;
  options.preserve_all_tensors = true;
  auto fresh = Build(model, options);
  return RunAt(*fresh, sizes, seed);
}

int64_t PlansMade(BuiltModel& built) {
  return built->QueryMemory()->plans_made;
}

TEST(Resize, StrictFormChangesOnlyOpenDimensions) {
  auto built = Build(TwoInputModel());
  const int32_t channels[] = {1, 9, 9, 3};
  EXPECT_THAT((*built)->ResizeInputTensorStrict(0, channels),
              HasStatus(StatusCode::kInvalidArgument,
                        "'image': dimension 3 is 3, allowed 2"));
  const int32_t rank[] = {9, 9, 2};
  EXPECT_THAT((*built)->ResizeInputTensorStrict(0, rank),
              HasStatus(StatusCode::kInvalidArgument,
                        "'image': 3 dimensions, allowed 4"));
  const int32_t open[] = {1, 9, 7, 2};
  ASSERT_THAT((*built)->ResizeInputTensorStrict(0, open), IsOk());
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->input_tensor(0)->shape, Shape({1, 9, 7, 2}));
  EXPECT_THAT((*built)->ResizeInputTensorStrict(99, open),
              HasStatus(StatusCode::kInvalidArgument, "index 99"));
}

TEST(Resize, ShapesOfTheFileAreKnownBeforeAllocation) {
  auto built = Build(TwoInputModel());
  EXPECT_EQ((*built)->input_tensor(0)->shape, Shape({1, 8, 8, 2}));
  EXPECT_EQ((*built)->input_tensor(0)->bytes, 8 * 8 * 2 * 4);
  EXPECT_EQ((*built)->output_tensor(2)->shape, Shape({1, 4}));
  EXPECT_STREQ((*built)->input_tensor(1)->name, "vector");
  EXPECT_EQ((*built)->input_tensor(0)->data, nullptr);
}

TEST(Resize, GoingBackPlansAndAllocatesNothing) {
  CountingAllocator arena;
  InterpreterOptions options;
  options.allocator = &arena;
  auto built = Build(TwoInputModel(), options);
  const Tensor* input = (*built)->input_tensor(0);
  const std::vector<Sizes> sizes = {
      {{1, 12, 9, 2}, {3, 6}}, {{1, 5, 5, 2}, {7, 6}}, {{1, 3, 14, 2}, {1, 6}}};
  std::vector<std::vector<uint8_t>> expected;
  for (const Sizes& each : sizes) expected.push_back(RunAt(*built, each, 1));
  EXPECT_EQ(PlansMade(*built), 3);
  for (int i = 0; i < 30; ++i) {
    const size_t k = static_cast<size_t>(i * 7 + i / 3) % sizes.size();
    const int64_t heap = CountHeap().allocations;
    const int64_t arenas = arena.allocations;
    const bool ok =
        Resize(*built, sizes[k]).ok() && (*built)->AllocateTensors().ok();
    EXPECT_EQ(CountHeap().allocations, heap);
    EXPECT_EQ(arena.allocations, arenas);
    ASSERT_TRUE(ok);
    EXPECT_EQ(RunAt(*built, sizes[k], 1), expected[k]);
  }
  EXPECT_EQ(PlansMade(*built), 3);
  EXPECT_EQ((*built)->input_tensor(0), input);
}

TEST(Resize, KeepsNoMorePlansThanAllowed) {
  InterpreterOptions options;
  options.max_kept_plans = 2;
  auto built = Build(TwoInputModel(), options);
  const Sizes a = {{1, 4, 4, 2}, {1, 6}};
  const Sizes b = {{1, 6, 6, 2}, {1, 6}};
  const Sizes c = {{1, 9, 9, 2}, {1, 6}};
  const auto plans = [&](const Sizes& sizes) {
    RunAt(*built, sizes, 1);
    return PlansMade(*built);
  };
  EXPECT_EQ(plans(a), 1);
  const int64_t one = (*built)->QueryMemory()->metadata_bytes;
  EXPECT_EQ(plans(b), 2);
  EXPECT_GT((*built)->QueryMemory()->metadata_bytes, one);
  EXPECT_EQ(plans(a), 2);
  EXPECT_EQ(plans(c), 3);  // b was used longest ago.
  EXPECT_EQ(plans(a), 3);
  EXPECT_EQ(plans(b), 4);
  // Another change of the program makes all plans useless.
  ASSERT_THAT((*built)->PreserveTensor((*built)->outputs()[0]), IsOk());
  EXPECT_EQ(plans(a), 5);
}

TEST(Resize, SmallerShapesRunInThePlanOfTheMaximum) {
  for (bool poison : {false, true}) {
    CountingAllocator arena;
    InterpreterOptions options;
    options.allocator = &arena;
    options.poison_memory = poison;
    options.max_kept_plans = 1;
    auto built = Build(TwoInputModel(), options);
    const Dims image = {1, 20, 20, 2};
    const Dims vector = {9, 6};
    ASSERT_THAT((*built)->SetMaximumInputShape(0, Span<const int32_t>(image)),
                IsOk());
    ASSERT_THAT((*built)->SetMaximumInputShape(1, Span<const int32_t>(vector)),
                IsOk());
    auto largest = Build(TwoInputModel());
    RunAt(*largest, {image, vector}, 1);
    Prng prng(5);
    RunAt(*built, RandomSizes(prng, 9), 1);
    const size_t used = (*built)->arena_used_bytes();
    EXPECT_EQ(used, (*largest)->arena_used_bytes());
    const int64_t heap = CountHeap().live_bytes;
    for (uint64_t i = 0; i < 300; ++i) {
      const Sizes sizes = RandomSizes(prng, 9);
      const int64_t before = CountHeap().allocations;
      const bool ok =
          Resize(*built, sizes).ok() && (*built)->AllocateTensors().ok();
      ASSERT_EQ(CountHeap().allocations, before);
      ASSERT_TRUE(ok);
      ASSERT_EQ(RunAt(*built, sizes, i), RunFresh(TwoInputModel(), sizes, i));
    }
    EXPECT_EQ(PlansMade(*built), 1);
    EXPECT_EQ((*built)->arena_used_bytes(), used);
    EXPECT_EQ(arena.allocations, 1);
    EXPECT_EQ(CountHeap().live_bytes, heap);
    const Dims more = {1, 21, 3, 2};
    EXPECT_THAT((*built)->ResizeInputTensor(0, Span<const int32_t>(more)),
                HasStatus(StatusCode::kInvalidArgument,
                          "dimension 1 is 21, its declared maximum is 20"));
    ASSERT_THAT((*built)->SetMaximumInputShape(0, {}), IsOk());
    EXPECT_FALSE(RunAt(*built, {more, vector}, 1).empty());
  }
}

TEST(Resize, TenThousandResizesNeitherGrowNorLeak) {
  const int64_t at_start = CountHeap().live_bytes;
  CountingAllocator arena;
  {
    InterpreterOptions options;
    options.allocator = &arena;
    options.plan_strategy = PlanStrategy::kGreedyBySize;  // Plans quickly.
    const ModelBuilder model = TwoInputModel();
    auto built = Build(model, options);
    constexpr int kMost = 12;
    Prng prng(7);
    int64_t largest = 0;
    int64_t peak_early = 0;
    int64_t peak_late = 0;
    for (int i = 0; i < 10000; ++i) {
      const Sizes sizes = RandomSizes(prng, kMost);
      ASSERT_THAT(Resize(*built, sizes), IsOk());
      ASSERT_THAT((*built)->AllocateTensors(), IsOk());
      largest =
          std::max(largest, static_cast<int64_t>((*built)->arena_used_bytes()));
      int64_t& peak = i < 5000 ? peak_early : peak_late;
      peak = std::max(peak, CountHeap().live_bytes);
      if (i % 25 != 0) continue;
      const auto seed = static_cast<uint64_t>(i);
      ASSERT_EQ(RunAt(*built, sizes, seed), RunFresh(model, sizes, seed))
          << "resize " << i;
      if (i % 1000 != 0) continue;
      ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
      ASSERT_EQ(arena.live_bytes, 0);
    }
    EXPECT_LE(arena.peak_bytes, largest);
    EXPECT_LE(peak_late, peak_early + peak_early / 20);
  }
  EXPECT_EQ(arena.live_bytes, 0);
  EXPECT_EQ(CountHeap().live_bytes, at_start);
}

TEST(Resize, ReleasedMemoryComesBackInTheSizeOfTheShape) {
  CountingAllocator arena;
  InterpreterOptions options;
  options.allocator = &arena;
  auto built = Build(TwoInputModel(), options);
  const Sizes small = {{1, 4, 4, 2}, {1, 6}};
  const Sizes large = {{1, 24, 24, 2}, {1, 6}};
  const auto expected = RunAt(*built, small, 1);
  const int64_t need = arena.live_bytes;
  RunAt(*built, large, 1);
  EXPECT_EQ(arena.peak_bytes, arena.live_bytes);  // Never two arenas.
  EXPECT_EQ(RunAt(*built, small, 1), expected);
  EXPECT_GT(arena.live_bytes, need);
  ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
  EXPECT_EQ(arena.live_bytes, 0);
  EXPECT_EQ((*built)->input_tensor(0)->data, nullptr);
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kFailedPrecondition, "AllocateTensors"));
  EXPECT_EQ(RunAt(*built, small, 1), expected);
  EXPECT_EQ(arena.live_bytes, need);
}

// "Count": adds the first element to a variable tensor; y = x + variable.
Status PrepareCount(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}
Status EvalCount(OpContext& context) {
  float* sum = context.variable(1)->data_as<float>();
  *sum += *context.input(0).data_as<float>();
  std::memset(context.output(0).data, 0,
              static_cast<size_t>(context.output(0).bytes));
  *context.output(0).data_as<float>() = *sum;
  return OkStatus();
}
constexpr OpDefinition kCount = {
    "Count", kCustomOpCode, 1,         kOpHasState, 0,
    nullptr, PrepareCount,  EvalCount, nullptr};

// A variable tensor, and a named variable of the input's shape: init -> 100.
ModelBuilder StateModel() {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {2});
  const int state = b.AddVariable("state", TensorType::kFloat32, {1});
  const int y = b.AddTensor("y", TensorType::kFloat32, {2});
  const int handle = b.AddTensor("handle", TensorType::kResource, {1});
  b.AddCustomOp("Count", {x, state}, {y});
  b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {handle}, [](auto& fbb) {
    return schema::CreateVarHandleOptions(fbb, fbb.CreateString(""),
                                          fbb.CreateString("last"));
  });
  b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {handle, x}, {});
  b.SetOutputs({y});
  b.AddSignature("count", {{"x", x}}, {{"y", y}});
  b.AddSubgraph("last");
  const int same = b.AddTensor("handle", TensorType::kResource, {1});
  const int last = b.AddTensor("last", TensorType::kFloat32, {2});
  b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {same}, [](auto& fbb) {
    return schema::CreateVarHandleOptions(fbb, fbb.CreateString(""),
                                          fbb.CreateString("last"));
  });
  b.AddOp(schema::BuiltinOperator_READ_VARIABLE, {same}, {last});
  b.SetOutputs({last});
  b.AddSignature("last", {}, {{"last", last}});
  return b;
}

float RunState(BuiltModel& built, int32_t elements, float value) {
  EXPECT_THAT(built->ResizeInputTensor(0, Span<const int32_t>(&elements, 1)),
              IsOk());
  EXPECT_THAT(built->AllocateTensors(), IsOk());
  std::fill_n(built->typed_input_tensor<float>(0), elements, value);
  EXPECT_THAT(built->Invoke(), IsOk());
  return *built->typed_output_tensor<float>(0);
}

TEST(Resize, VariablesSurvive) {
  auto built = Build(StateModel(), {}, {&kCount});
  EXPECT_EQ(RunState(*built, 2, 1), 1);
  EXPECT_EQ(RunState(*built, 50, 2), 3);
  EXPECT_EQ(RunState(*built, 3, 3), 6);
  EXPECT_EQ(RunState(*built, 2, 4), 10);
  const int32_t maximum[] = {64};
  ASSERT_THAT((*built)->SetMaximumInputShape(0, maximum), IsOk());
  EXPECT_EQ(RunState(*built, 7, 5), 15);
  ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
  EXPECT_EQ(RunState(*built, 8, 5), 20);
  ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
  ASSERT_THAT((*built)->ResetVariableTensors(), IsOk());
  EXPECT_EQ(RunState(*built, 8, 5), 5);
}

// Two entry points that share a variable cannot run with two shapes of it.
TEST(Resize, AVariableHasOneShapeForAllEntryPoints) {
  auto built = Build(StateModel(), {}, {&kCount});
  auto last = (*built)->GetSignatureRunner("last");
  ASSERT_THAT(last, IsOk());
  RunState(*built, 2, 7);
  ASSERT_THAT(last->AllocateTensors(), IsOk());
  ASSERT_THAT(last->Invoke(), IsOk());
  EXPECT_EQ(last->output_tensor("last")->data_as<float>()[1], 7);
  RunState(*built, 1000, 8);
  EXPECT_THAT(last->Invoke(),
              HasStatus(StatusCode::kFailedPrecondition, "AllocateTensors"));
  // As the only one to say a shape, "last" says the file's: the variable has
  // lost its value.
  ASSERT_THAT(last->AllocateTensors(), IsOk());
  EXPECT_THAT(last->Invoke(), HasStatus(StatusCode::kFailedPrecondition,
                                        "before anything assigns it"));
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kFailedPrecondition, "AllocateTensors"));
  const int32_t four[] = {4};
  EXPECT_THAT(last->ResizeInputTensorStrict("x", four),
              HasStatus(StatusCode::kNotFound, "no input 'x'"));
}

// Wherever the heap or the arena's allocator fails, the interpreter goes on
// working when they no longer do.
TEST(Resize, WorksAgainAfterMemoryWasRefused) {
  const Sizes small = {{1, 5, 6, 2}, {2, 6}};
  const Sizes large = {{1, 11, 9, 2}, {3, 6}};
  const Dims maximum = {1, 12, 12, 2};
  const auto expected = RunFresh(TwoInputModel(), large, 2);
  for (bool declare : {false, true}) {
    bool failed = true;
    for (int64_t n = 0; failed; ++n) {
      ASSERT_LT(n, 10000);
      CountingAllocator arena;
      InterpreterOptions options;
      options.allocator = &arena;
      options.max_kept_plans = 2;
      auto built = Build(TwoInputModel(), options);
      RunAt(*built, small, 2);
      if (declare) {
        ASSERT_THAT(
            (*built)->SetMaximumInputShape(0, Span<const int32_t>(maximum)),
            IsOk());
      }
      arena.fails = n % 2 == 1;
      FailHeapAfter(n / 2);
      const bool ok =
          Resize(*built, large).ok() && (*built)->AllocateTensors().ok();
      FailHeapAfter(-1);
      failed = !ok || arena.fails;
      arena.fails = false;
      ASSERT_EQ(RunAt(*built, large, 2), expected) << "allocation " << n;
      ASSERT_EQ(RunAt(*built, small, 2).empty(), false);
      ASSERT_EQ(RunAt(*built, large, 2), expected) << "allocation " << n;
    }
  }
}

}  // namespace
}  // namespace arenalite
