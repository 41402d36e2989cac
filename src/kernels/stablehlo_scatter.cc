// STABLEHLO_SCATTER: a copy of the operand with updates joined in at places
// that indices name. Updates outside of the operand are dropped.

#include "arenalite/builtin_ops.h"
#include "kernels/index_vectors.h"
#include "kernels/join.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kIndices = 1;
constexpr int kUpdates = 2;

struct ScatterOptions {
  LongList<> window_dims;    // Of the updates: dimensions of a window.
  LongList<> inserted_dims;  // Of the operand: where a window has size 1.
  LongList<> index_map;
  int64_t index_vector_dim;
  JoinFunction function;
};

Result<JoinFunction> BodyFunction(const OpSource& source, int32_t subgraph) {
  ARENALITE_ASSIGN_OR_RETURN(int32_t body, source.OnlyOperatorOf(subgraph));
  // A body without operators hands on the update.
  if (body == OpSource::kNoOperator) return JoinFunction::kReplace;
  return JoinOfOperator(body);
}

Status ParseScatter(const OpSource& source, void* options) {
  auto* parsed = static_cast<ScatterOptions*>(options);
  const auto* table = OptionsTable2<schema::StablehloScatterOptions>(source);
  if (table == nullptr) return InvalidModelError("has no options");
  parsed->index_vector_dim = table->index_vector_dim();
  ARENALITE_RETURN_IF_ERROR(parsed->window_dims.Parse(
      "update_window_dims", table->update_window_dims()));
  ARENALITE_RETURN_IF_ERROR(parsed->inserted_dims.Parse(
      "inserted_window_dims", table->inserted_window_dims()));
  ARENALITE_RETURN_IF_ERROR(parsed->index_map.Parse(
      "scatter_dims_to_operand_dims", table->scatter_dims_to_operand_dims()));
  ARENALITE_ASSIGN_OR_RETURN(
      parsed->function,
      BodyFunction(source, table->update_computation_subgraph_index()));
  return OkStatus();
}

struct ScatterData {
  IndexVectors vectors;
  // For each dimension of the updates: which batch dimension of the indices,
  // or else which dimension of the operand it runs along.
  int batch_dim[kMaxRank];  // -1: none.
  int operand_dim[kMaxRank];
  JoinElements join;
};

// Joins the update at `index` to the output.
void JoinUpdate(OpContext& context, const int64_t* index, int64_t update) {
  const auto& data = context.data<ScatterData>();
  Tensor& output = context.output(0);
  const Shape& updates = context.input(kUpdates).shape;
  int64_t batch_index[kMaxRank] = {};
  for (int i = 0; i < updates.rank(); ++i) {
    if (data.batch_dim[i] >= 0) batch_index[data.batch_dim[i]] = index[i];
  }
  int64_t place[kMaxRank];
  data.vectors.Read(context.input(kIndices), batch_index, place);
  for (int i = 0; i < updates.rank(); ++i) {
    if (data.batch_dim[i] >= 0) continue;
    int64_t& along = place[data.operand_dim[i]];
    // Far outside already: adding could only overflow.
    if (along <= INT32_MAX) along += index[i];
  }
  int64_t offset = 0;
  for (int i = 0; i < output.shape.rank(); ++i) {
    if (place[i] < 0 || place[i] >= output.shape.dim(i)) return;
    offset = offset * output.shape.dim(i) + place[i];
  }
  const int64_t bytes = TensorTypeBits(output.type) / 8;
  data.join(output.data_as<uint8_t>() + offset * bytes,
            context.input(kUpdates).data_as<uint8_t>() + update * bytes, 0, 1);
}

Status EvalScatter(OpContext& context) {
  const Tensor& operand = context.input(0);
  Tensor& output = context.output(0);
  if (output.bytes == 0) return OkStatus();
  MoveBytes(output.data_as<uint8_t>(), operand.data_as<uint8_t>(),
            output.bytes);
  const Shape& updates = context.input(kUpdates).shape;
  const int64_t count = updates.NumElements();
  int64_t index[kMaxRank] = {};
  for (int64_t update = 0; update < count; ++update) {
    JoinUpdate(context, index, update);
    int i = updates.rank() - 1;
    while (i >= 0 && ++index[i] == updates.dim(i)) index[i--] = 0;
  }
  return OkStatus();
}

