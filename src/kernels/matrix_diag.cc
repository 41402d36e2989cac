// MATRIX_DIAG: vectors as the diagonals of matrices of zeros. MATRIX_SET_DIAG:
// matrices with other diagonals.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct MatrixData {
  int64_t batches;
  int64_t rows;
  int64_t row_bytes;
  int64_t element_bytes;
  int64_t diagonal;  // Elements of one diagonal.
};

Status CreateMatrixData(OpContext& context, const Shape& output) {
  ARENALITE_ASSIGN_OR_RETURN(MatrixData * data,
                             context.CreateData<MatrixData>());
  const int rank = output.rank();
  data->batches = output.NumElements(0, rank - 2);
  data->rows = output.dim(rank - 2);
  data->element_bytes = TensorTypeBits(context.output(0).type) / 8;
  data->row_bytes = output.dim(rank - 1) * data->element_bytes;
  data->diagonal = std::min(output.dim(rank - 2), output.dim(rank - 1));
  return context.SetOutputShape(0, output);
}

Status CheckWholeBytes(TensorType type) {
  if (TensorTypeBits(type) >= 8) return OkStatus();
  return UnimplementedError("no kernel for elements of type ",
                            TensorTypeName(type));
}

Status PrepareMatrixDiag(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckWholeBytes(context.input(0).type));
  const Shape& input = context.input(0).shape;
  if (input.rank() < 1 || input.rank() >= kMaxRank) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             ", allowed rank 1..", kMaxRank - 1);
  }
  Shape output = input;
  output.set_rank(input.rank() + 1);
  output.set_dim(input.rank(), input.dim_from_end(0));
  return CreateMatrixData(context, output);
}

Status EvalMatrixDiag(OpContext& context) {
  const MatrixData data = context.data<MatrixData>();
  const auto bytes = static_cast<size_t>(data.element_bytes);
  const uint8_t* next = context.input(0).data_as<uint8_t>();
  uint8_t* row = context.output(0).data_as<uint8_t>();
  const int64_t rows = data.batches * data.rows;
  for (int64_t i = 0; i < rows; ++i) {
    uint8_t value[16];
    std::memcpy(value, next, bytes);
    next += bytes;
    std::memset(row, 0, static_cast<size_t>(data.row_bytes));
    std::memcpy(row + i % data.rows * data.element_bytes, value, bytes);
    row += data.row_bytes;
  }
  return OkStatus();
}

int64_t MatrixDiagOverlap(const OpContext& context, int, int input) {
  const MatrixData data = context.data<MatrixData>();
  // Before the last element is read, all rows but one are written.
  const int64_t before = data.batches * data.rows - 1;
  if (before <= 0) return context.input(input).bytes;
  return before * (data.element_bytes - data.row_bytes);
}

Status PrepareMatrixSetDiag(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 1));
  ARENALITE_RETURN_IF_ERROR(CheckWholeBytes(context.input(0).type));
  const Shape& input = context.input(0).shape;
  if (input.rank() < 2) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             ", allowed rank 2..", kMaxRank);
  }
  Shape diagonal = input;
  diagonal.set_rank(input.rank() - 1);
  diagonal.set_dim(input.rank() - 2,
                   std::min(input.dim_from_end(0), input.dim_from_end(1)));
  if (context.input(1).shape != diagonal) {
    return InvalidModelError("input 1 (diagonal) has shape ",
                             context.input(1).shape.dims(), ", allowed for ",
                             input.dims(), " is ", diagonal.dims());
  }
  return CreateMatrixData(context, input);
}

Status EvalMatrixSetDiag(OpContext& context) {
  const MatrixData data = context.data<MatrixData>();
  if (context.output(0).bytes == 0) return OkStatus();
  const auto bytes = static_cast<size_t>(data.element_bytes);
  const uint8_t* from = context.input(0).data_as<uint8_t>();
  const uint8_t* next = context.input(1).data_as<uint8_t>();
  uint8_t* row = context.output(0).data_as<uint8_t>();
  for (int64_t i = 0; i < data.batches * data.rows; ++i) {
    const int64_t column = i % data.rows;
    uint8_t value[16];
    if (column < data.diagonal) {
      std::memcpy(value, next, bytes);
      next += bytes;
    }
    MoveBytes(row, from, data.row_bytes);
    if (column < data.diagonal) {
      std::memcpy(row + column * data.element_bytes, value, bytes);
    }
    from += data.row_bytes;
    row += data.row_bytes;
  }
  return OkStatus();
}

int64_t MatrixSetDiagOverlap(const OpContext& context, int, int input) {
  const MatrixData data = context.data<MatrixData>();
  if (input == 0) return 0;
  // Rows are written faster than the diagonal is read: the tightest moment is
  // before its last element.
  const int64_t read = data.batches * data.diagonal - 1;
  if (read <= 0) return context.input(input).bytes;
  const int64_t rows = (data.batches - 1) * data.rows + data.diagonal - 1;
  return read * data.element_bytes - rows * data.row_bytes;
}

}  // namespace

namespace ops {

const OpDefinition kMatrixDiag = {
    "MATRIX_DIAG",
    schema::BuiltinOperator_MATRIX_DIAG,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareMatrixDiag,
    EvalMatrixDiag,
    MatrixDiagOverlap,
};
const OpDefinition kMatrixSetDiag = {
    "MATRIX_SET_DIAG",
    schema::BuiltinOperator_MATRIX_SET_DIAG,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareMatrixSetDiag,
    EvalMatrixSetDiag,
    MatrixSetDiagOverlap,
};

}  // namespace ops
}  // namespace arenalite
