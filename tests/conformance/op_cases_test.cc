// Runs the op-level cases of a conformance corpus. Exit code 0: none is wrong
// and no operator passes fewer than the must-pass list says.

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "conformance/command_line.h"
#include "conformance/csv.h"
#include "conformance/must_pass.h"

namespace arenalite {
namespace conformance {
namespace {

std::vector<std::string> CaseFiles(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".cases") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Why the reference refused which case.
std::map<std::string, std::string> ReferenceMessages(
    const std::string& folder) {
  std::vector<CsvRow> rows;
  ReadCsv(folder + "/index.csv", &rows);
  std::map<std::string, std::string> messages;
  for (CsvRow& row : rows) {
    const std::string& reference = row["ref_message"];
    messages[row["op"] + "/" + row["case"]] =
        reference.empty() ? row["opt_message"] : reference;
  }
  return messages;
}

RunResult RunCase(const Case& c) {
  FlatBufferModel::BufferOptions copy;
  copy.copy = true;
  Result<std::unique_ptr<FlatBufferModel>> model =
      FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(c.model), copy);
  if (!model.ok()) {
    RunResult result;
    result.code = model.code();
    result.message = model.message();
    return result;
  }
  return RunModel(**model, c.inputs, RunOptions());
}

// Fewer passes of an operator than the list says: only whole operators count.
int Regressions(const MustPass& list, const std::map<std::string, int>& passed,
                const std::string& filter) {
  int regressions = 0;
  for (const auto& [op, count] : list.cases) {
    const auto found = passed.find(op);
    const int now = found == passed.end() ? 0 : found->second;
    if (!filter.empty() && filter != op) continue;
    if (now >= count) continue;
    ++regressions;
    std::printf("REGRESSION  %s: %d cases pass, must be %d\n", op.c_str(), now,
                count);
  }
  return regressions;
}

int Main(const CommandLine& line) {
  std::map<std::string, std::string> messages = ReferenceMessages(line.folder);
  Tally tally(line.verbose);
  std::map<std::string, int> passed;
  bool readable = true;
  for (const std::string& path : CaseFiles(line.folder)) {
    std::string error;
    for (const Case& c : ReadCases(path, &error)) {
      const std::string name = c.op + "/" + c.name;
      if (name.find(line.filter) == std::string::npos) continue;
      const Judgement judgement = JudgeCase(c, messages[name], RunCase(c));
      tally.Add(name, judgement);
      if (judgement.verdict == Verdict::kPass) ++passed[c.op];
    }
    if (error.empty()) continue;
    readable = false;
    std::printf("ERROR       %s\n", error.c_str());
  }
  MustPass list = LoadMustPass();
  const int regressions = Regressions(list, passed, line.filter);
  if (line.update && line.filter.empty()) {
    for (const auto& [op, count] : passed) {
      list.cases[op] = std::max(list.cases[op], count);
    }
    if (!SaveMustPass(list)) return 1;
  }
  tally.PrintTotal("cases");
  return readable && tally.wrong() == 0 && regressions == 0 ? 0 : 1;
}

}  // namespace
}  // namespace conformance
}  // namespace arenalite

int main(int argc, char** argv) {
  const auto line =
      arenalite::conformance::ParseCommandLine(argc, argv, "--cases", "/ops");
  return line.ok ? arenalite::conformance::Main(line) : line.exit_code;
}
