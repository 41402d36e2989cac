#include "kernels/fingerprint.h"

#include <cstring>

namespace arenalite {
namespace {

// FarmHash's constants: primes between 2^63 and 2^64.
constexpr uint64_t kPrime0 = 0xc3a5c85c97cb3127;
constexpr uint64_t kPrime1 = 0xb492b66fbe98f273;
constexpr uint64_t kPrime2 = 0x9ae16a3b2f90404f;

uint64_t Load64(const uint8_t* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

uint64_t Load32(const uint8_t* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

uint64_t RotateRight(uint64_t value, int bits) {
  return (value >> bits) | (value << (64 - bits));
}

uint64_t FoldHigh(uint64_t value) { return value ^ (value >> 47); }

uint64_t Combine(uint64_t a, uint64_t b, uint64_t factor) {
  const uint64_t first = FoldHigh((a ^ b) * factor);
  return FoldHigh((b ^ first) * factor) * factor;
}

uint64_t HashUpTo3(const uint8_t* bytes, size_t size) {
  if (size == 0) return kPrime2;
  const uint64_t ends = bytes[0] + (uint64_t{bytes[size / 2]} << 8);
  const uint64_t tail = size + (uint64_t{bytes[size - 1]} << 2);
  return FoldHigh(ends * kPrime2 ^ tail * kPrime0) * kPrime2;
}

uint64_t HashUpTo16(const uint8_t* bytes, size_t size) {
  const uint64_t factor = kPrime2 + size * 2;
  const uint8_t* end = bytes + size;
  if (size < 8) {
    return Combine(size + (Load32(bytes) << 3), Load32(end - 4), factor);
  }
  const uint64_t a = Load64(bytes) + kPrime2;
  const uint64_t b = Load64(end - 8);
  return Combine(RotateRight(b, 37) * factor + a,
                 (RotateRight(a, 25) + b) * factor, factor);
}

uint64_t HashUpTo64(const uint8_t* bytes, size_t size) {
  const uint64_t factor = kPrime2 + size * 2;
  const uint8_t* end = bytes + size;
  const uint64_t a = Load64(bytes) * (size <= 32 ? kPrime1 : kPrime2);
  const uint64_t b = Load64(bytes + 8);
  const uint64_t c = Load64(end - 8) * factor;
  const uint64_t d = Load64(end - 16) * kPrime2;
  const uint64_t y = RotateRight(a + b, 43) + RotateRight(c, 30) + d;
  const uint64_t z = Combine(y, a + RotateRight(b + kPrime2, 18) + c, factor);
  if (size <= 32) return z;
  const uint64_t e = Load64(bytes + 16) * factor;
  const uint64_t f = Load64(bytes + 24);
  const uint64_t g = (y + Load64(end - 32)) * factor;
  const uint64_t h = (z + Load64(end - 24)) * factor;
  return Combine(RotateRight(e + f, 43) + RotateRight(g, 30) + h,
                 e + RotateRight(f + a, 18) + g, factor);
}

}  // namespace

uint64_t Fingerprint64(const uint8_t* bytes, size_t size) {
  if (size < 4) return HashUpTo3(bytes, size);
  return size <= 16 ? HashUpTo16(bytes, size) : HashUpTo64(bytes, size);
}

}  // namespace arenalite
