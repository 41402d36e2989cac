// STABLEHLO_SLICE, STABLEHLO_DYNAMIC_SLICE, STABLEHLO_TRANSPOSE: one copy each.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "kernels/long_list.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

Status CheckOneInput(const OpContext& context, int max_inputs) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, max_inputs, 1, 1));
  return CheckSameType(context, 0, 0);
}

// --- STABLEHLO_SLICE ---

struct SliceOptions {
  LongList<> start;
  LongList<> limit;
  LongList<> strides;
};

Status ParseSlice(const OpSource& source, void* options) {
  auto* parsed = static_cast<SliceOptions*>(options);
  const auto* table = OptionsTable2<schema::StablehloSliceOptions>(source);
  if (table == nullptr) return OkStatus();
  ARENALITE_RETURN_IF_ERROR(
      parsed->start.Parse("start_indices", table->start_indices()));
  ARENALITE_RETURN_IF_ERROR(
      parsed->limit.Parse("limit_indices", table->limit_indices()));
  return parsed->strides.Parse("strides", table->strides());
}

Result<CopyJob> ResolveSlice(const OpContext& context) {
  const Tensor& input = context.input(0);
  const auto& options = context.options<SliceOptions>();
  TakenAxis taken[kMaxRank];
  for (int i = 0; i < input.shape.rank(); ++i) {
    const int64_t start = options.start[i];
    const int64_t limit = options.limit[i];
    const int64_t stride = options.strides[i];
    if (start < 0 || start > limit || limit > input.shape.dim(i) ||
        stride < 1) {
      return InvalidModelError("takes ", start, "..", limit, " by ", stride,
                               " of dimension ", i, ", allowed within 0..",
                               input.shape.dim(i), " by 1 or more");
    }
    const int64_t count = start == limit ? 0 : (limit - start - 1) / stride + 1;
    taken[i] = {start, count, stride};
  }
  return MakeBoxJob(input, taken);
}

Status PrepareSlice(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckOneInput(context, 1));
  const auto& options = context.options<SliceOptions>();
  const int rank = context.input(0).shape.rank();
  ARENALITE_RETURN_IF_ERROR(options.start.CheckSize("start_indices", rank));
  ARENALITE_RETURN_IF_ERROR(options.limit.CheckSize("limit_indices", rank));
  ARENALITE_RETURN_IF_ERROR(options.strides.CheckSize("strides", rank));
  return PrepareCopy(context, 0, true, ResolveSlice);
}

// --- STABLEHLO_DYNAMIC_SLICE: one start a dimension, as inputs ---

struct DynamicSliceOptions {
  LongList<> sizes;
};

Status ParseDynamicSlice(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable2<schema::StablehloDynamicSliceOptions>(source);
  if (table == nullptr) return OkStatus();
  return static_cast<DynamicSliceOptions*>(options)->sizes.Parse(
      "slice_sizes", table->slice_sizes());
}

Result<CopyJob> ResolveDynamicSlice(const OpContext& context) {
  const Tensor& input = context.input(0);
  const auto& sizes = context.options<DynamicSliceOptions>().sizes;
  TakenAxis taken[kMaxRank];
  for (int i = 0; i < sizes.size; ++i) {
    // Starts are clamped so that the slice stays inside.
    const int64_t start = std::clamp<int64_t>(
        ReadInteger(context.input(i + 1), 0), 0, input.shape.dim(i) - sizes[i]);
    taken[i] = {start, sizes[i], 1};
  }
  return MakeBoxJob(input, taken);
}

Status PrepareDynamicSlice(OpContext& context) {
  const auto& sizes = context.options<DynamicSliceOptions>().sizes;
  ARENALITE_RETURN_IF_ERROR(
      context.CheckCounts(sizes.size + 1, sizes.size + 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckOneInput(context, sizes.size + 1));
  Shape shape = context.input(0).shape;
  ARENALITE_RETURN_IF_ERROR(sizes.CheckSize("slice_sizes", shape.rank()));
  bool known = true;
  for (int i = 0; i < shape.rank(); ++i) {
    ARENALITE_RETURN_IF_ERROR(CheckIndexType(
        context, i + 1, "start", {TensorType::kInt32, TensorType::kInt64}));
    const Tensor& start = context.input(i + 1);
    if (start.shape.NumElements() != 1 || sizes[i] < 0 ||
        sizes[i] > shape.dim(i)) {
      return InvalidModelError("takes ", sizes[i], " of dimension ", i,
                               ", from a start of shape ", start.shape.dims(),
                               ", allowed 0..", shape.dim(i),
                               " from one element");
    }
    known = known && context.HasValue(start);
    shape.set_dim(i, static_cast<int32_t>(sizes[i]));
  }
  if (known) return PrepareCopy(context, 0, true, ResolveDynamicSlice);
  return PrepareLateCopy(context, 0, shape, ResolveDynamicSlice);
}

// --- STABLEHLO_TRANSPOSE ---

struct TransposeOptions {
  LongList<> permutation;
};

Status ParseTranspose(const OpSource& source, void* options) {
  const auto* table = OptionsTable2<schema::StablehloTransposeOptions>(source);
  if (table == nullptr) return OkStatus();
  return static_cast<TransposeOptions*>(options)->permutation.Parse(
      "permutation", table->permutation());
}

Result<CopyJob> ResolveTranspose(const OpContext& context) {
  const Tensor& input = context.input(0);
  const auto& permutation = context.options<TransposeOptions>().permutation;
  int order[kMaxRank];
  for (int i = 0; i < permutation.size; ++i) {
    order[i] = static_cast<int>(permutation[i]);
  }
  return MakePermutationJob(input, order);
}

Status PrepareTranspose(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckOneInput(context, 1));
  const auto& permutation = context.options<TransposeOptions>().permutation;
  const int rank = context.input(0).shape.rank();
  ARENALITE_RETURN_IF_ERROR(permutation.CheckSize("permutation", rank));
  ARENALITE_RETURN_IF_ERROR(permutation.CheckDistinct("permutation", rank));
  return PrepareCopy(context, 0, true, ResolveTranspose);
}

}  // namespace

namespace ops {

const OpDefinition kStablehloSlice = {
    "STABLEHLO_SLICE",
    schema::BuiltinOperator_STABLEHLO_SLICE,
    1,
    kOpDefault,
    sizeof(SliceOptions),
    ParseSlice,
    PrepareSlice,
    nullptr,
    CopyOverlap,
};
const OpDefinition kStablehloDynamicSlice = {
    "STABLEHLO_DYNAMIC_SLICE",
    schema::BuiltinOperator_STABLEHLO_DYNAMIC_SLICE,
    1,
    kOpDefault,
    sizeof(DynamicSliceOptions),
    ParseDynamicSlice,
    PrepareDynamicSlice,
    nullptr,
    CopyOverlap,
};
const OpDefinition kStablehloTranspose = {
    "STABLEHLO_TRANSPOSE",
    schema::BuiltinOperator_STABLEHLO_TRANSPOSE,
    1,
    kOpDefault,
    sizeof(TransposeOptions),
    ParseTranspose,
    PrepareTranspose,
    nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
