#include "kernels/string_tensor.h"

#include <cstring>

#include "base/checked_math.h"

namespace arenalite {
namespace {

int32_t LoadInt32(const uint8_t* data, int64_t index) {
  int32_t value;
  std::memcpy(&value, data + 4 * index, sizeof(value));
  return value;
}

void StoreInt32(uint8_t* data, int64_t index, int64_t value) {
  const auto narrow = static_cast<int32_t>(value);
  std::memcpy(data + 4 * index, &narrow, sizeof(narrow));
}

int64_t HeaderBytes(int64_t count) { return 4 * (count + 2); }

}  // namespace

Result<StringReader> StringReader::Create(const Tensor& tensor) {
  StringReader reader;
  const int64_t expected = tensor.shape.NumElements();
  if (tensor.bytes < 4) {
    if (expected == 0) return reader;
    return OutOfRangeError("string tensor '", tensor.name, "' of shape ",
                           tensor.shape.dims(), " has ", tensor.bytes,
                           " bytes, at least 4 needed for the count");
  }
  reader.data_ = tensor.data_as<uint8_t>();
  reader.count_ = LoadInt32(reader.data_, 0);
  if (reader.count_ != expected) {
    return OutOfRangeError("string tensor '", tensor.name, "' of shape ",
                           tensor.shape.dims(), " holds ", reader.count_,
                           " strings, expected ", expected);
  }
  int64_t low = HeaderBytes(expected);
  for (int64_t i = 0; i <= expected && low <= tensor.bytes; ++i) {
    const int64_t offset = LoadInt32(reader.data_, i + 1);
    if (offset < low || offset > tensor.bytes) {
      return OutOfRangeError("string tensor '", tensor.name, "': string ", i,
                             " starts, or the one before ends, at byte ",
                             offset, ", allowed ", low, "..", tensor.bytes);
    }
    low = offset;
  }
  if (low > tensor.bytes) {
    return OutOfRangeError("string tensor '", tensor.name, "' of ", expected,
                           " strings has ", tensor.bytes, " bytes, at least ",
                           low, " needed");
  }
  return reader;
}

std::string_view StringReader::operator[](int64_t i) const {
  const int32_t begin = LoadInt32(data_, i + 1);
  const int32_t end = LoadInt32(data_, i + 2);
  return {reinterpret_cast<const char*>(data_ + begin),
          static_cast<size_t>(end - begin)};
}

Result<int64_t> CountStrings(const Shape& shape) {
  ARENALITE_RETURN_IF_ERROR(Shape::Create(shape.dims()).status());
  const int64_t count = shape.NumElements();
  ARENALITE_RETURN_IF_ERROR(PackedStringBytes(count, 0).status());
  return count;
}

Result<int64_t> PackedStringBytes(int64_t count, int64_t text_bytes) {
  int64_t total = 0;
  if (count > INT32_MAX / 4 ||
      !CheckedAdd(HeaderBytes(count), text_bytes, &total) ||
      total > INT32_MAX) {
    return ResourceExhaustedError(count, " strings of ", text_bytes,
                                  " bytes in all overflow 32-bit offsets");
  }
  return total;
}

StringWriter::StringWriter(void* data, int64_t count)
    : data_(static_cast<uint8_t*>(data)), end_(HeaderBytes(count)) {
  StoreInt32(data_, 0, count);
  StoreInt32(data_, 1, end_);
}

void StringWriter::Extend(std::string_view text) {
  if (!text.empty()) std::memcpy(data_ + end_, text.data(), text.size());
  end_ += static_cast<int64_t>(text.size());
}

void StringWriter::Append(std::string_view text) {
  Extend(text);
  StoreInt32(data_, ++next_ + 1, end_);
}

}  // namespace arenalite
