// The LSTM cell that LSTM, UNIDIRECTIONAL_ and BIDIRECTIONAL_SEQUENCE_LSTM
// share: where its tensors are, and what they must look like.
//
//   gate  = f(W x + W_aux x_aux + R h + p .* c + b)     of the four gates
//   c     = clip(forget .* c + input .* cell)
//   h     = clip(P (output .* g(c)) + b_P)
//
// with f the logistic function (g for the cell gate), optionally normalised
// over the layer before b is added. Without an input gate (CIFG) 1 - forget
// takes its place; without a projection P, h is its argument.

#ifndef ARENALITE_KERNELS_LSTM_CELL_H_
#define ARENALITE_KERNELS_LSTM_CELL_H_

#include <cstdint>

#include "arenalite/op_definition.h"
#include "kernels/quantization.h"
#include "kernels/recurrent.h"

namespace arenalite {

enum LstmGate { kInputGate, kForgetGate, kCellGate, kOutputGate };
constexpr int kNumGates = 4;

// Positions among the op's inputs; -1: the op has none.
struct LstmGateInputs {
  int weights;
  int recurrent;
  int peephole;
  int bias;
  int layer_norm;
  int aux;
};
struct LstmInputs {
  int input;
  LstmGateInputs gates[kNumGates];
  int projection;
  int projection_bias;
  int output_state;
  int cell_state;
  int aux;
};

struct LstmCell {
  LstmInputs inputs;
  int64_t input_size;
  int64_t aux_size;
  int64_t cells;
  int64_t outputs;
  bool has_input_gate;
  bool backward;
  int output;             // Of the op.
  int64_t output_offset;  // In elements, within each row of the output.
};

struct LstmOptions {
  int32_t activation;
  float cell_clip;
  float projection_clip;
  bool asymmetric;
  bool time_major;
  bool merge_outputs;
  bool basic;
};

// Factors of the integer form (8-bit weights and activations, 16-bit cell).
struct IntegerLstmGate {
  QuantizedMultiplier input;
  QuantizedMultiplier recurrent;
  QuantizedMultiplier peephole;
  QuantizedMultiplier layer_norm;
  int32_t variance_guard;
};
struct IntegerLstm {
  IntegerLstmGate gates[kNumGates];
  QuantizedMultiplier hidden;
  QuantizedMultiplier projection;
  int32_t hidden_zero_point;
  int cell_exponent;  // The cell state's scale is 2 to this power.
  int32_t cell_clip;  // 0: none.
  int32_t projection_clip;
};

struct LstmData {
  Sequence sequence;
  int num_cells;
  LstmCell cells[2];
  // Scratch: three gates, and vectors of 8 bits (-1 in float).
  int gates[3];
  int quantized_input;  // And the projection's argument.
  int quantized_aux;
  int quantized_state;
  IntegerLstm integer;
};

// Null for -1 and for absent tensors.
const Tensor* LstmTensor(const OpContext& context, int input);

// Fills sizes from the shapes and refuses tensors that contradict them.
// `weights`, `vectors`, `biases`: the types of matrices, of peepholes and layer
// norms, and of biases.
struct LstmTypes {
  TensorType weights;
  TensorType peepholes;
  TensorType layer_norms;
  TensorType biases;
  TensorType output_state;
  TensorType cell_state;
};
Status CheckLstmCell(const OpContext& context, const LstmTypes& types,
                     int64_t batch, LstmCell& cell);

// Float activations, with float or 8-bit weights: scratch and eval.
Status PrepareFloatLstm(OpContext& context, LstmData& data, bool hybrid);
// Integers all through.
Status PrepareIntegerLstm(OpContext& context, LstmData& data);
// LSTM with one fused weight matrix (kernel_type BASIC).
Status PrepareBasicLstm(OpContext& context);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_LSTM_CELL_H_
