// Allocator: where arenas and dynamic tensors get their bytes.

#ifndef ARENALITE_ALLOCATOR_H_
#define ARENALITE_ALLOCATOR_H_

#include <cstddef>

namespace arenalite {

// Implement this to put arenas into memory of your choice. One allocator may
// serve several interpreters; calls come from the thread that runs them, and
// the implementation must be as thread-safe as that use needs. The allocator
// must outlive every object that was given it.
class Allocator {
 public:
  virtual ~Allocator() = default;

  // `bytes` > 0 at an address that is a multiple of `alignment` (a power of
  // two), or null when there is no memory. Contents are arbitrary.
  virtual void* Allocate(size_t bytes, size_t alignment) = 0;

  // Takes back what Allocate returned, with the same `bytes` and `alignment`.
  virtual void Deallocate(void* memory, size_t bytes, size_t alignment) = 0;
};

// The process heap, through the non-throwing aligned operator new. Never
// destroyed; safe to use from several threads.
Allocator& DefaultAllocator();

}  // namespace arenalite

#endif  // ARENALITE_ALLOCATOR_H_
