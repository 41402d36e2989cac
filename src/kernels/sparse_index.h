// The index arrays of a sparse tensor's layout.

#ifndef ARENALITE_KERNELS_SPARSE_INDEX_H_
#define ARENALITE_KERNELS_SPARSE_INDEX_H_

#include <cstdint>

namespace arenalite {

// An array of unsigned indices of 1, 2 or 4 bytes inside the model file.
struct IndexArray {
  const uint8_t* data = nullptr;
  int64_t size = 0;
  int width = 0;

  int64_t operator[](int64_t i) const;
};

// The array in a schema::SparseIndexVector union; empty where there is none.
IndexArray FindIndexArray(int32_t type, const void* vector);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_SPARSE_INDEX_H_
