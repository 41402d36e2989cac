// CONV_3D and CONV_3D_TRANSPOSE, for floats. Tensors are [batch, depth, height,
// width, channels]; filters [depth, height, width, channels, output channels],
// of the transposed op [depth, height, width, output channels, channels].

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/conv_eval.h"
#include "kernels/options.h"
#include "kernels/window_overlap.h"

namespace arenalite {
namespace {

struct Conv3dOptions {
  int32_t padding;
  int32_t stride[3];  // Depth, height, width.
  int32_t dilation[3];
  int32_t activation;
};

constexpr const char* kAxisNames[] = {"depth", "height", "width"};

// Axis: WindowAxis or TransposedAxis.
template <class Axis>
struct Conv3dData {
  Axis axes[3];
  int64_t input_channels;
  int64_t output_channels;
  FloatRange range;

  // Rows of a tensor, numbered through batches and depths.
  int64_t InputRow(int64_t output_row, int64_t z, int64_t y) const {
    const int64_t batch = output_row / axes[1].output / int64_t{axes[0].output};
    return (batch * axes[0].input + z) * axes[1].input + y;
  }
  int64_t Depth(int64_t output_row) const {
    return output_row / axes[1].output % axes[0].output;
  }
  int64_t Height(int64_t output_row) const {
    return output_row % axes[1].output;
  }
};

Status ParseConv3d(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::Conv3DOptions>(source);
  if (table == nullptr) return InvalidModelError("Conv3DOptions are missing");
  auto* parsed = static_cast<Conv3dOptions*>(options);
  parsed->padding = table->padding();
  parsed->stride[0] = table->stride_d();
  parsed->stride[1] = table->stride_h();
  parsed->stride[2] = table->stride_w();
  parsed->dilation[0] = table->dilation_d_factor();
  parsed->dilation[1] = table->dilation_h_factor();
  parsed->dilation[2] = table->dilation_w_factor();
  parsed->activation = table->fused_activation_function();
  return OkStatus();
}

WindowOptions AxisOptions(const OpContext& context, const Shape& filter,
                          int axis) {
  const auto& options = context.options<Conv3dOptions>();
  return {options.padding, filter.dim(axis), options.stride[axis],
          options.dilation[axis]};
}

// Checks everything but the geometry.
template <class Axis>
Result<Conv3dData<Axis>*> PrepareData(OpContext& context, bool transposed) {
  const ConvTensors tensors = FindConvTensors(context, transposed ? 2 : 0);
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.input, tensors.input_name, 5, 4));
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.weights, tensors.weights_name, 5, 0));
  ConvTraits traits;
  traits.channel_dimension = transposed ? 3 : 4;
  ConvOptions options;
  options.activation = context.options<Conv3dOptions>().activation;
  if (tensors.weights->type != TensorType::kFloat32) {
    return UnimplementedError(tensors.weights_name, " is ",
                              TensorTypeName(tensors.weights->type),
                              ", allowed FLOAT32");
  }
  ARENALITE_ASSIGN_OR_RETURN(
      ConvScaling scaling,
      PrepareConvScaling(context, tensors, traits, options));
  const Shape& input = tensors.input->shape;
  const Shape& filter = tensors.weights->shape;
  const int32_t channels = filter.dim(transposed ? 4 : 3);
  if (input.dim(4) != channels) {
    return InvalidModelError(tensors.input_name, " has ", input.dim(4),
                             " channels, ", tensors.weights_name, " has ",
                             channels);
  }
  ARENALITE_ASSIGN_OR_RETURN(Conv3dData<Axis> * data,
                             context.CreateData<Conv3dData<Axis>>());
  data->input_channels = channels;
  data->output_channels = filter.dim(traits.channel_dimension);
  data->range = scaling.float_range;
  return data;
}

RowView<const float> InputRows(const Tensor& tensor) {
  return {tensor.data_as<float>(),
          tensor.shape.NumElements(3, 5) * static_cast<int64_t>(sizeof(float))};
}
RowView<float> OutputRows(Tensor& tensor) {
  return {tensor.data_as<float>(),
          tensor.shape.NumElements(3, 5) * static_cast<int64_t>(sizeof(float))};
}

template <class Axis>
int64_t Conv3dOverlap(const OpContext& context, const Tensor& input,
                      ChannelBlocks blocks) {
  const auto& data = context.data<Conv3dData<Axis>>();
  constexpr int64_t kBytes = sizeof(float);
  const int64_t pixel = data.input_channels * kBytes;
  const int64_t input_row = data.axes[2].input * pixel;
  PixelWalk walk;
  walk.rows = context.output(0).shape.NumElements(0, 3);
  walk.columns = data.axes[2].output;
  walk.output_channel_bytes = kBytes;
  walk.output_pixel_bytes = data.output_channels * kBytes;
  walk.output_row_bytes = walk.columns * walk.output_pixel_bytes;
  walk.block_channels = blocks.channels;
  walk.channels_per_input = blocks.per_input;
  return WalkOverlap(
      walk, input.bytes,
      [&](int64_t row) {
        const int64_t z = data.axes[0].Low(data.Depth(row));
        const int64_t y = data.axes[1].Low(data.Height(row));
        if (z == kReadsNothing || y == kReadsNothing) return kReadsNothing;
        return data.InputRow(row, z, y) * input_row;
      },
      [&](int64_t x) { return LowBytes(data.axes[2].Low(x), pixel); });
}

