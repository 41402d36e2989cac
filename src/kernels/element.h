// Element: how a block of a tensor's elements is read into registers-to-be and
// written back. Packed and 16-bit types are widened on the way.

#ifndef ARENALITE_KERNELS_ELEMENT_H_
#define ARENALITE_KERNELS_ELEMENT_H_

#include <cstdint>
#include <cstring>

#include "base/float16.h"

namespace arenalite {

// Value: what arithmetic sees. Load and Store move `count` elements from or to
// element `first` of a tensor; for packed types `first` is a multiple of 8.
// Bytes are copied whole, so a tensor may lie at any address.
template <class T>
struct Element {
  using Value = T;
  static void Load(const void* base, int64_t first, int64_t count, T* to) {
    std::memcpy(to, static_cast<const T*>(base) + first,
                static_cast<size_t>(count) * sizeof(T));
  }
  static void Store(void* base, int64_t first, int64_t count, const T* from) {
    std::memcpy(static_cast<T*>(base) + first, from,
                static_cast<size_t>(count) * sizeof(T));
  }
};

// COMPLEX64 and COMPLEX128.
template <class T>
struct Complex {
  T real;
  T imag;
};

// Float16 and BFloat16: arithmetic is done in float.
template <class T>
struct NarrowFloatElement {
  using Value = float;
  static void Load(const void* base, int64_t first, int64_t count, float* to) {
    const uint8_t* bytes = static_cast<const uint8_t*>(base) + first * 2;
    for (int64_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, bytes + i * 2, 2);
      to[i] = static_cast<float>(value);
    }
  }
  static void Store(void* base, int64_t first, int64_t count,
                    const float* from) {
    uint8_t* bytes = static_cast<uint8_t*>(base) + first * 2;
    for (int64_t i = 0; i < count; ++i) {
      const T value(from[i]);
      std::memcpy(bytes + i * 2, &value, 2);
    }
  }
};
template <>
struct Element<Float16> : NarrowFloatElement<Float16> {};
template <>
struct Element<BFloat16> : NarrowFloatElement<BFloat16> {};

// INT4, UINT4, INT2: `kBits` bits an element, lowest bits first.
template <int kBits, bool kSigned>
struct Packed {};

template <int kBits, bool kSigned>
struct Element<Packed<kBits, kSigned>> {
  using Value = int8_t;
  static constexpr int kPerByte = 8 / kBits;
  static constexpr int kMask = (1 << kBits) - 1;

  static void Load(const void* base, int64_t first, int64_t count, int8_t* to) {
    const uint8_t* bytes = static_cast<const uint8_t*>(base) + first / kPerByte;
    constexpr int kSign = kSigned ? 1 << (kBits - 1) : 0;
    for (int64_t i = 0; i < count; ++i) {
      const int shift = static_cast<int>(i % kPerByte) * kBits;
      const int bits = (bytes[i / kPerByte] >> shift) & kMask;
      to[i] = static_cast<int8_t>((bits ^ kSign) - kSign);
    }
  }
  static void Store(void* base, int64_t first, int64_t count,
                    const int8_t* from) {
    uint8_t* bytes = static_cast<uint8_t*>(base) + first / kPerByte;
    for (int64_t i = 0; i < count; i += kPerByte) {
      int byte = 0;
      for (int64_t j = i; j < count && j < i + kPerByte; ++j) {
        byte |= (from[j] & kMask) << (static_cast<int>(j - i) * kBits);
      }
      bytes[i / kPerByte] = static_cast<uint8_t>(byte);
    }
  }
};

using Int4 = Packed<4, true>;
using UInt4 = Packed<4, false>;
using Int2 = Packed<2, true>;

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_ELEMENT_H_
