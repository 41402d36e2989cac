// A BenchReport as text and as JSON.

#ifndef ARENALITE_TOOLS_MEASURE_BENCH_REPORT_H_
#define ARENALITE_TOOLS_MEASURE_BENCH_REPORT_H_

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tools/measure/benchmark.h"

namespace arenalite {

// Ops of one kind, taken together.
struct OpTypeTime {
  std::string op_name;
  int nodes = 0;
  int64_t calls = 0;
  double milliseconds = 0;
};
// The slowest first.
std::vector<OpTypeTime> SumByType(const std::vector<OpTimer::Entry>& ops);

std::string BenchTable(const BenchReport& report);

// As schemas/bench.schema.json says; keys are only added.
nlohmann::ordered_json BenchJson(const BenchReport& report);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_MEASURE_BENCH_REPORT_H_
