// A hash that is the same on every machine. Not for hostile input.

#ifndef ARENALITE_BASE_HASH_H_
#define ARENALITE_BASE_HASH_H_

#include <cstdint>

namespace arenalite {

// Mixes `value` into the running hash `seed`.
constexpr uint64_t MixHash(uint64_t seed, uint64_t value) {
  // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
  uint64_t z = seed * 0x9e3779b97f4a7c15u + value + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace arenalite

#endif  // ARENALITE_BASE_HASH_H_
