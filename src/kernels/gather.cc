// GATHER: rows of the input along one axis, picked by indices.

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/row_copy.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct GatherOptions {
  int32_t axis;
  int32_t batch_dims;
};

Status ParseGather(const OpSource& source, void* options) {
  auto* parsed = static_cast<GatherOptions*>(options);
  const auto* table = OptionsTable<schema::GatherOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->axis = table->axis();
  parsed->batch_dims = table->batch_dims();
  return OkStatus();
}

struct GatherData {
  int64_t batches;    // Dimensions that input and indices share.
  int64_t outer;      // Dimensions between those and the axis.
  int64_t axis;       // Rows along the axis.
  int64_t picked;     // Indices of one batch.
  int64_t row;        // Elements of a row.
  int64_t row_bytes;  // 0 for strings, half bytes and empty rows.
  Shape shape;
};

template <class Index>
struct GatherSource {
  const GatherData& data;
  const Index* indices;

  template <class Visit>
  Status ForEachRow(Visit visit) const {
    for (int64_t b = 0; b < data.batches; ++b) {
      for (int64_t o = 0; o < data.outer; ++o) {
        const int64_t first = (b * data.outer + o) * data.axis;
        for (int64_t i = b * data.picked; i < (b + 1) * data.picked; ++i) {
          if (!IsInside(i)) return BadIndex(i);
          visit(first + indices[i]);
        }
      }
    }
    return OkStatus();
  }
  Status CheckIndices() const {
    for (int64_t i = 0; i < data.batches * data.picked; ++i) {
      if (!IsInside(i)) return BadIndex(i);
    }
    return OkStatus();
  }

 private:
  bool IsInside(int64_t i) const {
    return indices[i] >= 0 && indices[i] < data.axis;
  }
  Status BadIndex(int64_t i) const {
    return OutOfRangeError("input 1 (indices) is ", indices[i], " at element ",
                           i, ", allowed 0..", data.axis - 1);
  }
};

template <class Index>
GatherSource<Index> SourceOf(const OpContext& context) {
  return {context.data<GatherData>(), context.input(1).data_as<Index>()};
}

// use(SourceOf<Index>(context)) for the index type of the node.
template <class Use>
auto WithSource(const OpContext& context, Use use) {
  return WithIndexType(context.input(1).type, [&](auto index) {
    return use(SourceOf<decltype(index)>(context));
  });
}

template <class Index>
Status EvalGather(OpContext& context) {
  return CopyRows(SourceOf<Index>(context),
                  context.data<GatherData>().row_bytes, context.input(0),
                  context.output(0));
}

template <class Index>
Status EvalGatherNibbles(OpContext& context) {
  return CopyNibbleRows(SourceOf<Index>(context),
                        context.data<GatherData>().row, context.input(0),
                        context.output(0));
}

template <class Index>
Status EvalGatherStrings(OpContext& context) {
  const auto& data = context.data<GatherData>();
  return CopyStringRows(SourceOf<Index>(context), data.row, context.input(0),
                        data.shape, context);
}

template <class Index>
EvalFunction ChooseEval(TensorType type, const GatherData& data) {
  if (type == TensorType::kString) return EvalGatherStrings<Index>;
  return data.row_bytes == 0 ? EvalGatherNibbles<Index> : EvalGather<Index>;
}

EvalFunction ChooseEval(const OpContext& context, const GatherData& data) {
  return WithIndexType(context.input(1).type, [&](auto index) {
    return ChooseEval<decltype(index)>(context.input(0).type, data);
  });
}

// Fills all of `data` but row_bytes.
Status PlanGather(const OpContext& context, GatherData& data) {
  const Shape& input = context.input(0).shape;
  const Shape& indices = context.input(1).shape;
  const auto& options = context.options<GatherOptions>();
  ARENALITE_ASSIGN_OR_RETURN(int axis,
                             ResolveAxis("axis", options.axis, input.rank()));
  const int64_t batch_dims = options.batch_dims < 0
                                 ? int64_t{options.batch_dims} + indices.rank()
                                 : options.batch_dims;
  if (batch_dims < 0 || batch_dims > axis || batch_dims > indices.rank()) {
    return InvalidModelError("batch_dims is ", options.batch_dims, " for axis ",
                             axis, " and indices of shape ", indices.dims(),
                             ", allowed up to the smaller of axis and rank");
  }
  const int batch = static_cast<int>(batch_dims);
  Shape& shape = data.shape;
  const int rank = input.rank() + indices.rank() - 1 - batch;
  if (rank > kMaxRank) {
    return UnimplementedError("the output would have rank ", rank,
                              ", allowed 0..", kMaxRank);
  }
  for (int i = 0; i < batch; ++i) {
    if (input.dim(i) == indices.dim(i)) continue;
    return InvalidModelError("inputs of shapes ", input.dims(), " and ",
                             indices.dims(), " differ in batch dimension ", i);
  }
  const auto append = [&](int32_t dim) {
    shape.set_rank(shape.rank() + 1);
    shape.set_dim(shape.rank() - 1, dim);
  };
  for (int i = 0; i < axis; ++i) append(input.dim(i));
  for (int i = batch; i < indices.rank(); ++i) append(indices.dim(i));
  for (int i = axis + 1; i < input.rank(); ++i) append(input.dim(i));
  data.batches = input.NumElements(0, batch);
  data.outer = input.NumElements(batch, axis);
  data.axis = input.dim(axis);
  data.picked = indices.NumElements(batch, indices.rank());
  data.row = input.NumElements(axis + 1, input.rank());
  return OkStatus();
}

Status PrepareGather(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckGatherInputs(context, 4));
  const TensorType type = context.input(0).type;
  const int bits = TensorTypeBits(type);
  ARENALITE_ASSIGN_OR_RETURN(GatherData * data,
                             context.CreateData<GatherData>());
  ARENALITE_RETURN_IF_ERROR(PlanGather(context, *data));
  if (type == TensorType::kString) {
    context.SetEval(ChooseEval(context, *data));
    return context.SetOutputDynamic(0);
  }
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, data->shape));
  if (context.output(0).bytes > 0 && data->row * bits % 8 == 0) {
    data->row_bytes = data->row * bits / 8;
  }
  context.SetEval(ChooseEval(context, *data));
  if (context.output(0).bytes == 0 || !context.HasValue(context.input(1))) {
    return OkStatus();
  }
  // What is wrong now is said now.
  return WithSource(context,
                    [](const auto& source) { return source.CheckIndices(); });
}

int64_t GatherOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<GatherData>();
  const Tensor& indices = context.input(1);
  // Half bytes share bytes with others that are still unread.
  if (data.row_bytes == 0) return kNoOverlap;
  if (input == 0) {
    // Indices that come with the data may ask for the first row last.
    if (!context.HasValue(indices)) return kNoOverlap;
    return WithSource(context, [&](const auto& source) {
      return RowDistance(source, data.batches * data.outer * data.picked,
                         data.row_bytes, context.input(0).bytes);
    });
  }
  // Each outer index reads the batch's indices once more.
  if (data.outer > 1) return kNoOverlap;
  return IndexDistance(data.batches * data.picked,
                       TensorTypeBits(indices.type) / 8, data.row_bytes);
}

}  // namespace

namespace ops {

const OpDefinition kGather = {
    "GATHER",
    schema::BuiltinOperator_GATHER,
    7,
    kOpDefault,
    sizeof(GatherOptions),
    ParseGather,
    PrepareGather,
    nullptr,
    GatherOverlap,
};

}  // namespace ops
}  // namespace arenalite
