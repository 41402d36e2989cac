// RowView: how spatial kernels find the rows of a tensor.

#ifndef ARENALITE_KERNELS_ROW_VIEW_H_
#define ARENALITE_KERNELS_ROW_VIEW_H_

#include <cstdint>
#include <type_traits>

namespace arenalite {

// The rows of an NHWC tensor, numbered through all batches: row b * height + y
// holds width * channels elements. Kernels reach elements through Row() only,
// so that another storage than one contiguous block needs no other kernel.
template <class T>
struct RowView {
  T* base = nullptr;
  int64_t row_bytes = 0;

  T* Row(int64_t y) const {
    using Byte = std::conditional_t<std::is_const_v<T>, const uint8_t, uint8_t>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(base) + y * row_bytes);
  }
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_ROW_VIEW_H_
