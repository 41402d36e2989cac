// The LSTM cell on integers: 8-bit inputs, weights and outputs, 16-bit gates
// and cell state ("8x8_16").

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/fixed_point.h"
#include "kernels/lstm_cell.h"
#include "kernels/lstm_math.h"

namespace arenalite {
namespace {

constexpr int kGateIntegerBits = 3;
constexpr int kHiddenIntermediate = 4;

int32_t Rescaled(int64_t x, QuantizedMultiplier m) {
  return MultiplyByQuantizedMultiplier(
      static_cast<int32_t>(std::clamp<int64_t>(x, INT32_MIN, INT32_MAX)), m);
}

struct BoundGate {
  const int8_t* weights;
  const int8_t* recurrent;
  const int16_t* peephole;  // Null: none.
  const int32_t* bias;
  const int16_t* layer_norm;  // Null: none.
};

template <class T>
const T* DataOf(const OpContext& context, int input) {
  const Tensor* tensor = LstmTensor(context, input);
  return tensor == nullptr ? nullptr : tensor->data_as<T>();
}

// Normalises the layer: mean 0 and variance 1, with 10 more bits of fraction
// than the values have; then coefficients and bias (ApplyLayerNorm of the
// reference, with its roundings).
void NormalizeLayer(const BoundGate& gate, const IntegerLstmGate& factors,
                    int64_t count, int16_t* values) {
  int64_t sum = 0;
  int64_t squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    sum += values[i];
    squares += int64_t{values[i]} * values[i];
  }
  constexpr int64_t kTwoTo20 = 1 << 20;
  const int64_t mean = sum * 1024 / count;
  // Exact where count is a power of two.
  const int64_t variance = squares * (kTwoTo20 / count) - mean * mean;
  auto whole = static_cast<int32_t>(variance / kTwoTo20);
  if (whole < 1) whole = factors.variance_guard;
  const QuantizedMultiplier inverse = InverseSquareRoot(whole);
  const QuantizedMultiplier output = {factors.layer_norm.multiplier,
                                      factors.layer_norm.shift + 12};
  for (int64_t i = 0; i < count; ++i) {
    const auto shifted = static_cast<int32_t>(1024 * values[i] - mean);
    const int64_t normal = MultiplyByQuantizedMultiplier(shifted, inverse);
    const int64_t scaled = normal * gate.layer_norm[i] + gate.bias[i];
    const int64_t rounded = (scaled > 0 ? scaled + 512 : scaled - 512) / 1024;
    values[i] = Saturate16(Rescaled(rounded, output));
  }
}

class IntegerLstmRun {
 public:
  explicit IntegerLstmRun(const OpContext& context)
      : data_(context.data<LstmData>()),
        cell_(data_.cells[0]),
        factors_(data_.integer),
        input_zero_(
            context.input(cell_.inputs.input).quantization.zero_point()),
        state_zero_(
            context.input(cell_.inputs.output_state).quantization.zero_point()),
        projection_(DataOf<int8_t>(context, cell_.inputs.projection)),
        projection_bias_(
            DataOf<int32_t>(context, cell_.inputs.projection_bias)),
        hidden_(context.scratch<int8_t>(data_.quantized_input)) {
    for (int g = 0; g < kNumGates; ++g) {
      const LstmGateInputs& in = cell_.inputs.gates[g];
      gates_[g] = {DataOf<int8_t>(context, in.weights),
                   DataOf<int8_t>(context, in.recurrent),
                   DataOf<int16_t>(context, in.peephole),
                   DataOf<int32_t>(context, in.bias),
                   DataOf<int16_t>(context, in.layer_norm)};
    }
    for (int i = 0; i < 3; ++i) {
      scratch_[i] = context.scratch<int16_t>(data_.gates[i]);
    }
  }

  void Run(const OpContext& context) {
    const auto* input = context.input(cell_.inputs.input).data_as<int8_t>();
    auto* outputs =
        context.variable(cell_.inputs.output_state)->data_as<int8_t>();
    auto* cells = context.variable(cell_.inputs.cell_state)->data_as<int16_t>();
    if (context.output(0).bytes == 0) return;
    auto* result = context.output(0).data_as<int8_t>();
    ForEachStep(data_.sequence, false, [&](int64_t row, int64_t b) {
      int8_t* output_state = outputs + b * cell_.outputs;
      batch_ = b;
      Step(input + row * cell_.input_size, output_state,
           cells + b * cell_.cells);
      std::copy_n(output_state, cell_.outputs, result + row * cell_.outputs);
    });
  }