// CONV_3D

// Output channels of one step; their sums lie on the stack.
constexpr int64_t kBlock = 128;

using ForwardData = Conv3dData<WindowAxis>;

// sums += the products of one input pixel with the weights of one tap for
// `count` output channels.
void AddPixel(const float* pixel, const float* weights, int64_t count,
              const ForwardData& data, float* sums) {
  for (int64_t c = 0; c < data.input_channels; ++c) {
    const float value = pixel[c];
    const float* w = weights + c * data.output_channels;
    for (int64_t i = 0; i < count; ++i) sums[i] += value * w[i];
  }
}

// Sums up the window of column x in an output row.
struct Window3d {
  const ForwardData& data;
  const float* filter;
  RowView<const float> input;
  int64_t row, x;

  // sums[i] += output channel first + i, for i < count.
  void Add(int64_t first, int64_t count, float* sums) const {
    const WindowAxis& depth = data.axes[0];
    const WindowAxis& height = data.axes[1];
    const WindowAxis& width = data.axes[2];
    const int64_t z = depth.Start(data.Depth(row));
    const int64_t y = height.Start(data.Height(row));
    const IndexRange depths = depth.Taps(data.Depth(row));
    const IndexRange heights = height.Taps(data.Height(row));
    const IndexRange widths = width.Taps(x);
    for (int64_t d = depths.first; d < depths.end; ++d) {
      for (int64_t h = heights.first; h < heights.end; ++h) {
        const float* from = input.Row(data.InputRow(row, z + d * depth.dilation,
                                                    y + h * height.dilation));
        for (int64_t w = widths.first; w < widths.end; ++w) {
          const int64_t tap = (d * height.window + h) * width.window + w;
          const int64_t column = width.Start(x) + w * width.dilation;
          AddPixel(
              from + column * data.input_channels,
              filter + tap * data.input_channels * data.output_channels + first,
              count, data, sums);
        }
      }
    }
  }
};

Status EvalConv3d(OpContext& context) {
  const auto& data = context.data<ForwardData>();
  const ConvTensors tensors = FindConvTensors(context, 0);
  Activate finish;
  finish.bias =
      tensors.bias == nullptr ? nullptr : tensors.bias->data_as<float>();
  finish.range = data.range;
  const RowView<const float> input = InputRows(*tensors.input);
  const RowView<float> output = OutputRows(*tensors.output);
  const auto* filter = tensors.weights->data_as<float>();
  const int64_t rows = tensors.output->shape.NumElements(0, 3);
  for (int64_t row = 0; row < rows; ++row) {
    float* to = output.Row(row);
    for (int64_t x = 0; x < data.axes[2].output; ++x) {
      const Window3d window = {data, filter, input, row, x};
      for (int64_t first = 0; first < data.output_channels; first += kBlock) {
        const int64_t count = std::min(kBlock, data.output_channels - first);
        float sums[kBlock] = {};
        window.Add(first, count, sums);
        for (int64_t i = 0; i < count; ++i) *to++ = finish(sums[i], first + i);
      }
    }
  }
  return OkStatus();
}

Status PrepareConv3d(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, 1, 1));
  ARENALITE_ASSIGN_OR_RETURN(ForwardData * data,
                             PrepareData<WindowAxis>(context, false));
  const Shape& input = context.input(0).shape;
  Shape output = input;
  for (int i = 0; i < 3; ++i) {
    ARENALITE_ASSIGN_OR_RETURN(
        data->axes[i],
        MakeWindowAxis(kAxisNames[i], input.dim(i + 1),
                       AxisOptions(context, context.input(1).shape, i)));
    output.set_dim(i + 1, data->axes[i].output);
  }
  output.set_dim(4, static_cast<int32_t>(data->output_channels));
  return context.SetOutputShape(0, output);
}

int64_t OverlapConv3d(const OpContext& context, int, int input) {
  // Filter and bias are read again for every pixel.
  if (input != 0) return kNoOverlap;
  return Conv3dOverlap<WindowAxis>(context, context.input(0), {kBlock, 0});
}

// CONV_3D_TRANSPOSE

using TransposedData = Conv3dData<TransposedAxis>;

// Adds what column x of an output row gathers.
struct Gather3d {
  const FloatMath& math;
  const TransposedData& data;
  RowView<const float> input;
  int64_t row, x;

