// MemoryReport and the log lines: what they say of small graphs, and what must
// hold for any.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arenalite/logging.h"
#include "testing/build.h"
#include "testing/random_graph.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::HasStatus;
using testing::IsOk;
using testing::RandomGraph;
using testing::RandomGraphCustomOps;
using testing::TryBuild;

constexpr auto kFloat = TensorType::kFloat32;

// step      0        1          2           3
// x ------ RELU a - RESHAPE v - TANH m ---- ADD y (output)
//                \_________________________/
// a is read at the end, so m cannot be written over v, its view.
struct Views {
  ModelBuilder b;
  int x = b.AddInput("x", kFloat, {4, 4});
  int a = b.AddTensor("a", kFloat, {4, 4});
  int v = b.AddTensor("v", kFloat, {16});
  int m = b.AddTensor("m", kFloat, {16});
  int y = b.AddTensor("y\nz", kFloat, {16});
  Views() {
    const int shape = b.AddConstant<int32_t>("shape", {1}, {16});
    const int flat = b.AddTensor("flat", kFloat, {16});
    b.AddOp(schema::BuiltinOperator_RELU, {x}, {a});
    b.AddOp(schema::BuiltinOperator_RESHAPE, {a, shape}, {v});
    b.AddOp(schema::BuiltinOperator_TANH, {v}, {m});
    b.AddOp(schema::BuiltinOperator_RESHAPE, {a, shape}, {flat});
    b.AddOp(schema::BuiltinOperator_MAXIMUM, {m, flat}, {y});
    b.SetOutputs({y});
  }
};

class MemoryReportTest : public ::testing::Test {
 protected:
  MemoryReport Report(const ModelBuilder& b,
                      const InterpreterOptions& options) {
    built_ = Build(b, options, RandomGraphCustomOps());
    Result<MemoryReport> report = (*built_)->ReportMemory();
    EXPECT_THAT(report, IsOk());
    return std::move(report).value();
  }

 private:
  std::unique_ptr<testing::BuiltModel> built_;  // The last report's.
};

std::vector<int32_t> ToVector(Span<const int32_t> span) {
  return {span.begin(), span.end()};
}

// "step output<-input verdict" of each chance.
std::vector<std::string> ChancesOf(const MemoryReport& report) {
  std::vector<std::string> list;
  for (const OverlapChance& chance : report.chances) {
    const auto name = [&](int32_t storage) {
      const auto members = report.MembersOf(static_cast<size_t>(storage));
      return std::string(report.tensors[static_cast<size_t>(members[0])].name);
    };
    list.push_back(std::to_string(chance.step) + " " + name(chance.output) +
                   "<-" + name(chance.input) + " " +
                   OverlapVerdictName(chance.verdict));
  }
  return list;
}

TEST_F(MemoryReportTest, SaysWhoUsesATensorAndWhoSharesItsBytes) {
  Views graph;
  const MemoryReport report = Report(graph.b, {});
  const auto& tensors = report.tensors;
  ASSERT_EQ(report.steps.size(), 5u);
  const TensorReport& a = tensors[static_cast<size_t>(graph.a)];
  EXPECT_EQ(a.writer_step, 0);
  EXPECT_EQ(a.last_reader_step, 3);
  EXPECT_EQ(a.last_step, 4);  // Of its view.
  EXPECT_EQ(tensors[static_cast<size_t>(graph.x)].writer_step, -1);
  EXPECT_EQ(tensors[static_cast<size_t>(graph.y)].last_reader_step, -1);
  EXPECT_EQ(ToVector(report.MembersOf(static_cast<size_t>(a.storage))),
            (std::vector<int32_t>{graph.a, graph.v, graph.y + 2}));
  EXPECT_EQ(ToVector(report.WritesOf(2)), (std::vector<int32_t>{graph.m}));
  EXPECT_EQ(ToVector(report.ReadsOf(4)),
            (std::vector<int32_t>{graph.m, graph.y + 2}));
}

TEST_F(MemoryReportTest, SaysWhyNothingIsWrittenOverAnInput) {
  Views graph;
  EXPECT_EQ(
      ChancesOf(Report(graph.b, {})),
      (std::vector<std::string>{"0 a<-x lives_to_the_end", "2 m<-a read_later",
                                "4 y\nz<-m allowed", "4 y\nz<-a allowed"}));
  InterpreterOptions options;
  options.allow_input_reuse = true;
  EXPECT_EQ(ChancesOf(Report(graph.b, options))[0], "0 a<-x allowed");
  options.allow_overlap = false;
  EXPECT_EQ(ChancesOf(Report(graph.b, options))[0], "0 a<-x turned_off");
}

TEST_F(MemoryReportTest, MarksWhatIsKeptAndWhatHasNoKernel) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {4});
  const int a = b.AddTensor("a", kFloat, {4});
  const int y = b.AddTensor("y", kFloat, {4});
  b.AddCustomOp("Unknown", {x}, {a});
  b.AddOp(schema::BuiltinOperator_RELU, {a}, {y});
  b.SetOutputs({y});
  InterpreterOptions options;
  options.allow_missing_kernels = true;
  auto built = Build(b, options);
  ASSERT_THAT((*built)->PreserveTensor(a), IsOk());
  Result<MemoryReport> report = (*built)->ReportMemory();
  ASSERT_THAT(report, IsOk());
  EXPECT_FALSE(report->steps[0].has_kernel);
  EXPECT_TRUE(report->tensors[static_cast<size_t>(a)].is_kept);
  EXPECT_EQ(ChancesOf(*report),
            (std::vector<std::string>{"0 a<-x lives_to_the_end",
                                      "1 y<-a lives_to_the_end"}));
}

