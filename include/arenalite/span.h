// Span: a borrowed view of contiguous elements.

#ifndef ARENALITE_SPAN_H_
#define ARENALITE_SPAN_H_

#include <cstddef>
#include <type_traits>
#include <utility>

namespace arenalite {

// A pointer and a length. Owns nothing: whoever hands one out says how long
// the elements live. Indexing is unchecked, like a pointer's.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  // From any container with data() and size(): Array, std::vector, Span<U>.
  template <class C, class = std::enable_if_t<std::is_convertible_v<
                         decltype(std::declval<C&>().data()), T*>>>
  constexpr Span(C&& container)
      : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_t i) const { return data_[i]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr Span subspan(size_t first, size_t count) const {
    return Span(data_ + first, count);
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_SPAN_H_
