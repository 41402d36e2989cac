// EMBEDDING_LOOKUP_SPARSE: for each row of a sparse matrix of ids, the rows of
// a table that they name, weighted and combined.

#include <cmath>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

// Inputs.
constexpr int kIds = 0;      // [n]
constexpr int kIndices = 1;  // [n, r]: where in the dense shape each id is.
constexpr int kDenseShape = 2;
constexpr int kWeights = 3;  // [n]
constexpr int kTable = 4;

struct SparseOptions {
  int32_t combiner;
};

Status ParseSparseLookup(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable<schema::EmbeddingLookupSparseOptions>(source);
  if (table == nullptr) return OkStatus();
  static_cast<SparseOptions*>(options)->combiner = table->combiner();
  return OkStatus();
}

// The dense shape without its last dimension, then a row of the table.
Result<Shape> SparseLookupShape(const OpContext& context) {
  const Tensor& dense = context.input(kDenseShape);
  const Shape& table = context.input(kTable).shape;
  const int outer = dense.shape.dim(0) - 1;
  int32_t dims[kMaxRank];
  for (int d = 0; d < outer; ++d) dims[d] = dense.data_as<int32_t>()[d];
  for (int d = 1; d < table.rank(); ++d) dims[outer + d - 1] = table.dim(d);
  return Shape::Create(
      Span<const int32_t>(dims, static_cast<size_t>(outer + table.rank() - 1)));
}

// Ids that follow one another and belong to one output row.
struct Group {
  int64_t row = 0;
  int64_t count = 0;
  float weight = 0;
  float squares = 0;
};

void FinishGroup(const Group& group, int32_t combiner, int64_t columns,
                 float* output) {
  if (combiner == schema::CombinerType_SUM || group.count == 0) return;
  const float divisor = combiner == schema::CombinerType_MEAN
                            ? group.weight
                            : std::sqrt(group.squares);
  float* to = output + group.row * columns;
  for (int64_t k = 0; k < columns; ++k) to[k] /= divisor;
}

// The output row of the i-th id.
Result<int64_t> OutputRow(const OpContext& context, int64_t i) {
  const Tensor& dense = context.input(kDenseShape);
  const int rank = dense.shape.dim(0);
  const int32_t* index = context.input(kIndices).data_as<int32_t>() + i * rank;
  int64_t row = 0;
  for (int d = 0; d < rank - 1; ++d) {
    const int32_t dim = dense.data_as<int32_t>()[d];
    if (index[d] < 0 || index[d] >= dim) {
      return OutOfRangeError("index ", index[d], " of id ", i,
                             " is outside of dimension ", d, ", allowed 0..",
                             dim - 1);
    }
    row = row * dim + index[d];
  }
  return row;
}

Status EvalSparseLookup(OpContext& context) {
  const int32_t combiner = context.options<SparseOptions>().combiner;
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, SparseLookupShape(context));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  Tensor& output = context.output(0);
  if (output.bytes == 0) return OkStatus();
  std::memset(output.data, 0, static_cast<size_t>(output.bytes));
  const Tensor& table = context.input(kTable);
  const int64_t columns = table.shape.NumElements(1, table.shape.rank());
  const int32_t rows = table.shape.dim(0);
  Group group;
  for (int64_t i = 0; i < context.input(kIds).shape.dim(0); ++i) {
    const int32_t id = context.input(kIds).data_as<int32_t>()[i];
    if (id < 0 || id >= rows) {
      return OutOfRangeError("id ", i, " is ", id, ", allowed 0..", rows - 1);
    }
    ARENALITE_ASSIGN_OR_RETURN(int64_t row, OutputRow(context, i));
    if (row != group.row) {
      FinishGroup(group, combiner, columns, output.data_as<float>());
      group = Group();
      group.row = row;
    }
    const float weight = context.input(kWeights).data_as<float>()[i];
    ++group.count;
    group.weight += weight;
    group.squares += weight * weight;
    const float* from = table.data_as<float>() + id * columns;
    float* to = output.data_as<float>() + row * columns;
    for (int64_t k = 0; k < columns; ++k) to[k] += from[k] * weight;
  }
  FinishGroup(group, combiner, columns, output.data_as<float>());
  return OkStatus();
}

Status CheckInput(const OpContext& context, int i, TensorType type, int rank) {
  const Tensor& input = context.input(i);
  if (input.type == type && input.shape.rank() == rank) return OkStatus();
  return InvalidModelError("input ", i, " is ", TensorTypeName(input.type),
                           " of shape ", input.shape.dims(), ", allowed ",
                           TensorTypeName(type), " of rank ", rank);
}

Status CheckSparseShapes(const OpContext& context) {
  const Shape& indices = context.input(kIndices).shape;
  const Shape& table = context.input(kTable).shape;
  const int32_t ids = context.input(kIds).shape.dim(0);
  const int32_t rank = context.input(kDenseShape).shape.dim(0);
  if (indices.dim(0) != ids || context.input(kWeights).shape.dim(0) != ids ||
      indices.dim(1) != rank || rank < 1) {
    return InvalidModelError(
        "inputs have ", ids, " ids, indices of shape ", indices.dims(), ", ",
        context.input(kWeights).shape.dim(0), " weights and a shape of ", rank,
        " dimensions, which do not agree");
  }
  if (table.rank() < 2 || rank > kMaxRank + 2 - table.rank()) {
    return InvalidModelError("input 4 (table) has shape ", table.dims(),
                             ", allowed rank 2..", kMaxRank + 2 - rank);
  }
  return OkStatus();
}

Status PrepareSparseLookup(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(5, 5, 1, 1));
  constexpr auto kInt32 = TensorType::kInt32;
  constexpr auto kFloat32 = TensorType::kFloat32;
  ARENALITE_RETURN_IF_ERROR(CheckInput(context, kIds, kInt32, 1));
  ARENALITE_RETURN_IF_ERROR(CheckInput(context, kIndices, kInt32, 2));
  ARENALITE_RETURN_IF_ERROR(CheckInput(context, kDenseShape, kInt32, 1));
  ARENALITE_RETURN_IF_ERROR(CheckInput(context, kWeights, kFloat32, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSparseShapes(context));
  if (context.input(kTable).type != kFloat32 ||
      context.output(0).type != kFloat32) {
    return UnimplementedError(
        "table and output are ", TensorTypeName(context.input(kTable).type),
        " and ", TensorTypeName(context.output(0).type), ", allowed FLOAT32");
  }
  const int32_t combiner = context.options<SparseOptions>().combiner;
  if (combiner < schema::CombinerType_SUM ||
      combiner > schema::CombinerType_SQRTN) {
    return InvalidModelError("combiner is ", combiner, ", allowed 0..2");
  }
  return context.SetOutputDynamic(0);
}

}  // namespace

namespace ops {

const OpDefinition kEmbeddingLookupSparse = {
    "EMBEDDING_LOOKUP_SPARSE",
    schema::BuiltinOperator_EMBEDDING_LOOKUP_SPARSE,
    1,
    kOpDefault,
    sizeof(SparseOptions),
    ParseSparseLookup,
    PrepareSparseLookup,
    EvalSparseLookup,
    nullptr,  // The output is dynamic, and so outside of the arena.
};

}  // namespace ops
}  // namespace arenalite
