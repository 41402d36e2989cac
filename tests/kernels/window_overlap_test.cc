#include "kernels/window_overlap.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/window.h"

namespace arenalite {
namespace {

constexpr int kValid = 1;

// The definition of DESIGN section 4, word for word: after each step but the
// last, the lowest byte of all later steps minus the bytes written.
int64_t DistanceByDefinition(const PixelWalk& walk, int64_t input_bytes,
                             const std::vector<int64_t>& row_low,
                             const std::vector<int64_t>& column_low) {
  struct Step {
    int64_t low, written;
  };
  std::vector<Step> steps;
  const int64_t block = walk.block_channels * walk.output_channel_bytes;
  for (int64_t y = 0; y < walk.rows; ++y) {
    for (int64_t x = 0; x < walk.columns; ++x) {
      const int64_t start =
          y * walk.output_row_bytes + x * walk.output_pixel_bytes;
      for (int64_t k = 0; k * block < walk.output_pixel_bytes; ++k) {
        int64_t low = row_low[y] + column_low[x];
        if (walk.channels_per_input > 0) {
          low += k * walk.block_channels / walk.channels_per_input *
                 walk.input_channel_bytes;
        }
        steps.push_back(
            {low, start + std::min((k + 1) * block, walk.output_pixel_bytes)});
      }
    }
  }
  int64_t distance = input_bytes;
  for (size_t t = 0; t + 1 < steps.size(); ++t) {
    int64_t low = kReadsNothing;
    for (size_t u = t + 1; u < steps.size(); ++u) {
      low = std::min(low, steps[u].low);
    }
    distance = std::min(distance, low - steps[t].written);
  }
  return distance;
}

TEST(WalkOverlap, IsTheMinimumOfItsDefinition) {
  std::mt19937 random(5);
  const auto pick = [&](int low, int high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  for (int i = 0; i < 500; ++i) {
    PixelWalk walk;
    walk.rows = pick(1, 6);
    walk.columns = pick(1, 6);
    walk.block_channels = pick(1, 5);
    walk.output_channel_bytes = pick(1, 2);
    walk.input_channel_bytes = pick(1, 2);
    walk.channels_per_input = pick(0, 3);
    const int64_t channels = pick(1, 9);
    walk.output_pixel_bytes = channels * walk.output_channel_bytes;
    walk.output_row_bytes = walk.columns * walk.output_pixel_bytes;
    std::vector<int64_t> rows, columns;
    for (int64_t y = 0; y < walk.rows; ++y) rows.push_back(20 * pick(0, 9));
    for (int64_t x = 0; x < walk.columns; ++x) columns.push_back(pick(0, 30));
    if (i % 7 == 0) rows.back() = kReadsNothing;
    EXPECT_EQ(WalkOverlap(
                  walk, 1000, [&](int64_t y) { return rows[y]; },
                  [&](int64_t x) { return columns[x]; }),
              DistanceByDefinition(walk, 1000, rows, columns))
        << "case " << i;
  }
}

// MobileNet's first pointwise layer: 1x1, 8 to 16 channels, int8. Both tensors
// fit into 36,864 bytes, the size of the output alone.
TEST(WindowOverlap, PointwiseLayerGrowsInPlace) {
  Tensor input, output;
  input.type = output.type = TensorType::kInt8;
  input.shape = {1, 48, 48, 8};
  output.shape = {1, 48, 48, 16};
  input.bytes = 48 * 48 * 8;
  const WindowAxis axis =
      MakeWindowAxis("height", 48, {kValid, 1, 1, 1}).value();
  const int64_t distance = WindowOverlap(input, output, axis, axis, {512, 0});
  EXPECT_EQ(distance, -(48 * 48 - 1) * 8);
  EXPECT_LE(-distance + input.bytes, 48 * 48 * 16);
}

TEST(WindowAxis, MatchesTapByTap) {
  for (int input : {1, 2, 5, 8}) {
    for (int window : {1, 2, 3, 4}) {
      for (int stride : {1, 2, 3}) {
        for (int dilation : {1, 2, 4}) {
          const auto made =
              MakeWindowAxis("width", input, {0, window, stride, dilation});
          ASSERT_TRUE(made.ok());
          const WindowAxis& axis = made.value();
          EXPECT_EQ(axis.output, (input + stride - 1) / stride);
          for (int o = 0; o < axis.output; ++o) {
            std::vector<int> expected;
            for (int tap = 0; tap < window; ++tap) {
              const int at = o * stride - axis.before + tap * dilation;
              if (at >= 0 && at < input) expected.push_back(tap);
            }
            const IndexRange taps = axis.Taps(o);
            ASSERT_EQ(taps.empty(), expected.empty());
            EXPECT_EQ(axis.Low(o) == kReadsNothing, expected.empty());
            if (expected.empty()) continue;
            EXPECT_EQ(taps.first, expected.front());
            EXPECT_EQ(taps.end, expected.back() + 1);
          }
        }
      }
    }
  }
}

TEST(TransposedAxis, GathersWhatAScatterWouldAdd) {
  for (int stride : {1, 2, 3}) {
    for (int window : {1, 2, 3, 4}) {
      for (int dilation : {1, 2, 3, 6}) {
        for (int padding : {0, 1}) {
          const int output = 9;
          const WindowOptions options = {padding, window, stride, dilation};
          const auto forward = MakeWindowAxis("height", output, options);
          if (!forward.ok() || forward.value().output == 0) continue;
          const int input = forward.value().output;
          const auto made =
              MakeTransposedAxis("height", input, output, options);
          ASSERT_TRUE(made.ok()) << made.message();
          const TransposedAxis& axis = made.value();
          std::vector<std::vector<std::pair<int, int>>> scattered(output);
          for (int i = 0; i < input; ++i) {
            for (int tap = 0; tap < window; ++tap) {
              const int o = i * stride - axis.before + tap * dilation;
              if (o >= 0 && o < output) scattered[o].push_back({i, tap});
            }
          }
          for (int o = 0; o < output; ++o) {
            std::vector<std::pair<int, int>> gathered;
            const TransposedAxis::Range inputs = axis.Inputs(o);
            for (int64_t i = inputs.first; i < inputs.end; i += inputs.step) {
              gathered.push_back({i, axis.Tap(o, i)});
            }
            EXPECT_EQ(gathered, scattered[o]);
            EXPECT_EQ(axis.Low(o), gathered.empty() ? kReadsNothing
                                                    : gathered.front().first);
          }
        }
      }
    }
  }
}

TEST(WindowAxis, RefusesWhatHasNoOutput) {
  EXPECT_FALSE(MakeWindowAxis("height", 4, {0, 3, 0, 1}).ok());
  EXPECT_FALSE(MakeWindowAxis("height", 4, {0, 3, 1, 0}).ok());
  EXPECT_FALSE(MakeWindowAxis("height", 4, {0, 0, 1, 1}).ok());
  EXPECT_FALSE(MakeWindowAxis("height", 4, {2, 3, 1, 1}).ok());
  EXPECT_FALSE(MakeWindowAxis("height", 4, {1, 6, 1, 1}).ok());
  EXPECT_FALSE(MakeWindowAxis("height", 4, {0, 65537, 1, 65537}).ok());
  // Where TensorFlow Lite rounds towards zero, and makes an empty output.
  EXPECT_FALSE(MakeWindowAxis("height", 4, {1, 5, 2, 1}).ok());
  EXPECT_EQ(MakeWindowAxis("height", 0, {1, 5, 2, 1}).value().output, 0);
}

}  // namespace
}  // namespace arenalite
