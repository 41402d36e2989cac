// DENSIFY: a constant stored sparse, spread out.

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "base/checked_math.h"
#include "kernels/index_tensor.h"
#include "kernels/sparse_index.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// Every dimension can be cut into blocks once and more.
constexpr int kMaxLevels = 2 * kMaxRank;

// One level of the tree in which the values are stored: `extent` coordinates,
// all of them, or those that indices[segments[parent]..] name.
struct Level {
  bool dense;
  int64_t extent;
  int64_t step;  // Elements of the output from one coordinate to the next.
  IndexArray segments;
  IndexArray indices;
};

struct DensifyData {
  int num_levels;
  Level levels[kMaxLevels];
};

Status BadLayout(const char* reason, int level) {
  return InvalidModelError("input 0 has a sparse layout that ", reason,
                           " (level ", level, ")");
}

using Levels =
    flatbuffers::Vector<flatbuffers::Offset<schema::DimensionMetadata>>;

// What the layout's tables say, read once.
struct Layout {
  const Levels* metadata;
  int rank;
  int num_blocks;
  int axis[kMaxLevels];  // Of the tensor, for each level.
  bool is_block[kMaxLevels];
};

Result<Layout> ReadLayout(const Tensor& input) {
  const auto& sparsity =
      *static_cast<const schema::SparsityParameters*>(input.sparsity);
  const auto* order = sparsity.traversal_order();
  const auto* blocks = sparsity.block_map();
  Layout layout = {};
  layout.metadata = sparsity.dim_metadata();
  layout.rank = input.shape.rank();
  layout.num_blocks = blocks == nullptr ? 0 : static_cast<int>(blocks->size());
  const int64_t count = int64_t{layout.rank} + layout.num_blocks;
  if (order == nullptr || layout.metadata == nullptr || count > kMaxLevels ||
      order->size() != count || layout.metadata->size() != count) {
    return InvalidModelError("input 0 has a sparse layout with other than ",
                             count, " levels, or more than ", kMaxLevels);
  }
  uint32_t seen = 0;
  for (int i = 0; i < count; ++i) {
    const int32_t at = order->Get(static_cast<uint32_t>(i));
    // Dimensions first, in any order, then the blocks within them.
    const bool is_block = i >= layout.rank;
    if (at < 0 || at >= count || (at >= layout.rank) != is_block ||
        (seen >> at & 1) != 0) {
      return BadLayout("is no order of dimensions, then of blocks", i);
    }
    seen |= uint32_t{1} << at;
    layout.is_block[i] = is_block;
    layout.axis[i] =
        is_block ? blocks->Get(static_cast<uint32_t>(at - layout.rank)) : at;
    if (layout.axis[i] < 0 || layout.axis[i] >= layout.rank) {
      return BadLayout("cuts a dimension that is not there", i);
    }
  }
  return layout;
}

// Extents and steps. From the last level on, as a block's step is that of the
// blocks inside of it times their extent.
Status SetExtents(const Shape& shape, const Layout& layout, DensifyData& data) {
  int64_t steps[kMaxRank];
  int64_t cut[kMaxRank];  // Product of a dimension's blocks so far.
  int64_t step = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    steps[d] = step;
    step *= shape.dim(d);
    cut[d] = 1;
  }
  for (int i = data.num_levels - 1; i >= 0; --i) {
    const auto& metadata = *layout.metadata->Get(static_cast<uint32_t>(i));
    Level& level = data.levels[i];
    const int axis = layout.axis[i];
    const int32_t dim = shape.dim(axis);
    level.dense = metadata.format() == schema::DimensionType_DENSE;
    level.step = steps[axis] * cut[axis];
    if (layout.is_block[i]) {
      level.extent = metadata.dense_size();
      if (!level.dense || level.extent <= 0 ||
          dim % (cut[axis] * level.extent) != 0) {
        return BadLayout("has a block that is sparse or cuts unevenly", i);
      }
      cut[axis] *= level.extent;
    } else {
      level.extent = dim / cut[axis];
      if (level.dense && metadata.dense_size() != level.extent) {
        return BadLayout("has an extent that is not the shape's", i);
      }
    }
    level.segments = FindIndexArray(metadata.array_segments_type(),
                                    metadata.array_segments());
    level.indices =
        FindIndexArray(metadata.array_indices_type(), metadata.array_indices());
  }
  return OkStatus();
}

