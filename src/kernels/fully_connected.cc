// FULLY_CONNECTED: output[row, unit] = input[row] . weights[unit] + bias[unit].

#include <algorithm>
#include <cmath>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/fully_connected_loops.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

using fully_connected::Data;
using fully_connected::DoubleScale;
using fully_connected::EvalRows;
using fully_connected::FixedScale;
using fully_connected::FloatUnits;
using fully_connected::HybridUnits;
using fully_connected::kStackBytes;
using fully_connected::Options;
using fully_connected::QuantizedUnits;
using fully_connected::RowStep;

Status ParseFullyConnected(const OpSource& source, void* options) {
  auto* parsed = static_cast<Options*>(options);
  const auto* table = OptionsTable<schema::FullyConnectedOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->activation = table->fused_activation_function();
  parsed->weights_format = table->weights_format();
  parsed->quantized_bias_type = table->quantized_bias_type();
  parsed->keep_num_dims = table->keep_num_dims();
  parsed->asymmetric = table->asymmetric_quantize_inputs();
  return OkStatus();
}

// A matrix of no columns: the reference writes zeros and ignores the bias.
Status EvalEmpty(OpContext& context) {
  Tensor& output = context.output(0);
  if (output.bytes > 0) {
    std::memset(output.data, 0, static_cast<size_t>(output.bytes));
  }
  return OkStatus();
}

// The shuffled kernel also hands out its input as the reference's workspace:
// sign bits flipped, four rows interleaved by 16 columns.
Status EvalShuffled(OpContext& context) {
  const auto& data = context.data<Data>();
  const auto* input = context.input(0).data_as<uint8_t>();
  auto* workspace = context.output(1).data_as<uint8_t>();
  for (int64_t column = 0; column < data.depth; column += 16) {
    for (int64_t b = 0; b < data.batches; ++b) {
      const uint8_t* from = input + b * data.depth + column;
      for (int i = 0; i < 16; ++i) *workspace++ = from[i] ^ 0x80;
    }
  }
  return EvalRows<
      QuantizedUnits<uint8_t, int8_t, int16_t, FixedScale<int32_t>>>(context);
}

// --- prepare -----------------------------------------------------------------

// Which kernel serves which types.
struct KernelRow {
  TensorType input;
  TensorType weights;
  TensorType output;
  EvalFunction eval;
  enum Form { kFloat, kHybrid, kDouble, kFixed } form;
};

constexpr TensorType kF32 = TensorType::kFloat32;
constexpr TensorType kI8 = TensorType::kInt8;
constexpr TensorType kU8 = TensorType::kUInt8;
constexpr TensorType kI16 = TensorType::kInt16;
constexpr TensorType kI4 = TensorType::kInt4;
constexpr TensorType kI2 = TensorType::kInt2;

constexpr EvalFunction kEvalInt8 =
    EvalRows<QuantizedUnits<int8_t, int8_t, int8_t, DoubleScale>>;
constexpr EvalFunction kEvalSparseInt8 =
    EvalRows<QuantizedUnits<int8_t, int8_t, int8_t, FixedScale<int32_t>>>;
constexpr EvalFunction kEvalInt16 =
    EvalRows<QuantizedUnits<int16_t, int8_t, int16_t, DoubleScale>>;

