// Runs a model once on given inputs through the public interface.

#ifndef ARENALITE_TESTS_CONFORMANCE_RUNNER_H_
#define ARENALITE_TESTS_CONFORMANCE_RUNNER_H_

#include <string>
#include <vector>

#include "arenalite/interpreter.h"
#include "conformance/case_reader.h"

namespace arenalite {
namespace conformance {

enum class RunStage { kLoad, kBuild, kAllocate, kInvoke, kDone };

struct RunResult {
  RunStage stage = RunStage::kLoad;  // That failed, or kDone.
  StatusCode code = StatusCode::kOk;
  std::string message;
  std::vector<CaseTensor> outputs;
  MemoryUsage usage;

  bool ok() const { return stage == RunStage::kDone; }
};

struct RunOptions {
  InterpreterOptions interpreter;
  // Further Invokes after a reset of variables, with inputs as they were left;
  // the outputs are those of the last one.
  int repetitions = 0;
};

// `inputs`: one for each graph input; when there are fewer, the rest gets
// values that depend on position and type alone. Inputs of other dimensions
// than the model's are resized; constants are left alone.
RunResult RunModel(const FlatBufferModel& model,
                   const std::vector<CaseTensor>& inputs,
                   const RunOptions& options);

}  // namespace conformance
}  // namespace arenalite

#endif  // ARENALITE_TESTS_CONFORMANCE_RUNNER_H_
