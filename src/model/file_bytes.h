// FileBytes: the bytes of a file or a caller's buffer, 16-byte aligned.

#ifndef ARENALITE_MODEL_FILE_BYTES_H_
#define ARENALITE_MODEL_FILE_BYTES_H_

#include <cstddef>
#include <cstdint>

#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

// What FlatBuffers data needs: 16 is the largest `force_align` of the schema.
constexpr size_t kModelAlignment = 16;

// Owns a mapping, a heap block, or nothing (a caller's bytes). Move-only.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  // Maps a regular file where the system can; else reads to the end, so that
  // pipes work too. kNotFound or kIo.
  static Result<FileBytes> Open(const char* path);
  static Result<FileBytes> Copy(Span<const uint8_t> bytes);
  // The caller keeps `bytes` alive.
  static FileBytes Borrow(Span<const uint8_t> bytes);

  Span<const uint8_t> bytes() const { return bytes_; }

 private:
  enum class Owner { kNobody, kHeap, kMapping };
  FileBytes(Span<const uint8_t> bytes, Owner owner)
      : bytes_(bytes), owner_(owner) {}

  Span<const uint8_t> bytes_;
  Owner owner_ = Owner::kNobody;
};

}  // namespace arenalite

#endif  // ARENALITE_MODEL_FILE_BYTES_H_
