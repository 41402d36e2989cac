// RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN:
// state = output = activation(W x + W_aux x_aux + W_recurrent state + bias).

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/recurrent.h"

namespace arenalite {
namespace {

struct RnnOptions {
  int32_t activation;
  bool asymmetric;
  bool time_major;
  bool merge_outputs;
};

Status ParseRnn(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::RNNOptions>(source);
  if (table == nullptr) return OkStatus();
  *static_cast<RnnOptions*>(options) = {table->fused_activation_function(),
                                        table->asymmetric_quantize_inputs(),
                                        false, false};
  return CheckActivation(table->fused_activation_function());
}

Status ParseSequenceRnn(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::SequenceRNNOptions>(source);
  if (table == nullptr) return OkStatus();
  *static_cast<RnnOptions*>(options) = {table->fused_activation_function(),
                                        table->asymmetric_quantize_inputs(),
                                        table->time_major(), false};
  return CheckActivation(table->fused_activation_function());
}

Status ParseBidirectionalRnn(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable<schema::BidirectionalSequenceRNNOptions>(source);
  if (table == nullptr) return OkStatus();
  *static_cast<RnnOptions*>(options) = {
      table->fused_activation_function(), table->asymmetric_quantize_inputs(),
      table->time_major(), table->merge_outputs()};
  return CheckActivation(table->fused_activation_function());
}

// The inputs of one cell; -1: none.
struct CellInputs {
  int input;
  int weights;
  int recurrent;
  int bias;
  int state;
  int aux;
  int aux_weights;
};

constexpr CellInputs kOnlyCell = {0, 1, 2, 3, 4, -1, -1};
constexpr int kAux = 9;

// How a cell lies in the op: what it reads, and where its output goes.
struct Cell {
  CellInputs inputs;
  bool backward;
  int output;
  int64_t output_offset;  // In floats, within each row of the output.
};

struct RnnData {
  Sequence sequence;
  int num_cells;
  Cell cells[2];
  int sums;       // Scratch: new values of a state.
  int quantized;  // Scratch: a quantized vector; -1 when weights are float.
};

const Tensor* OptionalInput(const OpContext& context, int i) {
  return i < 0 ? nullptr : context.optional_input(i);
}

template <class Vector>
void RunCell(const OpContext& context, const Cell& cell) {
  const auto& data = context.data<RnnData>();
  const auto& options = context.options<RnnOptions>();
  const CellInputs& in = cell.inputs;
  const Matrix weights = BindMatrix(&context.input(in.weights));
  const Matrix recurrent = BindMatrix(&context.input(in.recurrent));
  const Matrix aux_weights = BindMatrix(OptionalInput(context, in.aux_weights));
  const auto* input = context.input(in.input).data_as<float>();
  const Tensor* aux = OptionalInput(context, in.aux);
  const auto* bias = context.input(in.bias).data_as<float>();
  auto* states = context.variable(in.state)->data_as<float>();
  Tensor& output = context.output(cell.output);
  const int64_t output_size = output.shape.dim_from_end(0);
  const int64_t units = weights.rows;
  const auto bytes = static_cast<size_t>(units) * sizeof(float);
  auto* sums = context.scratch<float>(data.sums);
  Vector vector(
      data.quantized < 0 ? nullptr : context.scratch<int8_t>(data.quantized),
      options.asymmetric);
  if (units == 0) return;
  ForEachStep(data.sequence, cell.backward, [&](int64_t row, int64_t b) {
    float* state = states + b * units;
    std::memcpy(sums, bias, bytes);
    vector.Set(input + row * weights.cols, weights.cols);
    vector.AddProduct(weights, sums);
    if (aux_weights.data != nullptr) {
      vector.Set(aux->data_as<float>() + row * aux_weights.cols,
                 aux_weights.cols);
      vector.AddProduct(aux_weights, sums);
    }
    vector.Set(state, units);
    vector.AddProduct(recurrent, sums);
    ApplyActivation(options.activation, sums, units);
    std::memcpy(state, sums, bytes);
    std::memcpy(
        output.data_as<float>() + row * output_size + cell.output_offset, sums,
        bytes);
  });
}

template <class Vector>
Status EvalRnn(OpContext& context) {
  const auto& data = context.data<RnnData>();
  for (int i = 0; i < data.num_cells; ++i) {
    RunCell<Vector>(context, data.cells[i]);
  }
  return OkStatus();
}

// Refuses tensors of a cell that do not fit each other. Returns its units.
Result<int32_t> CheckCell(const OpContext& context, const CellInputs& in,
                          int64_t batch) {
  const Tensor& input = context.input(in.input);
  const Tensor& weights = context.input(in.weights);
  const TensorType type = weights.type;
  if (input.type != TensorType::kFloat32) {
    return UnimplementedError("input ", in.input, " is ",
                              TensorTypeName(input.type), ", allowed FLOAT32");
  }
  if (type != TensorType::kFloat32 && !IsHybridWeight(type)) {
    return UnimplementedError("input ", in.weights, " (weights) is ",
                              TensorTypeName(type),
                              ", allowed FLOAT32, INT8 or UINT8");
  }
  if (weights.shape.rank() != 2) {
    return InvalidModelError("input ", in.weights, " (weights) has shape ",
                             weights.shape.dims(), ", allowed rank 2");
  }
  const int32_t units = weights.shape.dim(0);
  ARENALITE_RETURN_IF_ERROR(CheckWeights(
      weights, "weights", type, Shape({units, input.shape.dim_from_end(0)})));
  ARENALITE_RETURN_IF_ERROR(CheckWeights(context.input(in.recurrent),
                                         "recurrent weights", type,
                                         Shape({units, units})));
  ARENALITE_RETURN_IF_ERROR(CheckTensor(context.input(in.bias), "bias",
                                        TensorType::kFloat32, Shape({units})));
  if (const Tensor* aux_weights = OptionalInput(context, in.aux_weights)) {
    const Tensor& aux = context.input(in.aux);
    ARENALITE_RETURN_IF_ERROR(
        CheckWeights(*aux_weights, "auxiliary weights", type,
                     Shape({units, aux.shape.dim_from_end(0)})));
  }
  const Tensor* state = context.variable(in.state);
  if (state != nullptr && state->shape.rank() != 2) {
    return InvalidModelError("input ", in.state, " (hidden state) has shape ",
                             state->shape.dims(), ", allowed rank 2");
  }
  ARENALITE_RETURN_IF_ERROR(
      CheckState(state, "hidden state", TensorType::kFloat32, batch * units));
  return units;
}

// Scratch and eval for all cells; `longest` is the longest vector of any.
Status FinishPrepare(OpContext& context, RnnData& data, int64_t most_units,
                     int64_t longest) {
  for (int i = 0; i < context.num_outputs(); ++i) {
    const TensorType type = context.output(i).type;
    if (type != TensorType::kFloat32) {
      return InvalidModelError("output ", i, " is ", TensorTypeName(type),
                               ", allowed FLOAT32");
    }
  }
  ARENALITE_ASSIGN_OR_RETURN(
      data.sums,
      context.RequestScratch(most_units * static_cast<int64_t>(sizeof(float))));
  data.quantized = -1;
  const TensorType weights = context.input(data.cells[0].inputs.weights).type;
  if (!IsHybridWeight(weights)) {
    context.SetEval(EvalRnn<FloatVector>);
    return OkStatus();
  }
  ARENALITE_ASSIGN_OR_RETURN(data.quantized, context.RequestScratch(longest));
  context.SetEval(EvalRnn<HybridVector>);
  return OkStatus();
}

Sequence MakeSequence(const Shape& input, bool time_major) {
  const int64_t first = input.dim(0);
  const int64_t second = input.dim(1);
  return time_major ? Sequence{second, first, true}
                    : Sequence{first, second, false};
}

// RNN has inputs [batch, size], its sequence form three dimensions.
Status PrepareOneCell(OpContext& context, int rank) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(5, 5, 1, 1));
  const Shape& input = context.input(0).shape;
  if (input.rank() != rank) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             ", allowed rank ", rank);
  }
  ARENALITE_ASSIGN_OR_RETURN(RnnData * data, context.CreateData<RnnData>());
  const bool time_major = context.options<RnnOptions>().time_major;
  data->sequence = rank == 2 ? Sequence{input.dim(0), 1, true}
                             : MakeSequence(input, time_major);
  ARENALITE_ASSIGN_OR_RETURN(
      const int32_t units, CheckCell(context, kOnlyCell, data->sequence.batch));
  data->num_cells = 1;
  data->cells[0] = {kOnlyCell, false, 0, 0};
  ARENALITE_RETURN_IF_ERROR(FinishPrepare(
      context, *data, units, std::max<int64_t>(units, input.dim_from_end(0))));
  Shape output = input;
  output.set_dim(rank - 1, units);
  return context.SetOutputShape(0, output);
}

