#include "kernels/builtin_table.h"

#include "arenalite/builtin_ops.h"

namespace arenalite {
namespace {

// One row an operator.
// clang-format off
constexpr const OpDefinition* kTable[] = {
    &ops::kAdd,
    &ops::kAddN,
    &ops::kAtan2,
    &ops::kBatchToSpaceNd,
    &ops::kBitwiseXor,
    &ops::kBroadcastArgs,
    &ops::kBroadcastTo,
    &ops::kConcatenation,
    &ops::kConv2d,
    &ops::kDepthToSpace,
    &ops::kDepthwiseConv2d,
    &ops::kDequantize,
    &ops::kDiv,
    &ops::kEqual,
    &ops::kExpandDims,
    &ops::kFloorDiv,
    &ops::kFloorMod,
    &ops::kFullyConnected,
    &ops::kGather,
    &ops::kGatherNd,
    &ops::kGreater,
    &ops::kGreaterEqual,
    &ops::kHardSwish,
    &ops::kLeakyRelu,
    &ops::kLess,
    &ops::kLessEqual,
    &ops::kLogicalAnd,
    &ops::kLogicalNot,
    &ops::kLogicalOr,
    &ops::kLogistic,
    &ops::kMaximum,
    &ops::kMean,
    &ops::kMinimum,
    &ops::kMirrorPad,
    &ops::kMul,
    &ops::kNotEqual,
    &ops::kPad,
    &ops::kPadV2,
    &ops::kPow,
    &ops::kQuantize,
    &ops::kReduceAll,
    &ops::kReduceAny,
    &ops::kReduceMax,
    &ops::kReduceMin,
    &ops::kReduceProd,
    &ops::kRelu,
    &ops::kRelu0To1,
    &ops::kRelu6,
    &ops::kReluN1To1,
    &ops::kReshape,
    &ops::kReverseV2,
    &ops::kRightShift,
    &ops::kSelect,
    &ops::kSelectV2,
    &ops::kSlice,
    &ops::kSoftmax,
    &ops::kSpaceToBatchNd,
    &ops::kSpaceToDepth,
    &ops::kSplit,
    &ops::kSplitV,
    &ops::kSquaredDifference,
    &ops::kSqueeze,
    &ops::kStablehloAdd,
    &ops::kStablehloAnd,
    &ops::kStablehloCompare,
    &ops::kStablehloDivide,
    &ops::kStablehloMaximum,
    &ops::kStablehloMinimum,
    &ops::kStablehloMultiply,
    &ops::kStablehloOr,
    &ops::kStablehloPower,
    &ops::kStablehloRemainder,
    &ops::kStablehloSelect,
    &ops::kStablehloShiftLeft,
    &ops::kStablehloSubtract,
    &ops::kStridedSlice,
    &ops::kSub,
    &ops::kSum,
    &ops::kTanh,
    &ops::kTile,
    &ops::kTranspose,
};
// clang-format on

}  // namespace

Span<const OpDefinition* const> BuiltinOps() {
  return Span<const OpDefinition* const>(kTable);
}

}  // namespace arenalite
