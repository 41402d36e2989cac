#include "runtime/dynamic_memory.h"

#include <algorithm>

namespace arenalite {
namespace {

constexpr size_t kDynamicAlignment = 64;

}  // namespace

Status DynamicMemory::Resize(DynamicBlock& block, int64_t bytes) {
  if (bytes <= block.capacity) return OkStatus();
  Free(block);
  if (bytes > cap_ - held_) {
    return ResourceExhaustedError("a dynamic tensor of ", bytes, " bytes with ",
                                  held_, " held exceeds max_dynamic_bytes, ",
                                  cap_);
  }
  block.data =
      allocator_.Allocate(static_cast<size_t>(bytes), kDynamicAlignment);
  if (block.data == nullptr) {
    return ResourceExhaustedError("a dynamic tensor needs ", bytes,
                                  " bytes, which the allocator refused");
  }
  block.capacity = bytes;
  held_ += bytes;
  peak_ = std::max(peak_, held_);
  return OkStatus();
}

void DynamicMemory::Free(DynamicBlock& block) {
  if (block.data == nullptr) return;
  allocator_.Deallocate(block.data, static_cast<size_t>(block.capacity),
                        kDynamicAlignment);
  held_ -= block.capacity;
  block = DynamicBlock();
}

}  // namespace arenalite
