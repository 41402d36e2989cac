// SEGMENT_SUM, UNSORTED_SEGMENT_{SUM, PROD, MIN, MAX}: rows of the input
// joined to the output row that their segment id names.

#include <algorithm>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/wrapping.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kIds = 1;
constexpr int kNumSegments = 2;

template <class T, class Join>
void JoinRow(const T* row, T* target, int64_t elements, Join join) {
  for (int64_t i = 0; i < elements; ++i) target[i] = join(target[i], row[i]);
}

// Elements of one row of the input: what lies beyond the dimensions of ids.
int64_t RowElements(const OpContext& context) {
  const Shape& data = context.input(0).shape;
  return data.NumElements(context.input(kIds).shape.rank(), data.rank());
}

// [segments, dimensions of a row...].
Shape SegmentShape(const OpContext& context, int32_t segments) {
  const Shape& data = context.input(0).shape;
  const int id_rank = context.input(kIds).shape.rank();
  Shape shape;
  shape.set_rank(data.rank() - id_rank + 1);
  shape.set_dim(0, segments);
  for (int i = id_rank; i < data.rank(); ++i) {
    shape.set_dim(i - id_rank + 1, data.dim(i));
  }
  return shape;
}

Status CheckSegmentInputs(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, kIds, "segment ids", {TensorType::kInt32}));
  const Tensor& data = context.input(0);
  const Shape& ids = context.input(kIds).shape;
  if (data.type != TensorType::kInt32 && data.type != TensorType::kFloat32) {
    return UnimplementedError("input 0 is ", TensorTypeName(data.type),
                              ", allowed INT32 or FLOAT32");
  }
  bool is_prefix = ids.rank() <= data.shape.rank() &&
                   data.shape.rank() - ids.rank() + 1 <= kMaxRank;
  for (int i = 0; is_prefix && i < ids.rank(); ++i) {
    is_prefix = ids.dim(i) == data.shape.dim(i);
  }
  if (!is_prefix) {
    return InvalidModelError("input 1 (segment ids) has shape ", ids.dims(),
                             ", allowed are first dimensions of ",
                             data.shape.dims());
  }
  // The reference counts a row's elements in 32 bits, one dimension at a time.
  int64_t row = 1;
  for (int i = ids.rank(); i < data.shape.rank() && row <= INT32_MAX; ++i) {
    row *= data.shape.dim(i);
  }
  if (row <= INT32_MAX) return OkStatus();
  return InvalidModelError("a row of input 0 of shape ", data.shape.dims(),
                           " has over ", INT32_MAX, " elements");
}

// --- SEGMENT_SUM: ids 0, 0, 1, 2, 2, ... ---

// The number of segments.
Result<int32_t> CheckSortedIds(const OpContext& context) {
  const Tensor& ids = context.input(kIds);
  const auto* values = ids.data_as<int32_t>();
  int32_t segments = 0;
  for (int64_t i = 0; i < ids.shape.NumElements(); ++i) {
    const bool is_next = values[i] == segments;
    if (!is_next && (i == 0 || values[i] != segments - 1)) {
      return OutOfRangeError("input 1 (segment ids) is ", values[i],
                             " at element ", i, ", allowed ",
                             std::max(0, segments - 1), "..", segments);
    }
    if (is_next) ++segments;
  }
  return segments;
}

template <class T>
Status EvalSegmentSum(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(int32_t segments, CheckSortedIds(context));
  Tensor& output = context.output(0);
  if (output.is_dynamic()) {
    ARENALITE_RETURN_IF_ERROR(
        context.ResizeOutput(0, SegmentShape(context, segments)));
  }
  if (output.bytes == 0) return OkStatus();
  const Tensor& ids = context.input(kIds);
  const T* row = context.input(0).data_as<T>();
  const int64_t elements = RowElements(context);
  int32_t last = -1;
  for (int64_t i = 0; i < ids.shape.NumElements(); ++i, row += elements) {
    const int32_t id = ids.data_as<int32_t>()[i];
    T* target = output.data_as<T>() + id * elements;
    if (id == last) {
      JoinRow(row, target, elements, WrappingAdd());
    } else {
      // 0 + x, not x: that of -0 is 0.
      for (int64_t k = 0; k < elements; ++k) target[k] = T{0} + row[k];
    }
    last = id;
  }
  return OkStatus();
}

Status PrepareSegmentSum(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSegmentInputs(context));
  const Tensor& ids = context.input(kIds);
  if (ids.shape.rank() != 1) {
    return InvalidModelError("input 1 (segment ids) has shape ",
                             ids.shape.dims(), ", allowed is 1-D");
  }
  context.SetEval(context.input(0).type == TensorType::kInt32
                      ? EvalSegmentSum<int32_t>
                      : EvalSegmentSum<float>);
  if (!context.HasValue(ids)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(int32_t segments, CheckSortedIds(context));
  return context.SetOutputShape(0, SegmentShape(context, segments));
}

