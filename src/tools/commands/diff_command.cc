#include <cstdio>
#include <memory>
#include <optional>

#include "tools/advice/budget.h"
#include "tools/advice/plan_diff.h"
#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/json_text.h"
#include "tools/model_session.h"
#include "tools/text.h"

namespace arenalite {
namespace {

constexpr size_t kShownTensors = 20;

// What holds for B alone.
struct OptionsOfB {
  std::string path;  // Empty: the model of A.
  std::vector<std::string> shapes;
  std::string strategy;
  std::string plan_path;
  std::optional<int32_t> alignment;
  std::optional<bool> allow_input_reuse;
  std::optional<bool> preserve_all_tensors;
  std::optional<bool> allow_overlap;
};

struct DiffArguments {
  ModelArguments a;
  OptionsOfB b;
  std::string format = "table";
  std::string max_growth;
  bool all = false;
};

ModelArguments ArgumentsOfB(const DiffArguments& arguments) {
  ModelArguments result = arguments.a;
  const OptionsOfB& b = arguments.b;
  if (!b.path.empty()) result.path = b.path;
  if (!b.shapes.empty()) result.shapes = b.shapes;
  if (!b.strategy.empty()) result.strategy = b.strategy;
  if (!b.plan_path.empty()) result.plan_path = b.plan_path;
  InterpreterOptions& options = result.options;
  options.alignment = b.alignment.value_or(options.alignment);
  options.allow_input_reuse =
      b.allow_input_reuse.value_or(options.allow_input_reuse);
  options.preserve_all_tensors =
      b.preserve_all_tensors.value_or(options.preserve_all_tensors);
  options.allow_overlap = b.allow_overlap.value_or(options.allow_overlap);
  return result;
}

void RunDiff(const DiffArguments& arguments) {
  ModelSession a(arguments.a);
  ModelSession b(ArgumentsOfB(arguments));
  const MemoryReport report_a = ValueOrThrow(a.interpreter().ReportMemory());
  const MemoryReport report_b = ValueOrThrow(b.interpreter().ReportMemory());
  const PlanDiff diff = DiffPlans(report_a, report_b);
  const int64_t old_bytes = report_a.usage.arena_bytes;
  if (!arguments.max_growth.empty()) {
    CheckGrowth(diff.growth_bytes, old_bytes, arguments.max_growth);
  }
  const std::string text =
      arguments.format == "json"
          ? JsonText(DiffJson(diff))
          : DiffTable(diff,
                      arguments.all ? diff.tensors.size() : kShownTensors);
  std::fputs(text.c_str(), stdout);
}

// Stays empty unless it is on the command line.
void AddSwitch(CLI::App& command, const char* names,
               std::optional<bool>& value) {
  command.add_flag_function(
      names, [&value](int64_t count) { value = count > 0; }, "Of B only");
}

void AddOptionsOfB(CLI::App& command, OptionsOfB& b) {
  command
      .add_option("--b-shape", b.shapes, "Of B only, as the options without b-")
      ->type_name("i=DIMS");
  command.add_option("--b-alignment", b.alignment, "Of B only")
      ->type_name("INT");
  AddSwitch(command, "--b-allow-input-reuse,!--b-no-input-reuse",
            b.allow_input_reuse);
  AddSwitch(command, "--b-preserve-all-tensors,!--b-no-preserve-all-tensors",
            b.preserve_all_tensors);
  AddSwitch(command, "--b-overlap,!--b-no-overlap", b.allow_overlap);
  command.add_option("--b-strategy", b.strategy, "Of B only")
      ->check(CLI::IsMember(StrategyNames()));
  command.add_option("--b-plan-file", b.plan_path, "Of B only")
      ->type_name("FILE");
}

}  // namespace

void AddDiffCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "diff",
      "Shows what changed from the plan of A to the plan of B: arena, bounds,\n"
      "peak, and the tensors that were added, removed, resized, moved, or "
      "live\n"
      "at other steps. Without a second model, B is A with other options.\n"
      "Options hold for both, those that begin with --b- for B.\n"
      "\n"
      "Examples:\n"
      "  arenalite diff old.tflite new.tflite\n"
      "  arenalite diff old.tflite new.tflite --max-growth 2%\n"
      "  arenalite diff m.tflite --b-alignment 1 --b-allow-input-reuse");
  auto arguments = std::make_shared<DiffArguments>();
  arguments->a.options.allow_missing_kernels = true;
  arguments->a.AddTo(*command);
  command->add_option("b", arguments->b.path, "Another .tflite file")
      ->type_name("B");
  AddOptionsOfB(*command, arguments->b);
  command->add_option("--format", arguments->format, "How to print")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->add_flag("--all", arguments->all, "All tensors, not the largest 20");
  command
      ->add_option("--max-growth", arguments->max_growth,
                   "Fails when the arena grows by more: bytes, 4K, 4KiB "
                   "(1024s), 4kB (1000s), or 2% of A")
      ->type_name("SIZE|PERCENT");
  command->callback([arguments] { RunDiff(*arguments); });
}

}  // namespace arenalite
