#include "kernels/builtin_table.h"

#include "arenalite/builtin_ops.h"

namespace arenalite {
namespace {

// One row an operator.
constexpr const OpDefinition* kTable[] = {
    &ops::kAdd,
    &ops::kBatchToSpaceNd,
    &ops::kConcatenation,
    &ops::kConv2d,
    &ops::kDepthToSpace,
    &ops::kDepthwiseConv2d,
    &ops::kExpandDims,
    &ops::kFullyConnected,
    &ops::kGather,
    &ops::kGatherNd,
    &ops::kMaximum,
    &ops::kMean,
    &ops::kMinimum,
    &ops::kMirrorPad,
    &ops::kMul,
    &ops::kPad,
    &ops::kPadV2,
    &ops::kReduceAll,
    &ops::kReduceAny,
    &ops::kReduceMax,
    &ops::kReduceMin,
    &ops::kReduceProd,
    &ops::kReshape,
    &ops::kReverseV2,
    &ops::kSlice,
    &ops::kSpaceToBatchNd,
    &ops::kSpaceToDepth,
    &ops::kSplit,
    &ops::kSplitV,
    &ops::kSqueeze,
    &ops::kStridedSlice,
    &ops::kSub,
    &ops::kSum,
    &ops::kTile,
    &ops::kTranspose,
};

}  // namespace

Span<const OpDefinition* const> BuiltinOps() {
  return Span<const OpDefinition* const>(kTable);
}

}  // namespace arenalite