 private:
  void ComputeGate(LstmGate g, const int8_t* input, const int8_t* output_state,
                   const int16_t* cell_state, int16_t* values) const {
    const BoundGate& gate = gates_[g];
    const IntegerLstmGate& factors = factors_.gates[g];
    const int64_t n = cell_.cells;
    for (int64_t c = 0; c < n; ++c) {
      const int64_t bias = gate.layer_norm != nullptr ? 0 : gate.bias[c];
      const int64_t from_input =
          bias + OffsetDot(gate.weights + c * cell_.input_size, 0, input,
                           -input_zero_, cell_.input_size);
      const int64_t from_state =
          OffsetDot(gate.recurrent + c * cell_.outputs, 0, output_state,
                    -state_zero_, cell_.outputs);
      const int16_t sum = Saturate16(Rescaled(from_input, factors.input));
      values[c] =
          Saturate16(int64_t{Rescaled(from_state, factors.recurrent)} + sum);
    }
    if (gate.peephole != nullptr) {
      AddPeephole(gate.peephole, factors.peephole, cell_state, values);
    }
    if (gate.layer_norm != nullptr && n > 0) {
      NormalizeLayer(gate, factors, n, values);
    }
  }

  // The reference walks batches of as many values as there are outputs, not
  // cells: with a projection, a weight meets another cell than its own.
  void AddPeephole(const int16_t* weights, QuantizedMultiplier factor,
                   const int16_t* cell_state, int16_t* values) const {
    const int64_t end = data_.sequence.batch * cell_.outputs;
    for (int64_t c = 0; c < cell_.cells; ++c) {
      const int64_t position = batch_ * cell_.cells + c;
      if (position >= end) return;
      const int64_t product =
          int64_t{weights[position % cell_.outputs]} * cell_state[c];
      values[c] = Saturate16(int64_t{Rescaled(product, factor)} + values[c]);
    }
  }

  void Step(const int8_t* input, int8_t* output_state, int16_t* cell_state) {
    const int64_t n = cell_.cells;
    int16_t* input_gate = scratch_[0];
    int16_t* forget_gate = scratch_[1];
    int16_t* cell_gate = scratch_[2];
    if (cell_.has_input_gate) {
      ComputeGate(kInputGate, input, output_state, cell_state, input_gate);
    }
    ComputeGate(kForgetGate, input, output_state, cell_state, forget_gate);
    ComputeGate(kCellGate, input, output_state, cell_state, cell_gate);
    for (int64_t c = 0; c < n; ++c) {
      const int16_t forget = Logistic16(forget_gate[c]);
      const int16_t share = cell_.has_input_gate
                                ? Logistic16(input_gate[c])
                                : static_cast<int16_t>(INT16_MAX - forget);
      const int16_t update = Tanh16(cell_gate[c], kGateIntegerBits);
      cell_state[c] = UpdateCell(cell_state[c], forget, share, update);
    }
    int16_t* output_gate = scratch_[0];
    ComputeGate(kOutputGate, input, output_state, cell_state, output_gate);
    int8_t* hidden = projection_ != nullptr ? hidden_ : output_state;
    // Projected values are kept on the other side of the zero point, as in the
    // reference: Project() takes it back.
    const int32_t zero_point = projection_ != nullptr
                                   ? -factors_.hidden_zero_point
                                   : factors_.hidden_zero_point;
    for (int64_t c = 0; c < n; ++c) {
      const int32_t product =
          int32_t{Logistic16(output_gate[c])} *
          Tanh16(cell_state[c], 15 + factors_.cell_exponent);
      const int64_t value =
          int64_t{MultiplyByQuantizedMultiplier(product, factors_.hidden)} +
          zero_point;
      hidden[c] =
          static_cast<int8_t>(std::clamp<int64_t>(value, INT8_MIN, INT8_MAX));
    }
    if (projection_ != nullptr) Project(output_state);
  }

  int16_t UpdateCell(int16_t cell, int16_t forget, int16_t share,
                     int16_t update) const {
    const auto kept = static_cast<int16_t>(
        RoundingDivideByPowerOfTwo(int32_t{forget} * cell, 15));
    const auto added = static_cast<int16_t>(RoundingDivideByPowerOfTwo(
        int32_t{share} * update, 30 + factors_.cell_exponent));
    int32_t sum = Saturate16(int32_t{kept} + added);
    if (factors_.cell_clip > 0) {
      sum = std::clamp(sum, -factors_.cell_clip, factors_.cell_clip);
    }
    return static_cast<int16_t>(sum);
  }

