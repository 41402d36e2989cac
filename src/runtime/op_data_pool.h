// OpDataPool: memory for what ops keep from parse and prepare.

#ifndef ARENALITE_RUNTIME_OP_DATA_POOL_H_
#define ARENALITE_RUNTIME_OP_DATA_POOL_H_

#include <cstddef>
#include <utility>

namespace arenalite {

// Zeroed blocks that all go at once.
class OpDataPool {
 public:
  OpDataPool() = default;
  OpDataPool(OpDataPool&& other) noexcept
      : blocks_(std::exchange(other.blocks_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  OpDataPool& operator=(OpDataPool&& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~OpDataPool() { Clear(); }

  // At least one zeroed byte, aligned for every type; null without memory.
  void* Allocate(size_t bytes);
  void Clear();
  // Heap bytes held.
  size_t bytes() const { return bytes_; }

 private:
  struct Block;
  Block* blocks_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_OP_DATA_POOL_H_
