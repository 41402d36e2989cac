// FrameArena: the real bytes behind a FramePlan.

#ifndef ARENALITE_RUNTIME_FRAME_ARENA_H_
#define ARENALITE_RUNTIME_FRAME_ARENA_H_

#include <cstdint>

#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "memory/simple_memory_arena.h"

namespace arenalite {

// The persistent part (variables) and the planned part. Inside of a caller's
// buffer they lie one after the other; from an allocator each is one block.
class FrameArena {
 public:
  explicit FrameArena(const InterpreterOptions& options)
      : options_(options), persistent_({}), planned_({}) {}

  // Makes both parts real, at `alignment`. Contents are lost where a part
  // grows. Errors name the need and the shortfall.
  Status Commit(int64_t persistent_bytes, int64_t planned_bytes,
                int32_t alignment);
  void ReleasePlanned() { planned_.ReleaseBytes(); }

  uint8_t* persistent() const { return persistent_.data(); }
  uint8_t* planned() const { return planned_.data(); }

 private:
  Status SplitBuffer(int64_t persistent_bytes, int64_t planned_bytes,
                     int32_t alignment);
  void UseAllocator(int32_t alignment);

  const InterpreterOptions& options_;
  int32_t alignment_ = 0;
  SimpleMemoryArena persistent_;
  SimpleMemoryArena planned_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_FRAME_ARENA_H_
