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

extern const OpDefinition kAbs;
extern const OpDefinition kAdd;
extern const OpDefinition kAddN;
extern const OpDefinition kArgMax;
extern const OpDefinition kArgMin;
extern const OpDefinition kAssignVariable;
extern const OpDefinition kAtan2;
extern const OpDefinition kAveragePool2d;
extern const OpDefinition kBatchMatMul;
extern const OpDefinition kBatchToSpaceNd;
extern const OpDefinition kBitcast;
extern const OpDefinition kBitwiseXor;
extern const OpDefinition kBroadcastArgs;
extern const OpDefinition kBroadcastTo;
extern const OpDefinition kBucketize;
extern const OpDefinition kCast;
extern const OpDefinition kCeil;
extern const OpDefinition kComplexAbs;
extern const OpDefinition kConcatenation;
extern const OpDefinition kConv2d;
extern const OpDefinition kConv3d;
extern const OpDefinition kConv3dTranspose;
extern const OpDefinition kCos;
extern const OpDefinition kDensify;
extern const OpDefinition kDepthToSpace;
extern const OpDefinition kDepthwiseConv2d;
extern const OpDefinition kDequantize;
extern const OpDefinition kDiv;
extern const OpDefinition kDynamicUpdateSlice;
extern const OpDefinition kElu;
extern const OpDefinition kEmbeddingLookup;
extern const OpDefinition kEmbeddingLookupSparse;
extern const OpDefinition kEqual;
extern const OpDefinition kExp;
extern const OpDefinition kExpandDims;
extern const OpDefinition kFakeQuant;
extern const OpDefinition kFill;
extern const OpDefinition kFloor;
extern const OpDefinition kFloorDiv;
extern const OpDefinition kFloorMod;
extern const OpDefinition kFullyConnected;
extern const OpDefinition kGather;
extern const OpDefinition kGatherNd;
extern const OpDefinition kGelu;
extern const OpDefinition kGreater;
extern const OpDefinition kGreaterEqual;
extern const OpDefinition kHardSwish;
extern const OpDefinition kHashtableLookup;
extern const OpDefinition kImag;
extern const OpDefinition kL2Normalization;
extern const OpDefinition kL2Pool2d;
extern const OpDefinition kLeakyRelu;
extern const OpDefinition kLess;
extern const OpDefinition kLessEqual;
extern const OpDefinition kLocalResponseNormalization;
extern const OpDefinition kLog;
extern const OpDefinition kLogSoftmax;
extern const OpDefinition kLogicalAnd;
extern const OpDefinition kLogicalNot;
extern const OpDefinition kLogicalOr;
extern const OpDefinition kLogistic;
extern const OpDefinition kMatrixDiag;
extern const OpDefinition kMatrixSetDiag;
extern const OpDefinition kMaxPool2d;
extern const OpDefinition kMaximum;
extern const OpDefinition kMean;
extern const OpDefinition kMinimum;
extern const OpDefinition kMirrorPad;
extern const OpDefinition kMul;
extern const OpDefinition kNeg;
extern const OpDefinition kNonMaxSuppressionV4;
extern const OpDefinition kNonMaxSuppressionV5;
extern const OpDefinition kNotEqual;
extern const OpDefinition kOneHot;
extern const OpDefinition kPack;
extern const OpDefinition kPad;
extern const OpDefinition kPadV2;
extern const OpDefinition kPow;
extern const OpDefinition kPrelu;
extern const OpDefinition kQuantize;
extern const OpDefinition kRange;
extern const OpDefinition kRank;
extern const OpDefinition kReadVariable;
extern const OpDefinition kReal;
extern const OpDefinition kReduceAll;
extern const OpDefinition kReduceAny;
extern const OpDefinition kReduceMax;
extern const OpDefinition kReduceMin;
extern const OpDefinition kReduceProd;
extern const OpDefinition kRelu0To1;
extern const OpDefinition kRelu6;
extern const OpDefinition kRelu;
extern const OpDefinition kReluN1To1;
extern const OpDefinition kReshape;
extern const OpDefinition kResizeBilinear;
extern const OpDefinition kResizeNearestNeighbor;
extern const OpDefinition kReverseSequence;
extern const OpDefinition kReverseV2;
extern const OpDefinition kRightShift;
extern const OpDefinition kRound;
extern const OpDefinition kRsqrt;
extern const OpDefinition kScatterNd;
extern const OpDefinition kSelect;
extern const OpDefinition kSelectV2;
extern const OpDefinition kShape;
extern const OpDefinition kSign;
extern const OpDefinition kSin;
extern const OpDefinition kSlice;
extern const OpDefinition kSoftmax;
extern const OpDefinition kSpaceToBatchNd;
extern const OpDefinition kSpaceToDepth;
extern const OpDefinition kSparseToDense;
extern const OpDefinition kSplit;
extern const OpDefinition kSplitV;
extern const OpDefinition kSqrt;
extern const OpDefinition kSquare;
extern const OpDefinition kSquaredDifference;
extern const OpDefinition kSqueeze;
extern const OpDefinition kStablehloAbs;
extern const OpDefinition kStablehloAdd;
extern const OpDefinition kStablehloAnd;
extern const OpDefinition kStablehloCbrt;
extern const OpDefinition kStablehloCompare;
extern const OpDefinition kStablehloConvert;
extern const OpDefinition kStablehloCosine;
extern const OpDefinition kStablehloDivide;
extern const OpDefinition kStablehloExponential;
extern const OpDefinition kStablehloFloor;
extern const OpDefinition kStablehloLog;
extern const OpDefinition kStablehloLogistic;
extern const OpDefinition kStablehloMaximum;
extern const OpDefinition kStablehloMinimum;
extern const OpDefinition kStablehloMultiply;
extern const OpDefinition kStablehloNegate;
extern const OpDefinition kStablehloOr;
extern const OpDefinition kStablehloPower;
extern const OpDefinition kStablehloRemainder;
extern const OpDefinition kStablehloRsqrt;
extern const OpDefinition kStablehloSelect;
extern const OpDefinition kStablehloShiftLeft;
extern const OpDefinition kStablehloSubtract;
extern const OpDefinition kStablehloTanh;
extern const OpDefinition kStridedSlice;
extern const OpDefinition kSub;
extern const OpDefinition kSum;
extern const OpDefinition kTanh;
extern const OpDefinition kTile;
extern const OpDefinition kTranspose;
extern const OpDefinition kTransposeConv;
extern const OpDefinition kUnique;
extern const OpDefinition kUnpack;
extern const OpDefinition kVarHandle;
extern const OpDefinition kWhere;
extern const OpDefinition kZerosLike;

}  // namespace ops
}  // namespace arenalite

#endif  // ARENALITE_BUILTIN_OPS_H_