constexpr KernelRow kKernels[] = {
    {kF32, kF32, kF32, EvalRows<FloatUnits>, KernelRow::kFloat},
    {kF32, kI8, kF32, EvalRows<HybridUnits>, KernelRow::kHybrid},
    {kF32, kU8, kF32, EvalRows<HybridUnits>, KernelRow::kHybrid},
    {kF32, kI4, kF32, EvalRows<HybridUnits>, KernelRow::kHybrid},
    {kF32, kI2, kF32, EvalRows<HybridUnits>, KernelRow::kHybrid},
    {kI8, kI8, kI8, kEvalInt8, KernelRow::kDouble},
    {kI8, kI4, kI8, kEvalInt8, KernelRow::kDouble},
    {kI8, kI2, kI8, kEvalInt8, KernelRow::kDouble},
    {kU8, kU8, kU8,
     EvalRows<QuantizedUnits<uint8_t, uint8_t, uint8_t, DoubleScale>>,
     KernelRow::kDouble},
    {kU8, kU8, kI16,
     EvalRows<QuantizedUnits<uint8_t, uint8_t, int16_t, DoubleScale>>,
     KernelRow::kDouble},
    {kI16, kI8, kI16, kEvalInt16, KernelRow::kDouble},
    {kI16, kI4, kI16, kEvalInt16, KernelRow::kDouble},
    {kI16, kI2, kI16, kEvalInt16, KernelRow::kDouble},
    {kI16, kI16, kI16,
     EvalRows<QuantizedUnits<int16_t, int16_t, int16_t, FixedScale<int64_t>>>,
     KernelRow::kFixed},
};
constexpr KernelRow kSparseInt8 = {kI8, kI8, kI8, kEvalSparseInt8,
                                   KernelRow::kFixed};
constexpr KernelRow kShuffled = {kU8, kU8, kI16, EvalShuffled,
                                 KernelRow::kFixed};

bool IsShuffled(const OpContext& context) {
  return context.options<Options>().weights_format ==
         schema::FullyConnectedOptionsWeightsFormat_SHUFFLED4x16INT8;
}

Result<const KernelRow*> FindKernel(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Tensor& weights = context.input(1);
  const Tensor& output = context.output(0);
  for (const KernelRow& row : kKernels) {
    if (row.input != input.type || row.weights != weights.type ||
        row.output != output.type) {
      continue;
    }
    if (IsShuffled(context)) {
      if (row.input == kU8 && row.output == kI16) return &kShuffled;
      break;
    }
    return weights.sparsity != nullptr && row.input == kI8 ? &kSparseInt8
                                                           : &row;
  }
  return UnimplementedError("no kernel for input ", TensorTypeName(input.type),
                            ", weights ", TensorTypeName(weights.type),
                            IsShuffled(context) ? " (shuffled)" : "",
                            ", output ", TensorTypeName(output.type));
}

Status CheckBias(const OpContext& context, const KernelRow& kernel) {
  const Tensor* bias = context.optional_input(2);
  if (bias == nullptr) return OkStatus();
  const bool real =
      kernel.form == KernelRow::kFloat || kernel.form == KernelRow::kHybrid;
  const auto asked =
      static_cast<TensorType>(context.options<Options>().quantized_bias_type);
  const bool wide = kernel.input == kI16;
  bool allowed = bias->type == (real ? kF32 : TensorType::kInt32) ||
                 (wide && bias->type == TensorType::kInt64);
  if (wide && asked != kF32) allowed = allowed && bias->type == asked;
  if (!allowed) {
    return UnimplementedError("input 2 (bias) is ", TensorTypeName(bias->type),
                              " for an input of ",
                              TensorTypeName(kernel.input));
  }
  if (bias->shape.NumElements() != context.input(1).shape.dim(0)) {
    return InvalidModelError("input 2 (bias) has ", bias->shape.NumElements(),
                             " elements, allowed ",
                             context.input(1).shape.dim(0));
  }
  return OkStatus();
}

// Sets batches, depth and units, and the shape of output 0.
Status PrepareShapes(OpContext& context, Data* data) {
  const Shape& input = context.input(0).shape;
  const Shape& weights = context.input(1).shape;
  const bool keep = context.options<Options>().keep_num_dims;
  if (weights.rank() != 2) {
    return InvalidModelError("input 1 (weights) has shape ", weights.dims(),
                             ", allowed rank 2");
  }
  data->units = weights.dim(0);
  data->depth = weights.dim(1);
  const int64_t elements = input.NumElements();
  const bool last_fits =
      input.rank() > 0 && input.dim_from_end(0) == data->depth;
  if (data->depth == 0 && elements == 0) {
    data->batches = input.NumElements(0, std::max(0, input.rank() - 1));
  } else if (data->depth > 0 && elements % data->depth == 0 &&
             (last_fits || !keep)) {
    data->batches = elements / data->depth;
  } else {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             ", but input 1 (weights) ", weights.dims());
  }
  Shape output({0, weights.dim(0)});
  if (keep && input.rank() > 0) {
    output = input;
    output.set_dim(input.rank() - 1, weights.dim(0));
  } else if (data->batches > INT32_MAX) {
    return InvalidModelError("input 0 of shape ", input.dims(), " has ",
                             data->batches, " rows, allowed 0..", INT32_MAX);
  } else {
    output.set_dim(0, static_cast<int32_t>(data->batches));
  }
  return context.SetOutputShape(0, output);
}

