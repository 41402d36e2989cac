#include "runtime/program_arena.h"

namespace arenalite {

Status ProgramArena::Commit(int64_t persistent_bytes, int64_t planned_bytes) {
  if (persistent_bytes > options_.max_arena_bytes - planned_bytes) {
    return ResourceExhaustedError(
        "the arena needs ", planned_bytes, " planned and ", persistent_bytes,
        " persistent bytes, max_arena_bytes allows ", options_.max_arena_bytes);
  }
  if (options_.arena_buffer.data() != nullptr) {
    ARENALITE_RETURN_IF_ERROR(SplitBuffer(persistent_bytes, planned_bytes));
  }
  persistent_.ClearRecords();
  persistent_.Require(persistent_bytes);
  planned_.ClearRecords();
  planned_.Require(planned_bytes);
  ARENALITE_RETURN_IF_ERROR(persistent_.Commit(true));
  return planned_.Commit(false);
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
