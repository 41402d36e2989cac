#include "kernels/lstm_cell.h"

namespace arenalite {
namespace {

constexpr const char* kGateNames[kNumGates] = {"input", "forget", "cell",
                                               "output"};

Shape Vector(int64_t size) { return Shape({static_cast<int32_t>(size)}); }
Shape Rectangle(int64_t rows, int64_t cols) {
  return Shape({static_cast<int32_t>(rows), static_cast<int32_t>(cols)});
}

Status CheckOptional(const OpContext& context, int input, const char* what,
                     TensorType type, const Shape& shape) {
  const Tensor* tensor = LstmTensor(context, input);
  return tensor == nullptr ? OkStatus()
                           : CheckWeights(*tensor, what, type, shape);
}

Status CheckRequired(const OpContext& context, int input, const char* what,
                     TensorType type, const Shape& shape) {
  if (LstmTensor(context, input) == nullptr) {
    return InvalidModelError("input ", input, " (", what, ") is absent");
  }
  return CheckOptional(context, input, what, type, shape);
}

// A vector stands for a diagonal matrix, which is never quantized and, like
// every diagonal matrix, has as many rows as columns.
Status CheckDiagonal(const Tensor& recurrent, const LstmTypes& types,
                     const LstmCell& cell) {
  if (types.output_state != TensorType::kFloat32) {
    return UnimplementedError(
        "recurrent weights are a vector, allowed only for float activations");
  }
  if (cell.cells != cell.outputs) {
    return InvalidModelError("recurrent weights are a vector for ", cell.cells,
                             " cells and ", cell.outputs,
                             " outputs, allowed for equal numbers only");
  }
  return CheckTensor(recurrent, "recurrent weights", TensorType::kFloat32,
                     Vector(cell.outputs));
}

Status CheckGate(const OpContext& context, const LstmTypes& types,
                 const LstmCell& cell, const LstmGateInputs& gate) {
  ARENALITE_RETURN_IF_ERROR(
      CheckRequired(context, gate.weights, "weights", types.weights,
                    Rectangle(cell.cells, cell.input_size)));
  const Tensor* recurrent = LstmTensor(context, gate.recurrent);
  if (recurrent != nullptr && recurrent->shape.rank() == 1) {
    ARENALITE_RETURN_IF_ERROR(CheckDiagonal(*recurrent, types, cell));
  } else {
    ARENALITE_RETURN_IF_ERROR(
        CheckRequired(context, gate.recurrent, "recurrent weights",
                      types.weights, Rectangle(cell.cells, cell.outputs)));
  }
  ARENALITE_RETURN_IF_ERROR(CheckRequired(context, gate.bias, "bias",
                                          types.biases, Vector(cell.cells)));
  ARENALITE_RETURN_IF_ERROR(CheckOptional(context, gate.peephole,
                                          "peephole weights", types.peepholes,
                                          Vector(cell.cells)));
  ARENALITE_RETURN_IF_ERROR(
      CheckOptional(context, gate.layer_norm, "layer norm coefficients",
                    types.layer_norms, Vector(cell.cells)));
  return CheckOptional(context, gate.aux, "auxiliary weights", types.weights,
                       Rectangle(cell.cells, cell.aux_size));
}

// Peepholes, layer norms and auxiliary weights: for all gates or for none.
Status CheckAllOrNone(const OpContext& context, const LstmCell& cell,
                      const char* what, int LstmGateInputs::*member) {
  const int first = cell.has_input_gate ? kInputGate : kForgetGate;
  const bool wanted =
      LstmTensor(context, cell.inputs.gates[kOutputGate].*member) != nullptr;
  for (int g = first; g < kNumGates; ++g) {
    const int input = cell.inputs.gates[g].*member;
    if (input >= 0 && (LstmTensor(context, input) != nullptr) != wanted) {
      return InvalidModelError(
          "input ", input, " (", what, " of the ", kGateNames[g], " gate) is ",
          wanted ? "absent" : "present", ", unlike that of the output gate");
    }
  }
  return OkStatus();
}

Status CheckNoInputGate(const OpContext& context, const LstmGateInputs& gate) {
  for (const int input : {gate.recurrent, gate.bias, gate.layer_norm}) {
    if (LstmTensor(context, input) != nullptr) {
      return InvalidModelError("input ", input,
                               " (of the input gate) is present, but input ",
                               gate.weights, " (its weights) is absent");
    }
  }
  return OkStatus();
}

Status CheckProjection(const OpContext& context, const LstmTypes& types,
                       const LstmCell& cell) {
  const LstmInputs& in = cell.inputs;
  if (LstmTensor(context, in.projection) == nullptr) {
    if (LstmTensor(context, in.projection_bias) != nullptr) {
      return InvalidModelError("input ", in.projection_bias,
                               " (projection bias) is present, but input ",
                               in.projection, " (projection) is absent");
    }
    if (cell.cells == cell.outputs) return OkStatus();
    return InvalidModelError("the recurrent weights are for ", cell.outputs,
                             " outputs, allowed without a projection ",
                             cell.cells);
  }
  ARENALITE_RETURN_IF_ERROR(CheckOptional(context, in.projection, "projection",
                                          types.weights,
                                          Rectangle(cell.outputs, cell.cells)));
  return CheckOptional(context, in.projection_bias, "projection bias",
                       types.biases, Vector(cell.outputs));
}

Status SetSizes(const OpContext& context, LstmCell& cell) {
  const LstmGateInputs& gate = cell.inputs.gates[kOutputGate];
  const Tensor* weights = LstmTensor(context, gate.weights);
  const Tensor* recurrent = LstmTensor(context, gate.recurrent);
  if (weights == nullptr || weights->shape.rank() != 2 ||
      recurrent == nullptr || recurrent->shape.rank() < 1) {
    return InvalidModelError("inputs ", gate.weights, " and ", gate.recurrent,
                             " (weights of the output gate) are no matrices");
  }
  cell.input_size = context.input(cell.inputs.input).shape.dim_from_end(0);
  const Tensor* aux = LstmTensor(context, cell.inputs.aux);
  cell.aux_size = aux == nullptr ? 0 : aux->shape.dim_from_end(0);
  cell.cells = weights->shape.dim(0);
  cell.outputs = recurrent->shape.dim_from_end(0);
  cell.has_input_gate =
      LstmTensor(context, cell.inputs.gates[kInputGate].weights) != nullptr;
  return OkStatus();
}

}  // namespace

const Tensor* LstmTensor(const OpContext& context, int input) {
  return input < 0 ? nullptr : context.optional_input(input);
}

Status CheckLstmCell(const OpContext& context, const LstmTypes& types,
                     int64_t batch, LstmCell& cell) {
  ARENALITE_RETURN_IF_ERROR(SetSizes(context, cell));
  for (int g = 0; g < kNumGates; ++g) {
    const LstmGateInputs& gate = cell.inputs.gates[g];
    const bool absent = g == kInputGate && !cell.has_input_gate;
    Status status = absent ? CheckNoInputGate(context, gate)
                           : CheckGate(context, types, cell, gate);
    if (!status.ok()) {
      return std::move(status).WithPrefix({kGateNames[g], " gate: "});
    }
  }
  ARENALITE_RETURN_IF_ERROR(CheckAllOrNone(context, cell, "peephole weights",
                                           &LstmGateInputs::peephole));
  ARENALITE_RETURN_IF_ERROR(
      CheckAllOrNone(context, cell, "layer norm", &LstmGateInputs::layer_norm));
  ARENALITE_RETURN_IF_ERROR(
      CheckAllOrNone(context, cell, "auxiliary weights", &LstmGateInputs::aux));
  ARENALITE_RETURN_IF_ERROR(CheckProjection(context, types, cell));
  const Tensor* output_state = context.variable(cell.inputs.output_state);
  // Some files call an 8-bit state INT16; the reference takes its first half.
  const bool wide = types.output_state == TensorType::kInt8 &&
                    output_state != nullptr &&
                    output_state->type == TensorType::kInt16;
  ARENALITE_RETURN_IF_ERROR(CheckState(
      output_state, "output state",
      wide ? TensorType::kInt16 : types.output_state, batch * cell.outputs));
  return CheckState(context.variable(cell.inputs.cell_state), "cell state",
                    types.cell_state, batch * cell.cells);
}

}  // namespace arenalite
