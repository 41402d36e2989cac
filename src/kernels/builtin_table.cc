#include "kernels/builtin_table.h"

#include "arenalite/builtin_ops.h"

namespace arenalite {
namespace {

// One row an operator.
constexpr const OpDefinition* kTable[] = {
    &ops::kAdd,
    &ops::kExpandDims,
    &ops::kMaximum,
    &ops::kMinimum,
    &ops::kMul,
    &ops::kReshape,
    &ops::kSqueeze,
    &ops::kSub,
};

}  // namespace

Span<const OpDefinition* const> BuiltinOps() {
  return Span<const OpDefinition* const>(kTable);
}

}  // namespace arenalite
