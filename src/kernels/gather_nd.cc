// GATHER_ND: slices of the input, each picked by an index of several numbers.

#include "arenalite/builtin_ops.h"
#include "kernels/row_copy.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct GatherNdData {
  int64_t rows;             // Indices.
  int depth;                // Numbers of one index.
  int64_t steps[kMaxRank];  // Rows from one value of a number to the next.
  int64_t bounds[kMaxRank];
  int64_t row;        // Elements of a slice.
  int64_t row_bytes;  // 0 for strings.
  Shape shape;
};

template <class Index>
struct GatherNdSource {
  const GatherNdData& data;
  const Index* indices;

  template <class Visit>
  Status ForEachRow(Visit visit) const {
    for (int64_t r = 0; r < data.rows; ++r) {
      int64_t row = 0;
      for (int k = 0; k < data.depth; ++k) {
        const int64_t index = indices[r * data.depth + k];
        if (index < 0 || index >= data.bounds[k]) {
          return OutOfRangeError("input 1 (indices) is ", index, " at [", r,
                                 ",", k, "], allowed 0..", data.bounds[k] - 1);
        }
        row += index * data.steps[k];
      }
      visit(row);
    }
    return OkStatus();
  }
  Status CheckIndices() const {
    // Indices of no numbers need no bytes: there may be any number of them.
    return data.depth == 0 ? OkStatus() : ForEachRow([](int64_t) {});
  }
};

template <class Index>
GatherNdSource<Index> SourceOf(const OpContext& context) {
  return {context.data<GatherNdData>(), context.input(1).data_as<Index>()};
}

template <class Index>
Status EvalGatherNd(OpContext& context) {
  const auto& data = context.data<GatherNdData>();
  if (context.input(0).type == TensorType::kString) {
    return CopyStringRows(SourceOf<Index>(context), data.row, context.input(0),
                          data.shape, context);
  }
  return CopyRows(SourceOf<Index>(context), data.row_bytes, context.input(0),
                  context.output(0));
}

// use(SourceOf<Index>(context)) for the index type of the node.
template <class Use>
auto WithSource(const OpContext& context, Use use) {
  return WithIndexType(context.input(1).type, [&](auto index) {
    return use(SourceOf<decltype(index)>(context));
  });
}

// Fills all of `data` but row_bytes.
Status PlanGatherNd(const OpContext& context, GatherNdData& data) {
  const Shape& input = context.input(0).shape;
  const Shape& indices = context.input(1).shape;
  if (input.rank() < 1 || indices.rank() < 1 ||
      indices.dim_from_end(0) > input.rank()) {
    return InvalidModelError("inputs have shapes ", input.dims(), " and ",
                             indices.dims(),
                             ", allowed are ranks >= 1 and indices of at most "
                             "as many numbers as input 0 has dimensions");
  }
  data.depth = indices.dim_from_end(0);
  const int rank = indices.rank() - 1 + input.rank() - data.depth;
  if (rank > kMaxRank) {
    return UnimplementedError("the output would have rank ", rank,
                              ", allowed 0..", kMaxRank);
  }
  const auto append = [&](int32_t dim) {
    data.shape.set_rank(data.shape.rank() + 1);
    data.shape.set_dim(data.shape.rank() - 1, dim);
  };
  for (int i = 0; i < indices.rank() - 1; ++i) append(indices.dim(i));
  for (int i = data.depth; i < input.rank(); ++i) append(input.dim(i));
  data.rows = indices.NumElements(0, indices.rank() - 1);
  data.row = input.NumElements(data.depth, input.rank());
  for (int k = 0; k < data.depth; ++k) {
    data.steps[k] = input.NumElements(k + 1, data.depth);
    data.bounds[k] = input.dim(k);
  }
  return OkStatus();
}

Status PrepareGatherNd(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckGatherInputs(context, 8));
  const TensorType type = context.input(0).type;
  const int bits = TensorTypeBits(type);
  ARENALITE_ASSIGN_OR_RETURN(GatherNdData * data,
                             context.CreateData<GatherNdData>());
  ARENALITE_RETURN_IF_ERROR(PlanGatherNd(context, *data));
  context.SetEval(
      WithIndexType(context.input(1).type, [](auto index) -> EvalFunction {
        return EvalGatherNd<decltype(index)>;
      }));
  if (type == TensorType::kString) return context.SetOutputDynamic(0);
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, data->shape));
  if (context.output(0).bytes > 0) data->row_bytes = data->row * bits / 8;
  if (context.output(0).bytes == 0 || !context.HasValue(context.input(1))) {
    return OkStatus();
  }
  // What is wrong now is said now.
  return WithSource(context,
                    [](const auto& source) { return source.CheckIndices(); });
}

int64_t GatherNdOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<GatherNdData>();
  const Tensor& indices = context.input(1);
  if (context.output(0).bytes == 0) return context.input(input).bytes;
  if (input == 0) {
    // Indices that come with the data may ask for the first slice last.
    if (!context.HasValue(indices)) return kNoOverlap;
    return WithSource(context, [&](const auto& source) {
      return RowDistance(source, data.rows, data.row_bytes,
                         context.input(0).bytes);
    });
  }
  return IndexDistance(data.rows,
                       data.depth * (TensorTypeBits(indices.type) / 8),
                       data.row_bytes);
}

}  // namespace

namespace ops {

const OpDefinition kGatherNd = {
    "GATHER_ND",
    schema::BuiltinOperator_GATHER_ND,
    5,
    kOpDefault,
    0,
    nullptr,
    PrepareGatherNd,
    nullptr,
    GatherNdOverlap,
};

}  // namespace ops
}  // namespace arenalite