  void Project(int8_t* output_state) const {
    for (int64_t i = 0; i < cell_.outputs; ++i) {
      const int64_t bias =
          projection_bias_ != nullptr ? projection_bias_[i] : 0;
      const int64_t dot =
          bias + OffsetDot(projection_ + i * cell_.cells, 0, hidden_,
                           factors_.hidden_zero_point, cell_.cells);
      const int64_t moved =
          int64_t{Rescaled(dot, factors_.projection)} + state_zero_;
      auto value =
          static_cast<int32_t>(std::clamp<int64_t>(moved, INT8_MIN, INT8_MAX));
      if (factors_.projection_clip > 0) {
        value = std::clamp(value, -factors_.projection_clip,
                           factors_.projection_clip);
      }
      output_state[i] = static_cast<int8_t>(value);
    }
  }

  const LstmData& data_;
  const LstmCell& cell_;
  const IntegerLstm& factors_;
  const int32_t input_zero_;
  const int32_t state_zero_;
  const int8_t* projection_;
  const int32_t* projection_bias_;
  int8_t* hidden_;
  BoundGate gates_[kNumGates];
  int16_t* scratch_[3];
  int64_t batch_ = 0;
};

Status EvalIntegerLstm(OpContext& context) {
  IntegerLstmRun(context).Run(context);
  return OkStatus();
}

// The one scale of a tensor; 1 for an absent one.
Result<float> ScaleOf(const Tensor* tensor, const char* what) {
  if (tensor == nullptr) return 1.0f;
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(*tensor, what));
  return tensor->quantization.scale();
}

Result<float> IntermediateScale(const OpContext& context, int i) {
  const Tensor* tensor = context.intermediate(i);
  if (tensor == nullptr || tensor->quantization.scales.size() != 1 ||
      !(tensor->quantization.scale() > 0.0f)) {
    return InvalidModelError("intermediate ", i, " has no positive scale");
  }
  return tensor->quantization.scale();
}

// All factors are rounded to float first, as in the reference.
QuantizedMultiplier Factor(float real) {
  return QuantizeMultiplier(static_cast<double>(real));
}

struct Scales {
  float input;
  float output_state;
  int cell_exponent;
};

Result<IntegerLstmGate> MakeGate(const OpContext& context, const LstmCell& cell,
                                 int g, const Scales& scales) {
  const LstmGateInputs& in = cell.inputs.gates[g];
  const Tensor* layer_norm = LstmTensor(context, in.layer_norm);
  // Without layer norms gates are in Q3.12.
  float gate_scale = 1.0f / 4096;
  if (layer_norm != nullptr) {
    ARENALITE_ASSIGN_OR_RETURN(gate_scale, IntermediateScale(context, g));
  }
  ARENALITE_ASSIGN_OR_RETURN(
      const float weights, ScaleOf(LstmTensor(context, in.weights), "weights"));
  ARENALITE_ASSIGN_OR_RETURN(
      const float recurrent,
      ScaleOf(LstmTensor(context, in.recurrent), "recurrent weights"));
  ARENALITE_ASSIGN_OR_RETURN(
      const float peephole,
      ScaleOf(LstmTensor(context, in.peephole), "peephole weights"));
  ARENALITE_ASSIGN_OR_RETURN(const float norm,
                             ScaleOf(layer_norm, "layer norm coefficients"));
  IntegerLstmGate gate;
  gate.input = Factor(weights * scales.input / gate_scale);
  gate.recurrent = Factor(recurrent * scales.output_state / gate_scale);
  gate.peephole = Factor(static_cast<float>(
      std::ldexp(static_cast<double>(peephole), scales.cell_exponent) /
      static_cast<double>(gate_scale)));
  gate.layer_norm = Factor(norm);
  if (gate.layer_norm.shift + 12 > 30) {
    return InvalidModelError("layer norm coefficients have scale ", norm,
                             ", allowed below 2^18");
  }
  // As a double: the product may exceed 32 bits.
  gate.variance_guard = static_cast<int32_t>(
      std::clamp(10000 * static_cast<double>(norm), 1.0, double{INT32_MAX}));
  return gate;
}

