// SPACE_TO_BATCH_ND: each block offset of the padded images becomes a batch of
// smaller images: a pad with steps.

#include <algorithm>

#include "arenalite/builtin_ops.h"
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
    const int64_t padded = space[i] + blocks.before[i] + blocks.after[i];
    if (padded % blocks.block[i] != 0) {
      return InvalidModelError("dimension ", i + 1, " is ", padded,
                               " with paddings, allowed are multiples of ",
                               blocks.block[i]);
    }
    space[i] = padded / blocks.block[i];
    batch *= blocks.block[i];
    if (batch > INT32_MAX) break;
  }
  return ImageShape(input, batch, space[0], space[1]);
}

// The output indices along one dimension that take from the input, and the
// input index of the first.
struct Range {
  int64_t first, end, source;
};

Range InsideInput(const SpaceBlocks& blocks, int i, int64_t offset,
                  int64_t input_size, int64_t output_size) {
  const int64_t block = blocks.block[i];
  const int64_t shift = offset - blocks.before[i];  // Input index of output 0.
  const int64_t first = shift >= 0 ? 0 : (block - 1 - shift) / block;
  const int64_t left = input_size - shift;  // Not negative where it matters.
  const int64_t end = std::min(output_size, (left + block - 1) / block);
  return {first, std::max(first, end), first * block + shift};
}

// The copy for one block offset, a slice of the output along the batch.
CopyPlan PlanOffset(const Tensor& input, const Shape& output_shape,
                    const SpaceBlocks& blocks, int64_t offset) {
  const Image in(input.shape);
  const Image out(output_shape);
  const Range y =
      InsideInput(blocks, 0, offset / blocks.block[1], in.height, out.height);
  const Range x =
      InsideInput(blocks, 1, offset % blocks.block[1], in.width, out.width);
  const int64_t pixel = in.channels;
  const int64_t in_row = in.width * pixel;
  const int64_t out_row = out.width * pixel;
  const CopyAxis axes[] = {
      {in.batch, in.height * in_row, out.height * out_row},
      {y.end - y.first, blocks.block[0] * in_row, out_row},
      {x.end - x.first, blocks.block[1] * pixel, pixel},
      {pixel, 1, 1},
  };
  return MakeCopyPlan(axes, input.type, y.source * in_row + x.source * pixel,
                      offset * in.batch * out.height * out_row +
                          y.first * out_row + x.first * pixel);
}

void RunOffsets(OpContext& context, const SpaceBlocks& blocks) {
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  if (output.bytes == 0) return;
  const int64_t offsets = blocks.block[0] * blocks.block[1];
  const int64_t slice = output.bytes / offsets;
  for (int64_t i = 0; i < offsets; ++i) {
    CopyPlan plan = PlanOffset(input, output.shape, blocks, i);
    plan.target_start -= i * slice;
    RunPadPlan(plan, context.data<SpaceBatchData>().zero, input.data,
               output.data_as<uint8_t>() + i * slice, slice);
  }
}

Status PrepareSpaceToBatch(OpContext& context) {
  return PrepareSpaceBatch(context, {OutputShape, RunOffsets});
}

int64_t SpaceToBatchOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<SpaceBatchData>();
  // Block sizes and paddings are tiny.
  if (input != 0 || !data.is_planned) return kNoOverlap;
  const Tensor& tensor = context.input(0);
  int64_t distance = tensor.bytes;
  if (context.output(0).bytes == 0) return distance;
  const int64_t offsets = data.blocks.block[0] * data.blocks.block[1];
  if (offsets > kMostOverlapSteps) return kNoOverlap;
  for (int64_t i = 0; i < offsets; ++i) {
    const CopyPlan plan =
        PlanOffset(tensor, context.output(0).shape, data.blocks, i);
    distance = std::min(distance, CopyDistance(plan, tensor.bytes));
  }
  return distance;
}

}  // namespace

namespace ops {

const OpDefinition kSpaceToBatchNd = {
    "SPACE_TO_BATCH_ND",
    schema::BuiltinOperator_SPACE_TO_BATCH_ND,
    4,
    kOpDefault,
    0,
    nullptr,
    PrepareSpaceToBatch,
    nullptr,
    SpaceToBatchOverlap,
};

}  // namespace ops
}  // namespace arenalite
