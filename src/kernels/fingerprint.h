// A stable hash of short byte strings.

#ifndef ARENALITE_KERNELS_FINGERPRINT_H_
#define ARENALITE_KERNELS_FINGERPRINT_H_

#include <cstddef>
#include <cstdint>

namespace arenalite {

constexpr size_t kMaxFingerprintBytes = 64;

// Fingerprint64 of FarmHash (G. Pike, 2014) for up to kMaxFingerprintBytes:
// models are trained with its values.
uint64_t Fingerprint64(const uint8_t* bytes, size_t size);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_FINGERPRINT_H_
