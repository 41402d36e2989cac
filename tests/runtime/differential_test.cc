// Planned execution, with poison, equals execution without any sharing, bit
// for bit, on seeded random graphs.
//
// ARENALITE_DIFFERENTIAL_GRAPHS sets how many (default 200,000).

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "testing/build.h"
#include "testing/random_graph.h"

namespace arenalite {
namespace {

using testing::BuiltModel;
using testing::FillRandom;
using testing::IsOk;
using testing::RandomGraph;
using testing::RandomGraphCustomOps;
using testing::RandomGraphOptions;

uint64_t GraphCount() {
  const char* text = std::getenv("ARENALITE_DIFFERENTIAL_GRAPHS");
  return text ? std::strtoull(text, nullptr, 10) : 200000;
}

// Runs the graph twice, so that variables and reused inputs count; returns
// all outputs of both runs.
std::vector<uint8_t> RunTwice(BuiltModel& built, uint64_t seed) {
  std::vector<uint8_t> outputs;
  EXPECT_THAT(built->AllocateTensors(), IsOk());
  Prng prng(seed);
  for (int run = 0; run < 2; ++run) {
    for (size_t i = 0; i < built->inputs().size(); ++i) {
      Tensor* tensor = built->input_tensor(i);
      if (tensor && !tensor->is_constant()) FillRandom(prng, *tensor);
    }
    EXPECT_THAT(built->Invoke(), IsOk());
    for (size_t i = 0; i < built->outputs().size(); ++i) {
      const Tensor* tensor = built->output_tensor(i);
      const auto* bytes = tensor->data_as<uint8_t>();
      outputs.insert(outputs.end(), bytes, bytes + tensor->bytes);
    }
  }
  return outputs;
}

struct Variant {
  const char* name;
  InterpreterOptions options;
};

std::vector<Variant> Variants() {
  std::vector<Variant> variants(5);
  for (Variant& variant : variants) variant.options.poison_memory = true;
  variants[0].name = "default";
  variants[1].name = "input reuse";
  variants[1].options.allow_input_reuse = true;
  variants[2].name = "no overlap";
  variants[2].options.allow_overlap = false;
  variants[3].name = "alignment 1, first use";
  variants[3].options.alignment = 1;
  variants[3].options.allow_input_reuse = true;
  variants[3].options.plan_strategy = PlanStrategy::kFirstUse;
  variants[4].name = "alignment 64, by size";
  variants[4].options.alignment = 64;
  variants[4].options.plan_strategy = PlanStrategy::kGreedyBySize;
  return variants;
}

// Two runs without sharing and in the way of `variant` give the same bits.
void ExpectSameBits(const ModelBuilder& graph, const Variant& variant,
                    uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + variant.name);
  InterpreterOptions reference_options;
  reference_options.preserve_all_tensors = true;
  reference_options.alignment = variant.options.alignment;
  auto reference =
      testing::Build(graph, reference_options, RandomGraphCustomOps());
  auto planned = testing::Build(graph, variant.options, RandomGraphCustomOps());
  ASSERT_TRUE(reference && planned);
  ASSERT_EQ(RunTwice(*reference, seed), RunTwice(*planned, seed));
  if (variant.options.plan_strategy != PlanStrategy::kAuto) return;
  ASSERT_LE((*planned)->arena_used_bytes(), (*reference)->arena_used_bytes());
}

TEST(Differential, SharingChangesNoBit) {
  const std::vector<Variant> variants = Variants();
  const uint64_t count = GraphCount();
  for (uint64_t seed = 0; seed < count; ++seed) {
    RandomGraphOptions graph_options;
    graph_options.type = seed % 2 ? TensorType::kInt8 : TensorType::kFloat32;
    const ModelBuilder graph = RandomGraph(seed, graph_options);
    ExpectSameBits(graph, variants[seed / 2 % variants.size()], seed);
    if (HasFatalFailure()) return;
  }
}

constexpr auto kFloat = TensorType::kFloat32;

void AddView(ModelBuilder& b, int x, int shape, int view) {
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {view});
}

// t1 = relu(x), t2 = view(t1), t3 = view(t2), t4 = view(t2), t5 = tanh(t3),
// y = max(t4, t5): t5 must not be written over t4.
ModelBuilder TwoViewsOfAView() {
  ModelBuilder b;
  const int shape = b.AddConstant<int32_t>("shape", {1}, {32});
  const int x = b.AddInput("x", kFloat, {32});
  std::vector<int> t;
  for (int i = 0; i < 5; ++i) t.push_back(b.AddTensor("t", kFloat, {32}));
  const int y = b.AddTensor("y", kFloat, {32});
  b.AddOp(schema::BuiltinOperator_RELU, {x}, {t[0]});
  AddView(b, t[0], shape, t[1]);
  AddView(b, t[1], shape, t[2]);
  AddView(b, t[1], shape, t[3]);
  b.AddOp(schema::BuiltinOperator_TANH, {t[2]}, {t[4]});
  b.AddOp(schema::BuiltinOperator_MAXIMUM, {t[3], t[4]}, {y});
  b.SetOutputs({y});
  return b;
}

// a = x + z, v = view(a), m = tanh(v), y = max(m, a): m must not be written
// over v, because its root is read again.
ModelBuilder RootReadAgain() {
  ModelBuilder b;
  const int shape = b.AddConstant<int32_t>("shape", {1}, {32});
  const int x = b.AddInput("x", kFloat, {32});
  const int z = b.AddInput("z", kFloat, {32});
  std::vector<int> t;
  for (int i = 0; i < 3; ++i) t.push_back(b.AddTensor("t", kFloat, {32}));
  const int y = b.AddTensor("y", kFloat, {32});
  b.AddOp(schema::BuiltinOperator_ADD, {x, z}, {t[0]},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
  AddView(b, t[0], shape, t[1]);
  b.AddOp(schema::BuiltinOperator_TANH, {t[1]}, {t[2]});
  b.AddOp(schema::BuiltinOperator_MAXIMUM, {t[2], t[0]}, {y});
  b.SetOutputs({y});
  return b;
}

TEST(Differential, AsksTheWholeStorage) {
  for (const Variant& variant : Variants()) {
    ExpectSameBits(TwoViewsOfAView(), variant, 1);
    ExpectSameBits(RootReadAgain(), variant, 2);
  }
}

}  // namespace
}  // namespace arenalite
