// DynamicMemory: bytes for tensors whose shape data decide.

#ifndef ARENALITE_RUNTIME_DYNAMIC_MEMORY_H_
#define ARENALITE_RUNTIME_DYNAMIC_MEMORY_H_

#include <cstdint>

#include "arenalite/allocator.h"
#include "arenalite/status.h"

namespace arenalite {

// One block of dynamic memory.
struct DynamicBlock {
  void* data = nullptr;
  int64_t capacity = 0;
};

// Hands out blocks within a cap on their sum, and counts them. Whoever holds
// a block gives it back before the DynamicMemory goes.
class DynamicMemory {
 public:
  DynamicMemory(Allocator& allocator, int64_t cap)
      : allocator_(allocator), cap_(cap) {}

  // Makes `block` hold at least `bytes`; contents are lost when it moves.
  // A block that is large enough stays.
  Status Resize(DynamicBlock& block, int64_t bytes);
  void Free(DynamicBlock& block);
  int64_t held_bytes() const { return held_; }
  // The most that was held at once, ever.
  int64_t peak_bytes() const { return peak_; }

 private:
  Allocator& allocator_;
  const int64_t cap_;
  int64_t held_ = 0;
  int64_t peak_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_DYNAMIC_MEMORY_H_
