// The overlap distance of spatial operators (DESIGN section 4).

#ifndef ARENALITE_KERNELS_WINDOW_OVERLAP_H_
#define ARENALITE_KERNELS_WINDOW_OVERLAP_H_

#include <algorithm>
#include <cstdint>

#include "arenalite/op_definition.h"
#include "arenalite/tensor.h"
#include "kernels/overlap_cost.h"
#include "kernels/window.h"

namespace arenalite {

// How a kernel walks: output rows in order, in a row its pixels in order, in a
// pixel its blocks of channels in order. A block is read whole before it is
// written; a step is one block.
struct PixelWalk {
  int64_t rows = 0;  // Output rows of all batches.
  int64_t columns = 0;
  int64_t output_row_bytes = 0;
  int64_t output_pixel_bytes = 0;
  int64_t block_channels = 0;  // The last block of a pixel has fewer.
  int64_t output_channel_bytes = 1;
  // Operators that keep channels apart: the output channels that stem from
  // one input channel, so that a block reads its own input channels only. 0
  // when every block reads its pixels whole.
  int64_t channels_per_input = 0;
  int64_t input_channel_bytes = 1;
};

// The byte of position `first` + Low(o), for positions of `bytes` each.
inline int64_t LowBytes(int64_t low, int64_t bytes, int64_t first = 0) {
  return low == kReadsNothing ? low : (first + low) * bytes;
}

// min over the steps t but the last of r(t) - w(t): w(t) output bytes lie
// written after t, and r(t) is the lowest input byte read later.
// row_low(y) is the byte of the lowest input row that output row y reads,
// column_low(x) the byte within a row of the lowest pixel that column x reads
// (or kReadsNothing); neither needs to be monotonic: dilation makes later
// windows reach lower. At most `input_bytes`, from where on the two are
// disjoint anyway.
template <class RowLow, class ColumnLow>
int64_t WalkOverlap(const PixelWalk& walk, int64_t input_bytes, RowLow row_low,
                    ColumnLow column_low) {
  // One row and one column at a time suffice: the best and worst columns are
  // the same for every row, so the cost is rows + columns, not their product.
  constexpr int64_t kMostBytes = kReadsNothing / 4;
  const int64_t block_bytes = walk.block_channels * walk.output_channel_bytes;
  if (walk.rows <= 0 || walk.columns <= 0 || block_bytes <= 0) return 0;
  const int64_t blocks =
      (walk.output_pixel_bytes + block_bytes - 1) / block_bytes;
  if (input_bytes > kMostBytes || walk.rows > kMostOverlapSteps ||
      walk.columns > kMostOverlapSteps / std::max<int64_t>(1, blocks) ||
      walk.output_row_bytes > kMostBytes / walk.rows) {
    return kNoOverlap;  // Not worth the time to plan, or beyond any memory.
  }
  // Within one row, relative to its first output byte and lowest input row.
  int64_t row_distance = kReadsNothing;
  int64_t later_column = kReadsNothing;  // Lowest of the columns after x.
  for (int64_t x = walk.columns - 1; x >= 0; --x) {
    const int64_t written = x * walk.output_pixel_bytes;
    const int64_t low = column_low(x);
    for (int64_t k = 1; k < blocks; ++k) {
      const int64_t channel =
          walk.channels_per_input == 0
              ? 0
              : k * walk.block_channels / walk.channels_per_input;
      const int64_t read =
          std::min(low + channel * walk.input_channel_bytes, later_column);
      row_distance = std::min(row_distance, read - (written + k * block_bytes));
    }
    row_distance = std::min(row_distance,
                            later_column - (written + walk.output_pixel_bytes));
    later_column = std::min(later_column, low);
  }
  int64_t distance = input_bytes;
  int64_t later_row = kReadsNothing;
  for (int64_t y = walk.rows - 1; y >= 0; --y) {
    const int64_t written = y * walk.output_row_bytes;
    const int64_t low = row_low(y);
    distance = std::min(distance, low + row_distance - written);
    // All of row y lies written when a later row reads its lowest pixel.
    distance = std::min(
        distance, later_row + later_column - written - walk.output_row_bytes);
    later_row = std::min(later_row, low);
  }
  return distance;
}

// How a kernel cuts the channels of a pixel into steps; see PixelWalk.
struct ChannelBlocks {
  int64_t channels = 1;
  int64_t per_input = 0;
};

// Of a kernel whose NHWC output reads windows of its NHWC input. Axis: a
// WindowAxis or a TransposedAxis, for height and for width.
template <class Axis>
int64_t WindowOverlap(const Tensor& input, const Tensor& output, const Axis& y,
                      const Axis& x, ChannelBlocks blocks) {
  const int64_t input_bytes = TensorTypeBits(input.type) / 8;
  const int64_t input_pixel = input.shape.dim(3) * input_bytes;
  const int64_t input_row = input.shape.dim(2) * input_pixel;
  PixelWalk walk;
  walk.rows = int64_t{output.shape.dim(0)} * y.output;
  walk.columns = x.output;
  walk.output_channel_bytes = TensorTypeBits(output.type) / 8;
  walk.output_pixel_bytes = output.shape.dim(3) * walk.output_channel_bytes;
  walk.output_row_bytes = walk.columns * walk.output_pixel_bytes;
  walk.block_channels = blocks.channels;
  walk.channels_per_input = blocks.per_input;
  walk.input_channel_bytes = input_bytes;
  return WalkOverlap(
      walk, input.bytes,
      [&](int64_t row) {
        return LowBytes(y.Low(row % y.output), input_row,
                        row / y.output * y.input);
      },
      [&](int64_t column) { return LowBytes(x.Low(column), input_pixel); });
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_WINDOW_OVERLAP_H_
