// LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM.

#include "arenalite/builtin_ops.h"
#include "kernels/lstm_cell.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

Status CheckOptions(const LstmOptions& options) {
  if (!(options.cell_clip >= 0.0f) || !(options.projection_clip >= 0.0f)) {
    return InvalidModelError("cell_clip is ", options.cell_clip,
                             " and proj_clip ", options.projection_clip,
                             ", allowed >= 0");
  }
  return CheckActivation(options.activation);
}

Status ParseLstm(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::LSTMOptions>(source);
  if (table == nullptr) return InvalidModelError("has no LSTMOptions");
  auto* parsed = static_cast<LstmOptions*>(options);
  *parsed = {table->fused_activation_function(),
             table->cell_clip(),
             table->proj_clip(),
             table->asymmetric_quantize_inputs(),
             true,
             false,
             table->kernel_type() == schema::LSTMKernelType_BASIC};
  return CheckOptions(*parsed);
}

Status ParseUnidirectional(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable<schema::UnidirectionalSequenceLSTMOptions>(source);
  if (table == nullptr) {
    return InvalidModelError("has no UnidirectionalSequenceLSTMOptions");
  }
  auto* parsed = static_cast<LstmOptions*>(options);
  *parsed = {table->fused_activation_function(),
             table->cell_clip(),
             table->proj_clip(),
             table->asymmetric_quantize_inputs(),
             table->time_major(),
             false,
             false};
  return CheckOptions(*parsed);
}

Status ParseBidirectional(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable<schema::BidirectionalSequenceLSTMOptions>(source);
  if (table == nullptr) {
    return InvalidModelError("has no BidirectionalSequenceLSTMOptions");
  }
  auto* parsed = static_cast<LstmOptions*>(options);
  *parsed = {table->fused_activation_function(),
             table->cell_clip(),
             table->proj_clip(),
             table->asymmetric_quantize_inputs(),
             table->time_major(),
             table->merge_outputs(),
             false};
  return CheckOptions(*parsed);
}

// The inputs of a cell whose weights begin at input `first`: four matrices of
// input weights, four recurrent ones, three peepholes, four biases, then the
// projection and its bias. `layer_norm` and `aux`: the first of four, or -1.
LstmInputs MakeInputs(int first, int state, int layer_norm, int aux) {
  constexpr int kPeephole[kNumGates] = {8, 9, -1, 10};
  LstmInputs inputs = {};
  for (int g = 0; g < kNumGates; ++g) {
    inputs.gates[g] = {first + g,
                       first + 4 + g,
                       kPeephole[g] < 0 ? -1 : first + kPeephole[g],
                       first + 11 + g,
                       layer_norm < 0 ? -1 : layer_norm + g,
                       aux < 0 ? -1 : aux + g};
  }
  inputs.projection = first + 15;
  inputs.projection_bias = first + 16;
  inputs.output_state = state;
  inputs.cell_state = state + 1;
  inputs.aux = -1;
  return inputs;
}

LstmTypes FloatTypes(TensorType weights) {
  constexpr TensorType kFloat = TensorType::kFloat32;
  return {weights, weights, kFloat, kFloat, kFloat, kFloat};
}

// Checks all cells, then picks the arithmetic that their types ask for.
Status PrepareCells(OpContext& context, LstmData& data) {
  const LstmCell& first = data.cells[0];
  const TensorType input = context.input(0).type;
  const Tensor* forget =
      LstmTensor(context, first.inputs.gates[kForgetGate].weights);
  if (forget == nullptr) {
    return InvalidModelError("the weights of the forget gate are absent");
  }
  const TensorType weights = forget->type;
  const bool hybrid = IsHybridWeight(weights);
  const bool integer = input == TensorType::kInt8;
  if (integer ? weights != TensorType::kInt8
              : input != TensorType::kFloat32 ||
                    (!hybrid && weights != TensorType::kFloat32)) {
    return UnimplementedError(
        "input 0 is ", TensorTypeName(input), " with weights of ",
        TensorTypeName(weights),
        ", allowed FLOAT32 with FLOAT32, INT8 or UINT8, or INT8 with INT8");
  }
  const LstmTypes types =
      integer ? LstmTypes{TensorType::kInt8,  TensorType::kInt16,
                          TensorType::kInt16, TensorType::kInt32,
                          TensorType::kInt8,  TensorType::kInt16}
              : FloatTypes(weights);
  for (int i = 0; i < data.num_cells; ++i) {
    ARENALITE_RETURN_IF_ERROR(
        CheckLstmCell(context, types, data.sequence.batch, data.cells[i]));
  }
  for (int i = 0; i < context.num_outputs(); ++i) {
    if (context.output(i).type == input) continue;
    return InvalidModelError("output ", i, " is ",
                             TensorTypeName(context.output(i).type),
                             ", but input 0 is ", TensorTypeName(input));
  }
  return integer ? PrepareIntegerLstm(context, data)
                 : PrepareFloatLstm(context, data, hybrid);
}

Sequence MakeSequence(const Shape& input, bool time_major) {
  if (input.rank() == 2) return {input.dim(0), 1, true};
  return time_major ? Sequence{input.dim(1), input.dim(0), true}
                    : Sequence{input.dim(0), input.dim(1), false};
}

Status CheckRank(const OpContext& context, int rank) {
  const Shape& input = context.input(0).shape;
  if (input.rank() == rank) return OkStatus();
  return InvalidModelError("input 0 has shape ", input.dims(),
                           ", allowed rank ", rank);
}

