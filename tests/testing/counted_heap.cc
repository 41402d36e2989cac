#include "testing/counted_heap.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

arenalite::testing::HeapCount count;
int64_t left_before_failure = -1;

void* Take(size_t bytes, size_t alignment) {
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory =
      std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) return nullptr;
  ++count.allocations;
  count.live_bytes += static_cast<int64_t>(malloc_usable_size(memory));
  return memory;
}

void* TakeOrFail(size_t bytes, size_t alignment) {
  if (left_before_failure == 0) return nullptr;
  if (left_before_failure > 0) --left_before_failure;
  return Take(bytes, alignment);
}

void Give(void* memory) {
  if (memory == nullptr) return;
  count.live_bytes -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) { return Take(bytes, 16); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return TakeOrFail(bytes, 16);
}
void* operator new(size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t&) noexcept {
  return TakeOrFail(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { Give(memory); }
void operator delete(void* memory, size_t) noexcept { Give(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Give(memory); }

namespace arenalite {
namespace testing {

HeapCount CountHeap() { return count; }

void FailHeapAfter(int64_t allocations) { left_before_failure = allocations; }

}  // namespace testing
}  // namespace arenalite
