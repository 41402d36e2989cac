#include <cstdio>
#include <memory>

#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/json_text.h"
#include "tools/measure/bench_report.h"
#include "tools/measure/benchmark.h"
#include "tools/model_session.h"

namespace arenalite {
namespace {

struct BenchArguments {
  ModelArguments model;
  BenchOptions options;
  bool json = false;
};

void RunBench(const BenchArguments& arguments) {
  const BenchReport report = Bench(arguments.model, arguments.options);
  const std::string text =
      arguments.json ? JsonText(BenchJson(report)) : BenchTable(report);
  std::fputs(text.c_str(), stdout);
}

// The flags of TensorFlow Lite's benchmark_model, in its spelling and ours.
void AddPolicyFlags(CLI::App& command, BenchOptions& options) {
  constexpr int kMaxRuns = 1000000000;
  constexpr double kMaxSeconds = 1e9;
  command
      .add_option("--num-runs,--num_runs", options.invoke.num_runs,
                  "At least so many Invokes are timed")
      ->check(CLI::Range(1, kMaxRuns))
      ->capture_default_str();
  command
      .add_option("--min-secs,--min_secs", options.invoke.min_secs,
                  "Goes on until so many seconds have passed")
      ->check(CLI::Range(0.0, kMaxSeconds))
      ->capture_default_str();
  command
      .add_option("--max-secs,--max_secs", options.invoke.max_secs,
                  "Starts no run after so many seconds")
      ->check(CLI::Range(0.0, kMaxSeconds))
      ->capture_default_str();
  command
      .add_option("--warmup-runs,--warmup_runs", options.warmup.num_runs,
                  "At least so many Invokes before the timed ones")
      ->check(CLI::Range(0, kMaxRuns))
      ->capture_default_str();
  command
      .add_option("--warmup-min-secs,--warmup_min_secs",
                  options.warmup.min_secs,
                  "Warms up until so many seconds have passed")
      ->check(CLI::Range(0.0, kMaxSeconds))
      ->capture_default_str();
  command
      .add_option("--setup-runs", options.setup.num_runs,
                  "How often loading and planning are timed, within 2 seconds")
      ->check(CLI::Range(1, kMaxRuns))
      ->capture_default_str();
}

}  // namespace

void AddBenchCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench",
      "Times loading, planning and invoking a model; shows what memory it "
      "takes.\n"
      "\n"
      "Examples:\n"
      "  arenalite bench m.tflite\n"
      "  arenalite bench m.tflite --ops --num-runs 200\n"
      "  arenalite bench m.tflite --json > before.json");
  auto arguments = std::make_shared<BenchArguments>();
  arguments->model.AddTo(*command);
  AddPolicyFlags(*command, arguments->options);
  command->add_flag("--ops", arguments->options.ops,
                    "Also times every op, in further runs");
  command->add_flag("--json", arguments->json, "Prints JSON");
  command
      ->add_option("--input", arguments->options.inputs,
                   "Raw little-endian bytes for input i (from 0)")
      ->type_name("i=FILE");
  command->add_option("--seed", arguments->options.seed, "Of generated inputs")
      ->capture_default_str();
  command->callback([arguments] {
    arguments->options.warmup.max_secs = arguments->options.invoke.max_secs;
    RunBench(*arguments);
  });
}

}  // namespace arenalite
