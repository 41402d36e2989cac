#include "conformance/command_line.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace arenalite {
namespace conformance {
namespace {

// The build says where the corpus and the sources are.
constexpr char kConfiguredCorpus[] = ARENALITE_CORPUS_FOLDER;
constexpr char kSourceFolder[] = ARENALITE_SOURCE_FOLDER;

void PrintUsage(const char* program, const std::string& option) {
  std::fprintf(stderr,
               "usage: %s [%s DIR] [--verbose] [--all-options] "
               "[--update-must-pass] [FILTER]\n"
               "FILTER: only names that contain this text\n",
               program, option.c_str());
}

}  // namespace

std::string DefaultCorpus() {
  if (kConfiguredCorpus[0] != '\0') return kConfiguredCorpus;
  const char* variable = std::getenv("ARENALITE_CORPUS");
  if (variable != nullptr && *variable != '\0') return variable;
  const std::string beside = std::string(kSourceFolder) + "/../shared/corpus";
  return std::filesystem::is_directory(beside) ? beside : "";
}

CommandLine ParseCommandLine(int argc, char** argv, const std::string& option,
                             const std::string& subfolder) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == option && i + 1 < argc) {
      line.folder = argv[++i];
    } else if (argument == "--verbose") {
      line.verbose = true;
    } else if (argument == "--all-options") {
      line.all_options = true;
    } else if (argument == "--update-must-pass") {
      line.update = true;
    } else if (argument[0] != '-' && line.filter.empty()) {
      line.filter = argument;
    } else {
      PrintUsage(argv[0], option);
      return line;
    }
  }
  if (line.folder.empty()) {
    line.folder = DefaultCorpus();
    if (line.folder.empty()) {
      std::fprintf(stderr,
                   "skipped: no conformance corpus (give %s, the CMake "
                   "variable or the environment variable ARENALITE_CORPUS)\n",
                   option.c_str());
      line.exit_code = kExitSkipped;
      return line;
    }
    line.folder += subfolder;
  }
  line.ok = std::filesystem::is_directory(line.folder);
  if (!line.ok) {
    std::fprintf(stderr, "%s: no such folder\n", line.folder.c_str());
  }
  return line;
}

void Tally::Add(const std::string& name, const Judgement& judgement,
                const std::string& detail) {
  constexpr const char* kNames[] = {"passed", "unsupported", "WRONG", "ERROR"};
  const auto verdict = static_cast<int>(judgement.verdict);
  ++counts_[verdict];
  if (judgement.verdict == Verdict::kPass && !verbose_) return;
  const std::string& text =
      judgement.reason.empty() ? detail : judgement.reason;
  std::printf("%-11s %-44s %s\n", kNames[verdict], name.c_str(), text.c_str());
  std::fflush(stdout);
}

void Tally::PrintTotal(const char* title) const {
  std::printf("%s: %d passed, %d unsupported, %d wrong, %d error\n", title,
              counts_[0], counts_[1], counts_[2], counts_[3]);
}

}  // namespace conformance
}  // namespace arenalite
