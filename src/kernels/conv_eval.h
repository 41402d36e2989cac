// The eval functions of a convolution operator, one for each arithmetic.

#ifndef ARENALITE_KERNELS_CONV_EVAL_H_
#define ARENALITE_KERNELS_CONV_EVAL_H_

#include <algorithm>
#include <cstring>

#include "kernels/conv_math.h"
#include "kernels/row_view.h"
#include "kernels/window.h"

namespace arenalite {

// The rows of a convolution, as prepare leaves them. Sizes in elements.
struct ConvRows {
  ConvScaling scaling;
  int32_t batches = 0;
  int32_t input_height = 0;
  int64_t input_row = 0;
  int32_t output_height = 0;
  int64_t output_row = 0;

  // Of NHWC shapes.
  void SetRows(const Shape& input, const Shape& output) {
    batches = input.dim(0);
    input_height = input.dim(1);
    input_row = input.NumElements(2, 4);
    output_height = output.dim(1);
    output_row = output.NumElements(2, 4);
  }
  int64_t rows() const { return int64_t{batches} * output_height; }
};

// The axes of a window of the filter's size over the input.
template <class Data>
Status SetConvAxes(const ConvTensors& tensors, const ConvOptions& options,
                   Data* data) {
  const Shape& filter = tensors.weights->shape;
  return SetWindowAxes(tensors.input->shape,
                       {options.padding, filter.dim(1), options.stride_height,
                        options.dilation_height},
                       {options.padding, filter.dim(2), options.stride_width,
                        options.dilation_width},
                       data);
}

// Op has
//   Data: what prepare left, derived from ConvRows;
//   static ConvTensors Tensors(context);
//   template <class Math> static void Compute(const Math&, const Data&,
//       RowView input, RowView output, IndexRange rows): the output rows of
//       that range, numbered through all batches.
template <class Op>
class ConvEval {
 public:
  static EvalFunction Pick(ConvKind kind) {
    switch (kind) {
      case ConvKind::kFloat:
        return Plain<FloatMath>;
      case ConvKind::kHybrid:
        return Hybrid;
      case ConvKind::kInt8:
        return Plain<Int8Math>;
      case ConvKind::kUInt8:
        return Plain<UInt8Math>;
      case ConvKind::kInt16:
        return Plain<Int16Math>;
      case ConvKind::kInt16Narrow:
        return Plain<Int16NarrowMath>;
    }
    return nullptr;
  }

 private:
  using Data = typename Op::Data;

  template <class T>
  static RowView<T> View(T* data, int64_t row) {
    return {data, row * static_cast<int64_t>(sizeof(T))};
  }

  template <class Math>
  static Status Plain(OpContext& context) {
    const auto& data = context.data<Data>();
    const ConvTensors tensors = Op::Tensors(context);
    if (tensors.output->bytes == 0) return OkStatus();
    Math math;
    math.Bind(tensors, data.scaling);
    Op::Compute(
        math, data,
        View(tensors.input->data_as<typename Math::Input>(), data.input_row),
        View(tensors.output->data_as<typename Math::Output>(), data.output_row),
        IndexRange{0, data.rows()});
    return OkStatus();
  }

  static Status Hybrid(OpContext& context) {
    const auto& data = context.data<Data>();
    const ConvTensors tensors = Op::Tensors(context);
    HybridMath math;
    math.Bind(tensors, data.scaling);
    // The whole input is read before any output is written: the output may
    // lie anywhere over it.
    const RowScale* scales =
        QuantizeInput(context, *tensors.input, data.scaling);
    const auto* quantized =
        context.scratch<const int8_t>(data.scaling.quantized_input);
    for (int64_t b = 0; b < data.batches; ++b) {
      math.offsets.input = static_cast<int16_t>(-scales[b].zero_point);
      math.finish.input_scale = scales[b].scale;
      Op::Compute(
          math, data, View(quantized, data.input_row),
          View(tensors.output->data_as<float>(), data.output_row),
          IndexRange{b * data.output_height, (b + 1) * data.output_height});
    }
    return OkStatus();
  }
};

// Stack for the results of one step.
constexpr int64_t kConvBlockBytes = 512;

struct OutputChannels {
  int64_t count = 0;
  int64_t group = 0;  // Channels of one group: they read the same input.
};

// The output channels of one pixel, a block at a time: a block is computed
// whole before any of it is written. add(c, n, sums) adds the products of
// output channels [c, c + n), where n is 1, 4 or Math::kMostChannels.
template <class Math, class Add>
void ComputeChannels(const Math& math, OutputChannels channels, Add add,
                     typename Math::Output* output) {
  using Output = typename Math::Output;
  constexpr int64_t kBlock = kConvBlockBytes / sizeof(Output);
  Output block[kBlock];
  int64_t group_end = channels.group;
  int64_t first = 0;
  for (int64_t c = 0; c < channels.count;) {
    if (c == group_end) group_end += channels.group;
    const int64_t room = std::min(group_end, first + kBlock) - c;
    const int count = room >= Math::kMostChannels ? Math::kMostChannels
                      : room >= 4                 ? 4
                                                  : 1;
    typename Math::Sum sums[Math::kMostChannels] = {};
    add(c, count, sums);
    for (int n = 0; n < count; ++n) {
      block[c - first + n] = math.finish(sums[n], c + n);
    }
    c += count;
    if (c - first == kBlock || c == channels.count) {
      std::memcpy(output + first, block,
                  static_cast<size_t>(c - first) * sizeof(Output));
      first = c;
    }
  }
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_CONV_EVAL_H_
