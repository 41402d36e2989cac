#include "tools/advice/suggest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "conformance/case_reader.h"
#include "conformance/command_line.h"
#include "testing/build.h"
#include "testing/random_graph.h"
#include "tools/advice/better_order.h"
#include "tools/advice/replan.h"
#include "tools/inputs.h"
#include "writer/zoo/zoo.h"

namespace arenalite {
namespace {

using testing::IsOk;
using Kind = SuggestionKind;
constexpr auto kFloat = TensorType::kFloat32;

struct Loaded {
  std::vector<uint8_t> file;
  std::unique_ptr<FlatBufferModel> model;
  BuiltinOpResolver resolver;
};

std::unique_ptr<Loaded> Load(std::vector<uint8_t> file) {
  auto loaded = std::make_unique<Loaded>();
  loaded->file = std::move(file);
  auto model =
      FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(loaded->file));
  EXPECT_THAT(model, IsOk());
  loaded->model = std::move(model).value();
  return loaded;
}

std::unique_ptr<Loaded> Zoo(const char* name, bool int8 = false,
                            int resolution = 0) {
  ZooOptions options;
  options.name = name;
  options.int8 = int8;
  options.width = 0.25f;
  options.resolution = resolution;
  auto file = BuildZooModel(options);
  if (!file.ok()) {
    options.width = 1;
    file = BuildZooModel(options);
  }
  EXPECT_THAT(file, IsOk());
  return Load(std::move(file).value());
}

struct Applied {
  int64_t arena_bytes = 0;
  std::vector<uint8_t> outputs;  // Of a run on seeded inputs.
};

// The change applied by hand, with a new interpreter, planned again.
Applied Apply(const Loaded& loaded, const PlanSetup& setup, bool run) {
  auto built =
      InterpreterBuilder(*loaded.model, loaded.resolver, setup.options).Build();
  EXPECT_THAT(built, IsOk());
  Interpreter& interpreter = **built;
  for (const auto& [tensor, dims] : setup.shapes) {
    EXPECT_THAT(
        interpreter.ResizeInputTensor(tensor, Span<const int32_t>(dims)),
        IsOk());
  }
  for (int32_t tensor : setup.kept) {
    EXPECT_THAT(interpreter.PreserveTensor(tensor), IsOk());
  }
  if (!setup.order.empty()) {
    EXPECT_THAT(interpreter.SetExecutionPlan(Span<const int32_t>(setup.order)),
                IsOk());
  }
  if (!run) return {interpreter.QueryMemory()->arena_bytes, {}};
  EXPECT_THAT(interpreter.AllocateTensors(), IsOk());
  FillInputs(interpreter, {}, 7);
  EXPECT_THAT(interpreter.Invoke(), IsOk());
  Applied applied;
  applied.arena_bytes = static_cast<int64_t>(interpreter.arena_used_bytes());
  for (size_t i = 0; i < interpreter.outputs().size(); ++i) {
    const Tensor& output = *interpreter.output_tensor(i);
    const auto* bytes = output.data_as<uint8_t>();
    if (output.bytes == 0) continue;
    applied.outputs.insert(applied.outputs.end(), bytes, bytes + output.bytes);
  }
  return applied;
}

int64_t ArenaWith(const Loaded& loaded, const PlanSetup& setup) {
  return Apply(loaded, setup, true).arena_bytes;
}

MemoryReport ReportOf(const Loaded& loaded, const PlanSetup& setup) {
  auto report =
      BuildPlanSetup(*loaded.model, loaded.resolver, setup)->ReportMemory();
  EXPECT_THAT(report, IsOk());
  return std::move(report).value();
}

// The int8 plan from first principles: every storage of floats a quarter.
int64_t QuarterPlan(const MemoryReport& report, PlanStrategy strategy) {
  std::vector<BufferRequest> requests;
  std::set<size_t> floats;
  for (size_t i = 0; i < report.storages.size(); ++i) {
    const StorageReport& storage = report.storages[i];
    int64_t elements = 0;
    bool all = !storage.is_scratch;
    for (const TensorReport& tensor : report.tensors) {
      if (tensor.storage != static_cast<int32_t>(i)) continue;
      all &= tensor.type == kFloat;
      elements = std::max(elements, tensor.shape.NumElements());
    }
    BufferRequest request{storage.bytes, storage.first_step, storage.last_step,
                          storage.alignment, -1};
    if (all) {
      floats.insert(i);
      request.size = (elements + storage.alignment - 1) / storage.alignment *
                     storage.alignment;
    }
    requests.push_back(request);
  }
  std::vector<AllowedOverlap> overlaps;
  for (const AllowedOverlap& overlap : report.overlaps) {
    const auto output = static_cast<size_t>(overlap.output);
    const bool small = floats.count(output) != 0;
    if (small != (floats.count(static_cast<size_t>(overlap.input)) != 0)) {
      continue;
    }
    AllowedOverlap scaled = overlap;
    if (small) {
      const double distance =
          static_cast<double>(overlap.bytes - report.storages[output].bytes);
      scaled.bytes = requests[output].size +
                     static_cast<int64_t>(std::floor(distance / 4));
    }
    overlaps.push_back(scaled);
  }
  PlanOptions options;
  options.strategy = strategy;
  auto plan = PlanMemory(Span<const BufferRequest>(requests),
                         Span<const AllowedOverlap>(overlaps), options);
  EXPECT_THAT(plan, IsOk());
  EXPECT_THAT(CheckPlan(Span<const BufferRequest>(requests),
                        Span<const AllowedOverlap>(overlaps), *plan),
              IsOk());
  return plan->total_bytes + report.usage.persistent_bytes;
}

// Everything a suggestion claims, found again in another way. What does not
// change the model computes the same.
void CheckSuggestions(const Loaded& loaded, const PlanSetup& setup,
                      const std::vector<Suggestion>& suggestions,
                      bool run = true) {
  const Applied base = Apply(loaded, setup, run);
  int64_t last_saved = INT64_MAX;
  for (const Suggestion& suggestion : suggestions) {
    SCOPED_TRACE(suggestion.what);
    EXPECT_GT(suggestion.saved_bytes, 0);
    EXPECT_LE(suggestion.saved_bytes, last_saved);
    last_saved = suggestion.saved_bytes;
    EXPECT_EQ(suggestion.arena_bytes,
              base.arena_bytes - suggestion.saved_bytes);
    EXPECT_FALSE(suggestion.how.empty());
    if (suggestion.kind == Kind::kInt8) {
      EXPECT_EQ(
          suggestion.arena_bytes,
          QuarterPlan(ReportOf(loaded, setup), setup.options.plan_strategy));
    } else if (suggestion.kind != Kind::kOutput) {
      const Applied applied = Apply(loaded, suggestion.setup, run);
      EXPECT_EQ(suggestion.arena_bytes, applied.arena_bytes);
      if (suggestion.kind == Kind::kResolution) continue;
      EXPECT_EQ(applied.outputs, base.outputs);
    }
  }
}

std::map<Kind, Suggestion> SuggestAll(const Loaded& loaded,
                                      const PlanSetup& setup = {},
                                      bool run = true) {
  const auto all =
      Suggest(*loaded.model, loaded.resolver, setup, SuggestOptions{100});
  CheckSuggestions(loaded, setup, all, run);
  std::map<Kind, Suggestion> by_kind;
  for (const Suggestion& suggestion : all) {
    by_kind.emplace(suggestion.kind, suggestion);
  }
  return by_kind;
}

TEST(Suggest, HoldsForKnownModels) {
  for (const char* name :
       {"ds_cnn", "mobilenet_v1", "mobilenet_v2", "resnet8"}) {
    SCOPED_TRACE(name);
    const bool sized = std::string(name).find("mobilenet") == 0;
    const auto loaded = Zoo(name, false, sized ? 96 : 0);
    const auto found = SuggestAll(*loaded);
    EXPECT_EQ(found.count(Kind::kInt8), 1u);
    EXPECT_EQ(found.count(Kind::kResolution), sized ? 1u : 0u);
    const auto five = Suggest(*loaded->model, loaded->resolver, {});
    EXPECT_LE(five.size(), 5u);
    EXPECT_EQ(five.front().saved_bytes,
              SuggestAll(*loaded).at(five.front().kind).saved_bytes);
  }
}

// The plan with quarters is the one that the quantized file gets.
TEST(Suggest, Int8IsWhatTheInt8FileNeeds) {
  for (const char* name : {"ds_cnn", "mobilenet_v1", "resnet8"}) {
    const auto found = SuggestAll(*Zoo(name));
    EXPECT_EQ(found.at(Kind::kInt8).arena_bytes,
              ArenaWith(*Zoo(name, true), {}))
        << name;
  }
}

TEST(Suggest, UndoesDebuggingOptions) {
  const auto loaded = Zoo("resnet8", true);
  PlanSetup debugging;
  debugging.options.preserve_all_tensors = true;
  EXPECT_EQ(SuggestAll(*loaded, debugging).at(Kind::kNoPreserve).arena_bytes,
            ArenaWith(*loaded, {}));
  PlanSetup apart;
  apart.options.allow_overlap = false;
  EXPECT_EQ(SuggestAll(*loaded, apart).at(Kind::kOverlap).arena_bytes,
            ArenaWith(*loaded, {}));
  PlanSetup keeping;
  const MemoryReport report = ReportOf(*loaded, {});
  for (const TensorReport& tensor : report.tensors) {
    const bool inner =
        tensor.storage >= 0 && !tensor.is_input && !tensor.is_output;
    if (inner && tensor.first_step < 2) keeping.kept = {tensor.index};
  }
  const auto found = SuggestAll(*loaded, keeping);
  EXPECT_EQ(found.at(Kind::kUnkeep).tensor, keeping.kept[0]);
  EXPECT_EQ(found.at(Kind::kUnkeep).arena_bytes, ArenaWith(*loaded, {}));
}

void AddBinary(ModelBuilder& b, int x, int y, int z) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {z},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

int AddMean(ModelBuilder& b, int x, const std::string& name) {
  const int axes = b.AddConstant<int32_t>(name + "_axes", {1}, {0});
  const int y = b.AddTensor(name, kFloat, {1});
  b.AddOp(schema::BuiltinOperator_SUM, {x, axes}, {y},
          [](auto& fbb) { return schema::CreateReducerOptions(fbb, true); });
  return y;
}

// Four wide tensors, then four sums of them: one by one is better.
//
//     x (1) -> w0 (1000) -> s0 (1)
//           -> w1 (1000) -> s1 (1) ...      s0 + s1 + s2 + s3 -> y
ModelBuilder Wide() {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {1});
  const int zeros =
      b.AddConstant<float>("zeros", {1000}, std::vector<float>(1000));
  std::vector<int> wide;
  for (int i = 0; i < 4; ++i) {
    wide.push_back(b.AddTensor("w" + std::to_string(i), kFloat, {1000}));
    AddBinary(b, x, zeros, wide.back());
  }
  std::vector<int> sums;
  for (int i = 0; i < 4; ++i) {
    sums.push_back(
        AddMean(b, wide[static_cast<size_t>(i)], "s" + std::to_string(i)));
  }
  int y = sums[0];
  for (size_t i = 1; i < 4; ++i) {
    const int sum = b.AddTensor("y" + std::to_string(i), kFloat, {1});
    AddBinary(b, y, sums[i], sum);
    y = sum;
  }
  b.SetOutputs({y});
  return b;
}

