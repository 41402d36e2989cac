// The built-in operators, one definition each.
//
// BuiltinOpResolver knows all of them. To link only what a model needs, add
// single ones to a MutableOpResolver:
//     MutableOpResolver resolver;
//     resolver.AddBuiltin(ops::kConv2d);

#ifndef ARENALITE_BUILTIN_OPS_H_
#define ARENALITE_BUILTIN_OPS_H_

#include "arenalite/op_definition.h"

namespace arenalite {
namespace ops {

extern const OpDefinition kAdd;
extern const OpDefinition kBatchToSpaceNd;
extern const OpDefinition kConcatenation;
extern const OpDefinition kConv2d;
extern const OpDefinition kDepthToSpace;
extern const OpDefinition kDepthwiseConv2d;
extern const OpDefinition kExpandDims;
extern const OpDefinition kFullyConnected;
extern const OpDefinition kGather;
extern const OpDefinition kGatherNd;
extern const OpDefinition kMaximum;
extern const OpDefinition kMean;
extern const OpDefinition kMinimum;
extern const OpDefinition kMirrorPad;
extern const OpDefinition kMul;
extern const OpDefinition kPad;
extern const OpDefinition kPadV2;
extern const OpDefinition kReduceAll;
extern const OpDefinition kReduceAny;
extern const OpDefinition kReduceMax;
extern const OpDefinition kReduceMin;
extern const OpDefinition kReduceProd;
extern const OpDefinition kReshape;
extern const OpDefinition kReverseV2;
extern const OpDefinition kSlice;
extern const OpDefinition kSpaceToBatchNd;
extern const OpDefinition kSpaceToDepth;
extern const OpDefinition kSplit;
extern const OpDefinition kSplitV;
extern const OpDefinition kSqueeze;
extern const OpDefinition kStridedSlice;
extern const OpDefinition kSub;
extern const OpDefinition kSum;
extern const OpDefinition kTile;
extern const OpDefinition kTranspose;

}  // namespace ops
}  // namespace arenalite

#endif  // ARENALITE_BUILTIN_OPS_H_
