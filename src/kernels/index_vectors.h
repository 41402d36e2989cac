// Tensors of index vectors, as the StableHLO gather and scatter take them: one
// dimension holds the numbers of a vector, the others number the vectors.

#ifndef ARENALITE_KERNELS_INDEX_VECTORS_H_
#define ARENALITE_KERNELS_INDEX_VECTORS_H_

#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/long_list.h"

namespace arenalite {

struct IndexVectors {
  int32_t batch_dims[kMaxRank];
  int64_t batch_steps[kMaxRank];  // Elements from one vector to the next.
  int num_batch_dims;
  int64_t vector_step;  // From one number of a vector to the next.
  int vector_size;
  LongList<> map;  // The operand's dimension of each number.
  int operand_rank;

  // `dim`: which dimension holds the numbers; that after the last one stands
  // for vectors of one number. Refuses numbers outside of the shapes.
  static Result<IndexVectors> Create(const Shape& indices, int64_t dim,
                                     const LongList<>& map, int operand_rank) {
    if (dim < 0 || dim > indices.rank()) {
      return InvalidModelError("index_vector_dim is ", dim, ", allowed 0..",
                               indices.rank());
    }
    IndexVectors vectors = {};
    int64_t steps[kMaxRank];
    RowMajorSteps(indices, steps);
    vectors.vector_size = 1;
    vectors.map = map;
    vectors.operand_rank = operand_rank;
    for (int i = 0; i < indices.rank(); ++i) {
      if (i == dim) {
        vectors.vector_size = indices.dim(i);
        vectors.vector_step = steps[i];
        continue;
      }
      vectors.batch_dims[vectors.num_batch_dims] = indices.dim(i);
      vectors.batch_steps[vectors.num_batch_dims++] = steps[i];
    }
    ARENALITE_RETURN_IF_ERROR(
        map.CheckSize("the index map", vectors.vector_size));
    ARENALITE_RETURN_IF_ERROR(map.CheckDistinct("the index map", operand_rank));
    return vectors;
  }

  // Writes the vector at `batch_index` to `start`, one number for each
  // dimension of the operand; 0 for those that it does not name.
  void Read(const Tensor& indices, const int64_t* batch_index,
            int64_t* start) const {
    int64_t offset = 0;
    for (int i = 0; i < num_batch_dims; ++i) {
      offset += batch_index[i] * batch_steps[i];
    }
    for (int i = 0; i < operand_rank; ++i) start[i] = 0;
    for (int k = 0; k < vector_size; ++k) {
      start[map[k]] = ReadInteger(indices, offset + k * vector_step);
    }
  }

  // Calls visit(batch_index, start) for each vector, in row-major order.
  template <class Visit>
  void ForEach(const Tensor& indices, Visit visit) const {
    int64_t batch_index[kMaxRank] = {};
    int64_t start[kMaxRank];
    for (;;) {
      Read(indices, batch_index, start);
      visit(batch_index, start);
      int i = num_batch_dims - 1;
      while (i >= 0 && ++batch_index[i] == batch_dims[i]) batch_index[i--] = 0;
      if (i < 0) return;
    }
  }
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_INDEX_VECTORS_H_
