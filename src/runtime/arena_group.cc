#include "arenalite/arena_group.h"

#include <new>
#include <utility>

#include "base/checked_math.h"
#include "runtime/shared_arena.h"

namespace arenalite {

ArenaGroup::ArenaGroup(std::unique_ptr<SharedArena> arena)
    : arena_(std::move(arena)) {}
ArenaGroup::~ArenaGroup() = default;

Result<std::unique_ptr<ArenaGroup>> ArenaGroup::Create(
    const ArenaGroupOptions& options) {
  if (!IsPowerOfTwo(options.alignment) || options.alignment < 16 ||
      options.alignment > 4096) {
    return InvalidArgumentError("alignment of the group is ", options.alignment,
                                ", allowed powers of two from 16 to 4096");
  }
  std::unique_ptr<SharedArena> arena(new (std::nothrow) SharedArena(options));
  std::unique_ptr<ArenaGroup> group;
  if (arena) group.reset(new (std::nothrow) ArenaGroup(std::move(arena)));
  if (group == nullptr) {
    return ResourceExhaustedError("out of memory for an arena group");
  }
  return group;
}

size_t ArenaGroup::arena_used_bytes() const {
  return static_cast<size_t>(arena_->required_bytes());
}

}  // namespace arenalite
