// The LSTM cell on float activations.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/lstm_cell.h"

namespace arenalite {
namespace {

struct BoundGate {
  Matrix weights;
  Matrix aux;
  Matrix recurrent;
  bool diagonal;         // `recurrent` is a vector of floats.
  const void* peephole;  // Null: none.
  float peephole_scale;
  const float* bias;
  const float* layer_norm;  // Null: none.
};

template <class T>
const T* DataOf(const Tensor* tensor) {
  return tensor == nullptr ? nullptr : tensor->data_as<T>();
}

BoundGate BindGate(const OpContext& context, const LstmGateInputs& in) {
  const Tensor* recurrent = LstmTensor(context, in.recurrent);
  const Tensor* peephole = LstmTensor(context, in.peephole);
  BoundGate gate;
  gate.weights = BindMatrix(LstmTensor(context, in.weights));
  gate.aux = BindMatrix(LstmTensor(context, in.aux));
  gate.recurrent = BindMatrix(recurrent);
  gate.diagonal = recurrent != nullptr && recurrent->shape.rank() == 1;
  gate.peephole = DataOf<void>(peephole);
  gate.peephole_scale =
      peephole == nullptr ? 0.0f : peephole->quantization.scale();
  gate.bias = DataOf<float>(LstmTensor(context, in.bias));
  gate.layer_norm = DataOf<float>(LstmTensor(context, in.layer_norm));
  return gate;
}

// Mean 0, variance 1.
void Normalize(float* values, int64_t count) {
  float sum = 0.0f;
  for (int64_t i = 0; i < count; ++i) sum += values[i];
  const float mean = sum / static_cast<float>(count);
  float squares = 0.0f;
  for (int64_t i = 0; i < count; ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
  }
  const float variance = squares / static_cast<float>(count);
  const float factor = 1.0f / std::sqrt(variance + 1e-8f);
  for (int64_t i = 0; i < count; ++i) values[i] = (values[i] - mean) * factor;
}

void Clip(float* values, int64_t count, float bound) {
  if (!(bound > 0.0f)) return;
  for (int64_t i = 0; i < count; ++i) {
    values[i] = std::clamp(values[i], -bound, bound);
  }
}

// Vector: FloatVector, or HybridVector for 8-bit weights.
template <class Vector>
class FloatLstm {
 public:
  FloatLstm(const OpContext& context, const LstmCell& cell)
      : cell_(cell),
        options_(context.options<LstmOptions>()),
        data_(context.data<LstmData>()),
        input_(Quantized(context, data_.quantized_input), options_.asymmetric),
        aux_(Quantized(context, data_.quantized_aux), options_.asymmetric),
        state_(Quantized(context, data_.quantized_state), options_.asymmetric),
        projection_(BindMatrix(LstmTensor(context, cell.inputs.projection))),
        projection_bias_(
            DataOf<float>(LstmTensor(context, cell.inputs.projection_bias))) {
    for (int g = 0; g < kNumGates; ++g) {
      gates_[g] = BindGate(context, cell.inputs.gates[g]);
    }
    for (int i = 0; i < 3; ++i) {
      scratch_[i] = context.scratch<float>(data_.gates[i]);
    }
  }

  void Run(const OpContext& context) {
    const auto* input = context.input(cell_.inputs.input).data_as<float>();
    const auto* aux = DataOf<float>(LstmTensor(context, cell_.inputs.aux));
    auto* outputs =
        context.variable(cell_.inputs.output_state)->data_as<float>();
    auto* cells = context.variable(cell_.inputs.cell_state)->data_as<float>();
    Tensor& output = context.output(cell_.output);
    if (output.bytes == 0) return;
    const int64_t row_size = output.shape.dim_from_end(0);
    ForEachStep(data_.sequence, cell_.backward, [&](int64_t row, int64_t b) {
      float* output_state = outputs + b * cell_.outputs;
      input_.Set(input + row * cell_.input_size, cell_.input_size);
      if (aux != nullptr) {
        aux_.Set(aux + row * cell_.aux_size, cell_.aux_size);
      }
      state_.Set(output_state, cell_.outputs);
      Step(output_state, cells + b * cell_.cells);
      std::memcpy(
          output.data_as<float>() + row * row_size + cell_.output_offset,
          output_state, static_cast<size_t>(cell_.outputs) * sizeof(float));
    });
  }

 private:
  static int8_t* Quantized(const OpContext& context, int scratch) {
    return scratch < 0 ? nullptr : context.scratch<int8_t>(scratch);
  }