// The zero points a kernel can honour.
ActivationRange WeightZeroPoints(const Tensor& weights,
                                 const KernelRow& kernel) {
  if (TensorTypeBits(weights.type) < 8) return {0, 0};
  // Hybrid kernels ignore them.
  if (kernel.form == KernelRow::kHybrid) return {};
  if (weights.type == kU8) return {0, 255};
  if (weights.type == kI8) return {-128, 127};
  return {-32768, 32767};
}

// One scale, or one for each row; zero points within the type.
Status CheckWeightScales(const OpContext& context, const KernelRow& kernel) {
  const Tensor& weights = context.input(1);
  const Quantization& q = weights.quantization;
  const auto units = static_cast<size_t>(weights.shape.dim(0));
  const bool per_unit = q.scales.size() > 1;
  if (q.scales.empty() && kernel.form == KernelRow::kHybrid) {
    return UnimplementedError(
        "input 1 (weights) has no scales (those of blocks have no kernel)");
  }
  if (q.scales.empty() || (per_unit && q.scales.size() != units) ||
      (per_unit && q.quantized_dimension != 0)) {
    return InvalidModelError("input 1 (weights) has ", q.scales.size(),
                             " scales along dimension ", q.quantized_dimension,
                             ", allowed 1, or ", units, " along dimension 0");
  }
  if (per_unit && kernel.input == kU8) {
    return UnimplementedError("input 1 (weights) is UINT8 with ",
                              q.scales.size(), " scales, allowed 1");
  }
  for (float scale : q.scales) {
    if (scale >= 0.0f && std::isfinite(scale)) continue;
    return InvalidModelError("input 1 (weights) has scale ", scale,
                             ", allowed finite values >= 0");
  }
  const ActivationRange allowed = WeightZeroPoints(weights, kernel);
  for (int64_t zero_point : q.zero_points) {
    if (zero_point >= allowed.min && zero_point <= allowed.max) continue;
    return InvalidModelError("input 1 (weights) has zero point ", zero_point,
                             ", allowed ", allowed.min, "..", allowed.max);
  }
  return OkStatus();
}

// The multipliers of the fixed-point kernels.
Status PrepareMultipliers(OpContext& context, const KernelRow& kernel,
                          Data* data) {
  const Span<const float> scales = context.input(1).quantization.scales;
  const double input_scale = context.input(0).quantization.scale();
  const double output_scale = context.output(0).quantization.scale();
  // The 64-bit rounding takes shifts below 8 only.
  const int max_shift = kernel.input == kI16 ? 7 : 30;
  ARENALITE_ASSIGN_OR_RETURN(QuantizedMultiplier * multipliers,
                             context.AllocateArray<QuantizedMultiplier>(
                                 static_cast<int64_t>(scales.size())));
  for (size_t i = 0; i < scales.size(); ++i) {
    const double scale =
        scales.size() > 1
            ? input_scale * scales[i] / output_scale
            // One float product, then double, as for CONV_2D.
            : double{context.input(0).quantization.scale() * scales[i]} /
                  output_scale;
    multipliers[i] = QuantizeMultiplier(scale);
    if (multipliers[i].shift > max_shift) {
      return InvalidModelError("input scale x weights scale / output scale is ",
                               scale, ", allowed below 2^", max_shift);
    }
  }
  data->multipliers = multipliers;
  return OkStatus();
}

