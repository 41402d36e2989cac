// What SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND have in common: a batch of
// images against a batch, block times as large, of their sparse subsets.

#ifndef ARENALITE_KERNELS_SPACE_BATCH_H_
#define ARENALITE_KERNELS_SPACE_BATCH_H_

#include "arenalite/op_definition.h"
#include "kernels/pad_fill.h"

namespace arenalite {

// Input 1 (block sizes) and 2 (paddings or crops) of the two dimensions of
// space; a 3-D input has one column, a block of 1 and no margin there.
struct SpaceBlocks {
  int64_t block[2];
  int64_t before[2];
  int64_t after[2];
};

// Dimensions of a 3-D or 4-D shape; those of a 3-D one are [n, h, 1, c].
struct Image {
  explicit Image(const Shape& shape);
  int64_t batch, height, width, channels;
};

// How one of the two operators computes.
struct SpaceBatchOp {
  Result<Shape> (*output_shape)(const Shape& input, const SpaceBlocks& blocks);
  void (*move)(OpContext& context, const SpaceBlocks& blocks);
};

struct SpaceBatchData {
  SpaceBatchOp op;
  bool is_planned;  // The blocks are known before eval.
  SpaceBlocks blocks;
  PadValue zero;
};

// prepare, which also sets eval.
Status PrepareSpaceBatch(OpContext& context, const SpaceBatchOp& op);

// `like` with other numbers; its rank decides whether there is a width.
Result<Shape> ImageShape(const Shape& like, int64_t batch, int64_t height,
                         int64_t width);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_SPACE_BATCH_H_
