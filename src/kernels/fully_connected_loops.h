// The loop nest of FULLY_CONNECTED and what its kernels plug into it.

#ifndef ARENALITE_KERNELS_FULLY_CONNECTED_LOOPS_H_
#define ARENALITE_KERNELS_FULLY_CONNECTED_LOOPS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "arenalite/op_definition.h"
#include "kernels/dot.h"
#include "kernels/hybrid.h"
#include "kernels/quantization.h"
#include "kernels/weight_rows.h"
#include "kernels/wrapping.h"

namespace arenalite {
namespace fully_connected {

// A step computes one row. Where that would overwrite a row that is still to
// be read, either the input row is copied first or the output row is put
// together in blocks of this many bytes on the stack, whichever fits.
constexpr int64_t kStackBytes = 1024;

struct Options {
  int32_t activation;
  int32_t weights_format;
  int32_t quantized_bias_type;
  bool keep_num_dims;
  bool asymmetric;
};

enum class RowStep {
  kTakeRow,  // The kernel itself reads the row whole before it writes.
  kCopyRow,  // The row is copied to the stack.
  kBlocks,   // The output is computed in blocks on the stack.
};

struct Data {
  int64_t batches;
  int64_t depth;
  int64_t units;
  RowStep step;
  WeightRows weights;
  int input_offset;  // Negated zero points.
  int weights_offset;
  int32_t output_zero_point;
  ActivationRange range;
  FloatRange float_range;
  int scale_step;  // 0: one scale for all units. 1: one a unit.
  const QuantizedMultiplier* multipliers;
  int quantized_row;  // Scratch of the hybrid kernel.
};

// --- What turns an accumulator into an output value --------------------------

// Real arithmetic in double, as the reference does for 8-bit weights.
struct DoubleScale {
  double input_scale;
  double output_scale;
  const float* weight_scales;
  int step;
  int32_t zero_point;
  ActivationRange range;

  DoubleScale(const OpContext& context, const Data& data)
      : input_scale(context.input(0).quantization.scale()),
        output_scale(context.output(0).quantization.scale()),
        weight_scales(context.input(1).quantization.scales.data()),
        step(data.scale_step),
        zero_point(data.output_zero_point),
        range(data.range) {}
  int32_t operator()(int64_t sum, int64_t unit) const {
    const double scale = input_scale *
                         static_cast<double>(weight_scales[unit * step]) /
                         output_scale;
    const double value =
        std::round(static_cast<double>(sum) * scale) + zero_point;
    return static_cast<int32_t>(
        std::min<double>(range.max, std::max<double>(range.min, value)));
  }
};

// Fixed point: `Sum` is the accumulator's type in the reference, int32 or
// int64, and picks the rounding.
template <class Sum>
struct FixedScale {
  const QuantizedMultiplier* multipliers;
  int step;
  int32_t zero_point;
  ActivationRange range;

  FixedScale(const OpContext&, const Data& data)
      : multipliers(data.multipliers),
        step(data.scale_step),
        zero_point(data.output_zero_point),
        range(data.range) {}
  int32_t operator()(int64_t sum, int64_t unit) const {
    const int64_t value =
        int64_t{MultiplyByQuantizedMultiplier(static_cast<Sum>(sum),
                                              multipliers[unit * step])} +
        zero_point;
    return static_cast<int32_t>(
        std::min<int64_t>(range.max, std::max<int64_t>(range.min, value)));
  }
};

// An absent bias is 0; 16-bit activations may have 64-bit ones.
struct IntegerBias {
  const int32_t* narrow = nullptr;
  const int64_t* wide = nullptr;

  explicit IntegerBias(const Tensor* bias) {
    if (bias == nullptr) return;
    if (bias->type == TensorType::kInt64) {
      wide = bias->data_as<int64_t>();
    } else {
      narrow = bias->data_as<int32_t>();
    }
  }
  int64_t At(int64_t unit) const {
    if (narrow != nullptr) return narrow[unit];
    return wide != nullptr ? wide[unit] : 0;
  }
};

// --- One kernel each: Start takes a row, operator() computes one unit --------

template <class X, class W, class Y, class Scale>
struct QuantizedUnits {
  using Input = X;
  using Output = Y;
  const Data& data;
  IntegerBias bias;
  Scale scale;
  const X* row = nullptr;

