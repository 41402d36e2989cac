// TOPK_V2: the k largest elements of each row, largest first; of equal ones
// the earliest. The row of indices that is written serves as the heap.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kK = 1;
constexpr int kValues = 0;
constexpr int kIndices = 1;

struct TopKShape {
  int64_t rows;
  int64_t row;  // Elements of a row.
  int64_t k;
  Shape output;
};

Result<TopKShape> ResolveTopK(const OpContext& context) {
  const Shape& input = context.input(0).shape;
  TopKShape top = {};
  const int last = input.rank() - 1;
  top.row = input.dim(last);
  // The reference takes a negative k as 0.
  top.k = std::max<int64_t>(0, ReadInteger(context.input(kK), 0));
  if (top.k > top.row) {
    return InvalidModelError("input 1 (k) is ", top.k, ", allowed up to ",
                             top.row, ", the last dimension");
  }
  top.rows = input.NumElements(0, last);
  top.output = input;
  top.output.set_dim(last, static_cast<int32_t>(top.k));
  return top;
}

// Leaves the indices of the k largest of `row` in `indices`, in order. Only
// heap functions: they stay in bounds even where NaNs have no order.
template <class T, class Index>
void SelectLargest(const T* row, const TopKShape& top, Index* indices) {
  const auto is_larger = [row](Index a, Index b) {
    if (row[b] < row[a]) return true;
    if (row[a] < row[b]) return false;
    return a < b;
  };
  for (int64_t i = 0; i < top.k; ++i) indices[i] = static_cast<Index>(i);
  Index* end = indices + top.k;
  std::make_heap(indices, end, is_larger);  // The smallest lies in front.
  for (int64_t i = top.k; i < top.row; ++i) {
    const Index index = static_cast<Index>(i);
    if (!is_larger(index, indices[0])) continue;
    std::pop_heap(indices, end, is_larger);
    end[-1] = index;
    std::push_heap(indices, end, is_larger);
  }
  std::sort_heap(indices, end, is_larger);
}

template <class T, class Index>
void RunTopK(OpContext& context, const TopKShape& top) {
  if (top.k == 0) return;
  const T* row = context.input(0).data_as<T>();
  T* values = context.output(kValues).data_as<T>();
  Index* indices = context.output(kIndices).data_as<Index>();
  for (int64_t r = 0; r < top.rows; ++r) {
    SelectLargest(row, top, indices);
    for (int64_t i = 0; i < top.k; ++i) values[i] = row[indices[i]];
    row += top.row;
    values += top.k;
    indices += top.k;
  }
}

template <class T, class Index>
Status EvalTopK(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(TopKShape top, ResolveTopK(context));
  for (int o : {kValues, kIndices}) {
    if (context.output(o).is_dynamic()) {
      ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(o, top.output));
    }
  }
  RunTopK<T, Index>(context, top);
  return OkStatus();
}

template <class T>
EvalFunction ChooseIndexType(TensorType index_type) {
  return index_type == TensorType::kInt16 ? EvalTopK<T, int16_t>
                                          : EvalTopK<T, int32_t>;
}

EvalFunction ChooseEval(TensorType type, TensorType index_type) {
  switch (type) {
    case TensorType::kFloat32:
      return ChooseIndexType<float>(index_type);
    case TensorType::kUInt8:
      return ChooseIndexType<uint8_t>(index_type);
    case TensorType::kInt8:
      return ChooseIndexType<int8_t>(index_type);
    case TensorType::kInt16:
      return ChooseIndexType<int16_t>(index_type);
    case TensorType::kInt32:
      return ChooseIndexType<int32_t>(index_type);
    case TensorType::kInt64:
      return ChooseIndexType<int64_t>(index_type);
    default:
      return nullptr;
  }
}

Status CheckTopK(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 2, 2));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, kValues, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, kK, "k", {TensorType::kInt32, TensorType::kInt16}));
  if (context.input(kK).shape.NumElements() != 1 ||
      context.input(0).shape.rank() == 0) {
    return InvalidModelError("inputs have shapes ",
                             context.input(0).shape.dims(), " and ",
                             context.input(kK).shape.dims(),
                             ", allowed are rank >= 1 and one element");
  }
  const TensorType index_type = context.output(kIndices).type;
  const bool is_short = index_type == TensorType::kInt16;
  if (!is_short && index_type != TensorType::kInt32) {
    return UnimplementedError("output 1 (indices) is ",
                              TensorTypeName(index_type),
                              ", allowed INT32 or INT16");
  }
  if (is_short && context.input(0).shape.dim_from_end(0) > INT16_MAX + 1) {
    return InvalidModelError("rows of ", context.input(0).shape.dim_from_end(0),
                             " elements need indices beyond INT16");
  }
  return OkStatus();
}

Status PrepareTopK(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckTopK(context));
  const TensorType type = context.input(0).type;
  const EvalFunction eval = ChooseEval(type, context.output(kIndices).type);
  if (eval == nullptr) {
    return UnimplementedError("input 0 is ", TensorTypeName(type),
                              ", allowed FLOAT32 and integers up to INT64");
  }
  context.SetEval(eval);
  if (!context.HasValue(context.input(kK))) {
    // Each row has at most all its elements.
    const Tensor& input = context.input(0);
    ARENALITE_ASSIGN_OR_RETURN(
        const int64_t index_bytes,
        TensorBytes(context.output(kIndices).type, input.shape));
    ARENALITE_RETURN_IF_ERROR(context.SetOutputBounded(kValues, input.bytes));
    return context.SetOutputBounded(kIndices, index_bytes);
  }
  ARENALITE_ASSIGN_OR_RETURN(TopKShape top, ResolveTopK(context));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(kValues, top.output));
  return context.SetOutputShape(kIndices, top.output);
}

int64_t TopKOverlap(const OpContext& context, int output, int input) {
  // k is tiny.
  if (input != 0) return kNoOverlap;
  const Tensor& in = context.input(0);
  const Tensor& out = context.output(output);
  if (in.bytes == 0 || out.bytes == 0) return in.bytes;
  const int64_t rows = in.shape.NumElements(0, in.shape.rank() - 1);
  const int64_t in_row = in.bytes / rows;
  const int64_t out_row = out.bytes / rows;
  // While row r is read, up to (r + 1) rows are written. r * in_row -
  // (r + 1) * out_row is lowest for the first or the last row.
  return std::min<int64_t>(0, (rows - 1) * (in_row - out_row)) - out_row;
}

}  // namespace

namespace ops {

const OpDefinition kTopKV2 = {
    "TOPK_V2",   schema::BuiltinOperator_TOPK_V2,
    3,           kOpDefault,
    0,           nullptr,
    PrepareTopK, nullptr,
    TopKOverlap,
};

}  // namespace ops
}  // namespace arenalite
