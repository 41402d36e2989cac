// Reports: what a plan says, in each of the formats of `arenalite plan`.

#ifndef ARENALITE_TOOLS_REPORT_REPORT_H_
#define ARENALITE_TOOLS_REPORT_REPORT_H_

#include <string>
#include <vector>

#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"
#include "nlohmann/json.hpp"

namespace arenalite {

// A change of model or options that was planned, and what it saves.
struct ReportSuggestion {
  std::string what;  // "allow input reuse"
  std::string how;   // One sentence.
  int64_t saved_bytes = 0;
  int64_t arena_bytes = 0;     // The whole arena with the change.
  std::vector<int32_t> order;  // For SetExecutionPlan; empty: unchanged.
};

struct ReportInput {
  const MemoryReport& report;
  std::string model_path;  // Reports show its last part.
  InterpreterOptions options;
  // Where shapes are not the file's: as the command line takes them.
  std::vector<std::string> shapes;
  std::vector<ReportSuggestion> suggestions;  // Those that save most first.
};

// Each gives a whole file. Names from the model are escaped as the format
// needs it; bytes that are no UTF-8 become U+FFFD.
std::string TableReport(const ReportInput& input);
std::string JsonReport(const ReportInput& input);
std::string CsvReport(const ReportInput& input);
std::string SvgReport(const ReportInput& input);
std::string HtmlReport(const ReportInput& input);

// What JsonReport writes; schemas/report.schema.json describes it.
nlohmann::ordered_json ReportDocument(const ReportInput& input);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_REPORT_REPORT_H_
