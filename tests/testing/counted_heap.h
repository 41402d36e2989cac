// The heap of a test program, counted, and able to fail. A program that lists
// counted_heap.cc among its sources has it in place of operator new.

#ifndef ARENALITE_TESTS_TESTING_COUNTED_HEAP_H_
#define ARENALITE_TESTS_TESTING_COUNTED_HEAP_H_

#include <cstdint>

#include "arenalite/allocator.h"

namespace arenalite {
namespace testing {

struct HeapCount {
  int64_t allocations = 0;  // So far.
  int64_t live_bytes = 0;   // Held now.
};
HeapCount CountHeap();

// After so many more allocations by non-throwing operator new, all of those
// fail; -1: none does.
void FailHeapAfter(int64_t allocations);

// Counts what goes through it, and can fail as well.
class CountingAllocator final : public Allocator {
 public:
  void* Allocate(size_t bytes, size_t alignment) override {
    if (fails) return nullptr;
    void* memory = DefaultAllocator().Allocate(bytes, alignment);
    if (memory == nullptr) return nullptr;
    ++allocations;
    live_bytes += static_cast<int64_t>(bytes);
    if (live_bytes > peak_bytes) peak_bytes = live_bytes;
    return memory;
  }
  void Deallocate(void* memory, size_t bytes, size_t alignment) override {
    live_bytes -= static_cast<int64_t>(bytes);
    DefaultAllocator().Deallocate(memory, bytes, alignment);
  }

  bool fails = false;
  int64_t allocations = 0;
  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;
};

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_COUNTED_HEAP_H_
