#include "memory/simple_memory_arena.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked_math.h"

namespace arenalite {

SimpleMemoryArena::SimpleMemoryArena(SimpleMemoryArena&& other) noexcept
    : options_(other.options_),
      records_(std::move(other.records_)),
      largest_gap_(std::exchange(other.largest_gap_, 0)),
      required_bytes_(other.required_bytes_),
      committed_bytes_(std::exchange(other.committed_bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

SimpleMemoryArena& SimpleMemoryArena::operator=(
    SimpleMemoryArena&& other) noexcept {
  if (this != &other) {
    ReleaseBytes();
    options_ = other.options_;
    records_ = std::move(other.records_);
    largest_gap_ = std::exchange(other.largest_gap_, 0);
    required_bytes_ = other.required_bytes_;
    committed_bytes_ = std::exchange(other.committed_bytes_, 0);
    data_ = std::exchange(other.data_, nullptr);
  }
  return *this;
}

Allocator& SimpleMemoryArena::allocator() const {
  return options_.allocator ? *options_.allocator : DefaultAllocator();
}

Result<int64_t> SimpleMemoryArena::Allocate(int64_t size, int64_t alignment) {
  int64_t rounded = 0;
  if (size < 0 || !IsPowerOfTwo(alignment) ||
      !CheckedAlignUp(size, alignment, &rounded)) {
    return InvalidArgumentError("an allocation of ", size,
                                " bytes at alignment ", alignment,
                                " is not possible: sizes >= 0 and powers of "
                                "two are allowed");
  }
  if (rounded == 0) return int64_t{0};
  size_t place = records_.size();
  int64_t offset = 0;
  if (rounded <= largest_gap_) FindGap(rounded, alignment, &place, &offset);
  const int64_t end =
      records_.empty() ? 0 : records_.back().offset + records_.back().size;
  const bool at_end = place == records_.size();
  if (at_end && (!CheckedAlignUp(end, alignment, &offset) ||
                 offset > INT64_MAX - rounded)) {
    return ResourceExhaustedError("the arena would exceed 64 bits with ", size,
                                  " more bytes");
  }
  ARENALITE_RETURN_IF_ERROR(records_.Append({offset, rounded}));
  std::rotate(records_.begin() + place, records_.end() - 1, records_.end());
  if (at_end) largest_gap_ = std::max(largest_gap_, offset - end);
  Require(offset + rounded);
  return offset;
}

void SimpleMemoryArena::FindGap(int64_t size, int64_t alignment, size_t* place,
                                int64_t* offset) {
  int64_t best = INT64_MAX;
  int64_t largest = 0;
  int64_t end = 0;
  for (size_t i = 0; i < records_.size(); ++i) {
    const int64_t start = AlignUp(end, alignment);
    const int64_t gap = records_[i].offset - start;
    if (gap >= size && gap < best) {
      *place = i;
      *offset = start;
      best = gap;
    }
    largest = std::max(largest, records_[i].offset - end);
    end = records_[i].offset + records_[i].size;
  }
  largest_gap_ = largest;
}

Status SimpleMemoryArena::Release(int64_t offset) {
  for (Record& record : records_) {
    if (record.offset != offset) continue;
    std::rotate(&record, &record + 1, records_.end());
    records_.PopBack();
    largest_gap_ = INT64_MAX;
    return OkStatus();
  }
  return InvalidArgumentError("no allocation starts at offset ", offset);
}

void SimpleMemoryArena::ClearRecords() {
  records_.Clear();
  largest_gap_ = 0;
  required_bytes_ = 0;
}

void SimpleMemoryArena::Require(int64_t bytes) {
  required_bytes_ = std::max(required_bytes_, bytes);
}

Status SimpleMemoryArena::Commit(bool keep_contents) {
  if (required_bytes_ <= committed_bytes_) return OkStatus();
  if (options_.buffer.data() != nullptr) return CommitInBuffer();
  if (!keep_contents) ReleaseBytes();
  const auto bytes = static_cast<size_t>(required_bytes_);
  const auto alignment = static_cast<size_t>(options_.alignment);
  auto* grown = static_cast<uint8_t*>(allocator().Allocate(bytes, alignment));
  if (grown == nullptr) {
    return ResourceExhaustedError("the arena needs ", required_bytes_,
                                  " bytes, which the allocator refused");
  }
  if (committed_bytes_ > 0) {
    std::memcpy(grown, data_, static_cast<size_t>(committed_bytes_));
  }
  ReleaseBytes();
  data_ = grown;
  committed_bytes_ = required_bytes_;
  return OkStatus();
}

// A buffer cannot grow, so contents need no copy: its start never moves.
Status SimpleMemoryArena::CommitInBuffer() {
  const auto address = reinterpret_cast<uintptr_t>(options_.buffer.data());
  const auto misaligned = static_cast<int64_t>(
      address & static_cast<uintptr_t>(options_.alignment - 1));
  const int64_t skip = misaligned == 0 ? 0 : options_.alignment - misaligned;
  const auto size = static_cast<int64_t>(options_.buffer.size());
  if (size - skip < required_bytes_) {
    return ResourceExhaustedError(
        "the arena needs ", required_bytes_, " bytes at alignment ",
        options_.alignment, ", the buffer has ", size, " bytes (", skip,
        " lost to its alignment): ", required_bytes_ - (size - skip),
        " bytes are missing");
  }
  data_ = options_.buffer.data() + skip;
  committed_bytes_ = required_bytes_;
  return OkStatus();
}

void SimpleMemoryArena::ReleaseBytes() {
  if (data_ != nullptr && options_.buffer.data() == nullptr) {
    allocator().Deallocate(data_, static_cast<size_t>(committed_bytes_),
                           static_cast<size_t>(options_.alignment));
  }
  data_ = nullptr;
  committed_bytes_ = 0;
}

}  // namespace arenalite
