// The loop nest of CONV_2D.

#ifndef ARENALITE_KERNELS_CONV_LOOPS_H_
#define ARENALITE_KERNELS_CONV_LOOPS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/conv_eval.h"
#include "kernels/row_view.h"
#include "kernels/window.h"

namespace arenalite {

// Stack for a gathered window.
constexpr int64_t kConvWindowBytes = 1024;

struct ConvData : ConvRows {
  WindowAxis y, x;
  int32_t input_channels = 0;
  int32_t output_channels = 0;
  int32_t group_inputs = 0;   // Input channels of one group.
  int32_t group_outputs = 0;  // Output channels of one group.
  // A window that is small, and not one run of the input anyway, is gathered
  // on the stack: one long run, no borders, and a step is the whole pixel.
  bool gathers = false;

  // The first input channel of an output channel's group.
  int64_t FirstInput(int64_t channel) const {
    if (group_inputs == input_channels) return 0;
    return channel / group_outputs * group_inputs;
  }
  // Elements of the filter of one output channel.
  int64_t filter_size() const {
    return int64_t{y.window} * x.window * group_inputs;
  }
  int64_t window_size() const {
    return int64_t{y.window} * x.window * input_channels;
  }
};

// What one output pixel reads: rows, in each a number of runs of contiguous
// elements, and the weights of one output channel that belong to them.
template <class T>
struct ConvWindow {
  RowView<const T> view;
  int64_t first_row = 0;
  int64_t row_step = 1;
  int64_t rows = 1;
  int64_t start = 0;  // Of the first run in its row.
  int64_t run_step = 0;
  int64_t runs = 1;
  int64_t length = 0;
  int64_t weight = 0;  // Of the first run.
  int64_t weight_row_step = 0;
  int64_t weight_run_step = 0;
};

// The window of pixel (y, x) where it lies in the batch's input, without the
// taps that fall into padding.
template <class T>
ConvWindow<T> DirectWindow(const ConvData& data, RowView<const T> input,
                           int64_t y, int64_t x) {
  const IndexRange rows = data.y.Taps(y);
  const IndexRange columns = data.x.Taps(x);
  ConvWindow<T> window;
  window.view = input;
  window.first_row = data.y.Start(y) + rows.first * data.y.dilation;
  window.row_step = data.y.dilation;
  window.rows = rows.end - rows.first;
  window.start =
      (data.x.Start(x) + columns.first * data.x.dilation) * data.input_channels;
  window.weight =
      (rows.first * data.x.window + columns.first) * data.group_inputs;
  window.weight_row_step = int64_t{data.x.window} * data.group_inputs;
  window.runs = columns.end - columns.first;
  window.length = data.group_inputs;
  window.run_step = int64_t{data.x.dilation} * data.input_channels;
  window.weight_run_step = data.group_inputs;
  if (window.runs <= 0) window.rows = 0;
  if (window.run_step == window.length && window.runs > 0) {
    window.length *= window.runs;
    window.runs = 1;
  }
  return window;
}

// The same window, copied to `gathered` with zeros for the taps in padding.
template <class T>
ConvWindow<T> GatherWindow(const ConvData& data, RowView<const T> input,
                           int64_t y, int64_t x, T zero, T* gathered) {
  const IndexRange rows = data.y.Taps(y);
  const IndexRange columns = data.x.Taps(x);
  const int64_t pixel = data.input_channels;
  const int64_t taps = columns.end - columns.first;
  // Adjacent taps are copied together.
  const int64_t together =
      data.x.dilation == 1 ? std::max<int64_t>(1, taps) : 1;
  if (rows.end - rows.first < data.y.window || taps < data.x.window) {
    std::fill_n(gathered, data.window_size(), zero);
  }
  for (int64_t r = rows.first; r < rows.end; ++r) {
    const T* from = input.Row(data.y.Start(y) + r * data.y.dilation);
    for (int64_t c = columns.first; c < columns.end; c += together) {
      std::memcpy(gathered + (r * data.x.window + c) * pixel,
                  from + (data.x.Start(x) + c * data.x.dilation) * pixel,
                  static_cast<size_t>(together * pixel) * sizeof(T));
    }
  }
  ConvWindow<T> window;
  window.view = {gathered, 0};
  window.length = data.window_size();
  if (data.group_inputs != data.input_channels) {
    window.runs = int64_t{data.y.window} * data.x.window;
    window.run_step = pixel;
    window.length = data.group_inputs;
    window.weight_run_step = data.group_inputs;
  }
  return window;
}

// sums[n] += the window's products with the filter of output channel
// `channel` + n, for n < channels.
template <class Math>
void AddWindow(const Math& math, const ConvData& data,
               const ConvWindow<typename Math::Input>& window, int64_t channel,
               int channels, typename Math::Sum* sums) {
  const int64_t filter_size = data.filter_size();
  const int64_t filter = channel * filter_size + window.weight;
  const int64_t start = window.start + data.FirstInput(channel);
  for (int64_t r = 0; r < window.rows; ++r) {
    const auto* from =
        window.view.Row(window.first_row + r * window.row_step) + start;
    const int64_t weight = filter + r * window.weight_row_step;
    for (int64_t k = 0; k < window.runs; ++k) {
      math.Add(from + k * window.run_step, weight + k * window.weight_run_step,
               filter_size, window.length, channels, sums);
    }
  }
}

// The output rows of `range`, numbered through all batches.
template <class Math>
void ComputeConv(const Math& math, const ConvData& data,
                 RowView<const typename Math::Input> input,
                 RowView<typename Math::Output> output, IndexRange range) {
  using Input = typename Math::Input;
  Input gathered[kConvWindowBytes / sizeof(Input)];
  for (int64_t row = range.first; row < range.end; ++row) {
    const int64_t y = row % data.output_height;
    const RowView<const Input> batch = {
        input.Row(row / data.output_height * data.input_height),
        input.row_bytes};
    auto* out = output.Row(row);
    for (int64_t x = 0; x < data.x.output; ++x) {
      const ConvWindow<Input> window =
          data.gathers ? GatherWindow(data, batch, y, x, math.Zero(), gathered)
                       : DirectWindow(data, batch, y, x);
      ComputeChannels(
          math, {data.output_channels, data.group_outputs},
          [&](int64_t channel, int channels, typename Math::Sum* sums) {
            AddWindow(math, data, window, channel, channels, sums);
          },
          out + x * data.output_channels);
    }
  }
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_CONV_LOOPS_H_
