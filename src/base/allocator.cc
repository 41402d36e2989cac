#include "arenalite/allocator.h"

#include <new>

namespace arenalite {
namespace {

class HeapAllocator final : public Allocator {
 public:
  void* Allocate(size_t bytes, size_t alignment) override {
    return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
  }
  void Deallocate(void* memory, size_t, size_t alignment) override {
    ::operator delete(memory, std::align_val_t(alignment));
  }
};

// A union, so that neither constructor nor destructor runs at start or exit.
union HeapAllocatorStorage {
  constexpr HeapAllocatorStorage() : nothing() {}
  ~HeapAllocatorStorage() {}
  char nothing;
  HeapAllocator allocator;
};

}  // namespace

Allocator& DefaultAllocator() {
  static HeapAllocatorStorage storage;
  // Stateless: constructing it again from a second thread changes nothing.
  static Allocator* const allocator = ::new (&storage.allocator) HeapAllocator;
  return *allocator;
}

}  // namespace arenalite
