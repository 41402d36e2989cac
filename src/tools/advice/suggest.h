// Suggest: what would make a model need less arena. Every suggestion is a plan
// that was computed, none is a guess.

#ifndef ARENALITE_TOOLS_ADVICE_SUGGEST_H_
#define ARENALITE_TOOLS_ADVICE_SUGGEST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"

namespace arenalite {

// How to build an interpreter: what changes are made to, and what they make.
struct PlanSetup {
  InterpreterOptions options;
  // Inputs (as indices of tensors) with shapes of their own.
  std::vector<std::pair<int32_t, std::vector<int32_t>>> shapes;
  std::vector<int32_t> kept;   // For PreserveTensor.
  std::vector<int32_t> order;  // For SetExecutionPlan; empty: the usual one.
};

// Not allocated. Ops without a kernel are allowed. Throws CommandError.
std::unique_ptr<Interpreter> BuildPlanSetup(const FlatBufferModel& model,
                                            const OpResolver& resolver,
                                            const PlanSetup& setup);

enum class SuggestionKind {
  kOverlap,     // Ops may write over their inputs.
  kNoPreserve,  // Tensors share bytes again.
  kInputReuse,
  kUnkeep,  // A tensor that PreserveTensor asked for, given up.
  kAlignment,
  kOrder,
  kSearch,      // Exact search.
  kOutput,      // An output that ops read as well: not an output any more.
  kResolution,  // Smaller inputs of a fully convolutional model.
  kInt8,        // FLOAT32 activations become INT8.
};

struct Suggestion {
  SuggestionKind kind = SuggestionKind::kOverlap;
  std::string what;  // "reuse the memory of inputs"
  std::string how;   // One sentence.
  int64_t saved_bytes = 0;
  int64_t arena_bytes = 0;  // The whole arena with the change.
  // What leads to it. For kOutput and kInt8, which change the model, the setup
  // that the change was computed from.
  PlanSetup setup;
  int32_t tensor = -1;  // kOutput, kUnkeep.
};

struct SuggestOptions {
  size_t max_suggestions = 5;
};

// Those that save most first; each alone, compared with `setup` as it is.
// Deterministic, and bounded: about twenty plans, and one exhaustive search of
// the planner's default budget.
std::vector<Suggestion> Suggest(const FlatBufferModel& model,
                                const OpResolver& resolver,
                                const PlanSetup& setup,
                                const SuggestOptions& options = {});

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_SUGGEST_H_
