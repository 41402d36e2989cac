#include "tools/commands/plan_problem.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "arenalite/plan_csv.h"
#include "tools/command_error.h"
#include "tools/files.h"
#include "tools/progress.h"

namespace arenalite {
namespace {

void PrintPlan(const MemoryPlan& plan, size_t buffers) {
  std::printf("buffers       %12zu\n", buffers);
  std::printf("total         %12" PRId64 " bytes\n", plan.total_bytes);
  std::printf("lower bound   %12" PRId64 "  (gap %.3f %%%s)\n",
              plan.lower_bound_bytes, GapPercent(plan),
              plan.proven_optimal ? ", proven optimal" : "");
  std::printf("peak step     %12d\n", plan.peak_step);
  std::printf("strategy      %12s\n", PlanStrategyName(plan.strategy));
  if (plan.nodes > 0) std::printf("nodes         %12" PRId64 "\n", plan.nodes);
}

void WritePlan(const ProblemArguments& arguments, const PlanCsv& problem,
               const MemoryPlan& plan) {
  const Array<char> text =
      ValueOrThrow(WritePlanCsv(Span<const std::string_view>(problem.ids),
                                Span<const BufferRequest>(problem.requests),
                                Span<const int64_t>(plan.offsets)));
  if (arguments.csv_to_stdout) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  if (arguments.output_path.empty()) return;
  WriteFile(arguments.output_path,
            Span<const uint8_t>(reinterpret_cast<const uint8_t*>(text.data()),
                                text.size()));
}

// By how much the plan misses, and the step and its largest buffers that are
// in the way.
std::string DescribeMisfit(const PlanCsv& problem, const MemoryPlan& plan,
                           int64_t capacity) {
  constexpr size_t kMostNamed = 8;
  const Misfit misfit = ValueOrThrow(ExplainMisfit(
      Span<const BufferRequest>(problem.requests), plan, capacity));
  std::string text = "the best plan takes " + std::to_string(plan.total_bytes) +
                     " bytes, " + std::to_string(misfit.shortfall_bytes) +
                     " more than the capacity of " + std::to_string(capacity);
  text += misfit.impossible ? "; no plan fits, the lower bound is " +
                                  std::to_string(plan.lower_bound_bytes)
                            : "; whether one fits is not known";
  text += "; live at step " + std::to_string(misfit.step) + ":";
  const size_t count = misfit.buffers.size();
  for (size_t k = 0; k < std::min(count, kMostNamed); ++k) {
    const auto buffer = static_cast<size_t>(misfit.buffers[k]);
    text += std::string(k > 0 ? ", '" : " '") +
            std::string(problem.ids[buffer]) + "' (" +
            std::to_string(problem.requests[buffer].size) + " bytes)";
  }
  if (count <= kMostNamed) return text;
  return text + " and " + std::to_string(count - kMostNamed) + " more";
}

}  // namespace

bool IsProblemPath(const std::string& path) {
  return path.size() >= 4 && path.substr(path.size() - 4) == ".csv";
}

void PlanProblem(const ProblemArguments& arguments) {
  const std::vector<uint8_t> file = ReadFile(arguments.path);
  const std::string_view text(reinterpret_cast<const char*>(file.data()),
                              file.size());
  Result<PlanCsv> problem = ParsePlanCsv(text);
  if (!problem.ok()) {
    throw CommandError(arguments.path + ": " + problem.message());
  }
  ProgressLine progress;
  PlanOptions options = arguments.options;
  options.cancel = ProgressLine::Show;
  options.cancel_context = &progress;
  const Span<const BufferRequest> requests(problem->requests);
  Result<MemoryPlan> plan = PlanMemory(requests, {}, options);
  progress.Clear();
  if (!plan.ok()) throw CommandError(arguments.path + ": " + plan.message());
  const int64_t capacity = arguments.options.capacity;
  if (capacity >= 0 && plan->total_bytes > capacity) {
    throw CommandError(arguments.path + ": " +
                       DescribeMisfit(*problem, *plan, capacity));
  }
  if (!arguments.csv_to_stdout) PrintPlan(*plan, requests.size());
  WritePlan(arguments, *problem, *plan);
}

}  // namespace arenalite
