// Arithmetic on integers that wraps around, as the reference's does in effect.

#ifndef ARENALITE_KERNELS_WRAPPING_H_
#define ARENALITE_KERNELS_WRAPPING_H_

#include <cstdint>
#include <type_traits>

namespace arenalite {

// Unsigned arithmetic of 64 bits, cut to T: defined for every T and value.
struct WrappingAdd {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      return static_cast<T>(static_cast<uint64_t>(a) +
                            static_cast<uint64_t>(b));
    }
  }
};

struct WrappingMul {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return a * b;
    } else {
      return static_cast<T>(static_cast<uint64_t>(a) *
                            static_cast<uint64_t>(b));
    }
  }
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_WRAPPING_H_