  void operator()(int64_t channel, int channels, float* sums) const {
    const int64_t pixel = data.input_channels;
    using Range = TransposedAxis::Range;
    const Range depths = data.axes[0].Inputs(data.Depth(row));
    const Range heights = data.axes[1].Inputs(data.Height(row));
    const Range widths = data.axes[2].Inputs(x);
    for (int64_t z = depths.first; z < depths.end; z += depths.step) {
      const int64_t d = data.axes[0].Tap(data.Depth(row), z);
      for (int64_t y = heights.first; y < heights.end; y += heights.step) {
        const int64_t h = data.axes[1].Tap(data.Height(row), y);
        const float* from = input.Row(data.InputRow(row, z, y));
        for (int64_t c = widths.first; c < widths.end; c += widths.step) {
          const int64_t w = data.axes[2].Tap(x, c);
          const int64_t tap =
              (d * data.axes[1].window + h) * data.axes[2].window + w;
          math.Add(from + c * pixel,
                   (tap * data.output_channels + channel) * pixel, pixel, pixel,
                   channels, sums);
        }
      }
    }
  }
};

// Reads the output shape from input 0 and fits the geometry to it.
Result<Shape> SetStatedGeometry(const OpContext& context,
                                TransposedData* data) {
  const Shape& input = context.input(2).shape;
  const Shape& filter = context.input(1).shape;
  ARENALITE_ASSIGN_OR_RETURN(Shape output,
                             Shape::Create(Span<const int32_t>(
                                 context.input(0).data_as<int32_t>(), 5)));
  if (output.dim(0) != input.dim(0) || output.dim(4) != filter.dim(3)) {
    return InvalidModelError("input 0 (output shape) is ", output.dims(),
                             ", allowed batch ", input.dim(0), " and channels ",
                             filter.dim(3));
  }
  for (int i = 0; i < 3; ++i) {
    ARENALITE_ASSIGN_OR_RETURN(
        data->axes[i],
        MakeTransposedAxis(kAxisNames[i], input.dim(i + 1), output.dim(i + 1),
                           AxisOptions(context, filter, i)));
  }
  return output;
}

Status EvalTranspose(OpContext& context) {
  auto& data = context.data<TransposedData>();
  const ConvTensors tensors = FindConvTensors(context, 2);
  if (tensors.output->is_dynamic()) {
    ARENALITE_ASSIGN_OR_RETURN(Shape shape, SetStatedGeometry(context, &data));
    ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
    if (context.output(0).bytes == 0) return OkStatus();
  }
  FloatMath math;
  math.weights = tensors.weights->data_as<float>();
  math.finish.bias =
      tensors.bias == nullptr ? nullptr : tensors.bias->data_as<float>();
  math.finish.range = data.range;
  const RowView<const float> input = InputRows(*tensors.input);
  const RowView<float> output = OutputRows(*tensors.output);
  const int64_t rows = tensors.output->shape.NumElements(0, 3);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t x = 0; x < data.axes[2].output; ++x) {
      ComputeChannels(math, {data.output_channels, data.output_channels},
                      Gather3d{math, data, input, row, x},
                      output.Row(row) + x * data.output_channels);
    }
  }
  return OkStatus();
}

Status PrepareTranspose(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 4, 1, 1));
  const Tensor& shape = context.input(0);
  if (shape.type != TensorType::kInt32 || shape.shape != Shape({5})) {
    return InvalidModelError(
        "input 0 (output shape) is ", TensorTypeName(shape.type), " of shape ",
        shape.shape.dims(), ", allowed INT32 of shape [5]");
  }
  ARENALITE_ASSIGN_OR_RETURN(TransposedData * data,
                             PrepareData<TransposedAxis>(context, true));
  if (!context.HasValue(shape)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(Shape output, SetStatedGeometry(context, data));
  return context.SetOutputShape(0, output);
}

int64_t OverlapTranspose(const OpContext& context, int, int input) {
  // Filter and bias are read again for every pixel; the output shape is read
  // before any of them.
  if (input == 0) return context.input(0).bytes;
  if (input != 2) return kNoOverlap;
  constexpr int64_t kChannels = kConvBlockBytes / sizeof(float);
  return Conv3dOverlap<TransposedAxis>(context, context.input(2),
                                       {kChannels, 0});
}

}  // namespace

namespace ops {

const OpDefinition kConv3d = {
    "CONV_3D",
    schema::BuiltinOperator_CONV_3D,
    1,
    kOpDefault,
    sizeof(Conv3dOptions),
    ParseConv3d,
    PrepareConv3d,
    EvalConv3d,
    OverlapConv3d,
};
const OpDefinition kConv3dTranspose = {
    "CONV_3D_TRANSPOSE",
    schema::BuiltinOperator_CONV_3D_TRANSPOSE,
    1,
    kOpDefault,
    sizeof(Conv3dOptions),
    ParseConv3d,
    PrepareTranspose,
    EvalTranspose,
    OverlapTranspose,
};

}  // namespace ops
}  // namespace arenalite