// The bias must be quantized as the products are, nearly: as in the reference,
// when there is one scale.
Status CheckBiasScale(const OpContext& context) {
  const Tensor* bias = context.optional_input(2);
  const Quantization& weights = context.input(1).quantization;
  if (bias == nullptr || weights.scales.size() != 1) return OkStatus();
  const double product =
      double{context.input(0).quantization.scale() * weights.scale()};
  const double difference =
      std::abs(product - double{bias->quantization.scale()});
  if (difference / context.output(0).quantization.scale() <= 0.02) {
    return OkStatus();
  }
  return InvalidModelError("input 2 (bias) has scale ",
                           bias->quantization.scale(), ", allowed about ",
                           product, " (input scale x weights scale)");
}

Status PrepareQuantized(OpContext& context, const KernelRow& kernel,
                        Data* data) {
  const Tensor& input = context.input(0);
  const Tensor& output = context.output(0);
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(input, "input 0"));
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(output, "output 0"));
  ARENALITE_RETURN_IF_ERROR(CheckBiasScale(context));
  data->input_offset = -input.quantization.zero_point();
  data->output_zero_point = output.quantization.zero_point();
  if (data->scale_step == 0) {
    // Weights with a scale each are symmetric by definition.
    data->weights_offset = -context.input(1).quantization.zero_point();
  }
  if (kernel.input == kI16 &&
      (data->input_offset != 0 || data->output_zero_point != 0)) {
    return InvalidModelError("INT16 has zero points ", -data->input_offset,
                             " (input 0) and ", data->output_zero_point,
                             " (output 0), allowed 0");
  }
  if (context.input(1).sparsity != nullptr && data->weights_offset != 0) {
    return UnimplementedError("input 1 (weights) is sparse with zero point ",
                              -data->weights_offset, ", allowed 0");
  }
  if (IsShuffled(context)) {
    // The layout implies 128 for values and weights, 0 for the output.
    data->input_offset = -128;
    data->weights_offset = 0;
    data->output_zero_point = 0;
  }
  ARENALITE_ASSIGN_OR_RETURN(
      data->range,
      QuantizedActivationRange(context.options<Options>().activation, output));
  if (kernel.form != KernelRow::kFixed) return OkStatus();
  return PrepareMultipliers(context, kernel, data);
}

RowStep ChooseStep(const OpContext& context, const KernelRow& kernel,
                   const Data& data) {
  if (kernel.form == KernelRow::kHybrid) return RowStep::kTakeRow;
  const int64_t bytes = data.depth * TensorTypeBits(context.input(0).type) / 8;
  return bytes <= kStackBytes ? RowStep::kCopyRow : RowStep::kBlocks;
}

Status PrepareKernel(OpContext& context, const KernelRow& kernel, Data* data) {
  const Options& options = context.options<Options>();
  const Tensor& weights = context.input(1);
  data->step = ChooseStep(context, kernel, *data);
  ARENALITE_ASSIGN_OR_RETURN(
      data->weights, WeightRows::Create(context, weights, IsShuffled(context)));
  context.SetEval(kernel.eval);
  if (kernel.form != KernelRow::kFloat) {
    ARENALITE_RETURN_IF_ERROR(CheckWeightScales(context, kernel));
    data->scale_step = weights.quantization.scales.size() > 1 ? 1 : 0;
  }
  if (kernel.form == KernelRow::kDouble || kernel.form == KernelRow::kFixed) {
    return PrepareQuantized(context, kernel, data);
  }
  ARENALITE_ASSIGN_OR_RETURN(data->float_range,
                             FloatActivationRange(options.activation));
  if (kernel.form != KernelRow::kHybrid) return OkStatus();
  ARENALITE_ASSIGN_OR_RETURN(data->quantized_row,
                             context.RequestScratch(data->depth));
  return OkStatus();
}

Status CheckDense(const OpContext& context, int i) {
  const Tensor* tensor = context.optional_input(i);
  if (tensor == nullptr || tensor->sparsity == nullptr) return OkStatus();
  return UnimplementedError("input ", i,
                            " is sparse, allowed are dense tensors");
}

