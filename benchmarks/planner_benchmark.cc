// All strategies on the corpus's instances (where there is a corpus) and on
// synthetic problems of growing size.
//
// Counters: arena and bound in bytes, ratio = arena / bound, nodes of the
// exact search. At the end, for the synthetic problems, how the time of `auto`
// grows with the number of buffers.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "arenalite/plan_csv.h"

namespace {

using arenalite::BufferRequest;
using arenalite::MemoryPlan;
using arenalite::PlanOptions;
using arenalite::PlanStrategy;
using Requests = std::vector<BufferRequest>;

constexpr PlanStrategy kStrategies[] = {
    PlanStrategy::kFirstUse, PlanStrategy::kGreedyBySize,
    PlanStrategy::kGreedyByBreadth, PlanStrategy::kAuto,
    PlanStrategy::kExhaustive};

class Random {
 public:
  int64_t In(int64_t low, int64_t high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + static_cast<int64_t>((state_ >> 33) %
                                      static_cast<uint64_t>(high - low + 1));
  }

 private:
  uint64_t state_ = 1;
};

// Each op reads what the one before it wrote.
Requests Chain(int32_t count) {
  Random random;
  Requests requests;
  for (int32_t i = 0; i < count; ++i) {
    requests.push_back({random.In(1, 4096) * 16, i, i + 1, 16});
  }
  return requests;
}

// Blocks of four ops; a block's input is added to its output.
Requests ResidualNet(int32_t count) {
  Random random;
  Requests requests;
  int64_t width = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (i % 64 == 0) width = random.In(1, 4096) * 16;
    requests.push_back({width, i, i + (i % 4 == 0 ? 4 : 1), 16});
  }
  return requests;
}

Requests RandomIntervals(int32_t count) {
  Random random;
  Requests requests;
  for (int32_t i = 0; i < count; ++i) {
    const int64_t first = random.In(0, count);
    const int64_t last = first + random.In(0, 1 << random.In(1, 6));
    requests.push_back({random.In(1, 4096) * 16, static_cast<int32_t>(first),
                        static_cast<int32_t>(last), 16});
  }
  return requests;
}

struct Synthetic {
  const char* name;
  Requests (*make)(int32_t count);
};
constexpr Synthetic kSynthetic[] = {{"chain", Chain},
                                    {"residual_net", ResidualNet},
                                    {"random_intervals", RandomIntervals}};

Requests ReadCsv(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  auto csv = arenalite::ParsePlanCsv(text);
  if (!csv.ok()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), csv.message());
    return {};
  }
  return Requests(csv->requests.begin(), csv->requests.end());
}

void RunPlan(benchmark::State& state, const Requests& requests,
             PlanStrategy strategy) {
  PlanOptions options;
  options.strategy = strategy;
  MemoryPlan plan;
  for (auto _ : state) {
    auto result = arenalite::PlanMemory(requests, {}, options);
    if (!result.ok()) return state.SkipWithError(result.message());
    plan = std::move(result).value();
  }
  state.counters["buffers"] = static_cast<double>(requests.size());
  state.counters["arena"] = static_cast<double>(plan.total_bytes);
  state.counters["bound"] = static_cast<double>(plan.lower_bound_bytes);
  state.counters["ratio"] = static_cast<double>(plan.total_bytes) /
                            static_cast<double>(plan.lower_bound_bytes);
  state.counters["nodes"] = static_cast<double>(plan.nodes);
}

void Register(const std::string& name, const Requests& requests) {
  for (PlanStrategy strategy : kStrategies) {
    const std::string full = name + "/" + arenalite::PlanStrategyName(strategy);
    benchmark::RegisterBenchmark(full.c_str(), [requests, strategy](
                                                   benchmark::State& state) {
      RunPlan(state, requests, strategy);
    })->Unit(benchmark::kMillisecond);
  }
}

void RegisterInstances(const char* folder) {
  const char* corpus = std::getenv("ARENALITE_CORPUS");
  const auto root =
      std::filesystem::path(corpus != nullptr ? corpus : ARENALITE_CORPUS) /
      "planner" / folder;
  std::vector<std::filesystem::path> paths;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(root, missing)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    Register(std::string(folder) + "/" + path.stem().string(), ReadCsv(path));
  }
}

// CPU time, the best of three.
double SecondsOfAuto(const Requests& requests) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    auto plan = arenalite::PlanMemory(requests, {}, {});
    benchmark::DoNotOptimize(plan);
    const double ticks = static_cast<double>(std::clock() - start);
    best = std::min(best, ticks / CLOCKS_PER_SEC);
  }
  return best;
}

void PrintGrowth(const Synthetic& problem) {
  const double small = SecondsOfAuto(problem.make(10000));
  const double large = SecondsOfAuto(problem.make(100000));
  std::printf(
      "%s: auto takes %.1f ms for 10k and %.1f ms for 100k buffers, "
      "growth n^%.2f\n",
      problem.name, 1e3 * small, 1e3 * large, std::log10(large / small));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Synthetic& problem : kSynthetic) {
    for (int32_t count : {1000, 10000, 100000}) {
      Register(std::string(problem.name) + "/" + std::to_string(count),
               problem.make(count));
    }
  }
  RegisterInstances("minimalloc");
  RegisterInstances("models");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  for (const Synthetic& problem : kSynthetic) PrintGrowth(problem);
}
