// The instances of the corpus, where there is one: the environment variable
// ARENALITE_CORPUS, the CMake variable of that name, or ../shared/corpus.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "arenalite/plan_csv.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::IsOk;

std::vector<std::filesystem::path> Instances(const char* folder) {
  const char* corpus = std::getenv("ARENALITE_CORPUS");
  const auto root =
      std::filesystem::path(corpus != nullptr ? corpus : ARENALITE_CORPUS) /
      "planner" / folder;
  std::vector<std::filesystem::path> paths;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(root, missing)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

MemoryPlan Plan(const std::filesystem::path& path, const PlanOptions& options) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  Result<PlanCsv> csv = ParsePlanCsv(text);
  EXPECT_THAT(csv, IsOk()) << path;
  if (!csv.ok()) return MemoryPlan();
  Result<MemoryPlan> plan = PlanMemory(csv->requests, {}, options);
  EXPECT_THAT(plan, IsOk()) << path;
  if (!plan.ok()) return MemoryPlan();
  EXPECT_THAT(CheckPlan(csv->requests, {}, *plan), IsOk()) << path;
  return std::move(plan).value();
}

TEST(PlannerCorpusTest, ExhaustiveFitsTheHardInstances) {
  const auto paths = Instances("minimalloc");
  if (paths.empty()) GTEST_SKIP() << "there is no corpus of plan instances";
  PlanOptions options;
  options.strategy = PlanStrategy::kExhaustive;
  options.capacity = 1 << 20;
  for (const auto& path : paths) {
    EXPECT_LE(Plan(path, options).total_bytes, options.capacity) << path;
    PlanOptions smallest = options;
    smallest.capacity = -1;
    EXPECT_LE(Plan(path, smallest).total_bytes, options.capacity) << path;
  }
}

TEST(PlannerCorpusTest, ExhaustiveProvesAnOptimum) {
  for (const auto& path : Instances("minimalloc")) {
    if (path.filename() != "C.1048576.csv") continue;
    PlanOptions options;
    options.strategy = PlanStrategy::kExhaustive;
    const MemoryPlan plan = Plan(path, options);
    EXPECT_EQ(plan.total_bytes, 1039360);
    EXPECT_TRUE(plan.proven_optimal);
    return;
  }
  GTEST_SKIP() << "there is no corpus of plan instances";
}

TEST(PlannerCorpusTest, AutoMeetsTheBoundOfEveryModel) {
  const auto paths = Instances("models");
  if (paths.empty()) GTEST_SKIP() << "there is no corpus of plan instances";
  for (const auto& path : paths) {
    EXPECT_TRUE(Plan(path, {}).proven_optimal) << path;
  }
}

}  // namespace
}  // namespace arenalite
