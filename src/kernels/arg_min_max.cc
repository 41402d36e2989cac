// ARG_MAX, ARG_MIN: the index of the first largest or smallest element along
// one axis.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// Outputs that are compared side by side, on the stack.
constexpr int64_t kBlock = 128;

struct ArgOptions {
  int32_t output_type;
};

template <class Table>
Status ParseArg(const OpSource& source, void* options) {
  const auto* table = OptionsTable<Table>(source);
  if (table != nullptr) {
    static_cast<ArgOptions*>(options)->output_type = table->output_type();
  }
  return OkStatus();
}

// The input as [outer, axis, inner].
struct ArgData {
  int64_t outer;
  int64_t axis;
  int64_t inner;
  bool planned;  // False: the axis is known to eval only.
};

Result<int64_t> ReadAxis(const Tensor& tensor, int rank) {
  const int64_t axis = tensor.type == TensorType::kInt64
                           ? *tensor.data_as<int64_t>()
                           : *tensor.data_as<int32_t>();
  if (axis < -rank || axis >= rank) {
    return InvalidModelError("input 1 (axis) is ", axis, ", allowed ", -rank,
                             "..", rank - 1);
  }
  return axis < 0 ? axis + rank : axis;
}

// Reads the axis; fills the plan and gives the output's shape.
Result<Shape> PlanArg(const OpContext& context, ArgData* data) {
  const Shape& input = context.input(0).shape;
  const int rank = input.rank();
  ARENALITE_ASSIGN_OR_RETURN(int64_t value, ReadAxis(context.input(1), rank));
  const int axis = static_cast<int>(value);
  if (input.dim(axis) == 0) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             " with nothing along axis ", axis);
  }
  data->outer = input.NumElements(0, axis);
  data->axis = input.dim(axis);
  data->inner = input.NumElements(axis + 1, rank);
  if (data->outer > INT32_MAX || data->inner > INT32_MAX) {
    return InvalidModelError("input 0 has shape ", input.dims(),
                             ", allowed are at most 2147483647 elements "
                             "before and behind axis ",
                             axis);
  }
  Shape output;
  output.set_rank(rank - 1);
  for (int i = 0; i < rank - 1; ++i) {
    output.set_dim(i, input.dim(i < axis ? i : i + 1));
  }
  return output;
}

template <class T>
bool IsNan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// Whether `a`, met later, replaces `b`. Any number replaces a NaN.
struct Greater {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b || (IsNan(b) && !IsNan(a));
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || (IsNan(b) && !IsNan(a));
  }
};

// `count` neighbouring outputs of one outer position.
template <class T, class Index, class Better>
void ArgBlock(const T* input, const ArgData& data, int64_t count,
              Index* output) {
  const Better better;
  T best[kBlock];
  Index index[kBlock];
  std::copy_n(input, count, best);
  std::fill_n(index, count, Index{0});
  for (int64_t k = 1; k < data.axis; ++k) {
    const T* row = input + k * data.inner;
    for (int64_t i = 0; i < count; ++i) {
      const bool wins = better(row[i], best[i]);
      best[i] = wins ? row[i] : best[i];
      index[i] = wins ? static_cast<Index>(k) : index[i];
    }
  }
  std::copy_n(index, count, output);
}

template <class T, class Index, class Better>
Index ArgOne(const T* input, int64_t count) {
  const Better better;
  int64_t index = 0;
  for (int64_t k = 1; k < count; ++k) {
    if (better(input[k], input[index])) index = k;
  }
  return static_cast<Index>(index);
}

template <class T, class Index, class Better>
Status EvalArg(OpContext& context) {
  auto& data = context.data<ArgData>();
  if (!data.planned) {
    ARENALITE_ASSIGN_OR_RETURN(Shape shape, PlanArg(context, &data));
    ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  }
  if (context.output(0).bytes == 0) return OkStatus();
  const T* input = context.input(0).data_as<T>();
  Index* output = context.output(0).data_as<Index>();
  for (int64_t o = 0; o < data.outer; ++o) {
    if (data.inner == 1) {
      output[o] = ArgOne<T, Index, Better>(input + o * data.axis, data.axis);
      continue;
    }
    for (int64_t first = 0; first < data.inner; first += kBlock) {
      const int64_t count = std::min(kBlock, data.inner - first);
      ArgBlock<T, Index, Better>(input + o * data.axis * data.inner + first,
                                 data, count, output + o * data.inner + first);
    }
  }
  return OkStatus();
}

