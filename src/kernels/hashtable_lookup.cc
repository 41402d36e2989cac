// HASHTABLE_LOOKUP: for each id the row of values whose key it is, or zeros.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/string_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// The position of `id` among the sorted keys; -1 where it is not.
int64_t FindKey(const Tensor& keys, int32_t id) {
  const int32_t* begin = keys.data_as<int32_t>();
  const int32_t* end = begin + keys.shape.dim(0);
  const int32_t* found = std::lower_bound(begin, end, id);
  return found != end && *found == id ? found - begin : -1;
}

Status EvalLookup(OpContext& context) {
  const Tensor& ids = context.input(0);
  const Tensor& values = context.input(2);
  const int64_t rows = values.shape.dim(0);
  const int64_t row_bytes = rows == 0 ? 0 : values.bytes / rows;
  uint8_t* to = context.output(0).data_as<uint8_t>();
  uint8_t* hits = context.output(1).data_as<uint8_t>();
  for (int64_t i = 0; i < ids.shape.dim(0); ++i) {
    const int64_t at = FindKey(context.input(1), ids.data_as<int32_t>()[i]);
    hits[i] = at >= 0 ? 1 : 0;
    if (row_bytes == 0) continue;
    if (at >= 0) {
      MoveBytes(to, values.data_as<uint8_t>() + at * row_bytes, row_bytes);
    } else {
      std::memset(to, 0, static_cast<size_t>(row_bytes));
    }
    to += row_bytes;
  }
  return OkStatus();
}

Status EvalStringLookup(OpContext& context) {
  const Tensor& ids = context.input(0);
  const Tensor& keys = context.input(1);
  ARENALITE_ASSIGN_OR_RETURN(StringReader values,
                             StringReader::Create(context.input(2)));
  const int64_t count = ids.shape.dim(0);
  uint8_t* hits = context.output(1).data_as<uint8_t>();
  int64_t text_bytes = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = FindKey(keys, ids.data_as<int32_t>()[i]);
    hits[i] = at >= 0 ? 1 : 0;
    if (at >= 0) text_bytes += static_cast<int64_t>(values[at].size());
  }
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes,
                             PackedStringBytes(count, text_bytes));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, ids.shape, bytes));
  StringWriter writer(context.output(0).data, count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = FindKey(keys, ids.data_as<int32_t>()[i]);
    writer.Append(at >= 0 ? values[at] : std::string_view());
  }
  return OkStatus();
}

Status CheckLookup(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 2, 2));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 0, "ids", {TensorType::kInt32}));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 1, "keys", {TensorType::kInt32}));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 2));
  if (context.output(1).type != TensorType::kUInt8) {
    return InvalidModelError("output 1 (hits) is ",
                             TensorTypeName(context.output(1).type),
                             ", allowed UINT8");
  }
  const Shape& ids = context.input(0).shape;
  const Shape& keys = context.input(1).shape;
  const Shape& values = context.input(2).shape;
  if (ids.rank() != 1 || keys.rank() != 1 || values.rank() < 1 ||
      keys.dim(0) != values.dim(0) || keys.dim(0) == 0) {
    return InvalidModelError("ids, keys and values have shapes ", ids.dims(),
                             ", ", keys.dims(), " and ", values.dims(),
                             ", allowed [n], [m] and [m,...] with m > 0");
  }
  return OkStatus();
}

Status PrepareHashtableLookup(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckLookup(context));
  const Shape& ids = context.input(0).shape;
  const Tensor& values = context.input(2);
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(1, ids));
  if (values.type == TensorType::kString) {
    if (values.shape.rank() != 1) {
      return InvalidModelError("input 2 (values) has shape ",
                               values.shape.dims(),
                               ", allowed for STRING is rank 1");
    }
    context.SetEval(EvalStringLookup);
    return context.SetOutputDynamic(0);
  }
  if (TensorTypeBits(values.type) < 8) {
    return UnimplementedError("no kernel for input 2 (values) of type ",
                              TensorTypeName(values.type));
  }
  Shape output = values.shape;
  output.set_dim(0, ids.dim(0));
  return context.SetOutputShape(0, output);
}

}  // namespace

namespace ops {

const OpDefinition kHashtableLookup = {
    "HASHTABLE_LOOKUP",
    schema::BuiltinOperator_HASHTABLE_LOOKUP,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareHashtableLookup,
    EvalLookup,
    nullptr,  // Keys and values are read in no order, ids are tiny.
};

}  // namespace ops
}  // namespace arenalite
