// What the two conformance programs share: arguments, folders, the tally.

#ifndef ARENALITE_TESTS_CONFORMANCE_COMMAND_LINE_H_
#define ARENALITE_TESTS_CONFORMANCE_COMMAND_LINE_H_

#include <string>

#include "conformance/judge.h"

namespace arenalite {
namespace conformance {

// ctest counts this exit code as a skipped test.
constexpr int kExitSkipped = 77;
constexpr int kExitUsage = 2;

// The folder of the CMake variable or the environment variable
// ARENALITE_CORPUS, or the one beside the sources; empty: there is none.
std::string DefaultCorpus();

struct CommandLine {
  bool ok = false;  // False: a message was printed, exit with `exit_code`.
  int exit_code = kExitUsage;
  std::string folder;        // Of the corpus or its cases; exists.
  std::string filter;        // Only names with this text.
  bool verbose = false;      // A line for what passed as well.
  bool all_options = false;  // corpus_test: every configuration.
  bool update = false;       // Add what passed to the must-pass list.
};

// `option`: "--corpus" or "--cases". `subfolder`: of the corpus, for the
// default folder.
CommandLine ParseCommandLine(int argc, char** argv, const std::string& option,
                             const std::string& subfolder);

// Counts verdicts, prints a line for each as it comes and the last line.
class Tally {
 public:
  explicit Tally(bool verbose) : verbose_(verbose) {}
  // `detail`: shown for what passes, when verbose.
  void Add(const std::string& name, const Judgement& judgement,
           const std::string& detail = "");
  // "corpus: 1 passed, 0 unsupported, 0 wrong, 0 error"
  void PrintTotal(const char* title) const;
  int wrong() const { return counts_[static_cast<int>(Verdict::kWrong)]; }

 private:
  bool verbose_;
  int counts_[4] = {};
};

}  // namespace conformance
}  // namespace arenalite

#endif  // ARENALITE_TESTS_CONFORMANCE_COMMAND_LINE_H_
