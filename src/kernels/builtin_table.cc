#include "kernels/builtin_table.h"

#include "arenalite/builtin_ops.h"

namespace arenalite {
namespace {

// One row an operator.
constexpr const OpDefinition* kTable[] = {
    &ops::kExpandDims,
    &ops::kReshape,
    &ops::kSqueeze,
};

}  // namespace

Span<const OpDefinition* const> BuiltinOps() {
  return Span<const OpDefinition* const>(kTable);
}

}  // namespace arenalite
