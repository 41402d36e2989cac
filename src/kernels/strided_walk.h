// StridedWalk: visits the positions of some dimensions of a tensor in order.

#ifndef ARENALITE_KERNELS_STRIDED_WALK_H_
#define ARENALITE_KERNELS_STRIDED_WALK_H_

#include <cstdint>

#include "arenalite/tensor.h"

namespace arenalite {

// Dimensions, outermost first, with their strides in elements.
struct StridedDims {
  int rank = 0;
  int64_t size[kMaxRank] = {};
  int64_t stride[kMaxRank] = {};
};

// Starts at the first position; `dims` must have no size of 0 and outlive it.
class StridedWalk {
 public:
  explicit StridedWalk(const StridedDims& dims) : dims_(dims) {}
  // Of the current position, in elements.
  int64_t offset() const { return offset_; }
  // False after the last position: then it is at the first one again.
  bool Next() {
    for (int i = dims_.rank - 1; i >= 0; --i) {
      offset_ += dims_.stride[i];
      if (++index_[i] < dims_.size[i]) return true;
      offset_ -= dims_.stride[i] * dims_.size[i];
      index_[i] = 0;
    }
    return false;
  }

 private:
  const StridedDims& dims_;
  int64_t index_[kMaxRank] = {};
  int64_t offset_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_STRIDED_WALK_H_
