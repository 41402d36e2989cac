// Judges the outputs of a run against reference outputs.

#ifndef ARENALITE_TESTS_CONFORMANCE_JUDGE_H_
#define ARENALITE_TESTS_CONFORMANCE_JUDGE_H_

#include <string>
#include <vector>

#include "conformance/case_reader.h"
#include "conformance/runner.h"

namespace arenalite {
namespace conformance {

enum class Verdict {
  kPass,
  kUnsupported,  // An op, a version or a type that has no kernel yet.
  kWrong,        // It ran, but the outputs are others than the reference's.
  kError,        // It failed in another way.
};

struct Judgement {
  Verdict verdict = Verdict::kPass;
  std::string reason;
};

// How far an output may be from the reference.
struct Tolerance {
  double relative = 1e-5;  // Of the largest magnitude of a float output.
  double absolute = 0.0;   // Float outputs, where it is the larger one.
  int steps = 0;           // Integer outputs.
};

// "" when types, dimensions and values agree; else what does not.
std::string Compare(const CaseTensor& expected, const CaseTensor& actual,
                    const Tolerance& tolerance);

// The largest difference between two float tensors of one size; 0 for others.
double LargestDifference(const CaseTensor& a, const CaseTensor& b);

// What a failed run is called: unsupported or error.
Judgement JudgeFailure(const RunResult& result);

// One op-level case by the rules of the corpus. `reference_message`: why the
// reference refused it, where it did.
Judgement JudgeCase(const Case& c, const std::string& reference_message,
                    const RunResult& result);

}  // namespace conformance
}  // namespace arenalite

#endif  // ARENALITE_TESTS_CONFORMANCE_JUDGE_H_
