// Array: a contiguous container that reports a failed allocation.

#ifndef ARENALITE_ARRAY_H_
#define ARENALITE_ARRAY_H_

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

// The library's only container of runtime size. Like std::vector, but each
// call that may allocate returns a Status, and it is move-only. Elements are
// value-initialised. Memory comes from the non-throwing operator new, so a
// program that replaces it sees (and may fail) every allocation.
template <class T>
class Array {
  static_assert(alignof(T) <= alignof(std::max_align_t));

 public:
  Array() = default;
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      Reset();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, 0);
    }
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { Reset(); }

  // An array of `size` value-initialised elements.
  static Result<Array> Create(size_t size) {
    Array array;
    ARENALITE_RETURN_IF_ERROR(array.Resize(size));
    return array;
  }

  // Makes room for `capacity` elements in all; never shrinks.
  Status Reserve(size_t capacity) {
    if (capacity <= capacity_) return OkStatus();
    if (capacity > std::numeric_limits<ptrdiff_t>::max() / sizeof(T)) {
      return ResourceExhaustedError("an array of ", capacity,
                                    " elements does not fit in memory");
    }
    void* memory = ::operator new(capacity * sizeof(T), std::nothrow);
    if (memory == nullptr) {
      return ResourceExhaustedError("out of memory: ", capacity * sizeof(T),
                                    " bytes of heap were refused");
    }
    T* moved = static_cast<T*>(memory);
    for (size_t i = 0; i < size_; ++i) {
      new (moved + i) T(std::move(data_[i]));
      data_[i].~T();
    }
    ::operator delete(data_);
    data_ = moved;
    capacity_ = capacity;
    return OkStatus();
  }

  // Grows with value-initialised elements, or destroys the last ones.
  Status Resize(size_t size) {
    ARENALITE_RETURN_IF_ERROR(Reserve(size));
    while (size_ > size) data_[--size_].~T();
    while (size_ < size) new (data_ + size_++) T();
    return OkStatus();
  }

  Status Append(T value) {
    if (size_ == capacity_) {
      ARENALITE_RETURN_IF_ERROR(Reserve(size_ < 8 ? 8 : size_ + size_ / 2));
    }
    new (data_ + size_++) T(std::move(value));
    return OkStatus();
  }

  // Destroys all elements, keeps the memory.
  void Clear() {
    while (size_ > 0) data_[--size_].~T();
  }
  // Destroys all elements and gives the memory back.
  void Reset() {
    Clear();
    ::operator delete(data_);
    data_ = nullptr;
    capacity_ = 0;
  }
  void PopBack() { data_[--size_].~T(); }
  void Fill(const T& value) {
    for (size_t i = 0; i < size_; ++i) data_[i] = value;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  // Heap bytes held by the array itself.
  size_t capacity_bytes() const { return capacity_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_ARRAY_H_
