// Joining elements two by two: what REDUCE_WINDOW and the bodies of StableHLO
// operators do.

#ifndef ARENALITE_KERNELS_JOIN_H_
#define ARENALITE_KERNELS_JOIN_H_

#include "arenalite/op_definition.h"

namespace arenalite {

enum class JoinFunction {
  kAdd,
  kMul,
  kMin,
  kMax,
  kAll,
  kAny,
  kReplace,  // The second of the two.
};

// *result = join(*result, element) for `count` elements, `step` elements of
// the same type apart.
using JoinElements = void (*)(void* result, const void* elements, int64_t step,
                              int64_t count);

// Null for types that cannot be joined.
JoinElements FindJoin(JoinFunction function, TensorType type);

// The function that a subgraph of one operator computes.
Result<JoinFunction> JoinOfOperator(int32_t builtin_code);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_JOIN_H_
