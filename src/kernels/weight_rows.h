// WeightRows: the rows of a constant matrix, however the file stores them.

#ifndef ARENALITE_KERNELS_WEIGHT_ROWS_H_
#define ARENALITE_KERNELS_WEIGHT_ROWS_H_

#include <cstdint>

#include "arenalite/op_definition.h"
#include "kernels/sparse_index.h"

namespace arenalite {

// Rows stored dense are used where they lie. Packed (INT4, INT2), sparse and
// shuffled ones are expanded, one at a time, into a scratch row.
class WeightRows {
 public:
  // prepare: `tensor` is a matrix [rows, depth]. Asks for the scratch row
  // where one is needed.
  static Result<WeightRows> Create(OpContext& context, const Tensor& tensor,
                                   bool shuffled);

  // eval: binds the bytes of this Invoke.
  void Bind(const OpContext& context, const Tensor& tensor);

  // True where a row is a fixed number of bytes, in order.
  bool is_dense() const { return expand_ == nullptr; }

  // Row `row` as W, the unpacked element type. Valid until the next call.
  template <class W>
  const W* Row(int64_t row) const {
    if (expand_ == nullptr) return static_cast<const W*>(data_) + row * depth_;
    expand_(*this, row);
    return static_cast<const W*>(row_);
  }

 private:
  using Expand = void (*)(const WeightRows& rows, int64_t row);

  template <int kBits>
  static void ExpandPacked(const WeightRows& rows, int64_t row);
  static void ExpandShuffled(const WeightRows& rows, int64_t row);
  static void ExpandSparse(const WeightRows& rows, int64_t row);
  Status SetSparse(const Tensor& tensor);
  Status CheckIndices(const Tensor& tensor) const;

  const void* data_ = nullptr;
  void* row_ = nullptr;
  int64_t depth_ = 0;
  int64_t element_bytes_ = 1;  // Of an expanded element.
  Expand expand_ = nullptr;
  int scratch_ = -1;
  // Sparse rows: row r holds blocks segments_[r] .. segments_[r + 1] - 1, block
  // b covers columns indices_[b] * block_ and on. Without segments, all rows
  // hold all blocks.
  IndexArray segments_;
  IndexArray indices_;
  int64_t block_ = 1;
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_WEIGHT_ROWS_H_
