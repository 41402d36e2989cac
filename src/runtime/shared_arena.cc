#include "runtime/shared_arena.h"

#include <algorithm>
#include <utility>

namespace arenalite {

Status SharedArena::Join(ArenaMember& member) {
  return members_.Append({&member, 0});
}

void SharedArena::Leave(ArenaMember& member) {
  if (holder_ == &member) holder_ = nullptr;
  for (Member& known : members_) {
    if (known.member != &member) continue;
    std::swap(known, members_.back());
    members_.PopBack();
    return;
  }
}

void SharedArena::SetNeed(const ArenaMember& member, int64_t bytes) {
  for (Member& known : members_) {
    if (known.member == &member) known.need = bytes;
  }
}

Status SharedArena::CheckFree() const {
  if (!running_) return OkStatus();
  return FailedPreconditionError(
      "an interpreter of the arena group is running: the arena is free when "
      "its Invoke has returned");
}

Status SharedArena::Take(ArenaMember& member) {
  ARENALITE_RETURN_IF_ERROR(CheckFree());
  ArenaMember* const before = std::exchange(holder_, nullptr);
  if (before != nullptr && before != &member) before->LoseArena();
  arena_.ClearRecords();
  arena_.Require(required_bytes());
  ARENALITE_RETURN_IF_ERROR(arena_.Commit(false));
  holder_ = &member;
  return OkStatus();
}

void SharedArena::Release(const ArenaMember& member) {
  if (holder_ != &member) return;
  holder_ = nullptr;
  arena_.ReleaseBytes();
}

int64_t SharedArena::required_bytes() const {
  int64_t most = 0;
  for (const Member& known : members_) most = std::max(most, known.need);
  return most;
}

}  // namespace arenalite