// Checks a compressed level with `parents` nodes above it; returns its nodes.
Result<int64_t> CheckCompressed(const Level& level, int64_t parents, int i) {
  if (level.segments.size != parents + 1) {
    return BadLayout("has too many or too few segments", i);
  }
  int64_t low = 0;
  for (int64_t s = 0; s <= parents; ++s) {
    const int64_t segment = level.segments[s];
    if (segment < low || segment > level.indices.size) {
      return BadLayout("has segments out of order", i);
    }
    low = segment;
  }
  for (int64_t k = 0; k < low; ++k) {
    const int64_t index = level.indices[k];
    if (index < 0 || index >= level.extent) {
      return BadLayout("has an index beyond the extent", i);
    }
  }
  return low;
}

Status CheckLevels(const Tensor& input, const DensifyData& data) {
  int64_t nodes = 1;
  for (int i = 0; i < data.num_levels; ++i) {
    const Level& level = data.levels[i];
    if (level.dense) {
      if (!CheckedMul(nodes, level.extent, &nodes)) {
        return BadLayout("overflows", i);
      }
      continue;
    }
    ARENALITE_ASSIGN_OR_RETURN(nodes, CheckCompressed(level, nodes, i));
  }
  const int64_t stored = input.bytes / (TensorTypeBits(input.type) / 8);
  if (nodes > stored) {
    return InvalidModelError("input 0 stores ", stored,
                             " values, its sparse layout names ", nodes);
  }
  return OkStatus();
}

// Copies the values below `node` of level `i`, in the order they are stored.
template <class T>
void Spread(const DensifyData& data, int i, int64_t node, T* output,
            const T** next) {
  if (i == data.num_levels) {
    *output = *(*next)++;
    return;
  }
  const Level& level = data.levels[i];
  if (level.dense) {
    for (int64_t k = 0; k < level.extent; ++k) {
      Spread(data, i + 1, node * level.extent + k, output + k * level.step,
             next);
    }
    return;
  }
  for (int64_t k = level.segments[node]; k < level.segments[node + 1]; ++k) {
    Spread(data, i + 1, k, output + level.indices[k] * level.step, next);
  }
}

template <class T>
Status EvalDensify(OpContext& context) {
  Tensor& output = context.output(0);
  if (output.bytes == 0) return OkStatus();
  std::memset(output.data, 0, static_cast<size_t>(output.bytes));
  const T* next = context.input(0).data_as<T>();
  Spread(context.data<DensifyData>(), 0, 0, output.data_as<T>(), &next);
  return OkStatus();
}

Status SetDensifyEval(OpContext& context) {
  const TensorType type = context.input(0).type;
  switch (TensorTypeBits(type)) {
    case 8:
      context.SetEval(EvalDensify<uint8_t>);
      return OkStatus();
    case 16:
      context.SetEval(EvalDensify<uint16_t>);
      return OkStatus();
    case 32:
      context.SetEval(EvalDensify<uint32_t>);
      return OkStatus();
    default:
      return UnimplementedError("no kernel for input 0 of type ",
                                TensorTypeName(type));
  }
}

Status PrepareDensify(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  const Tensor& input = context.input(0);
  if (!input.is_constant() || input.sparsity == nullptr) {
    return InvalidModelError("input 0 is not a sparse constant");
  }
  ARENALITE_RETURN_IF_ERROR(SetDensifyEval(context));
  ARENALITE_ASSIGN_OR_RETURN(Layout layout, ReadLayout(input));
  ARENALITE_ASSIGN_OR_RETURN(DensifyData * data,
                             context.CreateData<DensifyData>());
  data->num_levels = layout.rank + layout.num_blocks;
  ARENALITE_RETURN_IF_ERROR(SetExtents(input.shape, layout, *data));
  ARENALITE_RETURN_IF_ERROR(CheckLevels(input, *data));
  return context.SetOutputShape(0, input.shape);
}

}  // namespace

namespace ops {

const OpDefinition kDensify = {
    "DENSIFY",
    schema::BuiltinOperator_DENSIFY,
    1,
    kOpTakesSparse,
    0,
    nullptr,
    PrepareDensify,
    nullptr,
    nullptr,  // The input is a constant.
};

}  // namespace ops
}  // namespace arenalite
