#include "tools/advice/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/build.h"
#include "tools/command_error.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::IsOk;
constexpr auto kFloat = TensorType::kFloat32;

void AddBinary(ModelBuilder& b, int x, int y, int z) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {z},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

//   step 0: x + x = a      step 1: RESHAPE a -> v (a view)
//   step 2: x + a = c      step 3: v + c' = d     step 4: Opaque d -> y
ModelBuilder Model() {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {4, 4});
  const int a = b.AddTensor("a", kFloat, {4, 4});
  const int v = b.AddTensor("v", kFloat, {16});
  const int c = b.AddTensor("c", kFloat, {4, 4});
  const int w = b.AddConstant<float>("w", {1}, {1.0f});
  const int d = b.AddTensor("d", kFloat, {16});
  const int y = b.AddTensor("y", kFloat, {16});
  AddBinary(b, x, x, a);
  const int shape = b.AddConstant<int32_t>("shape", {1}, {16});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {a, shape}, {v});
  AddBinary(b, x, a, c);
  AddBinary(b, v, w, d);
  b.AddCustomOp("Opaque", {d}, {y});
  b.SetOutputs({y, c});
  return b;
}

Status PrepareOpaque(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}
Status EvalOpaque(OpContext&) { return OkStatus(); }
constexpr OpDefinition kOpaque = {
    "Opaque", kCustomOpCode, 1,          kOpDefault, 0,
    nullptr,  PrepareOpaque, EvalOpaque, nullptr};

struct Explained {
  std::unique_ptr<BuiltModel> built;
  MemoryReport report;
  Explanation explanation;

  std::vector<std::string> codes() const {
    std::vector<std::string> list;
    for (const Reason& reason : explanation.reasons) {
      list.push_back(reason.code);
    }
    return list;
  }
  bool Has(const std::string& code, const std::string& text) const {
    return std::any_of(explanation.reasons.begin(), explanation.reasons.end(),
                       [&](const Reason& reason) {
                         return reason.code == code &&
                                reason.text.find(text) != std::string::npos;
                       });
  }
};

Explained ExplainIn(const ModelBuilder& builder, const std::string& name,
                    InterpreterOptions options = {}) {
  Explained result;
  options.allow_missing_kernels = true;
  auto built = Build(builder, options, {&kOpaque});
  result.built = std::move(built);
  auto report = (*result.built)->ReportMemory();
  EXPECT_THAT(report, IsOk());
  result.report = std::move(report).value();
  result.explanation =
      Explain(result.report, options, FindTensor(result.report, name, 0));
  return result;
}

using Codes = std::vector<std::string>;

TEST(Explain, SaysThatInputsArePinned) {
  const Explained x = ExplainIn(Model(), "x");
  EXPECT_TRUE(x.Has("input", "from the start"));
  EXPECT_TRUE(x.Has("pinned_input", "--allow-input-reuse"));
  EXPECT_TRUE(x.Has("lives_to_end", "step 0 ADD may not write tensor 1 'a'"));
  EXPECT_EQ(x.explanation.read_by, (std::vector<int32_t>{0, 2}));
  InterpreterOptions reuse;
  reuse.allow_input_reuse = true;
  const Explained free = ExplainIn(Model(), "x", reuse);
  EXPECT_FALSE(free.Has("pinned_input", ""));
  EXPECT_TRUE(free.Has("read_last", "step 2 ADD"));
  EXPECT_TRUE(free.Has("read_later", "step 2 ADD reads it again"));
}

TEST(Explain, FollowsViews) {
  const Explained a = ExplainIn(Model(), "a");
  ASSERT_EQ(a.explanation.same_bytes.size(), 1u);
  EXPECT_STREQ(a.report.tensors[a.explanation.same_bytes[0]].name, "v");
  EXPECT_TRUE(a.Has("written", "step 0 ADD"));
  EXPECT_TRUE(a.Has("read_last",
                    "step 3 ADD through tensor 2 'v', a view of the same"));
  EXPECT_TRUE(a.Has("read_later",
                    "step 2 ADD may not write tensor 3 'c' over "
                    "it: step 3 ADD reads it again"));
  EXPECT_TRUE(a.Has("overlap_allowed",
                    "step 3 ADD may write tensor 5 'd' over "
                    "all of it, and the plan "
                    "shares 64 bytes"));
  ASSERT_EQ(a.explanation.overlaps.size(), 1u);
  EXPECT_EQ(a.explanation.overlaps[0].bytes, 64);
  EXPECT_EQ(a.explanation.overlaps[0].step, 3);
  EXPECT_TRUE(a.explanation.overlaps[0].over_it);
}

