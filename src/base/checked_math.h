// Arithmetic on sizes that notices overflow.

#ifndef ARENALITE_BASE_CHECKED_MATH_H_
#define ARENALITE_BASE_CHECKED_MATH_H_

#include <cstdint>

namespace arenalite {

// True and `*result` set when the exact value fits.
[[nodiscard]] inline bool CheckedAdd(int64_t a, int64_t b, int64_t* result) {
  return !__builtin_add_overflow(a, b, result);
}
[[nodiscard]] inline bool CheckedMul(int64_t a, int64_t b, int64_t* result) {
  return !__builtin_mul_overflow(a, b, result);
}

inline bool IsPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

// `value` rounded up to a multiple of `alignment`, a power of two. The caller
// knows that the sum fits.
inline int64_t AlignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
// Rounded down; also of a negative value.
inline int64_t AlignDown(int64_t value, int64_t alignment) {
  return value & ~(alignment - 1);
}
[[nodiscard]] inline bool CheckedAlignUp(int64_t value, int64_t alignment,
                                         int64_t* result) {
  if (!CheckedAdd(value, alignment - 1, result)) return false;
  *result &= ~(alignment - 1);
  return true;
}

}  // namespace arenalite

#endif  // ARENALITE_BASE_CHECKED_MATH_H_
