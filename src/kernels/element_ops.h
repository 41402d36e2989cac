// What element-wise ops do with two elements: types with one static function,
//     template <class T> static R Apply(T a, T b)

#ifndef ARENALITE_KERNELS_ELEMENT_OPS_H_
#define ARENALITE_KERNELS_ELEMENT_OPS_H_

#include <cstdint>
#include <type_traits>

namespace arenalite {

// The type in which integers are added and multiplied modulo 2^n, as the
// reference's hardware does; floats stay what they are.
template <class T>
using Modular = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<(sizeof(T) <= 4), uint32_t, uint64_t>>;

struct Plus {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) +
                          static_cast<Modular<T>>(b));
  }
};
struct Minus {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) -
                          static_cast<Modular<T>>(b));
  }
};
struct Times {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) *
                          static_cast<Modular<T>>(b));
  }
};

// The caller refuses integers divided by 0; the lowest value divided by -1
// wraps around to itself.
struct Quotient {
  template <class T>
  static T Apply(T a, T b) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
      if (b == -1) return Minus::Apply(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};

// Written with the comparison that the reference uses: it decides what comes
// of NaN and of zeros of both signs.
struct Larger {
  template <class T>
  static T Apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct Smaller {
  template <class T>
  static T Apply(T a, T b) {
    return a < b ? a : b;
  }
};

// clang-format off
struct Equal { template <class T> static bool Apply(T a, T b) { return a == b; } };
struct NotEqual { template <class T> static bool Apply(T a, T b) { return a != b; } };
struct Greater { template <class T> static bool Apply(T a, T b) { return a > b; } };
struct GreaterEqual { template <class T> static bool Apply(T a, T b) { return a >= b; } };
struct Less { template <class T> static bool Apply(T a, T b) { return a < b; } };
struct LessEqual { template <class T> static bool Apply(T a, T b) { return a <= b; } };
// clang-format on

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_ELEMENT_OPS_H_
