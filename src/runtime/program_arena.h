// ProgramArena: the real bytes behind a ProgramPlan.

#ifndef ARENALITE_RUNTIME_PROGRAM_ARENA_H_
#define ARENALITE_RUNTIME_PROGRAM_ARENA_H_

#include <algorithm>
#include <cstdint>

#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "memory/simple_memory_arena.h"

namespace arenalite {

// The persistent part (variables) and the planned part. Inside of a caller's
// buffer they lie one after the other; from an allocator each is one block.
class ProgramArena {
 public:
  explicit ProgramArena(const InterpreterOptions& options)
      : options_(options),
        persistent_({alignment(), options.allocator, {}}),
        planned_({alignment(), options.allocator, {}}) {}

  // Of both parts: enough for every tensor, variable and scratch.
  int64_t alignment() const { return std::max(options_.alignment, 16); }

  // Makes both parts real. The persistent part keeps its
  // contents, the planned part loses them where it grows. Errors name the need
  // and the shortfall.
  Status Commit(int64_t persistent_bytes, int64_t planned_bytes);
  void ReleasePlanned() { planned_.ReleaseBytes(); }

  uint8_t* persistent() const { return persistent_.data(); }
  uint8_t* planned() const { return planned_.data(); }

 private:
  Status SplitBuffer(int64_t persistent_bytes, int64_t planned_bytes);

  const InterpreterOptions& options_;
  SimpleMemoryArena persistent_;
  SimpleMemoryArena planned_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PROGRAM_ARENA_H_
