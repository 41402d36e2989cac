#include "model/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define ARENALITE_HAS_MMAP 1
#include <sys/mman.h>
#include <sys/stat.h>
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
    // A device may never end; models over this size are files, and mapped.
    constexpr size_t kMaxStream = size_t{1} << 31;
    if (capacity_ >= kMaxStream) {
      return IoError("a stream of more than ", kMaxStream, " bytes");
    }
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

// A file open for reading, once: a pipe cannot be opened again.
class OpenFile {
 public:
  OpenFile(OpenFile&& other) noexcept
      : stream_(std::exchange(other.stream_, nullptr)) {}
  ~OpenFile() {
    if (stream_ != nullptr) std::fclose(stream_);
  }

  static Result<OpenFile> Open(const char* path) {
    std::FILE* stream = std::fopen(path, "rb");
    if (stream == nullptr) return SystemError(errno);
    return OpenFile(stream);
  }
  std::FILE* stream() const { return stream_; }

#if ARENALITE_HAS_MMAP
  // Empty for what cannot be mapped: pipes, devices, empty files.
  Result<Span<const uint8_t>> Map() const {
    const int file = fileno(stream_);
    struct stat info;
    if (fstat(file, &info) != 0) return SystemError(errno);
    if (S_ISDIR(info.st_mode)) return SystemError(EISDIR);
    const auto size = static_cast<uint64_t>(info.st_size);
    if (!S_ISREG(info.st_mode) || size == 0 || size > SIZE_MAX / 2) {
      return Span<const uint8_t>();
    }
    void* memory = mmap(nullptr, static_cast<size_t>(size), PROT_READ,
                        MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) return Span<const uint8_t>();
    return Span<const uint8_t>(static_cast<const uint8_t*>(memory),
                               static_cast<size_t>(size));
  }
#endif

 private:
  explicit OpenFile(std::FILE* stream) : stream_(stream) {}

  std::FILE* stream_;
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
  ARENALITE_ASSIGN_OR_RETURN(const OpenFile file, OpenFile::Open(path));
#if ARENALITE_HAS_MMAP
  ARENALITE_ASSIGN_OR_RETURN(const Span<const uint8_t> mapped, file.Map());
  if (!mapped.empty()) return FileBytes(mapped, Owner::kMapping);
#endif
  GrowingBlock block;
  ARENALITE_RETURN_IF_ERROR(block.ReadAll(file.stream()));
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
