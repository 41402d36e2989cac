// CONV_2D: output[y, x, c] = activation(bias[c] + sum of window * filter c).
// input [batch, height, width, channels], filter [output channels, height,
// width, channels of a group], bias [output channels] (may be absent).

#include "arenalite/builtin_ops.h"
#include "kernels/conv_loops.h"
#include "kernels/options.h"
#include "kernels/window_overlap.h"

namespace arenalite {
namespace {

Status ParseConv(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::Conv2DOptions>(source);
  if (table == nullptr) return InvalidModelError("Conv2DOptions are missing");
  auto* parsed = static_cast<ConvOptions*>(options);
  *parsed = ReadConvOptions(*table);
  parsed->quantized_bias_type = table->quantized_bias_type();
  return OkStatus();
}

struct ConvOp {
  using Data = ConvData;

  static ConvTensors Tensors(const OpContext& context) {
    return FindConvTensors(context, 0);
  }

  template <class Math>
  static void Compute(const Math& math, const ConvData& data,
                      RowView<const typename Math::Input> input,
                      RowView<typename Math::Output> output, IndexRange rows) {
    ComputeConv(math, data, input, output, rows);
  }
};

ConvTraits Traits() {
  ConvTraits traits;
  traits.channel_dimension = 0;
  traits.int4_weights = true;
  traits.int4_hybrid = true;
  traits.uint8_hybrid = true;
  traits.narrow_int16 = true;
  traits.checks_zero_points = true;
  return traits;
}

Status SetGeometry(const ConvTensors& tensors, const ConvOptions& options,
                   ConvData* data) {
  const Shape& input = tensors.input->shape;
  const Shape& filter = tensors.weights->shape;
  ARENALITE_RETURN_IF_ERROR(SetConvAxes(tensors, options, data));
  data->input_channels = input.dim(3);
  data->output_channels = filter.dim(0);
  data->group_inputs = filter.dim(3);
  const int32_t groups = data->input_channels / data->group_inputs;
  if (data->input_channels % data->group_inputs != 0 ||
      data->output_channels % groups != 0) {
    return InvalidModelError("input shape ", input.dims(), " and filter shape ",
                             filter.dims(),
                             " do not divide into groups of channels");
  }
  data->group_outputs = data->output_channels / groups;
  return OkStatus();
}

// Bytes of an element as the loops see it: a hybrid input is quantized first.
int64_t ElementBytes(const Tensor& tensor, ConvKind kind) {
  return kind == ConvKind::kHybrid ? 1 : TensorTypeBits(tensor.type) / 8;
}

// Per-channel scales that differ, and groups, make the reference quantize a
// hybrid input asymmetrically.
bool IsAsymmetric(const Tensor& filter, const ConvData& data) {
  if (data.group_inputs != data.input_channels) return true;
  for (float scale : filter.quantization.scales) {
    if (scale != filter.quantization.scale()) return true;
  }
  return false;
}

Status PrepareConv(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, 1, 1));
  const auto& options = context.options<ConvOptions>();
  const ConvTensors tensors = ConvOp::Tensors(context);
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.input, tensors.input_name, 4, 3));
  ARENALITE_RETURN_IF_ERROR(
      CheckSpatial(*tensors.weights, tensors.weights_name, 4, 0));
  ARENALITE_ASSIGN_OR_RETURN(ConvData * data, context.CreateData<ConvData>());
  ARENALITE_RETURN_IF_ERROR(SetGeometry(tensors, options, data));
  ARENALITE_ASSIGN_OR_RETURN(
      data->scaling, PrepareConvScaling(context, tensors, Traits(), options));
  const ConvKind kind = data->scaling.kind;
  data->scaling.asymmetric = IsAsymmetric(*tensors.weights, *data);
  const int64_t window_bytes =
      data->window_size() * ElementBytes(*tensors.input, kind);
  const int64_t pixel_bytes = int64_t{data->output_channels} *
                              (TensorTypeBits(tensors.output->type) / 8);
  const bool one_run = data->y.window == 1 && data->x.window == 1 &&
                       data->group_inputs == data->input_channels &&
                       pixel_bytes <= kConvBlockBytes;
  data->gathers = !one_run && window_bytes <= kConvWindowBytes;
  context.SetEval(ConvEval<ConvOp>::Pick(kind));
  const Shape output = {tensors.input->shape.dim(0), data->y.output,
                        data->x.output, data->output_channels};
  data->SetRows(tensors.input->shape, output);
  return context.SetOutputShape(0, output);
}

int64_t OverlapConv(const OpContext& context, int, int input) {
  // Filter and bias are read again for every pixel.
  if (input != 0) return kNoOverlap;
  const auto& data = context.data<ConvData>();
  const Tensor& tensor = context.input(0);
  if (data.scaling.kind == ConvKind::kHybrid) return tensor.bytes;
  ChannelBlocks blocks;
  blocks.channels = data.gathers
                        ? data.output_channels
                        : kConvBlockBytes / (TensorTypeBits(tensor.type) / 8);
  return WindowOverlap(tensor, context.output(0), data.y, data.x, blocks);
}

}  // namespace

namespace ops {

const OpDefinition kConv2d = {
    "CONV_2D",
    schema::BuiltinOperator_CONV_2D,
    8,
    kOpDefault,
    sizeof(ConvOptions),
    ParseConv,
    PrepareConv,
    nullptr,
    OverlapConv,
};

}  // namespace ops
}  // namespace arenalite
