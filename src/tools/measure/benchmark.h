// Measuring a model: how often to run it, and what the times say.

#ifndef ARENALITE_TOOLS_MEASURE_BENCHMARK_H_
#define ARENALITE_TOOLS_MEASURE_BENCHMARK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"
#include "tools/model_session.h"

namespace arenalite {

// Seconds since any fixed moment.
using Clock = std::function<double()>;
double SteadySeconds();

// How often something is run: at least `num_runs` times and `min_secs`, but
// no run starts after `max_secs`. These are the rules of TensorFlow Lite's
// benchmark_model, and its numbers.
struct RunPolicy {
  int num_runs = 50;
  double min_secs = 1;
  double max_secs = 150;
};

// Calls `run` as the policy says, with `prepare` before each, and returns the
// milliseconds of each run. `prepare` counts against the policy's seconds, as
// all that passes does, but not as time of a run.
std::vector<double> RunRepeatedly(const RunPolicy& policy, const Clock& clock,
                                  const std::function<void()>& prepare,
                                  const std::function<void()>& run);

// Of one list of times, in milliseconds.
struct TimeStats {
  size_t runs = 0;
  double min = 0;
  double median = 0;  // Of an even number of runs: the mean of both middles.
  double p90 = 0;     // The least time that 90 % of the runs do not exceed.
  double mean = 0;
};
TimeStats StatsOf(std::vector<double> times);

// Adds up what each op takes. Ops inside of others (calls whose shapes data
// decide) are not counted twice: an op's time is its own.
class OpTimer {
 public:
  struct Entry {
    int32_t subgraph = 0;
    int32_t node = 0;
    std::string op_name;
    int64_t calls = 0;
    double milliseconds = 0;  // Of all calls.
  };

  explicit OpTimer(Clock clock) : clock_(std::move(clock)) {}
  // For InterpreterOptions::op_observer; `self` is the OpTimer.
  static void Observe(void* self, const OpEvent& event);
  // Forgets what was measured so far, such as warm-up runs.
  void Reset() { entries_.clear(); }
  // Of every op that ran, in the order in which they first ended.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  struct Running {
    double start;
    double inner_seconds;
  };
  Entry& EntryOf(const OpEvent& event);

  Clock clock_;
  std::vector<Running> running_;  // A stack.
  std::vector<Entry> entries_;
  size_t last_ = 0;  // Where the next op's entry probably follows.
};

struct BenchOptions {
  RunPolicy invoke;
  RunPolicy warmup{1, 0.5, 150};
  RunPolicy setup{10, 0, 2};  // Of loading, planning and allocating.
  bool ops = false;
  std::vector<std::string> inputs;  // i=FILE
  uint64_t seed = 42;
};

struct BenchReport {
  TimeStats load;      // Mapping, verifying, building the interpreter.
  TimeStats plan;      // Shapes and offsets.
  TimeStats allocate;  // Taking the arena.
  TimeStats warmup;
  TimeStats invoke;
  MemoryUsage usage;
  // Highest resident memory of this process so far: before the model was
  // loaded, and after the last run. -1 where the system does not say.
  int64_t resident_before_bytes = -1;
  int64_t peak_resident_bytes = -1;
  // With BenchOptions::ops, from runs of their own.
  std::vector<OpTimer::Entry> ops;
  size_t op_runs = 0;
};

// Throws CommandError.
BenchReport Bench(const ModelArguments& model, const BenchOptions& options);

// The highest resident memory that this process has had.
int64_t PeakResidentBytes();

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_MEASURE_BENCHMARK_H_
