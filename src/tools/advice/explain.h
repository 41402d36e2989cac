// Explain: why the bytes of one tensor are live when they are.

#ifndef ARENALITE_TOOLS_ADVICE_EXPLAIN_H_
#define ARENALITE_TOOLS_ADVICE_EXPLAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"
#include "nlohmann/json.hpp"

namespace arenalite {

// The position in report.tensors of "NAME" or "INDEX" (of `subgraph`). Names
// count in all subgraphs. Throws CommandError when there is none, and when a
// name is that of several tensors.
size_t FindTensor(const MemoryReport& report, const std::string& text,
                  int32_t subgraph);

// A reason in words, with a word that programs can tell apart.
struct Reason {
  std::string code;  // Listed in schemas/explain.schema.json.
  std::string text;  // A sentence without its point.
};

struct Explanation {
  size_t tensor = 0;               // Positions in report.tensors.
  std::vector<size_t> same_bytes;  // Views: other members of its storage.
  std::vector<int32_t> read_by;    // Steps that read the tensor or a view.
  struct Overlap {
    size_t storage = 0;
    int64_t bytes = 0;     // In common.
    int32_t step = 0;      // Where one ends and the other begins.
    bool over_it = false;  // The other one is written over this one.
  };
  std::vector<Overlap> overlaps;  // While both are live.
  // Storages that had or will have some of the bytes at other times.
  std::vector<size_t> before;
  std::vector<size_t> after;
  std::vector<Reason> reasons;  // Why it is live, and not overwritten earlier.
};

Explanation Explain(const MemoryReport& report,
                    const InterpreterOptions& options, size_t tensor);

std::string ExplanationText(const MemoryReport& report,
                            const Explanation& explanation);
// As schemas/explain.schema.json says; keys are only added.
nlohmann::ordered_json ExplanationJson(const MemoryReport& report,
                                       const Explanation& explanation);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_EXPLAIN_H_
