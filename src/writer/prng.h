// Prng: seeded numbers that are the same with every compiler and library,
// which std::uniform_*_distribution does not promise.

#ifndef ARENALITE_WRITER_PRNG_H_
#define ARENALITE_WRITER_PRNG_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace arenalite {

// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
// generators"): every seed is a good one.
class Prng {
 public:
  explicit Prng(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // In [0, count); count >= 1. The bias of the remainder is below 2^-32.
  int Below(int count) {
    return static_cast<int>((Next() >> 32) % static_cast<uint64_t>(count));
  }
  // In [low, high].
  int Between(int low, int high) { return low + Below(high - low + 1); }
  // True once in `n` calls.
  bool OneIn(int n) { return Below(n) == 0; }
  // An element of `list`, which has some.
  template <class T>
  const T& AnyOf(const std::vector<T>& list) {
    return list[static_cast<size_t>(Below(static_cast<int>(list.size())))];
  }
  // A multiple of 2^-24 in [0, 1): exact in a float.
  float Unit() {
    return static_cast<float>(Next() >> 40) * (1.0f / 16777216.0f);
  }
  // A multiple of 2^-23 in [-1, 1).
  float Symmetric() { return 2.0f * Unit() - 1.0f; }

 private:
  uint64_t state_;
};

}  // namespace arenalite

#endif  // ARENALITE_WRITER_PRNG_H_
