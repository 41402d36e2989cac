#include "kernels/builtin_table.h"

#include "arenalite/builtin_ops.h"

namespace arenalite {
namespace {

// One row an operator.
constexpr const OpDefinition* kTable[] = {
    &ops::kAdd,
    &ops::kConcatenation,
    &ops::kExpandDims,
    &ops::kMaximum,
    &ops::kMinimum,
    &ops::kMul,
    &ops::kPad,
    &ops::kPadV2,
    &ops::kReshape,
    &ops::kSqueeze,
    &ops::kStridedSlice,
    &ops::kSub,
    &ops::kTranspose,
};

}  // namespace

Span<const OpDefinition* const> BuiltinOps() {
  return Span<const OpDefinition* const>(kTable);
}

}  // namespace arenalite