  // `sums` = the gate before its activation.
  void SumGate(const BoundGate& gate, const float* output_state,
               const float* cell_state, float* sums) const {
    const int64_t n = cell_.cells;
    if (gate.layer_norm != nullptr) {
      std::fill_n(sums, n, 0.0f);
    } else {
      std::copy_n(gate.bias, n, sums);
    }
    input_.AddProduct(gate.weights, sums);
    if (gate.aux.data != nullptr) aux_.AddProduct(gate.aux, sums);
    if (gate.diagonal) {
      const auto* diagonal = static_cast<const float*>(gate.recurrent.data);
      for (int64_t c = 0; c < n; ++c) sums[c] += diagonal[c] * output_state[c];
    } else {
      state_.AddProduct(gate.recurrent, sums);
    }
    if (gate.peephole != nullptr) AddPeephole(gate, cell_state, sums);
    if (gate.layer_norm != nullptr && n > 0) {
      Normalize(sums, n);
      for (int64_t c = 0; c < n; ++c) {
        sums[c] = sums[c] * gate.layer_norm[c] + gate.bias[c];
      }
    }
  }

  void AddPeephole(const BoundGate& gate, const float* cell_state,
                   float* sums) const {
    using Weight = typename Vector::Weight;
    const auto* weights = static_cast<const Weight*>(gate.peephole);
    const float scale =
        std::is_same_v<Weight, float> ? 1.0f : gate.peephole_scale;
    for (int64_t c = 0; c < cell_.cells; ++c) {
      sums[c] += static_cast<float>(weights[c]) * scale * cell_state[c];
    }
  }

  void Step(float* output_state, float* cell_state) {
    const int64_t n = cell_.cells;
    float* input_gate = scratch_[0];
    float* forget_gate = scratch_[1];
    float* cell_gate = scratch_[2];
    if (cell_.has_input_gate) {
      SumGate(gates_[kInputGate], output_state, cell_state, input_gate);
      ApplyLogistic(input_gate, n);
    }
    SumGate(gates_[kForgetGate], output_state, cell_state, forget_gate);
    ApplyLogistic(forget_gate, n);
    SumGate(gates_[kCellGate], output_state, cell_state, cell_gate);
    ApplyActivation(options_.activation, cell_gate, n);
    for (int64_t c = 0; c < n; ++c) {
      const float share =
          cell_.has_input_gate ? input_gate[c] : 1.0f - forget_gate[c];
      cell_state[c] = forget_gate[c] * cell_state[c] + cell_gate[c] * share;
    }
    Clip(cell_state, n, options_.cell_clip);
    float* output_gate = scratch_[0];
    SumGate(gates_[kOutputGate], output_state, cell_state, output_gate);
    ApplyLogistic(output_gate, n);
    float* hidden = scratch_[2];
    std::copy_n(cell_state, n, hidden);
    ApplyActivation(options_.activation, hidden, n);
    for (int64_t c = 0; c < n; ++c) hidden[c] = output_gate[c] * hidden[c];
    Project(hidden, output_state);
  }

  void Project(const float* hidden, float* output_state) {
    const int64_t n = cell_.outputs;
    if (projection_.data == nullptr) {
      std::copy_n(hidden, n, output_state);
      return;
    }
    if (projection_bias_ != nullptr) {
      std::copy_n(projection_bias_, n, output_state);
    } else {
      std::fill_n(output_state, n, 0.0f);
    }
    // The step is done with its input: its place takes the hidden values.
    input_.Set(hidden, cell_.cells);
    input_.AddProduct(projection_, output_state);
    Clip(output_state, n, options_.projection_clip);
  }

  const LstmCell& cell_;
  const LstmOptions& options_;
  const LstmData& data_;
  Vector input_;
  Vector aux_;
  Vector state_;
  BoundGate gates_[kNumGates];
  Matrix projection_;
  const float* projection_bias_;
  float* scratch_[3];
};

template <class Vector>
Status EvalFloatLstm(OpContext& context) {
  const auto& data = context.data<LstmData>();
  for (int i = 0; i < data.num_cells; ++i) {
    FloatLstm<Vector>(context, data.cells[i]).Run(context);
  }
  return OkStatus();
}

}  // namespace

Status PrepareFloatLstm(OpContext& context, LstmData& data, bool hybrid) {
  int64_t cells = 0;
  int64_t input = 0;
  int64_t aux = 0;
  int64_t state = 0;
  for (int i = 0; i < data.num_cells; ++i) {
    const LstmCell& cell = data.cells[i];
    cells = std::max(cells, cell.cells);
    input = std::max({input, cell.input_size, cell.cells});
    aux = std::max(aux, cell.aux_size);
    state = std::max(state, cell.outputs);
  }
  for (int& gate : data.gates) {
    ARENALITE_ASSIGN_OR_RETURN(
        gate,
        context.RequestScratch(cells * static_cast<int64_t>(sizeof(float))));
  }
  data.quantized_input = data.quantized_aux = data.quantized_state = -1;
  if (!hybrid) {
    context.SetEval(EvalFloatLstm<FloatVector>);
    return OkStatus();
  }
  ARENALITE_ASSIGN_OR_RETURN(data.quantized_input,
                             context.RequestScratch(input));
  ARENALITE_ASSIGN_OR_RETURN(data.quantized_aux, context.RequestScratch(aux));
  ARENALITE_ASSIGN_OR_RETURN(data.quantized_state,
                             context.RequestScratch(state));
  context.SetEval(EvalFloatLstm<HybridVector>);
  return OkStatus();
}

}  // namespace arenalite
