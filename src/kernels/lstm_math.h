// 16-bit fixed-point functions of the integer LSTM cells.

#ifndef ARENALITE_KERNELS_LSTM_MATH_H_
#define ARENALITE_KERNELS_LSTM_MATH_H_

#include <algorithm>
#include <cstdint>

namespace arenalite {

// logistic() and tanh() of numbers with `integer_bits` bits before the point,
// in Q0.15. 0 <= integer_bits <= 6.
int16_t Logistic16(int16_t x);  // 3 integer bits.
int16_t Tanh16(int16_t x, int integer_bits);

inline int16_t Saturate16(int64_t x) {
  return static_cast<int16_t>(std::clamp<int64_t>(x, INT16_MIN, INT16_MAX));
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_LSTM_MATH_H_
