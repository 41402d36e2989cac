#include "tools/advice/plan_diff.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "testing/build.h"
#include "tools/advice/budget.h"
#include "tools/command_error.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::IsOk;
constexpr auto kFloat = TensorType::kFloat32;

// x -> a -> ... -> y through tensors with these names, of 16 floats but for
// `wide`, which has 32 elements of its type's size.
MemoryReport ReportOf(const std::vector<std::string>& names,
                      const std::string& wide = "",
                      InterpreterOptions options = {}) {
  ModelBuilder b;
  int x = b.AddInput("x", kFloat, {16});
  for (const std::string& name : names) {
    const int y = b.AddTensor(name, kFloat, {name == wide ? 32 : 16});
    b.AddCustomOp("Unknown", {x}, {y});
    x = y;
  }
  b.SetOutputs({x});
  options.allow_missing_kernels = true;
  // Names are in the model's memory.
  static std::vector<std::unique_ptr<testing::BuiltModel>> kept;
  kept.push_back(Build(b, options));
  auto report = (*kept.back())->ReportMemory();
  EXPECT_THAT(report, IsOk());
  return std::move(report).value();
}

int64_t ChangeOf(const PlanDiff& diff, const std::string& key) {
  for (const PlanDiff::Figure& figure : diff.figures) {
    if (figure.key == key) return figure.b - figure.a;
  }
  ADD_FAILURE() << "no figure " << key;
  return 0;
}

TEST(DiffPlans, IsEmptyForEqualPlans) {
  const PlanDiff diff = DiffPlans(ReportOf({"a", "y"}), ReportOf({"a", "y"}));
  EXPECT_TRUE(diff.tensors.empty());
  EXPECT_EQ(diff.same_tensors, 3u);
  EXPECT_EQ(diff.growth_bytes, 0);
}

TEST(DiffPlans, FindsWhatWasAddedRemovedAndResized) {
  const PlanDiff diff =
      DiffPlans(ReportOf({"a", "b", "y"}), ReportOf({"a", "c", "d", "y"}, "c"));
  std::map<std::string, PlanDiff::Tensor> tensors;
  for (const PlanDiff::Tensor& tensor : diff.tensors) {
    tensors[tensor.name] = tensor;
  }
  EXPECT_TRUE(tensors.at("b").a && !tensors.at("b").b);
  EXPECT_TRUE(!tensors.at("c").a && tensors.at("c").b);
  EXPECT_TRUE(tensors.at("y").retimed);
  EXPECT_EQ(tensors.at("y").a->last_step, 3);
  EXPECT_EQ(tensors.at("y").b->last_step, 4);
  EXPECT_EQ(ChangeOf(diff, "steps"), 1);
  EXPECT_EQ(ChangeOf(diff, "naive_bytes"), 128 + 64 - 64);
  EXPECT_EQ(ChangeOf(diff, "arena_bytes"), diff.growth_bytes);
  EXPECT_EQ(diff.growth_bytes, 64);
  for (const PlanDiff::Tensor& tensor :
       DiffPlans(ReportOf({"a", "y"}), ReportOf({"a", "y"}, "a")).tensors) {
    EXPECT_EQ(tensor.resized, tensor.name == "a") << tensor.name;
    EXPECT_EQ(tensor.b->bytes, tensor.name == "a" ? 128 : 64);
  }
}

// Nameless tensors, and those of one name, are matched in their order.
TEST(DiffPlans, MatchesTensorsOfOneName) {
  const PlanDiff diff = DiffPlans(ReportOf({"", "", "y"}), ReportOf({"", "y"}));
  size_t removed = 0;
  for (const PlanDiff::Tensor& tensor : diff.tensors) {
    removed += tensor.a && !tensor.b ? 1 : 0;
  }
  EXPECT_EQ(removed, 1u);
}

TEST(DiffPlans, ComparesOptions) {
  InterpreterOptions preserve;
  preserve.preserve_all_tensors = true;
  const PlanDiff diff = DiffPlans(ReportOf({"a", "b", "y"}),
                                  ReportOf({"a", "b", "y"}, "", preserve));
  EXPECT_EQ(diff.growth_bytes, 4 * 64 - 3 * 64);
  const auto json = DiffJson(diff);
  EXPECT_EQ(json["schema"], "arenalite.diff/1");
  EXPECT_EQ(json["growth_bytes"], 64);
  EXPECT_EQ(json["figures"]["arena_bytes"]["b"], 256);
  EXPECT_EQ(json["tensors"].size(), diff.tensors.size());
  EXPECT_TRUE(json["tensors"][0]["a"].contains("offset"));
  const std::string table = DiffTable(diff, 1);
  EXPECT_NE(table.find("arena_bytes"), std::string::npos);
  EXPECT_NE(table.find("+64"), std::string::npos);
  EXPECT_NE(table.find("smaller ones (--all"), std::string::npos);
}

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const CommandError& error) {
    return error.what();
  }
  return "";
}

TEST(Budget, NamesNeedExcessAndPeak) {
  const MemoryReport report = ReportOf({"a", "b", "y"});
  EXPECT_EQ(ErrorOf([&] { CheckBudget("m", report, 192); }), "");
  EXPECT_EQ(ErrorOf([&] { CheckBudget("m", report, 191); }),
            "m needs 192 bytes, 1 over the budget of 191; the peak is step 1 "
            "Unknown with 192 live bytes");
}

TEST(Budget, LimitsGrowth) {
  EXPECT_EQ(ErrorOf([] { CheckGrowth(-5, 100, "0"); }), "");
  EXPECT_EQ(ErrorOf([] { CheckGrowth(1024, 100, "1K"); }), "");
  EXPECT_EQ(ErrorOf([] { CheckGrowth(3, 150, "2%"); }), "");
  EXPECT_EQ(ErrorOf([] { CheckGrowth(4, 150, "2%"); }),
            "the arena grew from 150 to 154 bytes, by 4 where 2% allows 3");
  EXPECT_NE(ErrorOf([] { CheckGrowth(4, 150, "-2%"); }), "");
  EXPECT_NE(ErrorOf([] { CheckGrowth(4, 150, "%"); }), "");
  EXPECT_NE(ErrorOf([] { CheckGrowth(4, 150, "2.5%"); }), "");
}

}  // namespace
}  // namespace arenalite
