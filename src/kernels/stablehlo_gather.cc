// STABLEHLO_GATHER: slices of the operand at places that indices name,
// clamped to the operand.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/index_vectors.h"
#include "kernels/long_list.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kIndices = 1;

struct GatherOptions {
  LongList<> slice_sizes;
  LongList<> offset_dims;
  LongList<> collapsed_dims;
  LongList<> index_map;
  int64_t index_vector_dim;
};

Status ParseGather(const OpSource& source, void* options) {
  auto* parsed = static_cast<GatherOptions*>(options);
  const auto* table = OptionsTable2<schema::StablehloGatherOptions>(source);
  if (table == nullptr) return InvalidModelError("has no options");
  parsed->index_vector_dim = table->index_vector_dim();
  ARENALITE_RETURN_IF_ERROR(
      parsed->slice_sizes.Parse("slice_sizes", table->slice_sizes()));
  ARENALITE_RETURN_IF_ERROR(
      parsed->offset_dims.Parse("offset_dims", table->offset_dims()));
  ARENALITE_RETURN_IF_ERROR(parsed->collapsed_dims.Parse(
      "collapsed_slice_dims", table->collapsed_slice_dims()));
  return parsed->index_map.Parse("start_index_map", table->start_index_map());
}

struct GatherData {
  IndexVectors vectors;
  // Elements of the output from one batch index to the next.
  int64_t batch_steps[kMaxRank];
  CopyPlan slice;
};

Status CheckLists(const GatherOptions& options, const Shape& operand,
                  int result_rank) {
  ARENALITE_RETURN_IF_ERROR(
      options.slice_sizes.CheckSize("slice_sizes", operand.rank()));
  ARENALITE_RETURN_IF_ERROR(options.offset_dims.CheckSize(
      "offset_dims", operand.rank() - options.collapsed_dims.size));
  ARENALITE_RETURN_IF_ERROR(
      options.offset_dims.CheckDistinct("offset_dims", result_rank));
  ARENALITE_RETURN_IF_ERROR(options.collapsed_dims.CheckDistinct(
      "collapsed_slice_dims", operand.rank()));
  for (int i = 0; i < operand.rank(); ++i) {
    const int64_t size = options.slice_sizes[i];
    if (options.collapsed_dims.Contains(i) && size != 1) {
      return InvalidModelError("slice_sizes is ", size,
                               " for collapsed dimension ", i, ", allowed 1");
    }
    if (size < 0 || size > operand.dim(i)) {
      return InvalidModelError("slice_sizes is ", size, " for dimension ", i,
                               ", allowed 0..", operand.dim(i));
    }
  }
  return OkStatus();
}

// The result has the batch dimensions of the indices, in order, at all places
// but `offset_dims`, where the dimensions of a slice go.
Shape ResultShape(const GatherOptions& options, const GatherData& data,
                  int rank) {
  Shape shape;
  shape.set_rank(rank);
  int batch = 0;
  int slice = 0;
  for (int i = 0; i < rank; ++i) {
    if (!options.offset_dims.Contains(i)) {
      shape.set_dim(i, data.vectors.batch_dims[batch++]);
      continue;
    }
    while (options.collapsed_dims.Contains(slice)) ++slice;
    shape.set_dim(i, static_cast<int32_t>(options.slice_sizes[slice++]));
  }
  return shape;
}

void PlanSlice(const OpContext& context, GatherData& data) {
  const auto& options = context.options<GatherOptions>();
  const Tensor& operand = context.input(0);
  const Shape& result = context.output(0).shape;
  int64_t operand_steps[kMaxRank];
  int64_t result_steps[kMaxRank];
  RowMajorSteps(operand.shape, operand_steps);
  RowMajorSteps(result, result_steps);
  int batch = 0;
  int slice = 0;
  int num_axes = 0;
  CopyAxis axes[kMaxRank];
  for (int i = 0; i < result.rank(); ++i) {
    if (!options.offset_dims.Contains(i)) {
      data.batch_steps[batch++] = result_steps[i];
      continue;
    }
    while (options.collapsed_dims.Contains(slice)) ++slice;
    axes[num_axes++] = {options.slice_sizes[slice], operand_steps[slice],
                        result_steps[i]};
    ++slice;
  }
  data.slice =
      MakeCopyPlan({axes, static_cast<size_t>(num_axes)}, operand.type);
}

// The element of the operand where the slice of an index vector starts.
int64_t SliceStart(const OpContext& context, const int64_t* start) {
  const auto& options = context.options<GatherOptions>();
  const Shape& operand = context.input(0).shape;
  int64_t offset = 0;
  for (int i = 0; i < operand.rank(); ++i) {
    offset = offset * operand.dim(i) +
             std::clamp<int64_t>(start[i], 0,
                                 operand.dim(i) - options.slice_sizes[i]);
  }
  return offset;
}

Status EvalGather(OpContext& context) {
  const auto& data = context.data<GatherData>();
  const Tensor& operand = context.input(0);
  Tensor& output = context.output(0);
  if (output.bytes == 0) return OkStatus();
  const int64_t element_bytes = TensorTypeBits(operand.type) / 8;
  data.vectors.ForEach(context.input(kIndices), [&](const int64_t* batch_index,
                                                    const int64_t* start) {
    int64_t target = 0;
    for (int i = 0; i < data.vectors.num_batch_dims; ++i) {
      target += batch_index[i] * data.batch_steps[i];
    }
    RunCopyPlan(
        data.slice,
        operand.data_as<uint8_t>() + SliceStart(context, start) * element_bytes,
        output.data_as<uint8_t>() + target * element_bytes);
  });
  return OkStatus();
}

Status PrepareGather(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, kIndices, "start indices",
                     {TensorType::kInt32, TensorType::kInt64}));
  const Tensor& operand = context.input(0);
  if (TensorTypeBits(operand.type) < 8) {
    return UnimplementedError("input 0 is ", TensorTypeName(operand.type),
                              ", allowed are types of whole bytes");
  }
  const auto& options = context.options<GatherOptions>();
  ARENALITE_ASSIGN_OR_RETURN(GatherData * data,
                             context.CreateData<GatherData>());
  ARENALITE_ASSIGN_OR_RETURN(
      data->vectors,
      IndexVectors::Create(context.input(kIndices).shape,
                           options.index_vector_dim, options.index_map,
                           operand.shape.rank()));
  const int rank = data->vectors.num_batch_dims + options.offset_dims.size;
  if (rank > kMaxRank) {
    return UnimplementedError("the output would have rank ", rank,
                              ", allowed 0..", kMaxRank);
  }
  ARENALITE_RETURN_IF_ERROR(CheckLists(options, operand.shape, rank));
  ARENALITE_RETURN_IF_ERROR(
      context.SetOutputShape(0, ResultShape(options, *data, rank)));
  // The steps of an output without elements may be more than 64 bits count.
  if (context.output(0).bytes > 0) PlanSlice(context, *data);
  return OkStatus();
}

// Overlap is none: data decide where slices lie, in any order.

}  // namespace

namespace ops {

const OpDefinition kStablehloGather = {
    "STABLEHLO_GATHER",
    schema::BuiltinOperator_STABLEHLO_GATHER,
    1,
    kOpDefault,
    sizeof(GatherOptions),
    ParseGather,
    PrepareGather,
    EvalGather,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
