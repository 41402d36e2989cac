#include "tools/measure/benchmark.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <utility>

#include "tools/command_error.h"
#include "tools/inputs.h"

namespace arenalite {

double SteadySeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::vector<double> RunRepeatedly(const RunPolicy& policy, const Clock& clock,
                                  const std::function<void()>& prepare,
                                  const std::function<void()>& run) {
  std::vector<double> times;
  const double begin = clock();
  double passed = 0;
  while ((times.size() < static_cast<size_t>(policy.num_runs) ||
          passed < policy.min_secs) &&
         passed <= policy.max_secs) {
    prepare();
    const double start = clock();
    run();
    const double end = clock();
    times.push_back(1000 * (end - start));
    passed = end - begin;
  }
  return times;
}

TimeStats StatsOf(std::vector<double> times) {
  TimeStats stats;
  stats.runs = times.size();
  if (times.empty()) return stats;
  std::sort(times.begin(), times.end());
  const size_t count = times.size();
  stats.min = times.front();
  stats.median = (times[(count - 1) / 2] + times[count / 2]) / 2;
  stats.p90 = times[(9 * count + 9) / 10 - 1];
  stats.mean = std::accumulate(times.begin(), times.end(), 0.0) /
               static_cast<double>(count);
  return stats;
}

void OpTimer::Observe(void* self, const OpEvent& event) {
  OpTimer& timer = *static_cast<OpTimer*>(self);
  if (event.phase == OpEvent::Phase::kBefore) {
    timer.running_.push_back({0, 0});
    timer.running_.back().start = timer.clock_();
    return;
  }
  const double end = timer.clock_();
  const Running op = timer.running_.back();
  timer.running_.pop_back();
  const double seconds = end - op.start;
  if (!timer.running_.empty()) timer.running_.back().inner_seconds += seconds;
  Entry& entry = timer.EntryOf(event);
  ++entry.calls;
  entry.milliseconds += 1000 * (seconds - op.inner_seconds);
}

// Ops come in one order again and again: the entry after the last one fits,
// but for loops and branches.
OpTimer::Entry& OpTimer::EntryOf(const OpEvent& event) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const size_t at = (last_ + 1 + i) % entries_.size();
    Entry& entry = entries_[at];
    if (entry.subgraph != event.subgraph || entry.node != event.node) continue;
    last_ = at;
    return entry;
  }
  Entry entry;
  entry.subgraph = event.subgraph;
  entry.node = event.node;
  entry.op_name = event.op_name;
  last_ = entries_.size();
  entries_.push_back(entry);
  return entries_.back();
}

int64_t PeakResidentBytes() {
  // VmHWM is of this program alone; ru_maxrss can be that of the program that
  // started it (Linux carries it over exec).
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) {
      return 1024 * std::strtoll(line.c_str() + 6, nullptr, 10);
    }
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return -1;
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return 1024 * static_cast<int64_t>(usage.ru_maxrss);
#endif
}

namespace {

// Loads, plans and allocates repeatedly; gives the last session.
std::unique_ptr<ModelSession> MeasureSetup(const ModelArguments& model,
                                           const BenchOptions& options,
                                           BenchReport& report) {
  std::unique_ptr<ModelSession> session;
  std::vector<double> load;
  std::vector<double> plan;
  std::vector<double> allocate;
  RunRepeatedly(
      options.setup, SteadySeconds, [&] { session.reset(); },
      [&] {
        const double start = SteadySeconds();
        session = std::make_unique<ModelSession>(model);
        const double loaded = SteadySeconds();
        ThrowIfError(session->interpreter().QueryMemory().status());
        const double planned = SteadySeconds();
        ThrowIfError(session->interpreter().AllocateTensors());
        load.push_back(1000 * (loaded - start));
        plan.push_back(1000 * (planned - loaded));
        allocate.push_back(1000 * (SteadySeconds() - planned));
      });
  report.load = StatsOf(load);
  report.plan = StatsOf(plan);
  report.allocate = StatsOf(allocate);
  return session;
}

TimeStats MeasureInvoke(Interpreter& interpreter, const RunPolicy& policy,
                        const BenchOptions& options) {
  return StatsOf(RunRepeatedly(
      policy, SteadySeconds,
      [&] { FillInputs(interpreter, options.inputs, options.seed); },
      [&] { ThrowIfError(interpreter.Invoke()); }));
}

void MeasureOps(const ModelArguments& model, const BenchOptions& options,
                BenchReport& report) {
  OpTimer timer(SteadySeconds);
  ModelArguments observed = model;
  observed.options.op_observer = OpTimer::Observe;
  observed.options.observer_user_data = &timer;
  ModelSession session(observed);
  ThrowIfError(session.interpreter().AllocateTensors());
  MeasureInvoke(session.interpreter(), options.warmup, options);
  timer.Reset();
  report.op_runs =
      MeasureInvoke(session.interpreter(), options.invoke, options).runs;
  report.ops = timer.entries();
}

}  // namespace

BenchReport Bench(const ModelArguments& model, const BenchOptions& options) {
  BenchReport report;
  report.resident_before_bytes = PeakResidentBytes();
  {
    const std::unique_ptr<ModelSession> session =
        MeasureSetup(model, options, report);
    Interpreter& interpreter = session->interpreter();
    report.warmup = MeasureInvoke(interpreter, options.warmup, options);
    report.invoke = MeasureInvoke(interpreter, options.invoke, options);
    report.usage = ValueOrThrow(interpreter.QueryMemory());
    report.peak_resident_bytes = PeakResidentBytes();
  }
  if (options.ops) MeasureOps(model, options, report);
  return report;
}

}  // namespace arenalite
