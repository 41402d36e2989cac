// MemoryWatch: which op changes bytes that it does not own?

#ifndef ARENALITE_TOOLS_MEASURE_MEMORY_WATCH_H_
#define ARENALITE_TOOLS_MEASURE_MEMORY_WATCH_H_

#include <cstdint>
#include <string>

#include "arenalite/interpreter.h"

namespace arenalite {

// A tensor in the planned arena.
struct WatchedTensor {
  int32_t subgraph = 0;
  int32_t tensor = 0;
  int64_t bytes = 0;
  std::string name;
};

// Observes runs: from the last time that an op writes the tensor (for an input
// of the model: from the start) before event `until`, it looks for the first
// event at which the bytes are others.
class MemoryWatch {
 public:
  MemoryWatch(WatchedTensor tensor, int64_t until)
      : tensor_(std::move(tensor)), until_(until) {}

  // Must outlive the interpreter.
  void ObserveWith(InterpreterOptions& options);
  // An Invoke begins with filled inputs, or has ended (an event as well).
  void BeginRun(Interpreter& interpreter);
  void EndRun() { ++position_; }

  // "while op 3 ADD ran", "after op 3 ADD ran"; "" when nothing was seen.
  const std::string& culprit() const { return culprit_; }

 private:
  void Add(const OpEvent& event);
  void Look(const OpEvent& event);

  const WatchedTensor tensor_;
  const int64_t until_;
  int64_t position_ = 0;  // Of the next event.
  const uint8_t* address_ = nullptr;
  uint64_t hash_ = 0;
  std::string last_op_;
  std::string culprit_;
};

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_MEASURE_MEMORY_WATCH_H_
