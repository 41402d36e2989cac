// TRANSPOSE_CONV: the gradient of a convolution. Input pixel (y, x) adds its
// product with the filter to the outputs (y * stride + tap - padding, ...).
// Inputs: output shape, filter [output channels, height, width, channels],
// input, bias (may be absent).
// Convolution2DTransposeBias, a custom operator of MediaPipe: the same for
// floats, with inputs input, filter, bias, and the output's shape implied.
//
// The reference scatters into a buffer of sums as large as the output. Here
// every output pixel gathers what it gets: no buffer, and the output is
// written in order, over an input that is read in order.

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "arenalite/custom_ops.h"
#include "kernels/conv_eval.h"
#include "kernels/options.h"
#include "kernels/window_overlap.h"

namespace arenalite {
namespace {

struct TransposeConvData : ConvRows {
  TransposedAxis y, x;
  int32_t input_channels;
  int32_t output_channels;
  bool is_custom;     // Decides the order of the inputs.
  EvalFunction eval;  // Of a dynamic output, once its shape is known.
};

ConvTensors FindTensors(const OpContext& context, bool is_custom) {
  return FindConvTensors(context, is_custom ? 0 : 2);
}

// Adds what output pixel (y, x) of a batch gathers.
template <class Math>
struct Gather {
  const Math& math;
  const TransposeConvData& data;
  RowView<const typename Math::Input> batch;
  int64_t y, x;

  void operator()(int64_t channel, int channels,
                  typename Math::Sum* sums) const {
    const int64_t pixel = data.input_channels;
    const int64_t filter_size = int64_t{data.y.window} * data.x.window * pixel;
    const TransposedAxis::Range rows = data.y.Inputs(y);
    const TransposedAxis::Range columns = data.x.Inputs(x);
    for (int64_t r = rows.first; r < rows.end; r += rows.step) {
      const auto* from = batch.Row(r);
      const int64_t taps = data.y.Tap(y, r) * data.x.window;
      for (int64_t c = columns.first; c < columns.end; c += columns.step) {
        const int64_t tap = taps + data.x.Tap(x, c);
        math.Add(from + c * pixel, channel * filter_size + tap * pixel,
                 filter_size, pixel, channels, sums);
      }
    }
  }
};

struct TransposeConvOp {
  using Data = TransposeConvData;

  static ConvTensors Tensors(const OpContext& context) {
    return FindTensors(context, context.data<Data>().is_custom);
  }

  template <class Math>
  static void Compute(const Math& math, const Data& data,
                      RowView<const typename Math::Input> input,
                      RowView<typename Math::Output> output, IndexRange rows) {
    for (int64_t row = rows.first; row < rows.end; ++row) {
      const int64_t batch = row / data.output_height;
      auto* to = output.Row(row);
      for (int64_t x = 0; x < data.x.output; ++x) {
        const Gather<Math> gather{
            math,
            data,
            {input.Row(batch * data.input_height), input.row_bytes},
            row % data.output_height,
            x};
        ComputeChannels(math, {data.output_channels, data.output_channels},
                        gather, to + x * data.output_channels);
      }
    }
  }
};

using Evals = ConvEval<TransposeConvOp>;

// All but the geometry.
Result<TransposeConvData*> PrepareData(OpContext& context, bool is_custom) {
  ARENALITE_ASSIGN_OR_RETURN(TransposeConvData * data,
                             context.CreateData<TransposeConvData>());
  data->is_custom = is_custom;
  const ConvTensors tensors = FindTensors(context, is_custom);
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.input, tensors.input_name, 4, 3));
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.weights, tensors.weights_name, 4, 0));
  const Shape& input = tensors.input->shape;
  const Shape& filter = tensors.weights->shape;
  if (input.dim(3) != filter.dim(3)) {
    return InvalidModelError(tensors.input_name, " has ", input.dim(3),
                             " channels, ", tensors.weights_name, " has ",
                             filter.dim(3));
  }
  data->input_channels = input.dim(3);
  data->output_channels = filter.dim(0);
  ConvTraits traits;
  traits.narrow_int16 = true;
  ARENALITE_ASSIGN_OR_RETURN(
      data->scaling, PrepareConvScaling(context, tensors, traits,
                                        context.options<ConvOptions>()));
  data->eval = Evals::Pick(data->scaling.kind);
  return data;
}

