#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/inputs.h"
#include "tools/model_session.h"

namespace arenalite {
namespace {

struct BenchArguments {
  ModelArguments model;
  int warmup_runs = 1;
  int runs = 50;
};

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

void Bench(const BenchArguments& arguments) {
  const Clock::time_point load_start = Clock::now();
  ModelSession session(arguments.model);
  const double load = MillisecondsSince(load_start);
  Interpreter& interpreter = session.interpreter();
  const Clock::time_point plan_start = Clock::now();
  ThrowIfError(interpreter.AllocateTensors());
  const double plan = MillisecondsSince(plan_start);
  std::vector<double> times;
  for (int run = 0; run < arguments.warmup_runs + arguments.runs; ++run) {
    FillInputs(interpreter, {}, 42);
    const Clock::time_point start = Clock::now();
    ThrowIfError(interpreter.Invoke());
    if (run >= arguments.warmup_runs) times.push_back(MillisecondsSince(start));
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<size_t>(share *
                                     static_cast<double>(times.size() - 1))];
  };
  std::printf("load    %10.3f ms\nplan    %10.3f ms\n", load, plan);
  std::printf("invoke  %10.3f ms min, %.3f median, %.3f p90 (%d runs)\n",
              times.front(), at(0.5), at(0.9), arguments.runs);
  std::printf("arena   %10zu bytes\n", interpreter.arena_used_bytes());
}

}  // namespace

void AddBenchCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "Times loading, planning and invoking a model.");
  auto arguments = std::make_shared<BenchArguments>();
  arguments->model.AddTo(*command);
  command
      ->add_option("--warmup-runs", arguments->warmup_runs,
                   "Invokes that are not counted")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str();
  command->add_option("--runs", arguments->runs, "Invokes that are counted")
      ->check(CLI::Range(1, 1000000000))
      ->capture_default_str();
  command->callback([arguments] { Bench(*arguments); });
}

}  // namespace arenalite