// The exponent of a cell state's scale, a power of two.
Result<int> CellExponent(const Tensor& cell_state) {
  ARENALITE_ASSIGN_OR_RETURN(const float scale,
                             ScaleOf(&cell_state, "cell state"));
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(log2);
  if (std::fabs(log2 - rounded) < 1e-3f && rounded <= -9.0f &&
      rounded >= -15.0f) {
    return static_cast<int>(rounded);
  }
  return InvalidModelError("cell state has scale ", scale,
                           ", allowed 2^-15, 2^-14, ..., 2^-9");
}

int32_t QuantizedClip(float clip, float scale, int32_t limit) {
  if (!(clip > 0.0f)) return 0;
  return static_cast<int32_t>(
      std::min(clip / scale, static_cast<float>(limit)));
}

Status SetFactors(const OpContext& context, LstmData& data) {
  const LstmCell& cell = data.cells[0];
  const LstmInputs& in = cell.inputs;
  IntegerLstm& factors = data.integer;
  Scales scales;
  ARENALITE_ASSIGN_OR_RETURN(scales.input,
                             ScaleOf(&context.input(in.input), "input 0"));
  ARENALITE_ASSIGN_OR_RETURN(
      scales.output_state,
      ScaleOf(&context.input(in.output_state), "output state"));
  // The type of the tensor may be wider than the 8 bits that are used.
  const int32_t state_zero =
      context.input(in.output_state).quantization.zero_point();
  if (state_zero < INT8_MIN || state_zero > INT8_MAX) {
    return InvalidModelError("output state has zero point ", state_zero,
                             ", allowed -128..127");
  }
  ARENALITE_ASSIGN_OR_RETURN(factors.cell_exponent,
                             CellExponent(context.input(in.cell_state)));
  scales.cell_exponent = factors.cell_exponent;
  for (int g = 0; g < kNumGates; ++g) {
    if (g == kInputGate && !cell.has_input_gate) continue;
    ARENALITE_ASSIGN_OR_RETURN(factors.gates[g],
                               MakeGate(context, cell, g, scales));
  }
  ARENALITE_ASSIGN_OR_RETURN(const float hidden,
                             IntermediateScale(context, kHiddenIntermediate));
  ARENALITE_ASSIGN_OR_RETURN(
      const float projection,
      ScaleOf(LstmTensor(context, in.projection), "projection"));
  ARENALITE_ASSIGN_OR_RETURN(const float output,
                             ScaleOf(&context.output(0), "output 0"));
  factors.hidden = Factor(
      static_cast<float>(std::ldexp(1.0, -15) / static_cast<double>(hidden) *
                         std::ldexp(1.0, -15)));
  factors.projection = Factor(projection * hidden / scales.output_state);
  factors.hidden_zero_point =
      context.intermediate(kHiddenIntermediate)->quantization.zero_point();
  if (factors.hidden_zero_point < INT8_MIN ||
      factors.hidden_zero_point > INT8_MAX) {
    return InvalidModelError("intermediate 4 has zero point ",
                             factors.hidden_zero_point, ", allowed -128..127");
  }
  const auto& options = context.options<LstmOptions>();
  factors.cell_clip = QuantizedClip(
      options.cell_clip, context.input(in.cell_state).quantization.scale(),
      INT16_MAX);
  factors.projection_clip =
      QuantizedClip(options.projection_clip, output, INT8_MAX);
  return OkStatus();
}

}  // namespace

Status PrepareIntegerLstm(OpContext& context, LstmData& data) {
  if (context.intermediate(kHiddenIntermediate + 1) != nullptr) {
    return UnimplementedError(
        "has more than 5 intermediates (the form with 8-bit gates), allowed "
        "5");
  }
  const LstmCell& cell = data.cells[0];
  const int64_t cells = cell.cells;
  // AddPeephole's walk would leave the weights.
  if (cell.outputs > cells &&
      LstmTensor(context, cell.inputs.gates[kOutputGate].peephole) != nullptr) {
    return UnimplementedError("has peephole weights for ", cells, " cells and ",
                              cell.outputs,
                              " outputs, allowed at most as many "
                              "outputs as cells");
  }
  ARENALITE_RETURN_IF_ERROR(SetFactors(context, data));
  for (int& gate : data.gates) {
    ARENALITE_ASSIGN_OR_RETURN(
        gate,
        context.RequestScratch(cells * static_cast<int64_t>(sizeof(int16_t))));
  }
  ARENALITE_ASSIGN_OR_RETURN(data.quantized_input,
                             context.RequestScratch(cells));
  context.SetEval(EvalIntegerLstm);
  return OkStatus();
}

}  // namespace arenalite