int64_t SegmentSumOverlap(const OpContext&, int, int input) {
  // Row i goes to row i or before it, element by element. Ids are small.
  return input == 0 ? 0 : kNoOverlap;
}

// --- UNSORTED_SEGMENT_*: any ids; rows of negative ids are dropped ---

template <class T>
struct SumSegments : WrappingAdd {
  static constexpr T kInitial = 0;
};
template <class T>
struct ProdSegments : WrappingMul {
  static constexpr T kInitial = 1;
};
template <class T>
struct MinSegments {
  static constexpr T kInitial = std::numeric_limits<T>::max();
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct MaxSegments {
  static constexpr T kInitial = std::numeric_limits<T>::lowest();
  T operator()(T a, T b) const { return a < b ? b : a; }
};

Result<int32_t> ReadNumSegments(const OpContext& context) {
  const int32_t segments = *context.input(kNumSegments).data_as<int32_t>();
  if (segments >= 0) return segments;
  return InvalidModelError("input 2 (number of segments) is ", segments,
                           ", allowed >= 0");
}

template <class T, class Join>
Status EvalUnsorted(OpContext& context) {
  Tensor& output = context.output(0);
  ARENALITE_ASSIGN_OR_RETURN(int32_t segments, ReadNumSegments(context));
  if (output.is_dynamic()) {
    ARENALITE_RETURN_IF_ERROR(
        context.ResizeOutput(0, SegmentShape(context, segments)));
  }
  T* target = output.data_as<T>();
  const int64_t elements = RowElements(context);
  std::fill(target, target + output.bytes / static_cast<int64_t>(sizeof(T)),
            Join::kInitial);
  const Tensor& ids = context.input(kIds);
  const T* row = context.input(0).data_as<T>();
  for (int64_t i = 0; i < ids.shape.NumElements(); ++i) {
    const int32_t id = ids.data_as<int32_t>()[i];
    if (id >= segments) {
      return OutOfRangeError("input 1 (segment ids) is ", id, " at element ", i,
                             ", allowed up to ", segments - 1);
    }
    if (id < 0 || elements == 0) continue;
    JoinRow(row + i * elements, target + id * elements, elements, Join());
  }
  return OkStatus();
}

template <template <class> class Join>
Status PrepareUnsorted(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSegmentInputs(context));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, kNumSegments, "number of segments", {TensorType::kInt32}));
  const Tensor& num_segments = context.input(kNumSegments);
  if (num_segments.shape.rank() > 1 || num_segments.shape.NumElements() != 1) {
    return InvalidModelError("input 2 (number of segments) has shape ",
                             num_segments.shape.dims(),
                             ", allowed is one element");
  }
  context.SetEval(context.input(0).type == TensorType::kInt32
                      ? EvalUnsorted<int32_t, Join<int32_t>>
                      : EvalUnsorted<float, Join<float>>);
  if (!context.HasValue(num_segments)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(int32_t segments, ReadNumSegments(context));
  return context.SetOutputShape(0, SegmentShape(context, segments));
}

// Overlap is none: the whole output is initialised before a row is read.

}  // namespace

namespace ops {

const OpDefinition kSegmentSum = {
    "SEGMENT_SUM",
    schema::BuiltinOperator_SEGMENT_SUM,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareSegmentSum,
    nullptr,
    SegmentSumOverlap,
};
const OpDefinition kUnsortedSegmentMax = {
    "UNSORTED_SEGMENT_MAX",
    schema::BuiltinOperator_UNSORTED_SEGMENT_MAX,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareUnsorted<MaxSegments>,
    nullptr,
    nullptr,
};
const OpDefinition kUnsortedSegmentMin = {
    "UNSORTED_SEGMENT_MIN",
    schema::BuiltinOperator_UNSORTED_SEGMENT_MIN,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareUnsorted<MinSegments>,
    nullptr,
    nullptr,
};
const OpDefinition kUnsortedSegmentProd = {
    "UNSORTED_SEGMENT_PROD",
    schema::BuiltinOperator_UNSORTED_SEGMENT_PROD,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareUnsorted<ProdSegments>,
    nullptr,
    nullptr,
};
const OpDefinition kUnsortedSegmentSum = {
    "UNSORTED_SEGMENT_SUM",
    schema::BuiltinOperator_UNSORTED_SEGMENT_SUM,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareUnsorted<SumSegments>,
    nullptr,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
