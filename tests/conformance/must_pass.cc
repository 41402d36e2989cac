#include "conformance/must_pass.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace arenalite {
namespace conformance {
namespace {

constexpr char kPath[] =
    ARENALITE_SOURCE_FOLDER "/tests/conformance/must_pass.txt";

}  // namespace

MustPass LoadMustPass() {
  MustPass list;
  std::ifstream file(kPath);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string kind, name;
    int count = 0;
    words >> kind >> name;
    if (kind == "model") {
      list.models.insert(name);
    } else if (kind == "cases" && words >> count) {
      list.cases[name] = count;
    } else {
      std::fprintf(stderr, "%s: cannot read '%s'\n", kPath, line.c_str());
      std::exit(1);
    }
  }
  return list;
}

bool SaveMustPass(const MustPass& list) {
  std::ofstream file(kPath);
  file << "# What must not stop passing (corpus_test, op_cases_test).\n"
          "# Both programs extend it with --update-must-pass.\n";
  for (const std::string& key : list.models) file << "model " << key << "\n";
  for (const auto& [op, count] : list.cases) {
    file << "cases " << op << " " << count << "\n";
  }
  file.close();
  return !file.fail();
}

}  // namespace conformance
}  // namespace arenalite