Status PrepareFullyConnected(OpContext& context) {
  const int outputs = IsShuffled(context) ? 2 : 1;
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, outputs, outputs));
  ARENALITE_RETURN_IF_ERROR(CheckDense(context, 0));
  ARENALITE_RETURN_IF_ERROR(CheckDense(context, 2));
  ARENALITE_ASSIGN_OR_RETURN(const KernelRow* kernel, FindKernel(context));
  ARENALITE_ASSIGN_OR_RETURN(Data * data, context.CreateData<Data>());
  ARENALITE_RETURN_IF_ERROR(PrepareShapes(context, data));
  ARENALITE_RETURN_IF_ERROR(CheckBias(context, *kernel));
  if (IsShuffled(context)) {
    if (context.output(1).type != kU8) {
      return InvalidModelError("output 1 (workspace) is ",
                               TensorTypeName(context.output(1).type),
                               ", allowed UINT8");
    }
    ARENALITE_RETURN_IF_ERROR(
        context.SetOutputShape(1, context.input(0).shape));
  }
  if (data->depth == 0) {
    context.SetEval(EvalEmpty);
    return OkStatus();
  }
  return PrepareKernel(context, *kernel, data);
}

// --- overlap -----------------------------------------------------------------

// The smallest of k * slope for k = 1 .. count; `none` where there is no k.
int64_t SmallestMultiple(int64_t slope, int64_t count, int64_t none) {
  if (count <= 0) return none;
  return slope >= 0 ? slope : slope * count;
}

// The output over the values. After row b, (b + 1) rows of either are done.
// Within a row that is computed in blocks, all of its values are still needed
// after each block but the last.
int64_t InputOverlap(const Data& data, int64_t values_row, int64_t output_row,
                     int64_t all) {
  const int64_t drift = values_row - output_row;
  const int64_t rows = SmallestMultiple(drift, data.batches - 1, all);
  if (data.step != RowStep::kBlocks) return rows;
  const int64_t last_block = (output_row - 1) / kStackBytes * kStackBytes;
  if (last_block == 0) return rows;
  const int64_t worst_row = SmallestMultiple(drift, data.batches - 1, 0);
  return std::min(rows, std::min<int64_t>(worst_row, 0) - last_block);
}

// The output over weights or bias, `bytes` a unit, all read again for each
// row: only in the last row does the place that is still read move.
int64_t UnitOverlap(const Data& data, int64_t bytes, int64_t output_element,
                    int64_t all) {
  const int64_t drift = bytes - output_element;
  const int64_t units = SmallestMultiple(drift, data.units - 1, all);
  if (data.batches == 1) return units;
  const int64_t before = (data.batches - 1) * data.units * output_element;
  return std::min<int64_t>(units, 0) - before;
}

int64_t OverlapFullyConnected(const OpContext& context, int output, int input) {
  // The shuffled kernel writes two outputs in two passes over its input.
  if (IsShuffled(context) || output != 0) return kNoOverlap;
  const auto& data = context.data<Data>();
  const Tensor& in = context.input(input);
  const Tensor& out = context.output(0);
  if (data.depth == 0 || data.batches == 0 || data.units == 0) return in.bytes;
  const int64_t out_element = TensorTypeBits(out.type) / 8;
  const int64_t in_element = TensorTypeBits(in.type) / 8;
  if (input == 0) {
    return InputOverlap(data, data.depth * in_element, data.units * out_element,
                        in.bytes);
  }
  if (input == 2) return UnitOverlap(data, in_element, out_element, in.bytes);
  // Packed and sparse rows have no fixed number of bytes.
  if (!data.weights.is_dense()) return kNoOverlap;
  return UnitOverlap(data, data.depth * in_element, out_element, in.bytes);
}

}  // namespace

namespace ops {

const OpDefinition kFullyConnected = {
    "FULLY_CONNECTED",
    schema::BuiltinOperator_FULLY_CONNECTED,
    14,
    kOpTakesSparse,  // The weights.
    sizeof(Options),
    ParseFullyConnected,
    PrepareFullyConnected,
    nullptr,
    OverlapFullyConnected,
};

}  // namespace ops
}  // namespace arenalite
