#include "runtime/op_data_pool.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace arenalite {
namespace {

// Ops keep a few dozen bytes each: one block serves several of them.
constexpr size_t kMinBlockBytes = 256;

}  // namespace

// A header in front of the bytes it owns.
struct alignas(std::max_align_t) OpDataPool::Block {
  Block* next;
  size_t capacity;
  size_t used;

  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this + 1); }
};

void* OpDataPool::Allocate(size_t bytes) {
  if (bytes > std::numeric_limits<ptrdiff_t>::max() / 2) return nullptr;
  constexpr size_t kAlignment = alignof(std::max_align_t);
  const size_t size =
      std::max(bytes + kAlignment - 1, kAlignment) / kAlignment * kAlignment;
  Block* block = current_;
  while (block != nullptr && block->capacity - block->used < size) {
    block = block->next;
  }
  if (block == nullptr) block = AddBlock(size);
  if (block == nullptr) return nullptr;
  current_ = block;
  void* piece = block->bytes() + block->used;
  block->used += size;
  std::memset(piece, 0, size);
  return piece;
}

// Behind the current one, so that the order of blocks is that of their use.
OpDataPool::Block* OpDataPool::AddBlock(size_t bytes) {
  const size_t capacity = std::max(bytes, kMinBlockBytes);
  void* memory = ::operator new(sizeof(Block) + capacity, std::nothrow);
  if (memory == nullptr) return nullptr;
  Block*& link = current_ == nullptr ? blocks_ : current_->next;
  link = new (memory) Block{link, capacity, 0};
  bytes_ += sizeof(Block) + capacity;
  return link;
}

void OpDataPool::Rewind() {
  for (Block* block = blocks_; block != nullptr; block = block->next) {
    block->used = 0;
  }
  current_ = blocks_;
}

void OpDataPool::Clear() {
  while (blocks_ != nullptr) {
    Block* next = blocks_->next;
    ::operator delete(blocks_);
    blocks_ = next;
  }
  current_ = nullptr;
  bytes_ = 0;
}

}  // namespace arenalite
