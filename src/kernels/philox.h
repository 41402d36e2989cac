// Counter-based random numbers: Philox 4x32-10 and Threefry 2x32-20 (Salmon et
// al. 2011, "Parallel random numbers: as easy as 1, 2, 3").

#ifndef ARENALITE_KERNELS_PHILOX_H_
#define ARENALITE_KERNELS_PHILOX_H_

#include <array>
#include <cstdint>

namespace arenalite {

using Words2 = std::array<uint32_t, 2>;
using Words4 = std::array<uint32_t, 4>;

// The random bits of one counter.
Words4 Philox(Words4 counter, Words2 key);
Words2 Threefry(Words2 counter, Words2 key);

// A stream of Philox words, seeded as TensorFlow seeds it.
class PhiloxStream {
 public:
  PhiloxStream() = default;
  PhiloxStream(uint64_t seed, uint64_t seed2)
      : key_{Low(seed), High(seed)}, counter_{0, 0, Low(seed2), High(seed2)} {}

  Words4 Next() {
    const Words4 words = Philox(counter_, key_);
    Skip(1);
    return words;
  }
  // Passes over `count` groups of four words.
  void Skip(uint64_t count);

 private:
  static uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
  static uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

  Words2 key_ = {};
  Words4 counter_ = {};
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_PHILOX_H_
