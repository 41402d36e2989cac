#include "kernels/builtin_table.h"

#include "arenalite/builtin_ops.h"

namespace arenalite {
namespace {

// One row an operator.
constexpr const OpDefinition* kTable[] = {
    &ops::kAdd,
    &ops::kConcatenation,
    &ops::kExpandDims,
    &ops::kFullyConnected,
    &ops::kMaximum,
    &ops::kMean,
    &ops::kMinimum,
    &ops::kMul,
    &ops::kPad,
    &ops::kPadV2,
    &ops::kReduceAll,
    &ops::kReduceAny,
    &ops::kReduceMax,
    &ops::kReduceMin,
    &ops::kReduceProd,
    &ops::kReshape,
    &ops::kSqueeze,
    &ops::kStridedSlice,
    &ops::kSub,
    &ops::kSum,
    &ops::kTranspose,
};

}  // namespace

Span<const OpDefinition* const> BuiltinOps() {
  return Span<const OpDefinition* const>(kTable);
}

}  // namespace arenalite
