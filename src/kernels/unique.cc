// UNIQUE: the distinct values of a vector in the order of their first
// appearance, and for each element which of them it is.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct UniqueOptions {
  int32_t index_type;
};

Status ParseUnique(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::UniqueOptions>(source);
  static_cast<UniqueOptions*>(options)->index_type =
      table == nullptr ? schema::TensorType_INT32 : table->idx_out_type();
  return OkStatus();
}

struct UniqueData {
  int order;  // Scratch: positions, sorted by value.
};

// A number with the order of the values, and with one place for each NaN.
template <class T>
T SortKey(T value) {
  return value;
}
int64_t SortKey(float value) {
  const uint32_t bits = FloatBits(value == 0.0f ? 0.0f : value);
  const int64_t magnitude = bits & 0x7FFFFFFFu;
  return bits >> 31 != 0 ? -magnitude - 1 : magnitude;
}

template <class T, class Index>
Status EvalUnique(OpContext& context) {
  const Tensor& input = context.input(0);
  const T* values = input.data_as<T>();
  const int32_t count = input.shape.dim(0);
  int32_t* order = context.scratch<int32_t>(context.data<UniqueData>().order);
  Index* index = context.output(1).data_as<Index>();
  for (int32_t i = 0; i < count; ++i) order[i] = i;
  std::sort(order, order + count, [values](int32_t a, int32_t b) {
    const auto key_a = SortKey(values[a]);
    const auto key_b = SortKey(values[b]);
    return key_a < key_b || (key_a == key_b && a < b);
  });
  // Each element first names where its value first appears.
  for (int32_t i = 0; i < count; ++i) {
    const bool repeats =
        i > 0 && SortKey(values[order[i]]) == SortKey(values[order[i - 1]]);
    index[order[i]] = repeats ? index[order[i - 1]] : order[i];
  }
  // In order, that place already has its number when others name it.
  int32_t unique = 0;
  for (int32_t i = 0; i < count; ++i) {
    index[i] = index[i] == i ? unique++ : index[index[i]];
  }
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, Shape({unique})));
  T* output = context.output(0).data_as<T>();
  for (int32_t i = 0, next = 0; i < count; ++i) {
    if (index[i] == next) output[next++] = values[i];
  }
  return OkStatus();
}

template <class Index>
Status SetUniqueEval(OpContext& context) {
  const TensorType type = context.input(0).type;
  switch (type) {
    case TensorType::kFloat32:
      context.SetEval(EvalUnique<float, Index>);
      return OkStatus();
    case TensorType::kInt8:
      context.SetEval(EvalUnique<int8_t, Index>);
      return OkStatus();
    case TensorType::kUInt8:
      context.SetEval(EvalUnique<uint8_t, Index>);
      return OkStatus();
    case TensorType::kInt16:
      context.SetEval(EvalUnique<int16_t, Index>);
      return OkStatus();
    case TensorType::kInt32:
      context.SetEval(EvalUnique<int32_t, Index>);
      return OkStatus();
    case TensorType::kInt64:
      context.SetEval(EvalUnique<int64_t, Index>);
      return OkStatus();
    default:
      return UnimplementedError("no kernel for input 0 of type ",
                                TensorTypeName(type));
  }
}

Status PrepareUnique(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 2, 2));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  const Tensor& input = context.input(0);
  const TensorType index = context.output(1).type;
  const int32_t asked = context.options<UniqueOptions>().index_type;
  if (static_cast<int32_t>(index) != asked ||
      (index != TensorType::kInt32 && index != TensorType::kInt64)) {
    return InvalidModelError("output 1 is ", TensorTypeName(index),
                             " and idx_out_type ",
                             TensorTypeName(static_cast<TensorType>(asked)),
                             ", allowed INT32 or INT64 for both");
  }
  if (input.shape.rank() != 1) {
    return InvalidModelError("input 0 has shape ", input.shape.dims(),
                             ", allowed is rank 1");
  }
  ARENALITE_ASSIGN_OR_RETURN(UniqueData * data,
                             context.CreateData<UniqueData>());
  ARENALITE_ASSIGN_OR_RETURN(
      data->order, context.RequestScratch(int64_t{input.shape.dim(0)} * 4));
  ARENALITE_RETURN_IF_ERROR(index == TensorType::kInt32
                                ? SetUniqueEval<int32_t>(context)
                                : SetUniqueEval<int64_t>(context));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputBounded(0, input.bytes));
  return context.SetOutputShape(1, input.shape);
}

}  // namespace

namespace ops {

const OpDefinition kUnique = {
    "UNIQUE",
    schema::BuiltinOperator_UNIQUE,
    1,
    kOpDefault,
    sizeof(UniqueOptions),
    ParseUnique,
    PrepareUnique,
    nullptr,
    nullptr,  // The input is read again after output 1 is written.
};

}  // namespace ops
}  // namespace arenalite
