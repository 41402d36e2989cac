// DEPTHWISE_CONV_2D: output[y, x, c] = activation(bias[c] + sum of window of
// input channel c / multiplier * filter c). filter [1, height, width, output
// channels], bias [output channels] (may be absent).

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/conv_eval.h"
#include "kernels/options.h"
#include "kernels/window_overlap.h"

namespace arenalite {
namespace {

// Stack for the sums of one step.
constexpr int64_t kBlockBytes = 512;

struct DepthwiseData : ConvRows {
  WindowAxis y, x;
  int32_t input_channels = 0;
  int32_t output_channels = 0;
  int64_t block_channels = 0;
};

Status ParseDepthwise(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::DepthwiseConv2DOptions>(source);
  if (table == nullptr) {
    return InvalidModelError("DepthwiseConv2DOptions are missing");
  }
  *static_cast<ConvOptions*>(options) = ReadConvOptions(*table);
  return OkStatus();
}

// Of a sum of products: what a finisher takes.
inline float ExactSum(float sum) { return sum; }
inline int64_t ExactSum(int64_t sum) { return sum; }
inline int64_t ExactSum(uint32_t sum) { return static_cast<int32_t>(sum); }

// An output pixel, and the input of its batch.
template <class T>
struct Pixel {
  RowView<const T> batch;
  int64_t y, x;
};

// Output channels of `block` at a pixel.
template <class Math>
void ComputeBlock(const Math& math, const DepthwiseData& data,
                  const Pixel<typename Math::Input>& at,
                  const DepthBlock& block, typename Math::Products* sums) {
  const IndexRange rows = data.y.Taps(at.y);
  const IndexRange columns = data.x.Taps(at.x);
  std::fill_n(sums, block.count, typename Math::Products{});
  for (int64_t r = rows.first; r < rows.end; ++r) {
    const auto* from = at.batch.Row(data.y.Start(at.y) + r * data.y.dilation);
    for (int64_t c = columns.first; c < columns.end; ++c) {
      const int64_t column = data.x.Start(at.x) + c * data.x.dilation;
      const int64_t tap = r * data.x.window + c;
      math.AddDepth(from + column * data.input_channels,
                    tap * data.output_channels + block.first, block, sums);
    }
  }
}

struct DepthwiseOp {
  using Data = DepthwiseData;

  static ConvTensors Tensors(const OpContext& context) {
    return FindConvTensors(context, 0);
  }

  template <class Math>
  static void Compute(const Math& math, const DepthwiseData& data,
                      RowView<const typename Math::Input> input,
                      RowView<typename Math::Output> output, IndexRange rows) {
    for (int64_t row = rows.first; row < rows.end; ++row) {
      const int64_t batch = row / data.output_height;
      ComputeRow(math, data,
                 {input.Row(batch * data.input_height), input.row_bytes},
                 row % data.output_height, output.Row(row));
    }
  }

  template <class Math>
  static void ComputeRow(const Math& math, const DepthwiseData& data,
                         RowView<const typename Math::Input> batch, int64_t y,
                         typename Math::Output* output) {
    using Products = typename Math::Products;
    Products sums[kBlockBytes / sizeof(Products)];
    const int64_t channels = data.output_channels;
    DepthBlock block;
    block.multiplier = channels / data.input_channels;
    for (int64_t x = 0; x < data.x.output; ++x, output += channels) {
      for (int64_t c = 0; c < channels; c += data.block_channels) {
        block.first = c;
        block.input = c / block.multiplier;
        block.count = std::min(data.block_channels, channels - c);
        ComputeBlock(math, data, {batch, y, x}, block, sums);
        for (int64_t i = 0; i < block.count; ++i) {
          output[c + i] = math.finish(ExactSum(sums[i]), c + i);
        }
      }
    }
  }
};

// The reference keeps these in 16 bits.
Status CheckRange(const ConvOptions& options) {
  const struct {
    const char* name;
    int32_t value;
  } numbers[] = {{"stride of the height", options.stride_height},
                 {"stride of the width", options.stride_width},
                 {"dilation of the height", options.dilation_height},
                 {"dilation of the width", options.dilation_width}};
  for (const auto& number : numbers) {
    if (number.value <= INT16_MAX) continue;
    return UnimplementedError(number.name, " is ", number.value,
                              ", allowed at most ", INT16_MAX);
  }
  return OkStatus();
}

Status SetGeometry(const ConvTensors& tensors, const ConvOptions& options,
                   DepthwiseData* data) {
  const Shape& input = tensors.input->shape;
  const Shape& filter = tensors.weights->shape;
  if (filter.dim(0) != 1 || filter.dim(3) % input.dim(3) != 0) {
    return InvalidModelError(
        "filter shape ", filter.dims(), " for input shape ", input.dims(),
        ", allowed [1, height, width, a multiple of ", input.dim(3), "]");
  }
  ARENALITE_RETURN_IF_ERROR(SetConvAxes(tensors, options, data));
  data->input_channels = input.dim(3);
  data->output_channels = filter.dim(3);
  return OkStatus();
}

Status PrepareDepthwise(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, 1, 1));
  const ConvTensors tensors = DepthwiseOp::Tensors(context);
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.input, tensors.input_name, 4, 3));
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.weights, tensors.weights_name, 4, 0));
  ARENALITE_ASSIGN_OR_RETURN(DepthwiseData * data,
                             context.CreateData<DepthwiseData>());
  const auto& options = context.options<ConvOptions>();
  ARENALITE_RETURN_IF_ERROR(CheckRange(options));
  ARENALITE_RETURN_IF_ERROR(SetGeometry(tensors, options, data));
  ConvTraits traits;
  traits.channel_dimension = 3;
  traits.int4_weights = tensors.input->type == TensorType::kInt8;
  ARENALITE_ASSIGN_OR_RETURN(
      data->scaling, PrepareConvScaling(context, tensors, traits, options));
  const bool wide = data->scaling.kind == ConvKind::kInt16;
  data->block_channels = kBlockBytes / (wide ? 8 : 4);
  context.SetEval(ConvEval<DepthwiseOp>::Pick(data->scaling.kind));
  const Shape output = {tensors.input->shape.dim(0), data->y.output,
                        data->x.output, data->output_channels};
  data->SetRows(tensors.input->shape, output);
  return context.SetOutputShape(0, output);
}

int64_t OverlapDepthwise(const OpContext& context, int, int input) {
  // Filter and bias are read again for every pixel.
  if (input != 0) return kNoOverlap;
  const auto& data = context.data<DepthwiseData>();
  const Tensor& tensor = context.input(0);
  if (data.scaling.kind == ConvKind::kHybrid) return tensor.bytes;
  return WindowOverlap(
      tensor, context.output(0), data.y, data.x,
      {data.block_channels, data.output_channels / data.input_channels});
}

}  // namespace

namespace ops {

const OpDefinition kDepthwiseConv2d = {
    "DEPTHWISE_CONV_2D",
    schema::BuiltinOperator_DEPTHWISE_CONV_2D,
    7,
    kOpDefault,
    sizeof(ConvOptions),
    ParseDepthwise,
    PrepareDepthwise,
    nullptr,
    OverlapDepthwise,
};

}  // namespace ops
}  // namespace arenalite
