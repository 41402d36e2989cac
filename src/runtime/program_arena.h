// ProgramArena: the real bytes behind the plans of an interpreter.

#ifndef ARENALITE_RUNTIME_PROGRAM_ARENA_H_
#define ARENALITE_RUNTIME_PROGRAM_ARENA_H_

#include <algorithm>
#include <cstdint>

#include "arenalite/interpreter.h"
#include "arenalite/status.h"
#include "memory/simple_memory_arena.h"
#include "runtime/shared_arena.h"

namespace arenalite {

// The persistent part (variables) and the planned part. Inside of a caller's
// buffer they lie one after the other; from an allocator each is one block.
// In a group the planned part is the group's.
class ProgramArena {
 public:
  // `owner` hears when a group's arena goes to another member.
  ProgramArena(const InterpreterOptions& options, ArenaMember& owner)
      : options_(options),
        owner_(owner),
        persistent_({alignment(), options.allocator, {}}),
        planned_({alignment(), options.allocator, {}}) {}
  ~ProgramArena();

  // Becomes a member of the group that the options name, if they do.
  Status JoinGroup();

  // Of both parts: enough for every tensor, variable and scratch.
  int64_t alignment() const { return std::max(options_.alignment, 16); }

  // What Commit will ask of a group.
  void Announce(int64_t planned_bytes);
  // Makes both parts real, and holds the group's arena. The persistent part
  // keeps its contents, the planned part loses them where it grows: it goes
  // before anything grows. Errors name the need and the shortfall.
  Status Commit(int64_t persistent_bytes, int64_t planned_bytes);
  void ReleasePlanned();

  // Around every Invoke.
  void BeginRun();
  void EndRun();

  uint8_t* persistent() const { return persistent_.data(); }
  uint8_t* planned() const {
    return group_ != nullptr ? group_->data() : planned_.data();
  }

 private:
  Status SplitBuffer(int64_t persistent_bytes, int64_t planned_bytes);

  const InterpreterOptions& options_;
  ArenaMember& owner_;
  SharedArena* group_ = nullptr;
  SimpleMemoryArena persistent_;
  SimpleMemoryArena planned_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_PROGRAM_ARENA_H_
