// What SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND have in common: a batch of
// images against a batch, block times as large, of their sparse subsets.

#ifndef ARENALITE_KERNELS_SPACE_BATCH_H_
#define ARENALITE_KERNELS_SPACE_BATCH_H_

#include "arenalite/op_definition.h"

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

// Checks all that does not depend on values.
Status CheckSpaceBatch(const OpContext& context);

// Whether both inputs can be read in prepare.
inline bool SpaceBlocksAreKnown(const OpContext& context) {
  return context.HasValue(context.input(1)) &&
         context.HasValue(context.input(2));
}

// Reads and checks inputs 1 and 2.
Result<SpaceBlocks> ReadSpaceBlocks(const OpContext& context);

// `like` with other numbers; its rank decides whether there is a width.
Result<Shape> ImageShape(const Shape& like, int64_t batch, int64_t height,
                         int64_t width);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_SPACE_BATCH_H_
