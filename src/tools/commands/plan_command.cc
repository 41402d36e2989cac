#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "tools/advice/budget.h"
#include "tools/advice/plan_advice.h"
#include "tools/byte_size.h"
#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/commands/plan_problem.h"
#include "tools/files.h"
#include "tools/model_session.h"
#include "tools/report/report.h"
#include "tools/report/report_view.h"

namespace arenalite {
namespace {

struct Format {
  const char* name;
  const char* ending;  // Of files that are written so without --format.
  std::string (*write)(const ReportInput& input);
  bool has_suggestions;
};

constexpr Format kFormats[] = {
    {"table", ".txt", TableReport, true}, {"json", ".json", JsonReport, true},
    {"csv", ".csv", CsvReport, false},    {"html", ".html", HtmlReport, true},
    {"svg", ".svg", SvgReport, false},
};

struct PlanArguments {
  ModelArguments model;
  std::string format;  // Empty: by output_path.
  std::string output_path;
  std::string plan_path;
  std::string budget;  // Empty: none.
  bool suggest = true;
  PlanOptions problem_options;
};

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

const Format& ChooseFormat(const PlanArguments& arguments) {
  for (const Format& format : kFormats) {
    const bool chosen = arguments.format.empty()
                            ? EndsWith(arguments.output_path, format.ending)
                            : arguments.format == format.name;
    if (chosen) return format;
  }
  if (!arguments.output_path.empty()) {
    throw CommandError("'" + arguments.output_path +
                       "' does not end in .txt, .json, .csv, .html or .svg: "
                       "say --format; a plan file is what --save-plan writes");
  }
  return kFormats[0];
}

void WarnOfMissingKernels(const MemoryReport& report) {
  std::map<std::string, int> missing;
  for (const StepReport& step : report.steps) {
    if (!step.has_kernel) ++missing[step.op_name];
  }
  for (const auto& [name, count] : missing) {
    std::fprintf(stderr,
                 "arenalite: no kernel for %s (%d ops): planned from the "
                 "shapes in the file, without overlap or scratch\n",
                 CleanText(name).c_str(), count);
  }
}

Span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

void WriteReport(const PlanArguments& arguments, const std::string& text) {
  if (arguments.output_path.empty()) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
      throw CommandError("cannot write to stdout");
    }
    return;
  }
  WriteFile(arguments.output_path, BytesOf(text));
  std::fprintf(stderr, "wrote %s: %zu bytes\n", arguments.output_path.c_str(),
               text.size());
}

void PlanModel(const PlanArguments& arguments) {
  const Format& format = ChooseFormat(arguments);
  ModelSession session(arguments.model);
  const MemoryReport report =
      ValueOrThrow(session.interpreter().ReportMemory());
  if (!arguments.budget.empty()) {
    CheckBudget(arguments.model.path, report, ParseByteSize(arguments.budget));
  }
  WarnOfMissingKernels(report);
  ReportInput input = {report,
                       arguments.model.path,
                       arguments.model.options,
                       arguments.model.shapes,
                       {}};
  if (arguments.suggest && format.has_suggestions) {
    input.suggestions = SuggestFor(arguments.model, session);
  }
  input.options.plan_strategy = StrategyByName(arguments.model.strategy);
  WriteReport(arguments, format.write(input));
  if (arguments.plan_path.empty()) return;
  const Array<uint8_t> file = ValueOrThrow(session.interpreter().SavePlan());
  WriteFile(arguments.plan_path, Span<const uint8_t>(file));
}

void PlanProblem(const PlanArguments& arguments) {
  if (!arguments.format.empty() && arguments.format != "csv") {
    throw CommandError("a planning problem has no format '" + arguments.format +
                       "': its plan is CSV");
  }
  if (!arguments.budget.empty()) {
    throw CommandError(
        "--budget is of a model; a planning problem has --capacity");
  }
  if (!arguments.plan_path.empty()) {
    throw CommandError(
        "--save-plan saves the plan of a model; -o saves that of a problem");
  }
  ProblemArguments problem;
  problem.path = arguments.model.path;
  problem.output_path = arguments.output_path;
  problem.csv_to_stdout =
      !arguments.format.empty() && arguments.output_path.empty();
  problem.options = arguments.problem_options;
  problem.options.strategy = StrategyByName(arguments.model.strategy);
  PlanProblem(problem);
}

void AddOutputOptions(CLI::App& command, PlanArguments& arguments) {
  command
      .add_option("-f,--format", arguments.format,
                  "Of the report. html is a page to explore, svg its picture "
                  "alone, json has everything (schemas/report.schema.json), "
                  "csv one line for each tensor. Default: by the ending of "
                  "-o FILE, else table")
      ->check(CLI::IsMember(FormatNames()));
  command
      .add_option("-o,--output", arguments.output_path,
                  "Writes the report there instead of to stdout; of a "
                  "problem: its plan as CSV")
      ->type_name("FILE");
  command
      .add_option("--budget", arguments.budget,
                  "Fails when the arena takes more: bytes, 64K or 64KiB "
                  "(1024s), 64kB (1000s), 1M, 1MiB, 1MB")
      ->type_name("SIZE");
  command.add_flag("!--no-suggestions", arguments.suggest,
                   "Does not look for changes that would save bytes");
  command
      .add_option("--save-plan", arguments.plan_path,
                  "Saves the plan of a model, for --plan-file")
      ->type_name("FILE");
}

}  // namespace

void AddPlanCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "plan",
      "Shows the arena of a model: total, bounds, the peak and what is live\n"
      "there, and every tensor. Works without kernels: shapes are in the "
      "file.\n"
      "A MODEL that ends in .csv is a planning problem: id,lower,upper,size\n"
      "and optional alignment,offset; upper is exclusive.\n"
      "\n"
      "Examples:\n"
      "  arenalite plan m.tflite\n"
      "  arenalite plan m.tflite -o m.html\n"
      "  arenalite plan m.tflite --format json\n"
      "  arenalite plan m.tflite --budget 64KiB\n"
      "  arenalite plan m.tflite --save-plan m.plan");
  auto arguments = std::make_shared<PlanArguments>();
  arguments->model.options.allow_missing_kernels = true;
  arguments->model.AddTo(*command);
  AddOutputOptions(*command, *arguments);
  command->add_option("--capacity", arguments->problem_options.capacity,
                      "Of a problem: any plan of so many bytes will do; fail "
                      "when none is found");
  command->add_option("--node-budget", arguments->problem_options.node_budget,
                      "Of a problem: how long exhaustive searches; -1: about "
                      "a second");
  command->callback([arguments] {
    IsProblemPath(arguments->model.path) ? PlanProblem(*arguments)
                                         : PlanModel(*arguments);
  });
}

}  // namespace arenalite