// Sums and extremes of a report, against its storages.
void CheckSums(const MemoryReport& report) {
  std::vector<int64_t> live(report.steps.size() + 1);
  int64_t total = 0;
  size_t members = 0;
  for (size_t i = 0; i < report.storages.size(); ++i) {
    const StorageReport& storage = report.storages[i];
    for (int32_t s = storage.first_step; s <= storage.last_step; ++s) {
      live[static_cast<size_t>(s)] += storage.bytes;
    }
    total = std::max(total, storage.offset + storage.bytes);
    members += report.MembersOf(i).size();
    EXPECT_EQ(report.MembersOf(i).empty(), storage.is_scratch);
  }
  EXPECT_EQ(total, report.usage.planned_bytes);
  EXPECT_EQ(members, report.members.size());
  EXPECT_EQ(live.back(), report.end_bytes);
  int64_t bound = report.end_bytes;
  for (size_t s = 0; s < report.steps.size(); ++s) {
    EXPECT_EQ(report.steps[s].live_bytes, live[s]);
    EXPECT_LE(report.steps[s].bound_bytes, live[s]);
    bound = std::max(bound, report.steps[s].bound_bytes);
  }
  // A search may have proven more.
  EXPECT_LE(bound, report.usage.lower_bound_bytes);
  const auto peak = static_cast<size_t>(report.usage.peak_step);
  if (peak < report.steps.size()) {
    EXPECT_EQ(bound, report.steps[peak].bound_bytes);
  }
}

// What is allowed, by chances and by overlaps, is the same.
void CheckChances(const MemoryReport& report) {
  size_t allowed = 0;
  for (const OverlapChance& chance : report.chances) {
    if (chance.verdict != OverlapVerdict::kAllowed) {
      EXPECT_EQ(chance.allowed_bytes, 0);
      continue;
    }
    ASSERT_LT(allowed, report.overlaps.size());
    const AllowedOverlap& overlap = report.overlaps[allowed++];
    EXPECT_EQ(chance.output, overlap.output);
    EXPECT_EQ(chance.input, overlap.input);
    EXPECT_EQ(chance.allowed_bytes, overlap.bytes);
  }
  EXPECT_EQ(allowed, report.overlaps.size());
}

TEST_F(MemoryReportTest, AddsUpForRandomGraphs) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    InterpreterOptions options;
    options.plan_strategy = PlanStrategy::kFirstUse;
    options.allow_input_reuse = seed % 2 == 1;
    options.alignment = seed % 3 == 0 ? 64 : 16;
    const MemoryReport report = Report(RandomGraph(seed, {}), options);
    CheckSums(report);
    CheckChances(report);
    if (HasFailure()) break;
  }
}

// Installs a sink that keeps the lines, for as long as it lives.
class LogLines {
 public:
  LogLines() { SetLogSink(Keep, this); }
  ~LogLines() { SetLogSink(nullptr, nullptr); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  static void Keep(LogSeverity severity, std::string_view line, void* self) {
    EXPECT_EQ(severity, LogSeverity::kInfo);
    static_cast<LogLines*>(self)->lines_.emplace_back(line);
  }

  std::vector<std::string> lines_;
};

TEST(LogPlan, NamesTheArenaAndEachTensor) {
  Views graph;
  graph.b.AddVariable("state", kFloat, {5});
  auto built = Build(graph.b);
  Result<MemoryReport> report = (*built)->ReportMemory();
  ASSERT_THAT(report, IsOk());
  LogLines log;
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  const auto at = [&](int tensor) {
    return std::to_string(report->tensors[static_cast<size_t>(tensor)].offset);
  };
  // A line feed in a name does not end the line.
  EXPECT_EQ(
      log.lines(),
      (std::vector<std::string>{
          "arena: total=224 planned=192 persistent=32 steps=5",
          "tensor 0 'x': offset=" + at(0) + " size=64 first_step=0 last_step=5",
          "tensor 1 'a': offset=" + at(1) + " size=64 first_step=0 last_step=4",
          "tensor 2 'v': offset=" + at(1) + " size=64 first_step=0 last_step=4",
          "tensor 3 'm': offset=" + at(3) + " size=64 first_step=2 last_step=4",
          "tensor 4 'y?z': offset=" + at(4) +
              " size=64 first_step=4 last_step=5",
          "tensor 6 'flat': offset=" + at(1) +
              " size=64 first_step=0 last_step=4",
          "tensor 7 'state': persistent offset=0 size=20"}));
}

TEST(LogPlan, ShowsAPlanThatDoesNotFit) {
  Views graph;
  InterpreterOptions options;
  alignas(16) uint8_t buffer[64];
  options.arena_buffer = Span<uint8_t>(buffer);
  auto built = Build(graph.b, options);
  LogLines log;
  EXPECT_THAT((*built)->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted, "192"));
  ASSERT_FALSE(log.lines().empty());
  EXPECT_EQ(log.lines()[0],
            "arena: total=192 planned=192 persistent=0 steps=5");
}

}  // namespace
}  // namespace arenalite
