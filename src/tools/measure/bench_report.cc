#include "tools/measure/bench_report.h"

#include <algorithm>
#include <map>

#include "tools/text.h"
#include "tools/usage_json.h"

namespace arenalite {
namespace {

using Json = nlohmann::ordered_json;

double TotalOf(const std::vector<OpTimer::Entry>& ops) {
  double total = 0;
  for (const OpTimer::Entry& op : ops) total += op.milliseconds;
  return total;
}

double Percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

std::string TimeLine(const char* what, const TimeStats& stats) {
  return Format("%-9s %10.3f %10.3f %10.3f %10.3f  (%zu runs)\n", what,
                stats.min, stats.median, stats.p90, stats.mean, stats.runs);
}

std::string OpTables(const BenchReport& report) {
  const double total = TotalOf(report.ops);
  const auto runs = static_cast<double>(report.op_runs);
  std::string text = Format("\n%-5s %-4s %-28s %10s %7s %10s\n", "graph", "op",
                            "operator", "ms", "share", "calls/run");
  for (const OpTimer::Entry& op : report.ops) {
    text += Format("%-5d %-4d %-28s %10.4f %6.2f%% %10.6g\n", op.subgraph,
                   op.node, op.op_name.c_str(), op.milliseconds / runs,
                   Percent(op.milliseconds, total),
                   static_cast<double>(op.calls) / runs);
  }
  text += Format("\n%-10s %-28s %10s %7s\n", "ops", "operator", "ms", "share");
  for (const OpTypeTime& type : SumByType(report.ops)) {
    text +=
        Format("%-10d %-28s %10.4f %6.2f%%\n", type.nodes, type.op_name.c_str(),
               type.milliseconds / runs, Percent(type.milliseconds, total));
  }
  text += Format("%-10zu %-28s %10.4f %6.2f%%  (mean of %zu runs)\n",
                 report.ops.size(), "all", total / runs, 100.0, report.op_runs);
  return text;
}

Json StatsJson(const TimeStats& stats) {
  return Json{{"runs", stats.runs},
              {"min", stats.min},
              {"median", stats.median},
              {"p90", stats.p90},
              {"mean", stats.mean}};
}

}  // namespace

std::vector<OpTypeTime> SumByType(const std::vector<OpTimer::Entry>& ops) {
  std::map<std::string, OpTypeTime> types;
  for (const OpTimer::Entry& op : ops) {
    OpTypeTime& type = types[op.op_name];
    type.op_name = op.op_name;
    ++type.nodes;
    type.calls += op.calls;
    type.milliseconds += op.milliseconds;
  }
  std::vector<OpTypeTime> sorted;
  sorted.reserve(types.size());
  for (const auto& [name, type] : types) sorted.push_back(type);
  std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) {
    return a.milliseconds > b.milliseconds;
  });
  return sorted;
}

std::string BenchTable(const BenchReport& report) {
  std::string text = Format("%-9s %10s %10s %10s %10s\n", "ms", "min", "median",
                            "p90", "mean");
  text += TimeLine("load", report.load);
  text += TimeLine("plan", report.plan);
  text += TimeLine("allocate", report.allocate);
  text += TimeLine("warm-up", report.warmup);
  text += TimeLine("invoke", report.invoke);
  const auto line = [](const char* what, int64_t bytes, const char* note) {
    return Format("%-17s %12lld bytes%s\n", what, static_cast<long long>(bytes),
                  note);
  };
  text += "\n";
  text += line("arena", report.usage.arena_bytes, "");
  text += line("  planned", report.usage.planned_bytes, "");
  text += line("  persistent", report.usage.persistent_bytes, "");
  text += line("lower bound", report.usage.lower_bound_bytes, "");
  text += line("runtime metadata", report.usage.metadata_bytes, "");
  text += line("dynamic tensors", report.usage.dynamic_bytes, "");
  text += line("peak resident", report.peak_resident_bytes,
               "  (whole process, model file included)");
  text += line("  before loading", report.resident_before_bytes, "");
  if (report.op_runs > 0) text += OpTables(report);
  return text;
}

Json BenchJson(const BenchReport& report) {
  Json json;
  json["schema"] = "arenalite.bench/1";
  json["load_ms"] = StatsJson(report.load);
  json["plan_ms"] = StatsJson(report.plan);
  json["allocate_ms"] = StatsJson(report.allocate);
  json["warmup_ms"] = StatsJson(report.warmup);
  json["invoke_ms"] = StatsJson(report.invoke);
  json["memory"] = UsageJson(report.usage);
  json["memory"]["resident_before_bytes"] = report.resident_before_bytes;
  json["memory"]["peak_resident_bytes"] = report.peak_resident_bytes;
  if (report.op_runs == 0) return json;
  const double total = TotalOf(report.ops);
  const auto runs = static_cast<double>(report.op_runs);
  Json nodes = Json::array();
  for (const OpTimer::Entry& op : report.ops) {
    nodes.push_back({{"subgraph", op.subgraph},
                     {"node", op.node},
                     {"op", op.op_name},
                     {"calls", op.calls},
                     {"mean_ms", op.milliseconds / runs},
                     {"share_percent", Percent(op.milliseconds, total)}});
  }
  Json types = Json::array();
  for (const OpTypeTime& type : SumByType(report.ops)) {
    types.push_back({{"op", type.op_name},
                     {"nodes", type.nodes},
                     {"calls", type.calls},
                     {"mean_ms", type.milliseconds / runs},
                     {"share_percent", Percent(type.milliseconds, total)}});
  }
  json["ops"] = {{"runs", report.op_runs},
                 {"total_ms", total / runs},
                 {"nodes", nodes},
                 {"types", types}};
  return json;
}

}  // namespace arenalite
