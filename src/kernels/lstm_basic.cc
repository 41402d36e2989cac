// LSTM with kernel_type BASIC: one weight matrix for all gates, on the inputs
// with the previous outputs appended. Outputs 2 and 3 are its workspace.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/gemmlowp.h"
#include "kernels/lstm_cell.h"
#include "kernels/lstm_math.h"

namespace arenalite {
namespace {

enum Inputs { kInput, kPreviousOutput, kWeights, kBias, kPreviousState };
enum Outputs { kOutput, kState, kConcatenated, kGates };

struct BasicData {
  int64_t batch;
  int64_t input_size;
  int64_t cells;
  QuantizedMultiplier gate_scale;  // UINT8: accumulators to Q3.12.
};

template <class T>
void Concatenate(const OpContext& context, const BasicData& data) {
  const auto* input = context.input(kInput).data_as<T>();
  const auto* previous = context.input(kPreviousOutput).data_as<T>();
  auto* to = context.output(kConcatenated).data_as<T>();
  for (int64_t b = 0; b < data.batch; ++b) {
    to = std::copy_n(input + b * data.input_size, data.input_size, to);
    to = std::copy_n(previous + b * data.cells, data.cells, to);
  }
}

// What was put out is the previous output or state of the next Invoke. A
// tensor of the arena is left alone: others may still read it.
void Keep(const OpContext& context, int output, int input) {
  const Tensor& from = context.output(output);
  Tensor* to = context.variable(input);
  const bool is_kept = to->memory == TensorMemory::kVariable ||
                       to->memory == TensorMemory::kCustom;
  if (!is_kept || from.bytes == 0) return;
  std::memmove(to->data, from.data, static_cast<size_t>(from.bytes));
}

void KeepStates(const OpContext& context) {
  Keep(context, kOutput, kPreviousOutput);
  Keep(context, kState, kPreviousState);
}

template <class State, class Value>
struct NewCell {
  State state;
  Value output;
};

// The arithmetic of a float cell. `gate` points at the first of four gates,
// `cells` apart.
struct FloatCell {
  using Value = float;
  using State = float;
  using Bias = float;

  FloatCell(const Tensor&, const BasicData&) {}

  float Gate(const float* weights, const float* inputs, int64_t depth,
             float bias) const {
    return FloatDot(weights, inputs, depth) + bias;
  }
  NewCell<float, float> Step(const float* gate, int64_t cells,
                             float previous) const {
    const auto logistic = [](float x) { return 1.0f / (1.0f + std::exp(-x)); };
    const float state = logistic(gate[0]) * std::tanh(gate[cells]) +
                        logistic(gate[2 * cells]) * previous;
    return {state, logistic(gate[3 * cells]) * std::tanh(state)};
  }
};

// Of a cell of bytes: gates in Q3.12, states in Q4.11, the output around 128.
struct ByteCell {
  using Value = uint8_t;
  using State = int16_t;
  using Bias = int32_t;

  ByteCell(const Tensor& weights, const BasicData& data)
      : weights_zero(weights.quantization.zero_point()),
        gate_scale(data.gate_scale) {}

  int16_t Gate(const uint8_t* weights, const uint8_t* inputs, int64_t depth,
               int32_t bias) const {
    const int64_t sum =
        bias + OffsetDot(weights, -weights_zero, inputs, -128, depth);
    return Saturate16(MultiplyByQuantizedMultiplier(
        static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)),
        gate_scale));
  }
  NewCell<int16_t, uint8_t> Step(const int16_t* gate, int64_t cells,
                                 int16_t previous) const {
    using Q0 = gemmlowp::FixedPoint<int16_t, 0>;
    using Q4 = gemmlowp::FixedPoint<int16_t, 4>;
    const Q0 input = Q0::FromRaw(Logistic16(gate[0]));
    const Q0 update = Q0::FromRaw(Tanh16(gate[cells], 3));
    const Q0 forget = Q0::FromRaw(Logistic16(gate[2 * cells]));
    const Q0 output = Q0::FromRaw(Logistic16(gate[3 * cells]));
    const Q4 state = gemmlowp::SaturatingAdd(
        gemmlowp::Rescale<4>(input * update), forget * Q4::FromRaw(previous));
    const Q0 squashed =
        Q0::FromRaw(Tanh16(gemmlowp::Rescale<3>(state).raw(), 3));
    const int16_t result =
        gemmlowp::RoundingDivideByPOT((output * squashed).raw(), 8);
    return {state.raw(),
            static_cast<uint8_t>(128 + std::clamp<int>(result, -128, 127))};
  }

  int32_t weights_zero;
  QuantizedMultiplier gate_scale;
};