// Says which dimension of the updates runs along what.
Status MapDimensions(const OpContext& context, ScatterData& data) {
  const auto& options = context.options<ScatterOptions>();
  const Shape& updates = context.input(kUpdates).shape;
  const int rank = context.input(0).shape.rank();
  ARENALITE_RETURN_IF_ERROR(
      options.window_dims.CheckDistinct("update_window_dims", updates.rank()));
  ARENALITE_RETURN_IF_ERROR(
      options.inserted_dims.CheckDistinct("inserted_window_dims", rank));
  ARENALITE_RETURN_IF_ERROR(options.window_dims.CheckSize(
      "update_window_dims", rank - options.inserted_dims.size));
  if (updates.rank() - options.window_dims.size !=
      data.vectors.num_batch_dims) {
    return InvalidModelError(
        "the updates have ", updates.rank() - options.window_dims.size,
        " scatter dimensions, the indices ", data.vectors.num_batch_dims);
  }
  int batch = 0;
  int window = 0;
  for (int i = 0; i < updates.rank(); ++i) {
    data.batch_dim[i] = -1;
    if (options.window_dims.Contains(i)) {
      while (options.inserted_dims.Contains(window)) ++window;
      data.operand_dim[i] = window++;
      continue;
    }
    if (updates.dim(i) != data.vectors.batch_dims[batch]) {
      return InvalidModelError("dimension ", i, " of the updates is ",
                               updates.dim(i), ", that of the indices ",
                               data.vectors.batch_dims[batch]);
    }
    data.batch_dim[i] = batch++;
  }
  return OkStatus();
}

// Replacing asks only for the width of an element.
TensorType JoinedType(JoinFunction function, TensorType type) {
  if (function != JoinFunction::kReplace) return type;
  switch (TensorTypeBits(type)) {
    case 8:
      return TensorType::kInt8;
    case 16:
      return TensorType::kInt16;
    case 32:
      return TensorType::kInt32;
    case 64:
      return TensorType::kInt64;
    default:
      return type;
  }
}

Status PrepareScatter(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, kUpdates));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, kIndices, "indices", {TensorType::kInt32, TensorType::kInt64}));
  const auto& options = context.options<ScatterOptions>();
  const Tensor& operand = context.input(0);
  ARENALITE_ASSIGN_OR_RETURN(ScatterData * data,
                             context.CreateData<ScatterData>());
  data->join =
      FindJoin(options.function, JoinedType(options.function, operand.type));
  if (data->join == nullptr) {
    return UnimplementedError("input 0 is ", TensorTypeName(operand.type),
                              ", allowed are FLOAT32, FLOAT64, BOOL, UINT8 and "
                              "signed integers");
  }
  ARENALITE_ASSIGN_OR_RETURN(
      data->vectors,
      IndexVectors::Create(context.input(kIndices).shape,
                           options.index_vector_dim, options.index_map,
                           operand.shape.rank()));
  ARENALITE_RETURN_IF_ERROR(MapDimensions(context, *data));
  return context.SetOutputShape(0, operand.shape);
}

int64_t ScatterOverlap(const OpContext& context, int, int input) {
  // The operand is copied whole before all else: it may lie anywhere. Indices
  // and updates are read after that.
  return input == 0 ? context.input(0).bytes : kNoOverlap;
}

}  // namespace

namespace ops {

const OpDefinition kStablehloScatter = {
    "STABLEHLO_SCATTER",
    schema::BuiltinOperator_STABLEHLO_SCATTER,
    1,
    kOpDefault,
    sizeof(ScatterOptions),
    ParseScatter,
    PrepareScatter,
    EvalScatter,
    ScatterOverlap,
};

}  // namespace ops
}  // namespace arenalite