  QuantizedUnits(const OpContext& context, const Data& d)
      : data(d), bias(context.optional_input(2)), scale(context, d) {}
  void Start(const X* values) { row = values; }
  Y operator()(int64_t unit) const {
    const int64_t sum =
        OffsetDot(data.weights.Row<W>(unit), data.weights_offset, row,
                  data.input_offset, data.depth);
    return static_cast<Y>(scale(WrappingAdd()(sum, bias.At(unit)), unit));
  }
};

struct FloatUnits {
  using Input = float;
  using Output = float;
  const Data& data;
  const float* bias = nullptr;
  const float* row = nullptr;

  FloatUnits(const OpContext& context, const Data& d) : data(d) {
    const Tensor* tensor = context.optional_input(2);
    if (tensor != nullptr) bias = tensor->data_as<float>();
  }
  void Start(const float* values) { row = values; }
  float operator()(int64_t unit) const {
    const float sum = FloatDot(data.weights.Row<float>(unit), row, data.depth);
    const float value = sum + (bias == nullptr ? 0.0f : bias[unit]);
    return std::min(data.float_range.max,
                    std::max(data.float_range.min, value));
  }
};

// Float values against int8 weights. UINT8 tensors of old converters hold the
// same signed bytes.
struct HybridUnits {
  using Input = float;
  using Output = float;
  const Data& data;
  const bool asymmetric;
  const float* weight_scales;
  const float* bias = nullptr;
  int8_t* row;
  RowScale row_scale;

  HybridUnits(const OpContext& context, const Data& d)
      : data(d),
        asymmetric(context.options<Options>().asymmetric),
        weight_scales(context.input(1).quantization.scales.data()),
        row(context.scratch<int8_t>(d.quantized_row)) {
    const Tensor* tensor = context.optional_input(2);
    if (tensor != nullptr) bias = tensor->data_as<float>();
  }
  void Start(const float* values) {
    row_scale = QuantizeRow(values, data.depth, asymmetric, row);
  }
  float operator()(int64_t unit) const {
    const auto sum =
        static_cast<int32_t>(OffsetDot(data.weights.Row<int8_t>(unit), 0, row,
                                       -row_scale.zero_point, data.depth));
    const float scale = row_scale.scale * weight_scales[unit * data.scale_step];
    const float value =
        (bias == nullptr ? 0.0f : bias[unit]) + static_cast<float>(sum) * scale;
    return std::min(data.float_range.max,
                    std::max(data.float_range.min, value));
  }
};

// --- The loop nest -----------------------------------------------------------

template <class Units>
Status EvalRows(OpContext& context) {
  using X = typename Units::Input;
  using Y = typename Units::Output;
  auto& data = context.data<Data>();
  data.weights.Bind(context, context.input(1));
  Units units(context, data);
  alignas(16) unsigned char stack[kStackBytes];
  const X* input = context.input(0).data_as<X>();
  Y* output = context.output(0).data_as<Y>();
  const int64_t block = data.step == RowStep::kBlocks
                            ? kStackBytes / static_cast<int64_t>(sizeof(Y))
                            : data.units;
  for (int64_t b = 0; b < data.batches; ++b) {
    const X* row = input + b * data.depth;
    if (data.step == RowStep::kCopyRow) {
      std::memcpy(stack, row, static_cast<size_t>(data.depth) * sizeof(X));
      row = reinterpret_cast<const X*>(stack);
    }
    units.Start(row);
    Y* out = output + b * data.units;
    for (int64_t first = 0; first < data.units; first += block) {
      const int64_t count = std::min(block, data.units - first);
      const bool direct = data.step != RowStep::kBlocks;
      Y* to = direct ? out : reinterpret_cast<Y*>(stack);
      for (int64_t i = 0; i < count; ++i) to[i] = units(first + i);
      if (direct) continue;
      std::memcpy(out + first, to, static_cast<size_t>(count) * sizeof(Y));
    }
  }
  return OkStatus();
}

}  // namespace fully_connected
}  // namespace arenalite

#endif  // ARENALITE_KERNELS_FULLY_CONNECTED_LOOPS_H_
