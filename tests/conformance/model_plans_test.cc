// How good the plans of the corpus's whole models are.

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "arenalite/interpreter.h"
#include "conformance/command_line.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::IsOk;

std::vector<std::filesystem::path> Models() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = conformance::DefaultCorpus();
  if (root.empty()) return paths;
  std::error_code missing;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           root / "models", missing)) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// A plan asks for no kernel. Fails for files that are refused.
Result<MemoryReport> Report(const std::filesystem::path& path,
                            bool allow_input_reuse, PlanStrategy strategy) {
  const BuiltinOpResolver resolver;
  InterpreterOptions options;
  options.allow_missing_kernels = true;
  options.allow_input_reuse = allow_input_reuse;
  options.plan_strategy = strategy;
  ARENALITE_ASSIGN_OR_RETURN(auto model,
                             FlatBufferModel::BuildFromFile(path.c_str()));
  ARENALITE_ASSIGN_OR_RETURN(
      auto interpreter, InterpreterBuilder(*model, resolver, options).Build());
  ARENALITE_ASSIGN_OR_RETURN(MemoryReport report, interpreter->ReportMemory());
  // Its names are in the model, which ends here.
  report.tensors.Reset();
  report.steps.Reset();
  return report;
}

class ModelPlansTest : public ::testing::TestWithParam<bool> {};

// The models that are not proven are listed: path, arena, bound, gap, and what
// the exhaustive search makes of them.
TEST_P(ModelPlansTest, AutoMeetsTheBoundOnNineInTen) {
  const std::vector<std::filesystem::path> paths = Models();
  if (paths.empty()) GTEST_SKIP() << "there is no corpus of models";
  int planned = 0;
  int proven = 0;
  for (const auto& path : paths) {
    const auto report = Report(path, GetParam(), PlanStrategy::kAuto);
    if (!report.ok()) continue;
    ++planned;
    if (report->proven_optimal) ++proven;
    if (report->proven_optimal) continue;
    const auto more = Report(path, GetParam(), PlanStrategy::kExhaustive);
    ASSERT_THAT(more, IsOk()) << path;
    const int64_t arena = report->usage.planned_bytes;
    const int64_t bound = report->usage.lower_bound_bytes;
    std::printf(
        "%s: arena %" PRId64 ", bound %" PRId64
        ", gap %.3f %%; exhaustive: arena %" PRId64 ", bound %" PRId64 "\n",
        path.c_str(), arena, bound,
        100.0 * static_cast<double>(arena - bound) / static_cast<double>(bound),
        more->usage.planned_bytes, more->usage.lower_bound_bytes);
    EXPECT_TRUE(more->proven_optimal) << path;
  }
  std::printf("%d of %d models proven optimal by auto\n", proven, planned);
  EXPECT_GT(planned, 0);
  EXPECT_GE(10 * proven, 9 * planned);
}

INSTANTIATE_TEST_SUITE_P(AllowInputReuse, ModelPlansTest, ::testing::Bool());

TEST(PersonDetectTest, TakesWhatItsLargestOpNeeds) {
  const std::filesystem::path root = conformance::DefaultCorpus();
  const auto path = root / "models/tflm_apps/person_detect_int8.tflite";
  if (root.empty() || !std::filesystem::exists(path)) {
    GTEST_SKIP() << "there is no corpus of models";
  }
  const auto report = Report(path, true, PlanStrategy::kAuto);
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->usage.arena_bytes, 36864);
  EXPECT_TRUE(report->proven_optimal);
}

}  // namespace
}  // namespace arenalite
