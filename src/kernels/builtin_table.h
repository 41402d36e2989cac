// The table of all built-in operators.

#ifndef ARENALITE_KERNELS_BUILTIN_TABLE_H_
#define ARENALITE_KERNELS_BUILTIN_TABLE_H_

#include "arenalite/op_definition.h"
#include "arenalite/span.h"

namespace arenalite {

// In alphabetical order of names. Static storage.
Span<const OpDefinition* const> BuiltinOps();

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_BUILTIN_TABLE_H_
