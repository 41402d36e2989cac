// CompareSharing: does sharing memory change what a model computes?

#ifndef ARENALITE_TOOLS_MEASURE_COMPARE_SHARING_H_
#define ARENALITE_TOOLS_MEASURE_COMPARE_SHARING_H_

#include <cstdint>
#include <functional>
#include <string>

#include "arenalite/interpreter.h"

namespace arenalite {

struct SharingOptions {
  InterpreterOptions interpreter;  // Of both runs, but for what is compared.
  int runs = 1;                    // Invokes, one after the other.
  // Before tensors are allocated, and before every Invoke. May be null.
  std::function<void(Interpreter&)> configure;
  std::function<void(Interpreter&)> fill;
};

// The first place where the two runs are not the same, bit for bit.
struct SharingDifference {
  enum class Kind {
    kNone,
    kOutput,  // An op had the same inputs and wrote something else.
    kInput,   // What an op reads was changed after it had been written.
    kResult,  // The same of an output of the model, after the run.
    kError,   // The run with sharing failed, the other did not.
  };

  Kind kind = Kind::kNone;
  int32_t subgraph = 0;
  int32_t node = -1;  // -1: no op (kResult).
  std::string op_name;
  int32_t tensor = -1;
  std::string tensor_name;
  int64_t element = -1;  // The first that differs; -1: the shapes do.
  std::string shared;    // The element, or shape, with sharing.
  std::string separate;  // And without.
  // kInput, kResult: what ran last before the bytes changed; "" if unknown.
  std::string culprit;
  std::string message;  // kError.
};

struct SharingReport {
  int64_t ops = 0;  // That ran, in all runs together.
  SharingDifference difference;

  bool same() const {
    return difference.kind == SharingDifference::Kind::kNone;
  }
};

// Runs the model with every tensor in bytes of its own, then with sharing and
// poisoned memory, and compares what every op reads and writes. To describe a
// difference, it runs both once more. Throws CommandError when the model fails
// without sharing, or computes something else each time.
SharingReport CompareSharing(const FlatBufferModel& model,
                             const OpResolver& resolver,
                             const SharingOptions& options);

// One line: op, tensor, element, both values, and what that tells.
std::string DescribeDifference(const SharingDifference& difference);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_MEASURE_COMPARE_SHARING_H_