Status PrepareRnn(OpContext& context) { return PrepareOneCell(context, 2); }
Status PrepareSequenceRnn(OpContext& context) {
  return PrepareOneCell(context, 3);
}

// Without weights of its own, the auxiliary input is what the backward cell
// reads (stacked layers without cross links).
Status SetCells(const OpContext& context, RnnData& data) {
  const bool fw_aux = context.optional_input(10) != nullptr;
  const bool bw_aux = context.optional_input(11) != nullptr;
  const Tensor* aux = context.optional_input(kAux);
  if (fw_aux != bw_aux || (fw_aux && aux == nullptr)) {
    return InvalidModelError(
        "inputs 9 to 11 (auxiliary input and its weights) are present in part, "
        "allowed are all, none or input 9");
  }
  data.num_cells = 2;
  const int aux_input = fw_aux ? kAux : -1;
  const int backward_input = aux != nullptr && !fw_aux ? kAux : 0;
  data.cells[0] = {{0, 1, 2, 3, 4, aux_input, fw_aux ? 10 : -1}, false, 0, 0};
  data.cells[1] = {{backward_input, 5, 6, 7, 8, aux_input, fw_aux ? 11 : -1},
                   true,
                   context.options<RnnOptions>().merge_outputs ? 0 : 1,
                   0};
  const Shape& input = context.input(0).shape;
  if (aux == nullptr) return OkStatus();
  Shape expected = input;
  if (aux->shape.rank() == 3) expected.set_dim(2, aux->shape.dim(2));
  return CheckTensor(*aux, "input 9 (auxiliary input)", TensorType::kFloat32,
                     expected);
}

