// EMBEDDING_LOOKUP: the rows of a table that ids name, copied or, where the
// table is quantized and the output is float, with their real values.

#include <algorithm>
#include <cmath>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct EmbeddingData {
  int32_t rows;
  int64_t columns;
  int64_t row_bytes;  // Of the table; where rows are copied.
};

Status BadId(int32_t id, int64_t i, int32_t rows) {
  return OutOfRangeError("id ", i, " is ", id, ", allowed 0..", rows - 1);
}

Status EvalCopyRows(OpContext& context) {
  const EmbeddingData data = context.data<EmbeddingData>();
  const Tensor& ids = context.input(0);
  const uint8_t* table = context.input(1).data_as<uint8_t>();
  uint8_t* to = context.output(0).data_as<uint8_t>();
  for (int64_t i = 0; i < ids.shape.dim(0); ++i) {
    const int32_t id = ids.data_as<int32_t>()[i];
    if (id < 0 || id >= data.rows) return BadId(id, i, data.rows);
    MoveBytes(to, table + id * data.row_bytes, data.row_bytes);
    to += data.row_bytes;
  }
  return OkStatus();
}

// Element i of a table of signed values of kBits bits. UINT8 tables too are
// taken for signed ones, as in the reference.
template <int kBits>
int SignedElement(const uint8_t* table, int64_t i) {
  constexpr int kPerByte = 8 / kBits;
  const int low_bit = static_cast<int>(i % kPerByte) * kBits;
  // Moves the value to the top of a byte, then its sign back down.
  const int top = table[i / kPerByte] << (8 - kBits - low_bit);
  return static_cast<int8_t>(top & 0xFF) >> (8 - kBits);
}

template <int kBits, class Out>
Status EvalRealRows(OpContext& context) {
  const EmbeddingData data = context.data<EmbeddingData>();
  const Tensor& ids = context.input(0);
  const Span<const float> scales = context.input(1).quantization.scales;
  const uint8_t* table = context.input(1).data_as<uint8_t>();
  Out* to = context.output(0).data_as<Out>();
  for (int64_t i = 0; i < ids.shape.dim(0); ++i) {
    const int32_t id = ids.data_as<int32_t>()[i];
    if (id < 0 || id >= data.rows) return BadId(id, i, data.rows);
    const float scale =
        scales[scales.size() == 1 ? 0 : static_cast<size_t>(id)];
    const int64_t first = id * data.columns;
    for (int64_t k = 0; k < data.columns; ++k) {
      to[k] = Out(static_cast<float>(SignedElement<kBits>(table, first + k)) *
                  scale);
    }
    to += data.columns;
  }
  return OkStatus();
}

template <class Out>
Status SetRealRowsEval(OpContext& context) {
  switch (TensorTypeBits(context.input(1).type)) {
    case 8:
      context.SetEval(EvalRealRows<8, Out>);
      return OkStatus();
    case 4:
      context.SetEval(EvalRealRows<4, Out>);
      return OkStatus();
    default:
      context.SetEval(EvalRealRows<2, Out>);
      return OkStatus();
  }
}

bool IsQuantizedTable(TensorType type) {
  return type == TensorType::kInt8 || type == TensorType::kUInt8 ||
         type == TensorType::kInt4 || type == TensorType::kInt2;
}

Status CheckTableQuantization(const Tensor& table) {
  const Quantization& quantization = table.quantization;
  const size_t count = quantization.scales.size();
  const bool per_row = count == static_cast<size_t>(table.shape.dim(0)) &&
                       quantization.quantized_dimension == 0;
  if (count != 1 && !per_row) {
    return UnimplementedError(
        "input 1 (table) has ", count, " scales along dimension ",
        quantization.quantized_dimension, ", allowed 1, or one for each row");
  }
  for (int64_t zero_point : quantization.zero_points) {
    if (zero_point == 0) continue;
    return UnimplementedError("input 1 (table) has zero point ", zero_point,
                              ", allowed 0");
  }
  return OkStatus();
}

Status CheckEmbedding(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 0, "ids", {TensorType::kInt32}));
  const Shape& ids = context.input(0).shape;
  const Shape& table = context.input(1).shape;
  if (ids.rank() == 1 && table.rank() >= 2) return OkStatus();
  return InvalidModelError("ids have shape ", ids.dims(), ", the table ",
                           table.dims(),
                           ", allowed rank 1, and rank 2 and more");
}

Status SetEmbeddingEval(OpContext& context, EmbeddingData& data) {
  const TensorType table = context.input(1).type;
  const TensorType output = context.output(0).type;
  const int bits = TensorTypeBits(table);
  if (table == output ||
      (IsQuantizedTable(table) && bits == 8 && TensorTypeBits(output) == 8)) {
    if (bits < 8) {
      return UnimplementedError("no kernel for a table and an output of type ",
                                TensorTypeName(table));
    }
    // Rows of a table that has none may be longer than 64 bits count.
    data.row_bytes =
        context.input(1).bytes == 0 ? 0 : data.columns * (bits / 8);
    context.SetEval(EvalCopyRows);
    return OkStatus();
  }
  if (IsQuantizedTable(table) && output == TensorType::kFloat32) {
    ARENALITE_RETURN_IF_ERROR(CheckTableQuantization(context.input(1)));
    return SetRealRowsEval<float>(context);
  }
  if (IsQuantizedTable(table) && output == TensorType::kFloat16) {
    ARENALITE_RETURN_IF_ERROR(CheckTableQuantization(context.input(1)));
    return SetRealRowsEval<Float16>(context);
  }
  return UnimplementedError("no kernel for a table of type ",
                            TensorTypeName(table), " and an output of type ",
                            TensorTypeName(output));
}

Status PrepareEmbeddingLookup(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckEmbedding(context));
  const Shape& table = context.input(1).shape;
  ARENALITE_ASSIGN_OR_RETURN(EmbeddingData * data,
                             context.CreateData<EmbeddingData>());
  data->rows = table.dim(0);
  data->columns = table.NumElements(1, table.rank());
  ARENALITE_RETURN_IF_ERROR(SetEmbeddingEval(context, *data));
  Shape output = table;
  output.set_dim(0, context.input(0).shape.dim(0));
  return context.SetOutputShape(0, output);
}

int64_t EmbeddingOverlap(const OpContext& context, int, int input) {
  // Rows are read in no order.
  if (input != 0) return kNoOverlap;
  const int64_t count = context.input(0).shape.dim(0);
  if (count <= 1) return context.input(0).bytes;
  const int64_t growth = 4 - context.output(0).bytes / count;
  return std::min(growth, growth * (count - 1));
}

}  // namespace

namespace ops {

const OpDefinition kEmbeddingLookup = {
    "EMBEDDING_LOOKUP",
    schema::BuiltinOperator_EMBEDDING_LOOKUP,
    5,
    kOpDefault,
    0,
    nullptr,
    PrepareEmbeddingLookup,
    nullptr,
    EmbeddingOverlap,
};

}  // namespace ops
}  // namespace arenalite
