#include "runtime/program_arena.h"

namespace arenalite {

ProgramArena::~ProgramArena() {
  if (group_ != nullptr) group_->Leave(owner_);
}

Status ProgramArena::JoinGroup() {
  if (options_.arena_group == nullptr) return OkStatus();
  SharedArena& group = options_.arena_group->shared_arena();
  if (options_.alignment > group.alignment()) {
    return InvalidArgumentError("alignment is ", options_.alignment,
                                ", the arena group's is ", group.alignment(),
                                ": it must be as large");
  }
  ARENALITE_RETURN_IF_ERROR(group.Join(owner_));
  group_ = &group;
  return OkStatus();
}

void ProgramArena::Announce(int64_t planned_bytes) {
  if (group_ != nullptr) group_->SetNeed(owner_, planned_bytes);
}

Status ProgramArena::Commit(int64_t persistent_bytes, int64_t planned_bytes) {
  if (persistent_bytes > options_.max_arena_bytes - planned_bytes) {
    return ResourceExhaustedError(
        "the arena needs ", planned_bytes, " planned and ", persistent_bytes,
        " persistent bytes, max_arena_bytes allows ", options_.max_arena_bytes);
  }
  if (group_ != nullptr) ARENALITE_RETURN_IF_ERROR(group_->CheckFree());
  Announce(planned_bytes);
  const int64_t own_planned = group_ != nullptr ? 0 : planned_bytes;
  if (options_.arena_buffer.data() != nullptr) {
    ARENALITE_RETURN_IF_ERROR(SplitBuffer(persistent_bytes, own_planned));
  }
  persistent_.ClearRecords();
  persistent_.Require(persistent_bytes);
  planned_.ClearRecords();
  planned_.Require(own_planned);
  if (own_planned > planned_.committed_bytes()) planned_.ReleaseBytes();
  ARENALITE_RETURN_IF_ERROR(persistent_.Commit(true));
  ARENALITE_RETURN_IF_ERROR(planned_.Commit(false));
  return group_ != nullptr ? group_->Take(owner_) : OkStatus();
}

void ProgramArena::ReleasePlanned() {
  planned_.ReleaseBytes();
  if (group_ != nullptr) group_->Release(owner_);
}

void ProgramArena::BeginRun() {
  if (group_ != nullptr) group_->BeginRun();
}

void ProgramArena::EndRun() {
  if (group_ != nullptr) group_->EndRun();
}

Status ProgramArena::SplitBuffer(int64_t persistent_bytes,
                                 int64_t planned_bytes) {
  const Span<uint8_t> buffer = options_.arena_buffer;
  const auto address = reinterpret_cast<uintptr_t>(buffer.data());
  const auto mask = static_cast<uintptr_t>(alignment()) - 1;
  const auto skip = static_cast<int64_t>((~address + 1) & mask);
  const int64_t need = persistent_bytes + planned_bytes;
  const int64_t usable = static_cast<int64_t>(buffer.size()) - skip;
  if (usable < need) {
    return ResourceExhaustedError(
        "the arena needs ", need, " bytes (", planned_bytes, " planned, ",
        persistent_bytes, " persistent), the buffer has ", buffer.size(),
        skip == 0 ? "" : ", some of them lost to its alignment", ": ",
        need - usable, " bytes are missing");
  }
  const auto first = static_cast<size_t>(skip);
  const auto middle = first + static_cast<size_t>(persistent_bytes);
  persistent_ = SimpleMemoryArena(
      {alignment(), nullptr,
       buffer.subspan(first, static_cast<size_t>(persistent_bytes))});
  planned_ = SimpleMemoryArena(
      {alignment(), nullptr,
       buffer.subspan(middle, static_cast<size_t>(planned_bytes))});
  return OkStatus();
}

}  // namespace arenalite
