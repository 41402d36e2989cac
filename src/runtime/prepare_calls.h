// What preparing a control-flow op needs of its callees.

#ifndef ARENALITE_RUNTIME_PREPARE_CALLS_H_
#define ARENALITE_RUNTIME_PREPARE_CALLS_H_

#include "arenalite/status.h"
#include "runtime/program.h"

namespace arenalite {

// By what the file says: counts and types of inputs and outputs of caller and
// callees agree, none of them is sparse, and no constant takes an argument.
Status CheckCall(const Program& program, const Frame& caller, const Node& node);

// Refuses a tensor of `tensors` that an op has given another type than the
// file's, by which calls agree.
Status CheckFileTypes(const Frame& frame, Span<const int32_t> tensors,
                      const char* what);

// Gives the callee's inputs the shapes of the caller's, and their values
// where these are constants that no loop changes.
Status PassInputs(const Frame& caller, const Node& node, Program& program,
                  int32_t callee);

// What chooses a branch or ends a loop has one element. The callees are
// prepared; what is dynamic is left to CheckChoiceSize when it is there.
Status CheckPreparedChoice(const Program& program, const Frame& caller,
                           const Node& node);
Status CheckChoiceSize(const Tensor& choice);

// The result of a loop's condition, which CheckCall has seen.
const Tensor& ConditionOf(const Frame& condition);

// True when the shapes of all results are known and do not change from branch
// to branch or from iteration to iteration, and nothing inside is dynamic:
// the call can be planned. The callees are prepared.
bool ResultsAreFixed(const Program& program, const Frame& caller,
                     const Node& node);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PREPARE_CALLS_H_
