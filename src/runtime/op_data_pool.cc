#include "runtime/op_data_pool.h"

#include <cstring>
#include <limits>
#include <new>

namespace arenalite {

// A link in front of the bytes it owns.
struct alignas(std::max_align_t) OpDataPool::Block {
  Block* next;
};

void* OpDataPool::Allocate(size_t bytes) {
  if (bytes > std::numeric_limits<ptrdiff_t>::max() - sizeof(Block)) {
    return nullptr;
  }
  const size_t total = sizeof(Block) + bytes;
  void* memory = ::operator new(total, std::nothrow);
  if (memory == nullptr) return nullptr;
  std::memset(memory, 0, total);
  blocks_ = new (memory) Block{blocks_};
  bytes_ += total;
  return blocks_ + 1;
}

void OpDataPool::Clear() {
  while (blocks_ != nullptr) {
    Block* next = blocks_->next;
    ::operator delete(blocks_);
    blocks_ = next;
  }
  bytes_ = 0;
}

}  // namespace arenalite