Status PrepareBidirectionalRnn(OpContext& context) {
  const bool merge = context.options<RnnOptions>().merge_outputs;
  ARENALITE_RETURN_IF_ERROR(
      context.CheckCounts(9, 12, merge ? 1 : 2, merge ? 1 : 2));
  const Shape& input = context.input(0).shape;
  if (input.rank() != 3) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             ", allowed rank 3");
  }
  // The reference walks such a sequence once for each of its steps, with the
  // states that the walk before left: no result that a model could mean.
  const bool time_major = context.options<RnnOptions>().time_major;
  if (time_major && IsHybridWeight(context.input(1).type)) {
    return UnimplementedError("no kernel for time_major with weights of type ",
                              TensorTypeName(context.input(1).type));
  }
  ARENALITE_ASSIGN_OR_RETURN(RnnData * data, context.CreateData<RnnData>());
  data->sequence = MakeSequence(input, time_major);
  ARENALITE_RETURN_IF_ERROR(SetCells(context, *data));
  int64_t longest = input.dim(2);
  if (const Tensor* aux = context.optional_input(kAux)) {
    longest = std::max<int64_t>(longest, aux->shape.dim(2));
  }
  int32_t units[2] = {};
  for (int i = 0; i < 2; ++i) {
    ARENALITE_ASSIGN_OR_RETURN(
        units[i],
        CheckCell(context, data->cells[i].inputs, data->sequence.batch));
  }
  if (context.input(1).type != context.input(5).type) {
    return InvalidModelError("input 1 (weights) is ",
                             TensorTypeName(context.input(1).type),
                             ", but input 5 (backward weights) is ",
                             TensorTypeName(context.input(5).type));
  }
  if (merge && int64_t{units[0]} + units[1] > INT32_MAX) {
    return InvalidModelError("merged outputs of ", units[0], " and ", units[1],
                             " elements overflow a dimension");
  }
  const int64_t most_units = std::max(units[0], units[1]);
  ARENALITE_RETURN_IF_ERROR(
      FinishPrepare(context, *data, most_units, std::max(longest, most_units)));
  Shape output = input;
  output.set_dim(2, merge ? units[0] + units[1] : units[0]);
  if (merge) {
    data->cells[1].output_offset = units[0];
    return context.SetOutputShape(0, output);
  }
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, output));
  output.set_dim(2, units[1]);
  return context.SetOutputShape(1, output);
}

// Weights, bias and states are read in every step.
int64_t RnnOverlap(const OpContext& context, int, int input) {
  return input == 0 ? ForwardOverlap(context.input(0), context.output(0))
                    : kNoOverlap;
}

// No overlap for any pair of BIDIRECTIONAL_SEQUENCE_RNN: the backward cell
// reads the inputs again, from their end.

}  // namespace

namespace ops {

const OpDefinition kRnn = {
    "RNN",
    schema::BuiltinOperator_RNN,
    3,
    kOpHasState,
    sizeof(RnnOptions),
    ParseRnn,
    PrepareRnn,
    nullptr,
    RnnOverlap,
};
const OpDefinition kUnidirectionalSequenceRnn = {
    "UNIDIRECTIONAL_SEQUENCE_RNN",
    schema::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN,
    3,
    kOpHasState,
    sizeof(RnnOptions),
    ParseSequenceRnn,
    PrepareSequenceRnn,
    nullptr,
    RnnOverlap,
};
const OpDefinition kBidirectionalSequenceRnn = {
    "BIDIRECTIONAL_SEQUENCE_RNN",
    schema::BuiltinOperator_BIDIRECTIONAL_SEQUENCE_RNN,
    3,
    kOpHasState,
    sizeof(RnnOptions),
    ParseBidirectionalRnn,
    PrepareBidirectionalRnn,
    nullptr,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
