#include "kernels/conv_scaling.h"

#include <cmath>

#include "model_generated.h"

namespace arenalite {
namespace {

Status UnsupportedTypes(const ConvTensors& tensors) {
  return UnimplementedError("no kernel for ", tensors.input_name, " of ",
                            TensorTypeName(tensors.input->type), " with ",
                            tensors.weights_name, " of ",
                            TensorTypeName(tensors.weights->type));
}

// The kind, for the bias type that the op ends up with.
Result<ConvKind> FindKind(const ConvTensors& tensors, const ConvTraits& traits,
                          const ConvOptions& options) {
  const TensorType weights = tensors.weights->type;
  const bool int4 = weights == TensorType::kInt4;
  const bool int8 =
      weights == TensorType::kInt8 || (int4 && traits.int4_weights);
  switch (tensors.input->type) {
    case TensorType::kFloat32:
      if (weights == TensorType::kFloat32) return ConvKind::kFloat;
      if (weights == TensorType::kInt8 || (int4 && traits.int4_hybrid) ||
          (weights == TensorType::kUInt8 && traits.uint8_hybrid)) {
        return ConvKind::kHybrid;
      }
      break;
    case TensorType::kInt8:
      if (int8) return ConvKind::kInt8;
      break;
    case TensorType::kUInt8:
      if (weights == TensorType::kUInt8) return ConvKind::kUInt8;
      break;
    case TensorType::kInt16: {
      if (!int8) break;
      const bool narrow =
          tensors.bias != nullptr
              ? tensors.bias->type == TensorType::kInt32
              : options.quantized_bias_type == schema::TensorType_INT32;
      return narrow && traits.narrow_int16 ? ConvKind::kInt16Narrow
                                           : ConvKind::kInt16;
    }
    default:
      break;
  }
  return UnsupportedTypes(tensors);
}

TensorType BiasType(ConvKind kind) {
  switch (kind) {
    case ConvKind::kFloat:
    case ConvKind::kHybrid:
      return TensorType::kFloat32;
    case ConvKind::kInt16:
      return TensorType::kInt64;
    default:
      return TensorType::kInt32;
  }
}

Status CheckBias(const ConvTensors& tensors, ConvKind kind, int32_t channels,
                 const ConvOptions& options) {
  const Tensor* bias = tensors.bias;
  if (bias == nullptr) return OkStatus();
  if (bias->type != BiasType(kind)) {
    return InvalidModelError(tensors.bias_name, " is ",
                             TensorTypeName(bias->type), ", allowed ",
                             TensorTypeName(BiasType(kind)));
  }
  if (bias->shape.NumElements() != channels) {
    return InvalidModelError(tensors.bias_name, " has ",
                             bias->shape.NumElements(), " elements for ",
                             channels, " output channels");
  }
  const Quantization& quantization = bias->quantization;
  if (quantization.zero_points.size() == 1 && quantization.zero_point() != 0) {
    return InvalidModelError(tensors.bias_name, " has zero point ",
                             quantization.zero_point(), ", allowed 0");
  }
  const bool int16 = tensors.input->type == TensorType::kInt16;
  const int32_t wanted = options.quantized_bias_type;
  if (int16 && wanted != schema::TensorType_FLOAT32 &&
      wanted != static_cast<int32_t>(bias->type)) {
    return InvalidModelError(tensors.bias_name, " is ",
                             TensorTypeName(bias->type),
                             ", but quantized_bias_type is ", wanted);
  }
  return OkStatus();
}

Status CheckScales(const ConvTensors& tensors, int channel_dimension) {
  const Quantization& quantization = tensors.weights->quantization;
  const Shape& shape = tensors.weights->shape;
  const auto count = static_cast<int64_t>(quantization.scales.size());
  const int32_t channels = shape.dim(channel_dimension);
  if (count != 1 && count != channels) {
    return InvalidModelError(tensors.weights_name, " has ", count,
                             " scales, allowed 1 or ", channels);
  }
  const int32_t dimension = quantization.quantized_dimension;
  if (count > 1 && (dimension < 0 || dimension >= shape.rank() ||
                    shape.dim(dimension) != channels)) {
    return InvalidModelError(
        tensors.weights_name, " has ", count, " scales along dimension ",
        dimension, " of shape ", shape.dims(), ", allowed ", channel_dimension);
  }
  return OkStatus();
}

Status CheckZeroPoints(const ConvTensors& tensors, const ConvTraits& traits) {
  if (tensors.input->type == TensorType::kInt16) {
    for (const Tensor* tensor :
         {tensors.input, const_cast<const Tensor*>(tensors.output)}) {
      if (tensor->quantization.zero_point() == 0) continue;
      return InvalidModelError(
          "tensor '", tensor->name, "' is INT16 with zero point ",
          tensor->quantization.zero_point(), ", allowed 0");
    }
  }
  if (!traits.checks_zero_points ||
      tensors.weights->type == TensorType::kUInt8) {
    return OkStatus();
  }
  for (int64_t zero_point : tensors.weights->quantization.zero_points) {
    if (zero_point == 0) continue;
    return InvalidModelError(tensors.weights_name, " has zero point ",
                             zero_point, ", allowed 0");
  }
  return OkStatus();
}

// The scale of the bias must be about input scale * weights scale: the kernel
// takes it for that.
Status CheckBiasScale(const ConvTensors& tensors) {
  if (tensors.bias == nullptr) return OkStatus();
  const double product = double{tensors.input->quantization.scale()} *
                         double{tensors.weights->quantization.scale()};
  const double bias = tensors.bias->quantization.scale();
  const double output = tensors.output->quantization.scale();
  if (std::fabs(product - bias) / output <= 0.02) return OkStatus();
  return InvalidModelError(tensors.bias_name, " has scale ", bias,
                           ", allowed about ", product,
                           " (input scale * filter scale)");
}

// input scale * weights scale / output scale for each channel.
Status SetMultipliers(OpContext& context, const ConvTensors& tensors,
                      ConvScaling* scaling) {
  const Span<const float> scales = tensors.weights->quantization.scales;
  const float input = tensors.input->quantization.scale();
  const double output = tensors.output->quantization.scale();
  const auto count = static_cast<int64_t>(scales.size());
  ARENALITE_ASSIGN_OR_RETURN(QuantizedMultiplier * multipliers,
                             context.AllocateArray<QuantizedMultiplier>(count));
  for (int64_t i = 0; i < count; ++i) {
    const float scale = scales[static_cast<size_t>(i)];
    // For uint8 the reference multiplies in single precision.
    const double product = scaling->kind == ConvKind::kUInt8
                               ? double{input * scale}
                               : double{input} * double{scale};
    multipliers[i] = QuantizeMultiplier(product / output);
    // 64-bit accumulators are shifted left by fewer than 16 bits.
    const int most = scaling->kind == ConvKind::kInt16 ? 14 : 30;
    if (!(product >= 0.0) || multipliers[i].shift > most) {
      return InvalidModelError("input scale ", input, " * filter scale ", scale,
                               " / output scale ", output,
                               " is no factor that results can be scaled by");
    }
  }
  scaling->multipliers = {multipliers, count > 1 ? 1 : 0};
  return OkStatus();
}

Status PrepareInteger(OpContext& context, const ConvTensors& tensors,
                      const ConvTraits& traits, const ConvOptions& options,
                      ConvScaling* scaling) {
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(*tensors.input, tensors.input_name));
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(*tensors.output, "output 0"));
  if (scaling->kind == ConvKind::kUInt8) {
    ARENALITE_RETURN_IF_ERROR(
        CheckPerTensorQuantization(*tensors.weights, tensors.weights_name));
    ARENALITE_RETURN_IF_ERROR(CheckBiasScale(tensors));
  }
  ARENALITE_RETURN_IF_ERROR(CheckZeroPoints(tensors, traits));
  ARENALITE_ASSIGN_OR_RETURN(
      scaling->range,
      QuantizedActivationRange(options.activation, *tensors.output));
  return SetMultipliers(context, tensors, scaling);
}

