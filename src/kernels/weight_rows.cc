#include "kernels/weight_rows.h"

#include <cstring>

#include "model_generated.h"

namespace arenalite {
namespace {

// The "shuffled 4x16" layout: tiles of 4 rows by 16 columns, a tile's rows one
// after the other; all tiles of 4 rows before those of the next 4.
constexpr int64_t kTileRows = 4;
constexpr int64_t kTileColumns = 16;

// The axis of each level is the level's number: rows, columns, (blocks).
bool IsRowMajor(const flatbuffers::Vector<int32_t>& order) {
  for (uint32_t i = 0; i < order.size(); ++i) {
    if (order.Get(i) != static_cast<int32_t>(i)) return false;
  }
  return true;
}

Status UnsupportedLayout(const char* reason) {
  return UnimplementedError("input 1 (weights) has a sparse layout whose ",
                            reason,
                            ", allowed: rows dense, columns compressed, blocks "
                            "of columns dense");
}

int64_t BlockSize(const schema::DimensionMetadata& level) {
  const bool dense = level.format() == schema::DimensionType_DENSE;
  return dense ? level.dense_size() : -1;
}

}  // namespace

Status WeightRows::SetSparse(const Tensor& tensor) {
  const auto& sparsity =
      *static_cast<const schema::SparsityParameters*>(tensor.sparsity);
  const auto* levels = sparsity.dim_metadata();
  const auto* order = sparsity.traversal_order();
  const auto* blocks = sparsity.block_map();
  if (levels == nullptr || order == nullptr ||
      order->size() != levels->size() || levels->size() < 2 ||
      levels->size() > 3 || !IsRowMajor(*order)) {
    return UnsupportedLayout("levels are not rows, columns and column blocks");
  }
  if (levels->size() == 3) {
    block_ = BlockSize(*levels->Get(2));
    if (blocks == nullptr || blocks->size() != 1 || blocks->Get(0) != 1 ||
        block_ <= 0 || depth_ % block_ != 0) {
      return UnsupportedLayout("blocks do not cut the columns evenly");
    }
  }
  const schema::DimensionMetadata& rows = *levels->Get(0);
  const schema::DimensionMetadata& columns = *levels->Get(1);
  if (BlockSize(rows) != tensor.shape.dim(0) ||
      columns.format() != schema::DimensionType_SPARSE_CSR) {
    return UnsupportedLayout("rows or columns are stored otherwise");
  }
  segments_ =
      FindIndexArray(columns.array_segments_type(), columns.array_segments());
  indices_ =
      FindIndexArray(columns.array_indices_type(), columns.array_indices());
  return CheckIndices(tensor);
}

Status WeightRows::CheckIndices(const Tensor& tensor) const {
  const int64_t rows = tensor.shape.dim(0);
  if (segments_.size != rows + 1) {
    return InvalidModelError("input 1 (weights) has ", segments_.size,
                             " sparse segments for ", rows, " rows, allowed ",
                             rows + 1);
  }
  for (int64_t i = 0; i <= rows; ++i) {
    const int64_t low = i == 0 ? 0 : segments_[i - 1];
    if (segments_[i] < low || segments_[i] > indices_.size) {
      return InvalidModelError("input 1 (weights): sparse segment ", i, " is ",
                               segments_[i], ", allowed ", low, "..",
                               indices_.size);
    }
  }
  for (int64_t i = 0; i < indices_.size; ++i) {
    if (indices_[i] < 0 || indices_[i] >= depth_ / block_) {
      return InvalidModelError("input 1 (weights): sparse index ", i, " is ",
                               indices_[i], ", allowed 0..",
                               depth_ / block_ - 1);
    }
  }
  const int64_t stored = tensor.bytes / element_bytes_ / block_;
  if (segments_[rows] > stored) {
    return InvalidModelError("input 1 (weights) stores ", stored,
                             " sparse blocks, its segments name ",
                             segments_[rows]);
  }
  return OkStatus();
}

Result<WeightRows> WeightRows::Create(OpContext& context, const Tensor& tensor,
                                      bool shuffled) {
  WeightRows rows;
  rows.depth_ = tensor.shape.dim(1);
  const int bits = TensorTypeBits(tensor.type);
  rows.element_bytes_ = bits < 8 ? 1 : bits / 8;
  if (tensor.sparsity != nullptr) {
    if (bits < 8 || shuffled || !tensor.is_constant()) {
      return UnimplementedError("input 1 (weights) is sparse ",
                                TensorTypeName(tensor.type),
                                ", allowed constants of FLOAT32 or INT8");
    }
    ARENALITE_RETURN_IF_ERROR(rows.SetSparse(tensor));
    rows.expand_ = ExpandSparse;
  } else if (shuffled) {
    if (rows.depth_ % kTileColumns != 0 ||
        tensor.shape.dim(0) % kTileRows != 0) {
      return InvalidModelError("input 1 (shuffled weights) has shape ",
                               tensor.shape.dims(),
                               ", allowed multiples of [4,16]");
    }
    rows.expand_ = ExpandShuffled;
  } else if (bits == 4) {
    rows.expand_ = ExpandPacked<4>;
  } else if (bits == 2) {
    rows.expand_ = ExpandPacked<2>;
  }
  if (rows.expand_ != nullptr) {
    ARENALITE_ASSIGN_OR_RETURN(
        rows.scratch_,
        context.RequestScratch(rows.depth_ * rows.element_bytes_));
  }
  return rows;
}

void WeightRows::Bind(const OpContext& context, const Tensor& tensor) {
  data_ = tensor.data;
  if (scratch_ >= 0) row_ = context.scratch<void>(scratch_);
}

template <int kBits>
void WeightRows::ExpandPacked(const WeightRows& rows, int64_t row) {
  constexpr int kPerByte = 8 / kBits;
  const auto* packed = static_cast<const uint8_t*>(rows.data_);
  auto* out = static_cast<int8_t*>(rows.row_);
  const int64_t first = row * rows.depth_;
  for (int64_t i = 0; i < rows.depth_; ++i) {
    const int64_t element = first + i;
    const int low_bit = static_cast<int>(element % kPerByte) * kBits;
    // Moves the value to the top of a byte, then its sign back down.
    const int top = packed[element / kPerByte] << (8 - kBits - low_bit);
    out[i] =
        static_cast<int8_t>(static_cast<int8_t>(top & 0xFF) >> (8 - kBits));
  }
}

void WeightRows::ExpandShuffled(const WeightRows& rows, int64_t row) {
  const auto* data = static_cast<const uint8_t*>(rows.data_);
  const uint8_t* from = data + row / kTileRows * kTileRows * rows.depth_ +
                        row % kTileRows * kTileColumns;
  auto* out = static_cast<uint8_t*>(rows.row_);
  for (int64_t column = 0; column < rows.depth_; column += kTileColumns) {
    std::memcpy(out + column, from, kTileColumns);
    from += kTileRows * kTileColumns;
  }
}

void WeightRows::ExpandSparse(const WeightRows& rows, int64_t row) {
  const auto* values = static_cast<const uint8_t*>(rows.data_);
  auto* out = static_cast<uint8_t*>(rows.row_);
  const int64_t block_bytes = rows.block_ * rows.element_bytes_;
  std::memset(out, 0, static_cast<size_t>(rows.depth_ * rows.element_bytes_));
  const int64_t end = rows.segments_[row + 1];
  for (int64_t block = rows.segments_[row]; block < end; ++block) {
    std::memcpy(out + rows.indices_[block] * block_bytes,
                values + block * block_bytes, static_cast<size_t>(block_bytes));
  }
}

}  // namespace arenalite
