// What preparing a control-flow op needs of its callees.

#ifndef ARENALITE_RUNTIME_PREPARE_CALLS_H_
#define ARENALITE_RUNTIME_PREPARE_CALLS_H_

#include "arenalite/status.h"
#include "runtime/program.h"

namespace arenalite {

// Counts and types of inputs and outputs of caller and callees agree.
Status CheckCall(const Program& program, const Frame& caller, const Node& node);

// Gives the callee's inputs the shapes of the caller's, and their values
// where these are constants that no loop changes.
Status PassInputs(const Frame& caller, const Node& node, Program& program,
                  int32_t callee);

// The same of what preparing has changed: the callees' outputs have the types
// of the caller's, and what chooses a branch or ends a loop has one element.
Status CheckPreparedCall(const Program& program, const Frame& caller,
                         const Node& node);
// Its parts, for callees that are prepared while they run.
Status CheckResultTypes(const Frame& caller, const Node& node,
                        const Frame& callee);
Status CheckCondition(const Frame& condition);
Status CheckChoiceSize(const Tensor& choice);

// True when the shapes of all results are known and do not change from branch
// to branch or from iteration to iteration, and nothing inside is dynamic:
// the call can be planned. The callees are prepared.
bool ResultsAreFixed(const Program& program, const Frame& caller,
                     const Node& node);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PREPARE_CALLS_H_
