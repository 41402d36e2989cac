// SharedArena: the arena of a group, and who holds it.

#ifndef ARENALITE_RUNTIME_SHARED_ARENA_H_
#define ARENALITE_RUNTIME_SHARED_ARENA_H_

#include <cstdint>

#include "arenalite/arena_group.h"
#include "arenalite/array.h"
#include "arenalite/status.h"
#include "memory/simple_memory_arena.h"

namespace arenalite {

// What one interpreter is to a group.
class ArenaMember {
 public:
  // Another member has taken the arena, or its bytes are gone.
  virtual void LoseArena() = 0;

 protected:
  ~ArenaMember() = default;
};

class SharedArena {
 public:
  explicit SharedArena(const ArenaGroupOptions& options)
      : alignment_(options.alignment),
        arena_({options.alignment, options.allocator, options.buffer}) {}

  int32_t alignment() const { return alignment_; }

  Status Join(ArenaMember& member);
  void Leave(ArenaMember& member);

  // What `member` needs when it holds the arena.
  void SetNeed(const ArenaMember& member, int64_t bytes);
  // Fails while another member runs: nobody can take the arena.
  Status CheckFree() const;
  // Gives the arena, of at least what every member needs, to `member`. After
  // an error other than that of CheckFree nobody holds it.
  Status Take(ArenaMember& member);
  // Gives the bytes back if `member` holds them.
  void Release(const ArenaMember& member);

  bool IsHeldBy(const ArenaMember& member) const { return holder_ == &member; }
  // Of the holder: between them nobody takes the arena.
  void BeginRun() { running_ = true; }
  void EndRun() { running_ = false; }

  uint8_t* data() const { return arena_.data(); }
  int64_t required_bytes() const;

 private:
  struct Member {
    ArenaMember* member = nullptr;
    int64_t need = 0;
  };

  const int32_t alignment_;
  SimpleMemoryArena arena_;
  Array<Member> members_;
  ArenaMember* holder_ = nullptr;
  bool running_ = false;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_SHARED_ARENA_H_