int64_t OverlapOfInput(const OpContext& context, const Tensor& input) {
  const auto& data = context.data<TransposeConvData>();
  if (data.scaling.kind == ConvKind::kHybrid) return input.bytes;
  ChannelBlocks blocks;
  blocks.channels = kConvBlockBytes / (TensorTypeBits(input.type) / 8);
  return WindowOverlap(input, context.output(0), data.y, data.x, blocks);
}

// TRANSPOSE_CONV

Status ParseTransposeConv(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::TransposeConvOptions>(source);
  if (table == nullptr) {
    return InvalidModelError("TransposeConvOptions are missing");
  }
  auto* parsed = static_cast<ConvOptions*>(options);
  parsed->padding = table->padding();
  parsed->stride_height = table->stride_h();
  parsed->stride_width = table->stride_w();
  parsed->activation = table->fused_activation_function();
  parsed->quantized_bias_type = table->quantized_bias_type();
  return OkStatus();
}

// Reads the output shape from input 0 and fits the geometry to it.
Result<Shape> SetStatedGeometry(const OpContext& context,
                                TransposeConvData* data) {
  const Shape& input = context.input(2).shape;
  const Shape& filter = context.input(1).shape;
  const auto& options = context.options<ConvOptions>();
  ARENALITE_ASSIGN_OR_RETURN(Shape output,
                             Shape::Create(Span<const int32_t>(
                                 context.input(0).data_as<int32_t>(), 4)));
  if (output.dim(0) != input.dim(0) || output.dim(3) != filter.dim(0)) {
    return InvalidModelError("input 0 (output shape) is ", output.dims(),
                             ", allowed batch ", input.dim(0), " and channels ",
                             filter.dim(0));
  }
  ARENALITE_ASSIGN_OR_RETURN(
      data->y, MakeTransposedAxis(
                   "height", input.dim(1), output.dim(1),
                   {options.padding, filter.dim(1), options.stride_height, 1}));
  ARENALITE_ASSIGN_OR_RETURN(
      data->x, MakeTransposedAxis(
                   "width", input.dim(2), output.dim(2),
                   {options.padding, filter.dim(2), options.stride_width, 1}));
  data->SetRows(input, output);
  return output;
}

Status EvalDynamic(OpContext& context) {
  auto& data = context.data<TransposeConvData>();
  ARENALITE_ASSIGN_OR_RETURN(Shape output, SetStatedGeometry(context, &data));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, output));
  if (context.output(0).bytes == 0) return OkStatus();
  return data.eval(context);
}

Status PrepareTransposeConv(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 4, 1, 1));
  const Tensor& shape = context.input(0);
  if (shape.type != TensorType::kInt32 || shape.shape != Shape({4})) {
    return InvalidModelError(
        "input 0 (output shape) is ", TensorTypeName(shape.type), " of shape ",
        shape.shape.dims(), ", allowed INT32 of shape [4]");
  }
  ARENALITE_ASSIGN_OR_RETURN(TransposeConvData * data,
                             PrepareData(context, false));
  if (!context.HasValue(shape)) {
    context.SetEval(EvalDynamic);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(data->eval);
  ARENALITE_ASSIGN_OR_RETURN(Shape output, SetStatedGeometry(context, data));
  return context.SetOutputShape(0, output);
}

int64_t OverlapTransposeConv(const OpContext& context, int, int input) {
  // Filter and bias are read again for every pixel; the output shape is read
  // before any of them.
  if (input == 0) return context.input(0).bytes;
  return input == 2 ? OverlapOfInput(context, context.input(2)) : kNoOverlap;
}

// Convolution2DTransposeBias

