// ArenaGroup: one arena for several interpreters that run one after another.
//
//   auto group = ArenaGroup::Create({});
//   InterpreterOptions options;
//   options.arena_group = group->get();
//   ... build `detector` and `classifier` with these options ...
//   detector->AllocateTensors();       // Takes the arena.
//   ... fill inputs, detector->Invoke(), read outputs ...
//   classifier->AllocateTensors();     // Takes it from the detector.
//   ... fill inputs, classifier->Invoke(), read outputs ...

#ifndef ARENALITE_ARENA_GROUP_H_
#define ARENALITE_ARENA_GROUP_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "arenalite/allocator.h"
#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

class SharedArena;

struct ArenaGroupOptions {
  // Of the arena's address: a power of two up to 4096, at least 16 and that of
  // every member.
  int32_t alignment = 16;
  // Where the arena lives; empty: it comes from `allocator`. The caller keeps
  // the buffer alive as long as the group.
  Span<uint8_t> buffer;
  Allocator* allocator = nullptr;  // Null: the heap.
};

// Owns an arena as large as its largest member needs. One member at a time
// holds it:
//   * AllocateTensors of a member takes the arena, from whoever holds it. When
//     the member has been planned before, this neither plans nor allocates.
//   * The member that held it loses its inputs, outputs and inner tensors:
//     their `data` is null from then on, and its Invoke is refused
//     (kFailedPrecondition) until its own AllocateTensors takes the arena back
//     and its inputs are filled again. So read outputs before another member
//     takes the arena.
//   * While a member runs (from inside of a custom operator, say), nobody
//     else can take the arena: that AllocateTensors is refused.
// Variables are each member's own, outside of the shared arena: they keep
// their values while others hold it. With InterpreterOptions::arena_buffer a
// member has them there, and nothing else.
//
// The arena grows when a member needs more than those before it: let each
// member plan at the start (QueryMemory, or AllocateTensors), and it has its
// final size at the next AllocateTensors. The group outlives its members; group
// and members are used by one thread at a time.
class ArenaGroup {
 public:
  static Result<std::unique_ptr<ArenaGroup>> Create(
      const ArenaGroupOptions& options);
  ~ArenaGroup();
  ArenaGroup(const ArenaGroup&) = delete;
  ArenaGroup& operator=(const ArenaGroup&) = delete;

  // Bytes of the shared arena: the most that a living member's plan needs.
  size_t arena_used_bytes() const;

  // For the library.
  SharedArena& shared_arena() { return *arena_; }

 private:
  explicit ArenaGroup(std::unique_ptr<SharedArena> arena);

  std::unique_ptr<SharedArena> arena_;
};

}  // namespace arenalite

#endif  // ARENALITE_ARENA_GROUP_H_
