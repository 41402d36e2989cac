// BATCH_TO_SPACE_ND: images of a batch interleaved to larger ones, and
// cropped.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/overlap_cost.h"
#include "kernels/space_batch.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Result<Shape> OutputShape(const Shape& input, const SpaceBlocks& blocks) {
  const Image image(input);
  int64_t batch = image.batch;
  int64_t space[] = {image.height, image.width};
  for (int i = 0; i < 2; ++i) {
    if (batch % blocks.block[i] != 0) {
      return InvalidModelError("input 0 has a batch of ", image.batch,
                               ", allowed are multiples of ", blocks.block[0],
                               " x ", blocks.block[1]);
    }
    batch /= blocks.block[i];
    space[i] = space[i] * blocks.block[i] - blocks.before[i] - blocks.after[i];
  }
  return ImageShape(input, batch, space[0], space[1]);
}

// Where the pixels of an output image lie in the input: the offset of pixel
// (b, y, x) is b * image + FromRow(y) + FromColumn(x). All in bytes.
class Interleaving {
 public:
  Interleaving(const Tensor& input, const Image& output,
               const SpaceBlocks& blocks)
      : blocks_(blocks) {
    const Image in(input.shape);
    pixel = in.channels * (TensorTypeBits(input.type) / 8);
    row_ = in.width * pixel;
    image = in.height * row_;
    column_offset_ = output.batch * image;
    row_offset_ = blocks.block[1] * column_offset_;
  }

  int64_t FromRow(int64_t y) const {
    y += blocks_.before[0];
    return y % blocks_.block[0] * row_offset_ + y / blocks_.block[0] * row_;
  }
  int64_t FromColumn(int64_t x) const {
    x += blocks_.before[1];
    return x % blocks_.block[1] * column_offset_ + x / blocks_.block[1] * pixel;
  }

  int64_t pixel;
  int64_t image;

 private:
  const SpaceBlocks& blocks_;
  int64_t row_;
  int64_t column_offset_;  // From one column offset in the block to the next.
  int64_t row_offset_;
};

void Interleave(OpContext& context, const SpaceBlocks& blocks) {
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  if (output.bytes == 0) return;
  const Image out(output.shape);
  const Interleaving from(input, out, blocks);
  const auto* source = input.data_as<uint8_t>();
  auto* target = output.data_as<uint8_t>();
  // Blocks of one column leave rows whole.
  const int64_t pixels = blocks.block[1] == 1 ? out.width : 1;
  for (int64_t b = 0; b < out.batch; ++b) {
    for (int64_t y = 0; y < out.height; ++y) {
      const uint8_t* row = source + b * from.image + from.FromRow(y);
      for (int64_t x = 0; x < out.width; x += pixels) {
        MoveBytes(target, row + from.FromColumn(x), pixels * from.pixel);
        target += pixels * from.pixel;
      }
    }
  }
}

Status PrepareBatchToSpace(OpContext& context) {
  return PrepareSpaceBatch(context, {OutputShape, Interleave});
}

int64_t BatchToSpaceOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<SpaceBatchData>();
  // Block sizes and crops are tiny.
  if (input != 0 || !data.is_planned) return kNoOverlap;
  const Tensor& tensor = context.input(0);
  if (context.output(0).bytes == 0) return tensor.bytes;
  const Image out(context.output(0).shape);
  if (out.height + out.width > kMostOverlapSteps) return kNoOverlap;
  const Interleaving from(tensor, out, data.blocks);
  // The smallest source - target offset of all pixels. It is a sum of one
  // term for each dimension, so that each may be searched alone. The first
  // pixel, which nothing was written before, counts too: a bit too strict.
  const int64_t target_row = out.width * from.pixel;
  int64_t of_rows = INT64_MAX;
  for (int64_t y = 0; y < out.height; ++y) {
    of_rows = std::min(of_rows, from.FromRow(y) - y * target_row);
  }
  int64_t of_columns = INT64_MAX;
  for (int64_t x = 0; x < out.width; ++x) {
    of_columns = std::min(of_columns, from.FromColumn(x) - x * from.pixel);
  }
  const int64_t of_last_image =
      (out.batch - 1) * (from.image - out.height * target_row);
  return of_rows + of_columns + std::min<int64_t>(0, of_last_image);
}

}  // namespace

namespace ops {

const OpDefinition kBatchToSpaceNd = {
    "BATCH_TO_SPACE_ND",
    schema::BuiltinOperator_BATCH_TO_SPACE_ND,
    4,
    kOpDefault,
    0,
    nullptr,
    PrepareBatchToSpace,
    nullptr,
    BatchToSpaceOverlap,
};

}  // namespace ops
}  // namespace arenalite
