// The plan of a declared maximum, on random networks: every smaller shape gives
// the bits that an interpreter without any sharing gives.

#include <gtest/gtest.h>

#include "testing/build.h"
#include "testing/random_graph.h"
#include "writer/layers.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::FillRandom;
using testing::IsOk;

using Dims = std::vector<int32_t>;

constexpr int kMost = 14;

// Ten layers that fit any height and width, with residual connections,
// concatenations and several outputs.
ModelBuilder RandomNetwork(uint64_t seed) {
  ModelBuilder b;
  Prng prng(seed);
  LayerBuilder net(
      b, {prng.OneIn(2) ? TensorType::kInt8 : TensorType::kFloat32, seed});
  int x = net.Input("x", {1, kMost, kMost, prng.Between(1, 4)});
  std::vector<int> made = {x};
  for (int i = 0; i < 10; ++i) {
    const Window window = {prng.Between(1, 3), prng.Between(1, 3),
                           prng.OneIn(4) ? 2 : 1};
    const int channels = net.shape(x).back();
    const int other = prng.AnyOf(made);
    const bool same_shape = net.shape(other) == net.shape(x);
    switch (prng.Below(9)) {
      case 0:
      case 1:
        x = net.Conv(x, prng.Between(1, 6), window);
        break;
      case 2:
        x = net.Depthwise(x, prng.Between(1, 2), window);
        break;
      case 3:
        x = prng.OneIn(2) ? net.MaxPool(x, window) : net.AveragePool(x, window);
        break;
      case 4:
        x = net.Unary(schema::BuiltinOperator_RELU, x);
        break;
      case 5:
        x = net.Pad(x, {0, prng.Below(2), 0, 0}, {0, 0, prng.Below(3), 0});
        break;
      case 6:
        x = net.Transpose(x, {0, 2, 1, 3});
        break;
      case 7:
        x = same_shape ? net.Add(x, other) : net.Softmax(x);
        break;
      default:
        x = channels < 12 && !net.is_int8() && same_shape
                ? net.Concat({x, other}, 3)
                : net.Conv(x, 2, window);
        break;
    }
    made.push_back(x);
  }
  b.SetOutputs({x, net.GlobalAverage(made[5])});
  return b;
}

std::vector<uint8_t> RunAt(BuiltModel& built, const Dims& dims, uint64_t seed) {
  EXPECT_THAT(built->ResizeInputTensor(0, Span<const int32_t>(dims)), IsOk());
  // Two paths of a network may meet at some shapes and not at others.
  if (!built->AllocateTensors().ok()) return {};
  Prng prng(seed);
  FillRandom(prng, *built->input_tensor(0));
  EXPECT_THAT(built->Invoke(), IsOk());
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < built->outputs().size(); ++i) {
    const Tensor* tensor = built->output_tensor(i);
    const auto* data = tensor->data_as<uint8_t>();
    bytes.insert(bytes.end(), data, data + tensor->bytes);
  }
  return bytes;
}

TEST(MaximumShape, SmallerShapesGiveTheSameBits) {
  int64_t shapes = 0;
  int64_t plans = 0;
  constexpr uint64_t kNetworks = 150;
  for (uint64_t seed = 0; seed < kNetworks; ++seed) {
    ModelBuilder model = RandomNetwork(seed);
    InterpreterOptions apart_options;
    apart_options.preserve_all_tensors = true;
    apart_options.plan_strategy = PlanStrategy::kGreedyBySize;
    InterpreterOptions options;
    options.poison_memory = true;
    options.allow_input_reuse = seed % 2 != 0;
    options.alignment = seed % 3 == 0 ? 1 : 16;
    options.plan_strategy = PlanStrategy::kGreedyBySize;
    auto apart = Build(model, apart_options);
    auto built = Build(model, options);
    Dims dims = model.spec().subgraphs[0].tensors[0].shape;
    ASSERT_THAT((*built)->SetMaximumInputShape(0, Span<const int32_t>(dims)),
                IsOk());
    Prng prng(seed);
    for (int i = 0; i < 12; ++i) {
      dims[1] = prng.Between(1, kMost);
      dims[2] = prng.Between(1, kMost);
      const uint64_t input = seed * 100 + static_cast<uint64_t>(i);
      const std::vector<uint8_t> found = RunAt(*built, dims, input);
      ASSERT_EQ(found, RunAt(*apart, dims, input))
          << "network " << seed << " at " << dims[1] << "x" << dims[2];
      shapes += found.empty() ? 0 : 1;
    }
    const Result<MemoryUsage> usage = (*built)->QueryMemory();
    if (usage.ok()) plans += usage->plans_made - 1;
  }
  // The maximum's plan serves most shapes. Transposing a shape that is long
  // the other way, and windows that do not fit, take another one.
  EXPECT_LT(plans, shapes / 3);
  EXPECT_GT(plans, 0);
  RecordProperty("shapes", static_cast<int>(shapes));
  RecordProperty("plans", static_cast<int>(plans));
}

// Needs more memory for less: [n] -> [100 - n].
Status PrepareRest(OpContext& context) {
  return context.SetOutputShape(0,
                                Shape({100 - context.input(0).shape.dim(0)}));
}
Status EvalRest(OpContext& context) {
  const int64_t count = context.output(0).shape.NumElements();
  const float value = *context.input(0).data_as<float>();
  for (int64_t i = 0; i < count; ++i) {
    context.output(0).data_as<float>()[i] = value;
  }
  return OkStatus();
}
constexpr OpDefinition kRest = {"Rest",  kCustomOpCode, 1,        kOpDefault, 0,
                                nullptr, PrepareRest,   EvalRest, nullptr};

TEST(MaximumShape, GivesAShapeThatNeedsMoreItsOwnPlan) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {1});
  const int y = b.AddTensor("y", TensorType::kFloat32, {99});
  b.AddCustomOp("Rest", {x}, {y});
  b.SetOutputs({y});
  auto built = Build(b, {}, {&kRest});
  const int32_t maximum[] = {60};
  ASSERT_THAT((*built)->SetMaximumInputShape(0, maximum), IsOk());
  for (int round = 0; round < 3; ++round) {
    for (int32_t n : {60, 10, 60, 20}) {
      ASSERT_THAT((*built)->ResizeInputTensor(0, Span<const int32_t>(&n, 1)),
                  IsOk());
      ASSERT_THAT((*built)->AllocateTensors(), IsOk());
      *(*built)->typed_input_tensor<float>(0) = static_cast<float>(n);
      ASSERT_THAT((*built)->Invoke(), IsOk());
      EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({100 - n}));
      EXPECT_EQ((*built)->typed_output_tensor<float>(0)[99 - n], n);
    }
  }
  EXPECT_EQ((*built)->QueryMemory()->plans_made, 3);  // The maximum, 10 and 20.
}

}  // namespace
}  // namespace arenalite
