#include "arenalite/array.h"
#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

// A SparseIndexVector of any width.
struct IndexVector {
  const void* table = nullptr;
  schema::SparseIndexVector type = schema::SparseIndexVector_NONE;

  // -1 where there is no vector.
  int64_t size() const {
    switch (type) {
      case schema::SparseIndexVector_Int32Vector:
        return SizeIn<schema::Int32Vector>();
      case schema::SparseIndexVector_Uint16Vector:
        return SizeIn<schema::Uint16Vector>();
      case schema::SparseIndexVector_Uint8Vector:
        return SizeIn<schema::Uint8Vector>();
      default:
        return -1;
    }
  }
  // Only when size() > i.
  int64_t operator[](int64_t i) const {
    const auto index = static_cast<uint32_t>(i);
    switch (type) {
      case schema::SparseIndexVector_Int32Vector:
        return static_cast<const schema::Int32Vector*>(table)->values()->Get(
            index);
      case schema::SparseIndexVector_Uint16Vector:
        return static_cast<const schema::Uint16Vector*>(table)->values()->Get(
            index);
      default:
        return static_cast<const schema::Uint8Vector*>(table)->values()->Get(
            index);
    }
  }

 private:
  template <class T>
  int64_t SizeIn() const {
    const T* vector = static_cast<const T*>(table);
    if (vector == nullptr || vector->values() == nullptr) return -1;
    return vector->values()->size();
  }
};

// The levels of one sparse tensor (see SparsityParameters in the schema): the
// first `rank` of them run over the tensor's blocked dimensions, the others
// over the dimensions inside of a block.
class SparseLevels {
 public:
  SparseLevels(Verification& v, const schema::SparsityParameters& sparsity,
               const Shape& shape)
      : v_(v),
        shape_(shape),
        order_(ToSpan(sparsity.traversal_order())),
        block_map_(ToSpan(sparsity.block_map())),
        levels_(sparsity.dim_metadata()) {}

  // Returns how many elements are stored.
  Result<int64_t> Verify() {
    ARENALITE_RETURN_IF_ERROR(VerifyOrder());
    ARENALITE_RETURN_IF_ERROR(FindExtents());
    int64_t stored = 1;
    for (size_t level = 0; level < order_.size(); ++level) {
      const schema::DimensionMetadata& metadata =
          *levels_->Get(static_cast<uint32_t>(level));
      if (metadata.format() == schema::DimensionType_DENSE) {
        ARENALITE_RETURN_IF_ERROR(VerifyDense(level, metadata, &stored));
      } else {
        ARENALITE_RETURN_IF_ERROR(VerifyCompressed(level, metadata, &stored));
      }
    }
    return stored;
  }

 private:
  size_t rank() const { return static_cast<size_t>(shape_.rank()); }

  Status VerifyOrder() const {
    const size_t needed = rank() + block_map_.size();
    if (block_map_.size() > rank() || order_.size() != needed ||
        SizeOf(levels_) != needed) {
      return InvalidModelError("sparsity of a tensor of rank ", rank(), " has ",
                               block_map_.size(), " block dimensions, ",
                               order_.size(), " traversed dimensions and ",
                               SizeOf(levels_), " levels, needed ", needed);
    }
    uint32_t seen = 0;
    for (size_t level = 0; level < needed; ++level) {
      // Blocked dimensions first, then those inside of a block.
      const bool inner = level >= rank();
      const auto first = static_cast<int32_t>(inner ? rank() : 0);
      const auto end = static_cast<int32_t>(inner ? needed : rank());
      const int32_t dimension = order_[level];
      if (dimension < first || dimension >= end ||
          (seen >> dimension & 1) != 0) {
        return InvalidModelError("sparsity traverses dimension ", dimension,
                                 " at level ", level, ", allowed ", first, "..",
                                 end - 1, ", each once");
      }
      seen |= uint32_t{1} << dimension;
    }
    return OkStatus();
  }