TEST(Suggest, FindsABetterOrder) {
  const auto loaded = Load(Wide().Finish());
  const Suggestion order = SuggestAll(*loaded).at(Kind::kOrder);
  EXPECT_GT(ArenaWith(*loaded, {}), 4 * 4000);
  EXPECT_LT(order.arena_bytes, 4000 + 200);
}

TEST(Suggest, FindsInputReuseAndAlignment) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {3});
  const int p = b.AddTensor("p", kFloat, {3});
  const int q = b.AddTensor("q", kFloat, {3});
  AddBinary(b, x, x, p);
  AddBinary(b, p, p, q);
  b.SetOutputs({q});
  const auto found = SuggestAll(*Load(b.Finish()));
  EXPECT_EQ(found.at(Kind::kInputReuse).saved_bytes, 16);
  const Suggestion& alignment = found.at(Kind::kAlignment);
  EXPECT_EQ(alignment.saved_bytes, 8);
  EXPECT_EQ(alignment.setup.options.alignment, 4);
}

// x -> a -> b -> y, where a is an output as well: 'a' has no more bytes of its
// own when it is none. The file without it needs no more than was promised.
TEST(Suggest, FindsAnOutputThatCostsBytes) {
  const auto chain = [](bool debug) {
    ModelBuilder b;
    const int x = b.AddInput("x", kFloat, {64});
    const int a = b.AddTensor("a", kFloat, {64});
    const int c = b.AddTensor("c", kFloat, {64});
    const int d = b.AddTensor("d", kFloat, {64});
    const int y = b.AddTensor("y", kFloat, {64});
    AddBinary(b, x, x, a);
    AddBinary(b, a, x, c);
    AddBinary(b, c, x, d);
    AddBinary(b, d, x, y);
    b.SetOutputs(debug ? std::vector<int32_t>{a, y} : std::vector<int32_t>{y});
    return Load(b.Finish());
  };
  PlanSetup apart;
  apart.options.allow_overlap = false;
  for (const PlanSetup& setup : {PlanSetup(), apart}) {
    const auto with = chain(true);
    const int64_t without = ArenaWith(*chain(false), setup);
    const auto found = SuggestAll(*with, setup);
    if (setup.options.allow_overlap) {
      // The overlap of c on a is not known while a is an output.
      EXPECT_GE(ArenaWith(*with, setup), without);
      continue;
    }
    EXPECT_EQ(found.at(Kind::kOutput).tensor, 1);
    EXPECT_EQ(found.at(Kind::kOutput).arena_bytes, without);
  }
}

