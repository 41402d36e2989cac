#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/files.h"
#include "tools/model_session.h"
#include "tools/plan_problem.h"

namespace arenalite {
namespace {

void PrintSummary(const MemoryReport& report) {
  const MemoryUsage& usage = report.usage;
  std::printf("arena             %12" PRId64 " bytes\n", usage.arena_bytes);
  std::printf("  planned         %12" PRId64 "\n", usage.planned_bytes);
  std::printf("  persistent      %12" PRId64 "\n", usage.persistent_bytes);
  std::printf("lower bound       %12" PRId64 "%s\n", usage.lower_bound_bytes,
              report.proven_optimal ? "  (met: proven optimal)" : "");
  std::printf("without overlap   %12" PRId64 "  (liveness bound)\n",
              usage.liveness_bound_bytes);
  std::printf("naive sum         %12" PRId64 "\n", usage.naive_bytes);
  std::printf("runtime metadata  %12" PRId64 "\n", usage.metadata_bytes);
}

void PrintPeak(const MemoryReport& report) {
  const auto peak = static_cast<size_t>(report.usage.peak_step);
  const char* op = peak < report.steps.size() ? report.steps[peak].op_name
                                              : "after the last op";
  std::printf("peak step         %12zu  %s: inputs/outputs %" PRId64
              ", activations %" PRId64 ", scratch %" PRId64 "\n",
              peak, op, report.usage.peak_io_bytes,
              report.usage.peak_activation_bytes,
              report.usage.peak_scratch_bytes);
}

void PrintMissingKernels(const MemoryReport& report) {
  std::map<std::string, int> missing;
  for (const StepReport& step : report.steps) {
    if (!step.has_kernel) ++missing[step.op_name];
  }
  for (const auto& [name, count] : missing) {
    std::fprintf(stderr,
                 "arenalite: no kernel for %s (%d ops): planned from the "
                 "shapes in the file, without overlap or scratch\n",
                 name.c_str(), count);
  }
}

void PrintTensors(const MemoryReport& report) {
  std::printf("\n%6s %10s %10s %5s %5s  %-8s %-18s %s\n", "tensor", "offset",
              "bytes", "first", "last", "type", "shape", "name");
  for (const TensorReport& tensor : report.tensors) {
    if (tensor.offset < 0) continue;
    std::printf("%6d %10" PRId64 " %10" PRId64 " %5d %5d  %-8s %-18s %s%s\n",
                tensor.index, tensor.offset, tensor.bytes, tensor.first_step,
                tensor.last_step, TensorTypeName(tensor.type),
                ShapeText(tensor.shape).c_str(), tensor.name,
                tensor.is_input    ? " (input)"
                : tensor.is_output ? " (output)"
                                   : "");
  }
}

void PlanModel(const ModelArguments& arguments, const std::string& output) {
  ModelSession session(arguments);
  const MemoryReport report =
      ValueOrThrow(session.interpreter().ReportMemory());
  PrintMissingKernels(report);
  PrintSummary(report);
  PrintPeak(report);
  PrintTensors(report);
  if (output.empty()) return;
  const Array<uint8_t> file = ValueOrThrow(session.interpreter().SavePlan());
  WriteFile(output, Span<const uint8_t>(file));
}

}  // namespace

void AddPlanCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "plan",
      "Shows the arena of a model: total, bounds, peak, and every tensor.\n"
      "Works without kernels: shapes are in the file.\n"
      "A MODEL that ends in .csv is a planning problem: id,lower,upper,size\n"
      "and optional alignment,offset; upper is exclusive.");
  auto arguments = std::make_shared<ModelArguments>();
  auto problem = std::make_shared<ProblemArguments>();
  arguments->options.allow_missing_kernels = true;
  arguments->AddTo(*command);
  command->add_option("-o,--output", problem->output_path,
                      "Saves the plan there: a plan file of a model, CSV of a "
                      "problem");
  command->add_option("--capacity", problem->options.capacity,
                      "Of a problem: any plan of so many bytes will do; fail "
                      "when none is found");
  command->add_option("--node-budget", problem->options.node_budget,
                      "Of a problem: how long exhaustive searches; -1: about "
                      "a second");
  command->callback([arguments, problem] {
    if (!IsProblemPath(arguments->path)) {
      return PlanModel(*arguments, problem->output_path);
    }
    problem->path = arguments->path;
    problem->options.strategy = StrategyByName(arguments->strategy);
    PlanProblem(*problem);
  });
}

}  // namespace arenalite
