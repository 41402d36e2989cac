#include "kernels/philox.h"

namespace arenalite {

Words4 Philox(Words4 counter, Words2 key) {
  constexpr uint64_t kFactor0 = 0xD2511F53;
  constexpr uint64_t kFactor1 = 0xCD9E8D57;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kFactor0 * counter[0];
    const uint64_t product1 = kFactor1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    // Weyl sequences: the golden ratio, and sqrt(3) - 1.
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Words2 Threefry(Words2 counter, Words2 key) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA};
  uint32_t a = counter[0] + keys[0];
  uint32_t b = counter[1] + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (const int distance : kRotations[group % 2]) {
      a += b;
      b = (b << distance) | (b >> (32 - distance));
      b ^= a;
    }
    a += keys[(group + 1) % 3];
    b += keys[(group + 2) % 3] + group + 1;
  }
  return {a, b};
}

void PhiloxStream::Skip(uint64_t count) {
  const uint64_t low = (uint64_t{counter_[1]} << 32 | counter_[0]) + count;
  counter_[0] = Low(low);
  counter_[1] = High(low);
  if (low >= count) return;
  if (++counter_[2] == 0) ++counter_[3];
}

}  // namespace arenalite