template <class T, class Better>
EvalFunction PickIndex(TensorType index) {
  return index == TensorType::kInt32 ? EvalArg<T, int32_t, Better>
                                     : EvalArg<T, int64_t, Better>;
}

// Null where there is no kernel.
template <class Better>
EvalFunction PickEval(TensorType input, TensorType index) {
  switch (input) {
    case TensorType::kFloat32:
      return PickIndex<float, Better>(index);
    case TensorType::kInt32:
      return PickIndex<int32_t, Better>(index);
    case TensorType::kInt8:
      return PickIndex<int8_t, Better>(index);
    case TensorType::kUInt8:
    case TensorType::kBool:  // As bytes: a file may hold more than 0 and 1.
      return PickIndex<uint8_t, Better>(index);
    default:
      return nullptr;
  }
}

bool IsIndexType(TensorType type) {
  return type == TensorType::kInt32 || type == TensorType::kInt64;
}

template <class Better>
Status PrepareArg(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const Tensor& input = context.input(0);
  const Tensor& axis = context.input(1);
  const Tensor& output = context.output(0);
  const auto asked =
      static_cast<TensorType>(context.options<ArgOptions>().output_type);
  if (!IsIndexType(axis.type) || axis.shape.NumElements() != 1) {
    return InvalidModelError("input 1 (axis) is ", TensorTypeName(axis.type),
                             " of shape ", axis.shape.dims(),
                             ", allowed one INT32 or INT64");
  }
  if (!IsIndexType(output.type) || output.type != asked) {
    return InvalidModelError("output 0 is ", TensorTypeName(output.type),
                             " and output_type ", TensorTypeName(asked),
                             ", allowed INT32 or INT64 for both");
  }
  if (input.shape.rank() == 0) {
    return InvalidModelError("input 0 is a scalar, allowed rank 1 and more");
  }
  const EvalFunction eval = PickEval<Better>(input.type, output.type);
  if (eval == nullptr) {
    return UnimplementedError("no kernel for input 0 of ",
                              TensorTypeName(input.type));
  }
  context.SetEval(eval);
  ARENALITE_ASSIGN_OR_RETURN(ArgData * data, context.CreateData<ArgData>());
  if (!context.HasValue(axis)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, PlanArg(context, data));
  data->planned = true;
  return context.SetOutputShape(0, shape);
}

// After a block of outer row o that ends at output n of `inner`, the input is
// still needed from (o, 0, n) on, or from row o + 1 where n is the row's end.
// Both bounds are linear in o and n, so the corners decide.
int64_t OverlapArg(const OpContext& context, int, int input) {
  const auto& data = context.data<ArgData>();
  // An output that data shape has no place in the plan.
  if (!data.planned) return kNoOverlap;
  const Tensor& in = context.input(input);
  const int64_t so = TensorTypeBits(context.output(0).type) / 8;
  const int64_t si = TensorTypeBits(in.type) / 8;
  int64_t distance = in.bytes;
  if (input != 0 || data.outer == 0 || data.inner == 0) return distance;
  const int64_t row = data.inner * (data.axis * si - so);
  for (int64_t o : {int64_t{0}, data.outer - 1}) {
    const int64_t last_block = (data.inner - 1) / kBlock * kBlock;
    if (last_block > 0) {
      for (int64_t n : {kBlock, last_block}) {
        distance = std::min(distance, o * row + n * (si - so));
      }
    }
  }
  if (data.outer > 1) {
    distance = std::min({distance, row, (data.outer - 1) * row});
  }
  return distance;
}

}  // namespace

namespace ops {

const OpDefinition kArgMax = {
    "ARG_MAX",
    schema::BuiltinOperator_ARG_MAX,
    3,
    kOpDefault,
    sizeof(ArgOptions),
    ParseArg<schema::ArgMaxOptions>,
    PrepareArg<Greater>,
    nullptr,
    OverlapArg,
};
const OpDefinition kArgMin = {
    "ARG_MIN",
    schema::BuiltinOperator_ARG_MIN,
    3,
    kOpDefault,
    sizeof(ArgOptions),
    ParseArg<schema::ArgMinOptions>,
    PrepareArg<Less>,
    nullptr,
    OverlapArg,
};

}  // namespace ops
}  // namespace arenalite
