// The packed form of string tensors: int32 count, int32 offsets[count + 1]
// from the start of the tensor, then the bytes.

#ifndef ARENALITE_KERNELS_STRING_TENSOR_H_
#define ARENALITE_KERNELS_STRING_TENSOR_H_

#include <cstdint>
#include <string_view>

#include "arenalite/tensor.h"

namespace arenalite {

// Reads a string tensor whose form has been checked.
class StringReader {
 public:
  // Refuses a tensor whose count is not that of its shape, or whose offsets
  // leave its bytes.
  static Result<StringReader> Create(const Tensor& tensor);

  int64_t size() const { return count_; }
  std::string_view operator[](int64_t i) const;

 private:
  int64_t count_ = 0;
  const uint8_t* data_ = nullptr;
};

// How many strings a tensor of `shape` has. Refuses what PackedStringBytes
// would refuse whatever their length: before anybody walks over them.
Result<int64_t> CountStrings(const Shape& shape);

// The packed size of `count` strings with `text_bytes` bytes in all. Refuses
// what 32-bit offsets cannot hold.
Result<int64_t> PackedStringBytes(int64_t count, int64_t text_bytes);

// Writes `count` strings, one after the other, into memory that
// PackedStringBytes has measured.
class StringWriter {
 public:
  StringWriter(void* data, int64_t count);
  // Adds to the string that is being written.
  void Extend(std::string_view text);
  // Adds to it, and ends it.
  void Append(std::string_view text);

 private:
  uint8_t* data_;
  int64_t next_ = 0;
  int64_t end_;
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_STRING_TENSOR_H_
