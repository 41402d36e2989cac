#include "tools/plan_problem.h"

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
    throw CommandError(
        "the best plan misses the capacity of " + std::to_string(capacity) +
        " bytes by " + std::to_string(plan->total_bytes - capacity) +
        "; most is live at step " + std::to_string(plan->peak_step));
  }
  if (!arguments.csv_to_stdout) PrintPlan(*plan, requests.size());
  WritePlan(arguments, *problem, *plan);
}

}  // namespace arenalite