TEST(Suggest, WorksWithoutKernels) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {1, 16, 16, 3});
  const int y = b.AddTensor("y", kFloat, {1, 16, 16, 3});
  const int z = b.AddTensor("z", kFloat, {1, 16, 16, 3});
  b.AddCustomOp("Unknown", {x}, {y});
  b.AddCustomOp("Unknown", {y}, {z});
  b.SetOutputs({z});
  PlanSetup setup;
  setup.options.allow_missing_kernels = true;
  const auto found = SuggestAll(*Load(b.Finish()), setup, false);
  EXPECT_EQ(found.count(Kind::kResolution), 0u);
  EXPECT_EQ(found.at(Kind::kInt8).saved_bytes, 3 * 3072 / 4 * 3);
  EXPECT_EQ(found.at(Kind::kInputReuse).saved_bytes, 3072);
}

TEST(Suggest, HoldsForRandomGraphs) {
  std::map<Kind, int> seen;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    testing::RandomGraphOptions graph;
    graph.custom_ops = false;
    const auto loaded = Load(testing::RandomGraph(seed, graph).Finish());
    for (const auto& [kind, suggestion] : SuggestAll(*loaded)) ++seen[kind];
  }
  for (Kind kind : {Kind::kInputReuse, Kind::kAlignment, Kind::kOrder,
                    Kind::kOutput, Kind::kInt8}) {
    EXPECT_GT(seen[kind], 0) << static_cast<int>(kind);
  }
}

