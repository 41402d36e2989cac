// OpTrace: what every op of a run read and wrote, as hashes, and the values at
// one chosen place.

#ifndef ARENALITE_TOOLS_MEASURE_OP_TRACE_H_
#define ARENALITE_TOOLS_MEASURE_OP_TRACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arenalite/interpreter.h"

namespace arenalite {

// The tensors that an op read (phase kBefore) or wrote (kAfter), copied.
struct OpSnapshot {
  struct Value {
    int32_t tensor = 0;
    std::string name;
    TensorType type = TensorType::kFloat32;
    TensorMemory memory = TensorMemory::kNone;
    Shape shape;
    const uint8_t* address = nullptr;  // Where it was; not to be read.
    std::vector<uint8_t> bytes;
  };

  OpEvent::Phase phase = OpEvent::Phase::kBefore;
  int32_t subgraph = 0;
  int32_t node = -1;    // -1: the outputs of the model, after the run.
  std::string op_name;  // "" then.
  std::vector<Value> values;
};

// Hashes of a sequence of events, two an op: its inputs before it, its outputs
// after it. A hash covers the op's place in the file, shapes and values.
class OpTrace {
 public:
  // Records everything, and copies the values of event `at`; -1: of none.
  static OpTrace Recording(int64_t at = -1);
  // Stops at the first event whose hash is another one than `expected`'s, and
  // copies its values. `expected` must outlive this.
  static OpTrace Comparing(const OpTrace& expected);

  // Lets an interpreter report to this. It must outlive the interpreter.
  void ObserveWith(InterpreterOptions& options);
  // The outputs of a finished run, as one more event.
  void AddOutputs(Interpreter& interpreter);

  // The place of the copied values, or -1: nothing was copied.
  int64_t snapshot_at() const { return snapshot_ ? snapshot_at_ : -1; }
  const std::optional<OpSnapshot>& snapshot() const { return snapshot_; }
  int64_t size() const { return static_cast<int64_t>(hashes_.size()); }

 private:
  void Add(const OpEvent& event);

  std::vector<uint64_t> hashes_;
  const OpTrace* expected_ = nullptr;
  int64_t snapshot_at_ = -1;
  std::optional<OpSnapshot> snapshot_;
};

// Bytes that differ have other hashes, but for one case in 2^64.
uint64_t HashBytes(const uint8_t* bytes, size_t size, uint64_t seed);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_MEASURE_OP_TRACE_H_