template <class Cell>
Status EvalBasic(OpContext& context) {
  using Value = typename Cell::Value;
  using State = typename Cell::State;
  const auto& data = context.data<BasicData>();
  const Cell cell(context.input(kWeights), data);
  const int64_t depth = data.input_size + data.cells;
  const int64_t n = data.cells;
  Concatenate<Value>(context, data);
  const auto* inputs = context.output(kConcatenated).data_as<Value>();
  const auto* weights = context.input(kWeights).data_as<Value>();
  const auto* bias = context.input(kBias).data_as<typename Cell::Bias>();
  const auto* previous = context.input(kPreviousState).data_as<State>();
  auto* output = context.output(kOutput).data_as<Value>();
  auto* state = context.output(kState).data_as<State>();
  auto* gates = context.output(kGates).data_as<State>();
  for (int64_t b = 0; b < data.batch; ++b) {
    State* gate = gates + b * 4 * n;
    for (int64_t i = 0; i < 4 * n; ++i) {
      gate[i] =
          cell.Gate(weights + i * depth, inputs + b * depth, depth, bias[i]);
    }
    for (int64_t c = 0; c < n; ++c) {
      const int64_t i = b * n + c;
      const NewCell<State, Value> now = cell.Step(gate + c, n, previous[i]);
      state[i] = now.state;
      output[i] = now.output;
    }
  }
  KeepStates(context);
  return OkStatus();
}

Status CheckOutputs(const OpContext& context, TensorType values,
                    TensorType states) {
  const TensorType expected[] = {values, states, values, states};
  for (int i = 0; i < 4; ++i) {
    if (context.output(i).type == expected[i]) continue;
    return InvalidModelError("output ", i, " is ",
                             TensorTypeName(context.output(i).type),
                             ", allowed ", TensorTypeName(expected[i]));
  }
  return OkStatus();
}

Status CheckBasic(const OpContext& context, const BasicData& data,
                  TensorType values, TensorType biases, TensorType states) {
  const auto batch = static_cast<int32_t>(data.batch);
  const auto depth = static_cast<int32_t>(data.input_size + data.cells);
  const auto cells = static_cast<int32_t>(data.cells);
  ARENALITE_RETURN_IF_ERROR(CheckTensor(context.input(kPreviousOutput),
                                        "input 1 (previous output)", values,
                                        Shape({batch, cells})));
  ARENALITE_RETURN_IF_ERROR(CheckTensor(context.input(kWeights),
                                        "input 2 (weights)", values,
                                        Shape({4 * cells, depth})));
  ARENALITE_RETURN_IF_ERROR(CheckTensor(context.input(kBias), "input 3 (bias)",
                                        biases, Shape({4 * cells})));
  ARENALITE_RETURN_IF_ERROR(CheckTensor(context.input(kPreviousState),
                                        "input 4 (previous state)", states,
                                        Shape({batch, cells})));
  return CheckOutputs(context, values, states);
}

Status PrepareBytes(OpContext& context, BasicData& data) {
  ARENALITE_RETURN_IF_ERROR(CheckBasic(context, data, TensorType::kUInt8,
                                       TensorType::kInt32, TensorType::kInt16));
  const float state_scale = context.output(kState).quantization.scale();
  if (!(std::fabs(std::log2(state_scale) + 11.0f) < 1e-3f)) {
    return UnimplementedError("output 1 (state) has scale ", state_scale,
                              ", allowed 1/2048");
  }
  const float bias_scale = context.input(kBias).quantization.scale();
  data.gate_scale = QuantizeMultiplier(static_cast<double>(4096 * bias_scale));
  const int32_t zero_point = context.input(kWeights).quantization.zero_point();
  if (zero_point < 0 || zero_point > UINT8_MAX) {
    return InvalidModelError("input 2 (weights) has zero point ", zero_point,
                             ", allowed 0..255");
  }
  context.SetEval(EvalBasic<ByteCell>);
  return OkStatus();
}

}  // namespace

Status PrepareBasicLstm(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(5, 5, 4, 4));
  const Shape& input = context.input(kInput).shape;
  const Shape& previous = context.input(kPreviousOutput).shape;
  if (input.rank() != 2 || previous.rank() != 2 ||
      previous.dim(1) > INT32_MAX / 4 ||
      int64_t{input.dim(1)} + previous.dim(1) > INT32_MAX) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             " and input 1 (previous output) ", previous.dims(),
                             ", allowed rank 2");
  }
  ARENALITE_ASSIGN_OR_RETURN(BasicData * data, context.CreateData<BasicData>());
  data->batch = input.dim(0);
  data->input_size = input.dim(1);
  data->cells = previous.dim(1);
  const TensorType type = context.input(kInput).type;
  if (type == TensorType::kFloat32) {
    ARENALITE_RETURN_IF_ERROR(CheckBasic(context, *data, type, type, type));
    context.SetEval(EvalBasic<FloatCell>);
  } else if (type == TensorType::kUInt8) {
    ARENALITE_RETURN_IF_ERROR(PrepareBytes(context, *data));
  } else {
    return UnimplementedError("input 0 is ", TensorTypeName(type),
                              ", allowed FLOAT32 or UINT8");
  }
  const auto batch = static_cast<int32_t>(data->batch);
  const auto cells = static_cast<int32_t>(data->cells);
  ARENALITE_RETURN_IF_ERROR(
      context.SetOutputShape(kOutput, Shape({batch, cells})));
  ARENALITE_RETURN_IF_ERROR(
      context.SetOutputShape(kState, Shape({batch, cells})));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(
      kConcatenated, Shape({batch, input.dim(1) + cells})));
  return context.SetOutputShape(kGates, Shape({batch, 4 * cells}));
}

}  // namespace arenalite