Status PrepareOneCell(OpContext& context, int rank) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 24, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckRank(context, rank));
  ARENALITE_ASSIGN_OR_RETURN(LstmData * data, context.CreateData<LstmData>());
  Shape output = context.input(0).shape;
  data->sequence =
      MakeSequence(output, context.options<LstmOptions>().time_major);
  data->num_cells = 1;
  data->cells[0].inputs = MakeInputs(1, 18, 20, -1);
  ARENALITE_RETURN_IF_ERROR(PrepareCells(context, *data));
  output.set_dim(rank - 1, static_cast<int32_t>(data->cells[0].outputs));
  return context.SetOutputShape(0, output);
}

Status PrepareLstm(OpContext& context) {
  return context.options<LstmOptions>().basic ? PrepareBasicLstm(context)
                                              : PrepareOneCell(context, 2);
}
Status PrepareUnidirectional(OpContext& context) {
  return PrepareOneCell(context, 3);
}

constexpr int kAux = 39;
constexpr int kForwardAux = 40;  // Weights of the auxiliary input.
constexpr int kBackwardAux = 44;

// Without weights of its own, the auxiliary input is what the backward cell
// reads (stacked layers without cross links).
Status SetCells(const OpContext& context, LstmData& data) {
  const Tensor* aux = context.optional_input(kAux);
  const bool cross =
      context.optional_input(kForwardAux + kForgetGate) != nullptr;
  if (cross && aux == nullptr) {
    return InvalidModelError("input ", kAux, " (auxiliary input) is absent");
  }
  data.num_cells = 2;
  LstmCell& forward = data.cells[0];
  LstmCell& backward = data.cells[1];
  forward.inputs = MakeInputs(1, 35, -1, kForwardAux);
  backward.inputs = MakeInputs(18, 37, -1, kBackwardAux);
  forward.inputs.aux = backward.inputs.aux = cross ? kAux : -1;
  if (aux != nullptr && !cross) backward.inputs.input = kAux;
  backward.backward = true;
  backward.output = context.options<LstmOptions>().merge_outputs ? 0 : 1;
  if (aux == nullptr) return OkStatus();
  Shape expected = context.input(0).shape;
  if (cross && aux->shape.rank() == 3) expected.set_dim(2, aux->shape.dim(2));
  return CheckTensor(*aux, "input 39 (auxiliary input)", TensorType::kFloat32,
                     expected);
}

Status PrepareBidirectional(OpContext& context) {
  const bool merge = context.options<LstmOptions>().merge_outputs;
  ARENALITE_RETURN_IF_ERROR(
      context.CheckCounts(1, 48, merge ? 1 : 2, merge ? 1 : 2));
  ARENALITE_RETURN_IF_ERROR(CheckRank(context, 3));
  if (context.input(0).type != TensorType::kFloat32) {
    return UnimplementedError("input 0 is ",
                              TensorTypeName(context.input(0).type),
                              ", allowed FLOAT32");
  }
  ARENALITE_ASSIGN_OR_RETURN(LstmData * data, context.CreateData<LstmData>());
  Shape output = context.input(0).shape;
  data->sequence =
      MakeSequence(output, context.options<LstmOptions>().time_major);
  ARENALITE_RETURN_IF_ERROR(SetCells(context, *data));
  ARENALITE_RETURN_IF_ERROR(PrepareCells(context, *data));
  const int64_t sizes[] = {data->cells[0].outputs, data->cells[1].outputs};
  if (merge && sizes[0] + sizes[1] > INT32_MAX) {
    return InvalidModelError("merged outputs of ", sizes[0], " and ", sizes[1],
                             " elements overflow a dimension");
  }
  output.set_dim(2,
                 static_cast<int32_t>(merge ? sizes[0] + sizes[1] : sizes[0]));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, output));
  if (merge) {
    data->cells[1].output_offset = sizes[0];
    return OkStatus();
  }
  output.set_dim(2, static_cast<int32_t>(sizes[1]));
  return context.SetOutputShape(1, output);
}

// Weights, biases and states are read in every step. The basic form keeps
// other tensors as its states, and uses outputs as its workspace.
int64_t LstmOverlap(const OpContext& context, int, int input) {
  if (input != 0 || context.options<LstmOptions>().basic) return kNoOverlap;
  return ForwardOverlap(context.input(0), context.output(0));
}

// No overlap for any pair of BIDIRECTIONAL_SEQUENCE_LSTM: the backward cell
// reads the inputs again, from their end.

}  // namespace

namespace ops {

const OpDefinition kLstm = {
    "LSTM",
    schema::BuiltinOperator_LSTM,
    4,
    kOpHasState,
    sizeof(LstmOptions),
    ParseLstm,
    PrepareLstm,
    nullptr,
    LstmOverlap,
};
const OpDefinition kUnidirectionalSequenceLstm = {
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
    schema::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM,
    4,
    kOpHasState,
    sizeof(LstmOptions),
    ParseUnidirectional,
    PrepareUnidirectional,
    nullptr,
    LstmOverlap,
};
const OpDefinition kBidirectionalSequenceLstm = {
    "BIDIRECTIONAL_SEQUENCE_LSTM",
    schema::BuiltinOperator_BIDIRECTIONAL_SEQUENCE_LSTM,
    3,
    kOpHasState,
    sizeof(LstmOptions),
    ParseBidirectional,
    PrepareBidirectional,
    nullptr,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