Status PrepareHybrid(OpContext& context, const ConvTensors& tensors,
                     ConvScaling* scaling) {
  const Tensor& input = *tensors.input;
  ARENALITE_ASSIGN_OR_RETURN(scaling->quantized_input,
                             context.RequestScratch(input.shape.NumElements()));
  ARENALITE_ASSIGN_OR_RETURN(
      scaling->input_scales,
      context.RequestScratch(input.shape.dim(0) *
                             static_cast<int64_t>(sizeof(RowScale))));
  return OkStatus();
}

}  // namespace

ConvTensors FindConvTensors(const OpContext& context, int input) {
  ConvTensors tensors;
  tensors.input = &context.input(input);
  tensors.weights = &context.input(1);
  tensors.bias = context.optional_input(input == 2 ? 3 : 2);
  tensors.output = &context.output(0);
  if (input == 2) {
    tensors.input_name = "input 2";
    tensors.bias_name = "input 3 (bias)";
  }
  return tensors;
}

Result<ConvScaling> PrepareConvScaling(OpContext& context,
                                       const ConvTensors& tensors,
                                       const ConvTraits& traits,
                                       const ConvOptions& options) {
  ConvScaling scaling;
  ARENALITE_ASSIGN_OR_RETURN(scaling.kind, FindKind(tensors, traits, options));
  if (tensors.output->type != tensors.input->type) {
    return InvalidModelError(
        "output 0 is ", TensorTypeName(tensors.output->type), ", but ",
        tensors.input_name, " is ", TensorTypeName(tensors.input->type));
  }
  const int32_t channels = tensors.weights->shape.dim(traits.channel_dimension);
  ARENALITE_RETURN_IF_ERROR(
      CheckBias(tensors, scaling.kind, channels, options));
  if (scaling.kind == ConvKind::kFloat || scaling.kind == ConvKind::kHybrid) {
    ARENALITE_ASSIGN_OR_RETURN(scaling.float_range,
                               FloatActivationRange(options.activation));
  }
  if (scaling.kind == ConvKind::kFloat) return scaling;
  ARENALITE_RETURN_IF_ERROR(CheckScales(tensors, traits.channel_dimension));
  if (scaling.kind == ConvKind::kHybrid) {
    ARENALITE_RETURN_IF_ERROR(PrepareHybrid(context, tensors, &scaling));
  } else {
    ARENALITE_RETURN_IF_ERROR(
        PrepareInteger(context, tensors, traits, options, &scaling));
  }
  return scaling;
}

Status CheckSpatial(const Tensor& tensor, const char* name, int rank,
                    int first_positive) {
  if (tensor.shape.rank() != rank) {
    return InvalidModelError(name, " has shape ", tensor.shape.dims(),
                             ", allowed rank ", rank);
  }
  for (int i = first_positive; i < rank; ++i) {
    if (tensor.shape.dim(i) > 0) continue;
    return InvalidModelError(name, " has shape ", tensor.shape.dims(),
                             ", allowed > 0 for dimension ", i);
  }
  return OkStatus();
}

const RowScale* QuantizeInput(const OpContext& context, const Tensor& input,
                              const ConvScaling& scaling) {
  auto* quantized = context.scratch<int8_t>(scaling.quantized_input);
  auto* scales = context.scratch<RowScale>(scaling.input_scales);
  const int64_t batches = input.shape.dim(0);
  const int64_t size = input.shape.NumElements(1, input.shape.rank());
  for (int64_t b = 0; b < batches; ++b) {
    scales[b] = QuantizeRow(input.data_as<float>() + b * size, size,
                            scaling.asymmetric, quantized + b * size);
  }
  return scales;
}

}  // namespace arenalite
