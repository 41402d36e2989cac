// The two 16-bit floating-point formats: storage types that widen to float
// exactly and narrow by rounding to nearest, ties to even.

#ifndef ARENALITE_BASE_FLOAT16_H_
#define ARENALITE_BASE_FLOAT16_H_

#include <cstdint>
#include <cstring>

namespace arenalite {

inline uint32_t FloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float FloatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits.
struct Float16 {
  static constexpr float kMax = 65504.0f;
  static constexpr float kLowest = -kMax;

  uint16_t bits;

  Float16() = default;
  explicit Float16(float value) : bits(Narrow(value)) {}
  explicit operator float() const;

  static uint16_t Narrow(float value);
};

// The upper half of a float: 1 sign, 8 exponent, 7 fraction bits.
struct BFloat16 {
  static constexpr float kMax = 0x1.FEp127f;
  static constexpr float kLowest = -kMax;

  uint16_t bits;

  BFloat16() = default;
  explicit BFloat16(float value) : bits(Narrow(value)) {}
  explicit operator float() const {
    return FloatFromBits(static_cast<uint32_t>(bits) << 16);
  }

  static uint16_t Narrow(float value);
};

inline Float16::operator float() const {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7FFFu;
  if (magnitude >= 0x7C00u) {  // Infinity and NaN.
    return FloatFromBits(sign | 0x7F800000u | ((magnitude & 0x3FFu) << 13));
  }
  // Read as a float, the number is 2^-112 of its value, subnormals included.
  const float scaled = FloatFromBits(magnitude << 13) * 0x1p112f;
  return FloatFromBits(FloatBits(scaled) | sign);
}

inline uint16_t Float16::Narrow(float value) {
  const uint32_t sign = FloatBits(value) >> 31 << 15;
  const uint32_t magnitude = FloatBits(value) & 0x7FFFFFFFu;
  uint32_t narrow;
  if (magnitude > 0x7F800000u) {
    narrow = 0x7E00u;  // NaN
  } else if (magnitude >= 0x477FF000u) {
    narrow = 0x7C00u;                    // 65520 and above round to infinity.
  } else if (magnitude < 0x38800000u) {  // Below 2^-14: subnormal.
    // Adding 0.5 leaves the value in units of 2^-24 in the low bits, rounded.
    narrow = FloatBits(FloatFromBits(magnitude) + 0.5f) - FloatBits(0.5f);
  } else {
    // Rebase the exponent; round by half a unit less one if even.
    const uint32_t odd = (magnitude >> 13) & 1u;
    narrow = (magnitude - (112u << 23) + 0xFFFu + odd) >> 13;
  }
  return static_cast<uint16_t>(sign | narrow);
}

inline uint16_t BFloat16::Narrow(float value) {
  const uint32_t all = FloatBits(value);
  if ((all & 0x7FFFFFFFu) > 0x7F800000u) {
    return static_cast<uint16_t>((all >> 31 << 15) | 0x7FC0u);
  }
  return static_cast<uint16_t>((all + 0x7FFFu + ((all >> 16) & 1u)) >> 16);
}

}  // namespace arenalite

#endif  // ARENALITE_BASE_FLOAT16_H_