// Real models, where there is a corpus.
TEST(Suggest, HoldsForTheCorpus) {
  const std::filesystem::path models =
      std::filesystem::path(conformance::DefaultCorpus()) / "models";
  std::vector<std::filesystem::path> paths = {
      models / "tflm_apps/person_detect_int8.tflite",
      models / "audio/visqol_lattice.tflite"};
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator(models / "detection", none)) {
    paths.push_back(entry.path());
  }
  if (none) GTEST_SKIP() << "there is no corpus of models";
  for (const std::filesystem::path& path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::vector<uint8_t> file;
    ASSERT_TRUE(conformance::ReadFile(path.string(), &file));
    const auto loaded = Load(std::move(file));
    PlanSetup setup;
    setup.options.allow_missing_kernels = true;
    EXPECT_FALSE(SuggestAll(*loaded, setup, false).empty());
  }
}

// A plan of the unchanged problem is the report's.
TEST(Replan, RepeatsThePlan) {
  const auto loaded = Zoo("mobilenet_v2", true, 96);
  const MemoryReport report = ReportOf(*loaded, {});
  EXPECT_EQ(ArenaBytesOf(report, ProblemOf(report), PlanStrategy::kAuto),
            report.usage.arena_bytes);
}

TEST(CandidateOrders, AreTopologicalAndDistinct) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    testing::RandomGraphOptions options;
    options.custom_ops = false;
    const auto loaded = Load(testing::RandomGraph(seed, options).Finish());
    const auto graph = MakeOrderGraph(ReportOf(*loaded, {}));
    ASSERT_TRUE(graph);
    const auto orders = CandidateOrders(*graph);
    std::set<std::vector<int>> distinct(orders.begin(), orders.end());
    EXPECT_EQ(distinct.size(), orders.size());
    int64_t last = 0;
    for (const std::vector<int>& order : orders) {
      EXPECT_EQ(order.size(), graph->ops.size());
      std::set<int> done;
      for (int op : order) {
        for (int need : graph->ops[static_cast<size_t>(op)].needs) {
          EXPECT_EQ(done.count(need), 1u);
        }
        EXPECT_TRUE(done.insert(op).second);
      }
      EXPECT_GE(PeakOf(*graph, order), last);
      last = PeakOf(*graph, order);
    }
  }
}

}  // namespace
}  // namespace arenalite
