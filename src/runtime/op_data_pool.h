// OpDataPool: memory for what ops keep from parse and prepare.

#ifndef ARENALITE_RUNTIME_OP_DATA_POOL_H_
#define ARENALITE_RUNTIME_OP_DATA_POOL_H_

#include <cstddef>
#include <cstdint>
#include <utility>

namespace arenalite {

// Zeroed pieces of memory that all go at once.
class OpDataPool {
 public:
  OpDataPool() = default;
  OpDataPool(OpDataPool&& other) noexcept
      : blocks_(std::exchange(other.blocks_, nullptr)),
        current_(std::exchange(other.current_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  OpDataPool& operator=(OpDataPool&& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(current_, other.current_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~OpDataPool() { Clear(); }

  // At least one zeroed byte, aligned for every type; null without memory.
  void* Allocate(size_t bytes);
  // Takes all pieces back and frees their memory.
  void Clear();
  // Takes all pieces back and keeps the memory: as many pieces again, each in
  // its turn no larger than before, take no memory from the heap.
  void Rewind();
  // Heap bytes held.
  size_t bytes() const { return bytes_; }

 private:
  struct Block;
  Block* AddBlock(size_t bytes);

  Block* blocks_ = nullptr;
  Block* current_ = nullptr;  // Those before it are used up.
  size_t bytes_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_OP_DATA_POOL_H_
