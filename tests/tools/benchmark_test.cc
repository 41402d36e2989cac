#include "tools/measure/benchmark.h"

#include <gtest/gtest.h>

#include <vector>

#include "tools/measure/bench_report.h"

namespace arenalite {
namespace {

// A clock that only `Sleep` moves.
struct FakeClock {
  double now = 100;
  Clock clock() {
    return [this] { return now; };
  }
};

size_t RunsOf(const RunPolicy& policy, double prepare_secs, double run_secs) {
  FakeClock fake;
  const auto times = RunRepeatedly(
      policy, fake.clock(), [&] { fake.now += prepare_secs; },
      [&] { fake.now += run_secs; });
  for (double time : times) EXPECT_NEAR(time, 1000 * run_secs, 1e-6);
  return times.size();
}

// The rules of TensorFlow Lite's benchmark_model: num_runs and min_secs are
// both reached, unless max_secs passes first.
TEST(RunRepeatedly, FollowsCountAndSeconds) {
  EXPECT_EQ(RunsOf({50, 1, 150}, 0, 0.125), 50u);
  EXPECT_EQ(RunsOf({50, 1, 150}, 0, 0.0078125), 128u);
  EXPECT_EQ(RunsOf({50, 1, 150}, 0, 4), 38u);  // 37 runs take 148 seconds.
  EXPECT_EQ(RunsOf({1, 1, 150}, 0.25, 0.25), 2u);
  EXPECT_EQ(RunsOf({0, 0, 150}, 0, 1), 0u);
  EXPECT_EQ(RunsOf({3, 0, 0}, 0, 1), 1u);
}

TEST(TimeStats, AreOrderStatistics) {
  const TimeStats ten = StatsOf({10, 1, 9, 2, 8, 3, 7, 4, 6, 5});
  EXPECT_EQ(ten.runs, 10u);
  EXPECT_EQ(ten.min, 1);
  EXPECT_EQ(ten.median, 5.5);
  EXPECT_EQ(ten.p90, 9);
  EXPECT_EQ(ten.mean, 5.5);
  const TimeStats one = StatsOf({7});
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.p90, 7);
  EXPECT_EQ(StatsOf({3, 1, 2}).median, 2);
  EXPECT_EQ(StatsOf({}).runs, 0u);
}

struct Ops {
  FakeClock fake;
  OpTimer timer{fake.clock()};

  void Send(OpEvent::Phase phase, int32_t node, const char* name) {
    OpEvent event;
    event.phase = phase;
    event.node = node;
    event.op_name = name;
    OpTimer::Observe(&timer, event);
  }
  void Begin(int32_t node, const char* name) {
    Send(OpEvent::Phase::kBefore, node, name);
  }
  void End(int32_t node, const char* name) {
    Send(OpEvent::Phase::kAfter, node, name);
  }
};

TEST(OpTimer, CountsNestedTimeOnce) {
  Ops ops;
  for (int run = 0; run < 2; ++run) {
    ops.Begin(0, "WHILE");
    ops.fake.now += 1;
    for (int iteration = 0; iteration < 3; ++iteration) {
      ops.Begin(1, "ADD");
      ops.fake.now += 2;
      ops.End(1, "ADD");
    }
    ops.End(0, "WHILE");
    ops.Begin(2, "ADD");
    ops.fake.now += 8;
    ops.End(2, "ADD");
  }
  const auto& entries = ops.timer.entries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].op_name, "ADD");
  EXPECT_EQ(entries[0].calls, 6);
  EXPECT_EQ(entries[0].milliseconds, 12000);
  EXPECT_EQ(entries[1].op_name, "WHILE");
  EXPECT_EQ(entries[1].milliseconds, 2000);
  const auto types = SumByType(entries);
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].op_name, "ADD");
  EXPECT_EQ(types[0].nodes, 2);
  EXPECT_EQ(types[0].calls, 8);
  EXPECT_EQ(types[0].milliseconds, 28000);
}

TEST(BenchJson, HasTheDocumentedKeys) {
  BenchReport report;
  report.invoke = StatsOf({1, 2, 3});
  report.usage.arena_bytes = 1234;
  report.peak_resident_bytes = 4096;
  report.ops = {{0, 7, "ADD", 4, 3}, {1, 2, "MUL", 2, 1}};
  report.op_runs = 2;
  const auto json = BenchJson(report);
  EXPECT_EQ(json["schema"], "arenalite.bench/1");
  for (const char* key :
       {"load_ms", "plan_ms", "allocate_ms", "warmup_ms", "invoke_ms"}) {
    for (const char* inner : {"runs", "min", "median", "p90", "mean"}) {
      EXPECT_TRUE(json.at(key).contains(inner)) << key << " " << inner;
    }
  }
  EXPECT_EQ(json["invoke_ms"]["median"], 2);
  EXPECT_EQ(json["memory"]["arena_bytes"], 1234);
  EXPECT_EQ(json["memory"]["peak_resident_bytes"], 4096);
  EXPECT_EQ(json["ops"]["total_ms"], 2);
  EXPECT_EQ(json["ops"]["nodes"][0]["node"], 7);
  EXPECT_EQ(json["ops"]["nodes"][0]["share_percent"], 75);
  EXPECT_EQ(json["ops"]["types"][1]["op"], "MUL");
  report.op_runs = 0;
  EXPECT_FALSE(BenchJson(report).contains("ops"));
}

TEST(PeakResident, IsThatOfAProcess) {
  const int64_t before = PeakResidentBytes();
  ASSERT_GT(before, 100'000);
  std::vector<char> block(64 << 20, 1);
  EXPECT_GE(PeakResidentBytes(), before + (32 << 20));
  EXPECT_EQ(block.back(), 1);
}

}  // namespace
}  // namespace arenalite
