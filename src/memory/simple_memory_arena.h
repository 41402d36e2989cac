// SimpleMemoryArena: allocation records, gap search, and the real bytes.

#ifndef ARENALITE_MEMORY_SIMPLE_MEMORY_ARENA_H_
#define ARENALITE_MEMORY_SIMPLE_MEMORY_ARENA_H_

#include <cstdint>

#include "arenalite/allocator.h"
#include "arenalite/array.h"
#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

// First the records: Allocate hands out offsets, Release takes them back, and
// required_bytes() is the high-water mark. Then the bytes: Commit gets as many
// as are required from the allocator or the caller's buffer. One arena is used
// by one thread at a time.
class SimpleMemoryArena {
 public:
  struct Options {
    // Address alignment of the whole arena: a power of two.
    int64_t alignment = 16;
    // Where bytes come from when there is no buffer. Null: the heap.
    Allocator* allocator = nullptr;
    // The caller's bytes; non-null data makes the arena live inside of it.
    Span<uint8_t> buffer;
  };

  explicit SimpleMemoryArena(const Options& options) : options_(options) {}
  SimpleMemoryArena(SimpleMemoryArena&& other) noexcept;
  SimpleMemoryArena& operator=(SimpleMemoryArena&& other) noexcept;
  ~SimpleMemoryArena() { ReleaseBytes(); }

  // The offset, a multiple of `alignment` (a power of two), of `size` free
  // bytes: the smallest gap between records that is large enough, else the
  // end. `size` is rounded up to `alignment`.
  Result<int64_t> Allocate(int64_t size, int64_t alignment);
  // Gives the record at `offset` back. Records of no bytes need no Release.
  Status Release(int64_t offset);
  // Forgets all records and the high-water mark; committed bytes stay.
  void ClearRecords();

  // Makes the high-water mark at least `bytes`: for a plan made elsewhere.
  void Require(int64_t bytes);
  int64_t required_bytes() const { return required_bytes_; }

  // Makes required_bytes() real. An arena that is large enough already stays
  // where it is. Growth first gives the old bytes back, unless `keep_contents`
  // asks to copy them. Errors name the need and the shortfall; then the arena
  // has no bytes (with `keep_contents`: keeps the old ones).
  Status Commit(bool keep_contents);
  // Gives all bytes back; records stay.
  void ReleaseBytes();

  // Null before Commit, and for an arena of no bytes.
  uint8_t* data() const { return data_; }
  int64_t committed_bytes() const { return committed_bytes_; }

 private:
  struct Record {
    int64_t offset;
    int64_t size;
  };

  // Sets `place` among the records and `offset` where a gap is large enough.
  void FindGap(int64_t size, int64_t alignment, size_t* place, int64_t* offset);
  Status CommitInBuffer();
  Allocator& allocator() const;

  Options options_;
  Array<Record> records_;  // Ascending offsets.
  // No gap between them is larger: spares the search while none is known.
  int64_t largest_gap_ = 0;
  int64_t required_bytes_ = 0;
  int64_t committed_bytes_ = 0;
  uint8_t* data_ = nullptr;
};

}  // namespace arenalite

#endif  // ARENALITE_MEMORY_SIMPLE_MEMORY_ARENA_H_
