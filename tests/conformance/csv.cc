#include "conformance/csv.h"

#include <fstream>

namespace arenalite {
namespace conformance {
namespace {

std::vector<std::string> SplitLine(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '\r') continue;
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

bool ReadCsv(const std::string& path, std::vector<CsvRow>* rows) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return false;
  const std::vector<std::string> header = SplitLine(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = SplitLine(line);
    CsvRow row;
    for (size_t i = 0; i < header.size(); ++i) {
      row[header[i]] = i < fields.size() ? fields[i] : "";
    }
    rows->push_back(std::move(row));
  }
  return true;
}

}  // namespace conformance
}  // namespace arenalite