TEST(Explain, SaysWhatAnOpForbids) {
  const Explained d = ExplainIn(Model(), "d");
  EXPECT_TRUE(d.Has("overlaps_input", "written over all of tensor 1"));
  EXPECT_TRUE(d.Has("op_forbids", "no overlap number"));
  EXPECT_EQ(ExplainIn(Model(), "y").codes(),
            (Codes{"written", "output", "no_overlap_with_input"}));
  InterpreterOptions off;
  off.allow_overlap = false;
  EXPECT_TRUE(ExplainIn(Model(), "d", off).Has("overlap_off", ""));
  InterpreterOptions preserve;
  preserve.preserve_all_tensors = true;
  EXPECT_EQ(ExplainIn(Model(), "d", preserve).codes()[0], "preserve_all");
}

TEST(Explain, KnowsTensorsOutsideOfThePlan) {
  EXPECT_EQ(ExplainIn(Model(), "w").codes(), Codes{"constant"});
  const Explained c = ExplainIn(Model(), "c");
  EXPECT_TRUE(c.Has("output", "it is an output of the model"));
  ModelBuilder b = Model();
  b.AddTensor("lonely", kFloat, {4});
  EXPECT_EQ(ExplainIn(b, "lonely").codes(), Codes{"unused"});
}

TEST(Explain, PrintsWordsAndJson) {
  const Explained a = ExplainIn(Model(), "a");
  const std::string text = ExplanationText(a.report, a.explanation);
  EXPECT_NE(text.find("tensor 1 'a': FLOAT32 [4,4], 64 bytes\n"),
            std::string::npos);
  EXPECT_NE(text.find("written by  step 0 ADD\n"), std::string::npos);
  EXPECT_NE(text.find("read by     step 1 RESHAPE, step 2 ADD, step 3 ADD"),
            std::string::npos)
      << text;
  const auto json = ExplanationJson(a.report, a.explanation);
  EXPECT_EQ(json["schema"], "arenalite.explain/1");
  EXPECT_EQ(json["tensor"]["name"], "a");
  EXPECT_EQ(json["shape"], (std::vector<int>{4, 4}));
  EXPECT_EQ(json["storage"]["bytes"], 64);
  EXPECT_EQ(json["writer_step"], 0);
  EXPECT_EQ(json["views"][0]["name"], "v");
  EXPECT_EQ(json["overlaps"][0]["direction"], "over_it");
  EXPECT_EQ(json["overlaps"][0]["storage"]["name"], "d");
  EXPECT_EQ(json["reasons"].size(), a.explanation.reasons.size());
}

TEST(FindTensor, TakesNamesAndIndices) {
  const Explained x = ExplainIn(Model(), "x");
  EXPECT_EQ(FindTensor(x.report, "3", 0), FindTensor(x.report, "c", 0));
  EXPECT_THROW(FindTensor(x.report, "3", 1), CommandError);
  EXPECT_THROW(FindTensor(x.report, "-1", 0), CommandError);
  EXPECT_THROW(FindTensor(x.report, "", 0), CommandError);
  ModelBuilder b = Model();
  b.AddTensor("a", kFloat, {4});
  auto built = Build(b, {}, {&kOpaque});
  auto report = (*built)->ReportMemory();
  ASSERT_THAT(report, IsOk());
  try {
    FindTensor(*report, "a", 0);
    FAIL() << "found one of two";
  } catch (const CommandError& error) {
    EXPECT_NE(std::string(error.what()).find("index 1 of subgraph 0, index 8"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace arenalite