// The options are the bytes of a TfLiteTransposeConvParams: int32 padding (1:
// SAME, 2: VALID), stride width, stride height; the rest is not used.
Status ParseTransposeBias(const OpSource& source, void* options) {
  constexpr size_t kFields = 3;
  int32_t fields[kFields];
  if (source.custom_options.size() < sizeof(fields)) {
    return InvalidModelError("the options have ", source.custom_options.size(),
                             " bytes, allowed at least ", sizeof(fields));
  }
  std::memcpy(fields, source.custom_options.data(), sizeof(fields));
  auto* parsed = static_cast<ConvOptions*>(options);
  parsed->padding = fields[0] - 1;
  parsed->stride_width = fields[1];
  parsed->stride_height = fields[2];
  return OkStatus();
}

// The axis whose output has as many positions as the input reaches, less the
// padding.
Result<TransposedAxis> ImpliedAxis(const char* axis, int32_t input,
                                   const WindowOptions& options) {
  if (options.stride <= 0 || input <= 0) {
    return InvalidModelError("stride of the ", axis, " is ", options.stride,
                             " for ", input, " positions, allowed > 0");
  }
  const bool same = options.padding == schema::Padding_SAME;
  if (!same && options.padding != schema::Padding_VALID) {
    return InvalidModelError("padding is ", options.padding + 1,
                             ", allowed SAME (1) or VALID (2)");
  }
  const int32_t rest = options.window - (input - 1) % options.stride - 1;
  const int32_t padding = same ? std::max(0, rest) : 0;
  const int64_t output =
      int64_t{options.stride} * (input - 1) + options.window - padding;
  if (output > INT32_MAX) {
    return InvalidModelError("output ", axis, " ", output,
                             " does not fit 32 bits");
  }
  return TransposedAxis{input,
                        static_cast<int32_t>(output),
                        options.window,
                        options.stride,
                        1,
                        padding / 2};
}

Status PrepareTransposeBias(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  if (context.input(0).type != TensorType::kFloat32 ||
      context.input(1).type != TensorType::kFloat32) {
    return UnimplementedError(
        "input 0 is ", TensorTypeName(context.input(0).type), ", input 1 ",
        TensorTypeName(context.input(1).type), ", allowed FLOAT32");
  }
  ARENALITE_ASSIGN_OR_RETURN(TransposeConvData * data,
                             PrepareData(context, true));
  const Shape& input = context.input(0).shape;
  const Shape& filter = context.input(1).shape;
  const auto& options = context.options<ConvOptions>();
  ARENALITE_ASSIGN_OR_RETURN(
      data->y,
      ImpliedAxis("height", input.dim(1),
                  {options.padding, filter.dim(1), options.stride_height, 1}));
  ARENALITE_ASSIGN_OR_RETURN(
      data->x,
      ImpliedAxis("width", input.dim(2),
                  {options.padding, filter.dim(2), options.stride_width, 1}));
  const Shape output = {input.dim(0), data->y.output, data->x.output,
                        filter.dim(0)};
  data->SetRows(input, output);
  context.SetEval(data->eval);
  return context.SetOutputShape(0, output);
}

int64_t OverlapTransposeBias(const OpContext& context, int, int input) {
  // Filter and bias are read again for every pixel.
  return input == 0 ? OverlapOfInput(context, context.input(0)) : kNoOverlap;
}

}  // namespace

namespace ops {

const OpDefinition kTransposeConv = {
    "TRANSPOSE_CONV",
    schema::BuiltinOperator_TRANSPOSE_CONV,
    5,
    kOpDefault,
    sizeof(ConvOptions),
    ParseTransposeConv,
    PrepareTransposeConv,
    nullptr,
    OverlapTransposeConv,
};
const OpDefinition kConvolution2dTransposeBias = {
    "Convolution2DTransposeBias",
    kCustomOpCode,
    1,
    kOpDefault,
    sizeof(ConvOptions),
    ParseTransposeBias,
    PrepareTransposeBias,
    nullptr,
    OverlapTransposeBias,
};

}  // namespace ops
}  // namespace arenalite
