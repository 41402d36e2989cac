// What finding an overlap number may cost.

#ifndef ARENALITE_KERNELS_OVERLAP_COST_H_
#define ARENALITE_KERNELS_OVERLAP_COST_H_

#include <cstdint>

namespace arenalite {

// The most steps that an overlap function walks: it runs before anything
// checks that the tensors fit into memory. Beyond, the answer is kNoOverlap.
constexpr int64_t kMostOverlapSteps = int64_t{1} << 22;

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_OVERLAP_COST_H_
