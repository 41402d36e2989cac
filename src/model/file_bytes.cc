#include "model/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define ARENALITE_HAS_MMAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define ARENALITE_HAS_MMAP 0
#endif

namespace arenalite {
namespace {

uint8_t* NewBlock(size_t size) {
  return static_cast<uint8_t*>(
      ::operator new(size, std::align_val_t(kModelAlignment), std::nothrow));
}

void DeleteBlock(const uint8_t* block) {
  ::operator delete(const_cast<uint8_t*>(block),
                    std::align_val_t(kModelAlignment));
}

Status OutOfMemory(size_t size) {
  return ResourceExhaustedError("out of memory: ", size,
                                " bytes of heap for the model were refused");
}

Status SystemError(int error) {
  const char* reason = std::strerror(error);
  return error == ENOENT || error == ENOTDIR ? NotFoundError(reason)
                                             : IoError(reason);
}

// A heap block that grows while a stream is read into it.
class GrowingBlock {
 public:
  GrowingBlock() = default;
  GrowingBlock(const GrowingBlock&) = delete;
  GrowingBlock& operator=(const GrowingBlock&) = delete;
  ~GrowingBlock() { DeleteBlock(data_); }

  Status ReadAll(std::FILE* file) {
    while (true) {
      if (size_ == capacity_) ARENALITE_RETURN_IF_ERROR(Grow());
      const size_t got = std::fread(data_ + size_, 1, capacity_ - size_, file);
      size_ += got;
      if (got == 0) break;
    }
    return std::ferror(file) ? SystemError(errno) : OkStatus();
  }
  Span<const uint8_t> Release() {
    return Span<const uint8_t>(std::exchange(data_, nullptr), size_);
  }

 private:
  Status Grow() {
    const size_t capacity = capacity_ == 0 ? size_t{1} << 16 : capacity_ * 2;
    uint8_t* grown = NewBlock(capacity);
    if (grown == nullptr) return OutOfMemory(capacity);
    if (size_ > 0) std::memcpy(grown, data_, size_);
    DeleteBlock(data_);
    data_ = grown;
    capacity_ = capacity;
    return OkStatus();
  }

  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace

FileBytes::FileBytes(FileBytes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, Span<const uint8_t>())),
      owner_(std::exchange(other.owner_, Owner::kNobody)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(owner_, other.owner_);
  return *this;
}

FileBytes::~FileBytes() {
  if (owner_ == Owner::kHeap) DeleteBlock(bytes_.data());
#if ARENALITE_HAS_MMAP
  if (owner_ == Owner::kMapping) {
    munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
  }
#endif
}

Result<FileBytes> FileBytes::Open(const char* path) {
#if ARENALITE_HAS_MMAP
  ARENALITE_ASSIGN_OR_RETURN(FileBytes mapped, Map(path));
  if (mapped.owner_ == Owner::kMapping) return mapped;
#endif
  return Read(path);
}

#if ARENALITE_HAS_MMAP
// Gives an unowned, empty FileBytes for files that cannot be mapped.
Result<FileBytes> FileBytes::Map(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return SystemError(errno);
  struct stat info;
  void* memory = MAP_FAILED;
  Status status;
  if (fstat(file, &info) != 0) {
    status = SystemError(errno);
  } else if (S_ISDIR(info.st_mode)) {
    status = SystemError(EISDIR);
  } else if (S_ISREG(info.st_mode) && info.st_size > 0 &&
             static_cast<uint64_t>(info.st_size) <= SIZE_MAX / 2) {
    memory = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ,
                  MAP_PRIVATE, file, 0);
  }
  close(file);
  ARENALITE_RETURN_IF_ERROR(std::move(status));
  if (memory == MAP_FAILED) return FileBytes();
  return FileBytes(Span<const uint8_t>(static_cast<const uint8_t*>(memory),
                                       static_cast<size_t>(info.st_size)),
                   Owner::kMapping);
}
#endif

Result<FileBytes> FileBytes::Read(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return SystemError(errno);
  GrowingBlock block;
  Status status = block.ReadAll(file);
  std::fclose(file);
  ARENALITE_RETURN_IF_ERROR(std::move(status));
  return FileBytes(block.Release(), Owner::kHeap);
}

Result<FileBytes> FileBytes::Copy(Span<const uint8_t> bytes) {
  uint8_t* block = NewBlock(bytes.size());
  if (block == nullptr) return OutOfMemory(bytes.size());
  if (!bytes.empty()) std::memcpy(block, bytes.data(), bytes.size());
  return FileBytes(Span<const uint8_t>(block, bytes.size()), Owner::kHeap);
}

FileBytes FileBytes::Borrow(Span<const uint8_t> bytes) {
  return FileBytes(bytes, Owner::kNobody);
}

}  // namespace arenalite