  Status FindExtents() {
    for (int d = 0; d < shape_.rank(); ++d) extents_[d] = shape_.dim(d);
    for (size_t level = rank(); level < order_.size(); ++level) {
      const auto block = static_cast<size_t>(order_[level]) - rank();
      const schema::DimensionMetadata& metadata =
          *levels_->Get(static_cast<uint32_t>(level));
      const int32_t dimension = block_map_[block];
      if (dimension < 0 || dimension >= shape_.rank()) {
        return InvalidModelError("sparsity cuts dimension ", dimension,
                                 " into blocks, allowed 0..",
                                 shape_.rank() - 1);
      }
      const int32_t size = metadata.dense_size();
      if (metadata.format() != schema::DimensionType_DENSE || size < 1 ||
          extents_[dimension] % size != 0) {
        return InvalidModelError("sparsity has blocks of ", size,
                                 " along dimension ", dimension, " of shape ",
                                 shape_.dims(),
                                 ", allowed dense divisors of its extent");
      }
      extents_[dimension] /= size;
      extents_[order_[level]] = size;
    }
    return OkStatus();
  }

  Status VerifyDense(size_t level, const schema::DimensionMetadata& metadata,
                     int64_t* stored) const {
    const int64_t extent = extents_[order_[level]];
    if (metadata.dense_size() != extent) {
      return InvalidModelError("sparsity level ", level, " has dense size ",
                               metadata.dense_size(), ", needed ", extent);
    }
    if (__builtin_mul_overflow(*stored, extent, stored)) {
      return InvalidModelError("sparsity level ", level,
                               " stores more elements than 63 bits count");
    }
    return OkStatus();
  }

  Status VerifyCompressed(size_t level,
                          const schema::DimensionMetadata& metadata,
                          int64_t* stored) {
    const IndexVector segments{metadata.array_segments(),
                               metadata.array_segments_type()};
    const IndexVector indices{metadata.array_indices(),
                              metadata.array_indices_type()};
    if (metadata.format() != schema::DimensionType_SPARSE_CSR ||
        segments.size() - 1 != *stored || indices.size() < 0) {
      return InvalidModelError("sparsity level ", level, " has format ",
                               static_cast<int>(metadata.format()), " with ",
                               segments.size(), " segment bounds and ",
                               indices.size(), " indices (-1: none), needed ",
                               *stored + 1, " bounds");
    }
    ARENALITE_RETURN_IF_ERROR(
        v_.Charge(static_cast<uint64_t>(segments.size() + indices.size())));
    int64_t last = 0;
    for (int64_t i = 0; i < segments.size(); ++i) {
      const int64_t end = i == *stored ? indices.size() : last;
      if (segments[i] < end || segments[i] > indices.size() ||
          (i == 0 && segments[i] != 0)) {
        return InvalidModelError("sparsity level ", level, ": segment bound ",
                                 i, " is ", segments[i], ", allowed ", end,
                                 "..", i == 0 ? 0 : indices.size());
      }
      last = segments[i];
    }
    const int64_t extent = extents_[order_[level]];
    for (int64_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0 || indices[i] >= extent) {
        return InvalidModelError("sparsity level ", level, ": index ", i,
                                 " is ", indices[i], ", allowed 0..",
                                 extent - 1);
      }
    }
    *stored = indices.size();
    return OkStatus();
  }

  Verification& v_;
  const Shape& shape_;
  const Span<const int32_t> order_;
  const Span<const int32_t> block_map_;
  const flatbuffers::Vector<flatbuffers::Offset<schema::DimensionMetadata>>*
      levels_;
  // Of blocked dimensions, then of block dimensions.
  int64_t extents_[2 * kMaxRank] = {};
};

}  // namespace

Status VerifySparsity(Verification& v, const schema::Tensor& tensor,
                      const Shape& shape, size_t data_bytes) {
  SparseLevels levels(v, *tensor.sparsity(), shape);
  ARENALITE_ASSIGN_OR_RETURN(const int64_t stored, levels.Verify());
  const int bits = TensorTypeBits(static_cast<TensorType>(tensor.type()));
  int64_t needed = 0;
  if (bits == 0 || __builtin_mul_overflow(stored, int64_t{bits}, &needed)) {
    return InvalidModelError(
        "sparsity stores ", stored, " elements of type ",
        TensorTypeName(static_cast<TensorType>(tensor.type())));
  }
  needed = needed / 8 + (needed % 8 != 0);
  if (static_cast<uint64_t>(needed) != data_bytes) {
    return InvalidModelError("buffer ", tensor.buffer(), " has ", data_bytes,
                             " bytes, sparsity with ", stored,
                             " stored elements needs ", needed);
  }
  return OkStatus();
}

}  // namespace arenalite
