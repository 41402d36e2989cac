// ReadShape: a shape that is the value of a tensor.

#ifndef ARENALITE_KERNELS_SHAPE_TENSOR_H_
#define ARENALITE_KERNELS_SHAPE_TENSOR_H_

#include "arenalite/op_definition.h"

namespace arenalite {

// Refuses input i (called `role`) unless it is a 1-D tensor of INT32 or INT64.
Status CheckShapeTensor(const OpContext& context, int i, const char* role);

// The shape that such an input holds. Its value must be there.
Result<Shape> ReadShape(const OpContext& context, int i, const char* role);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_SHAPE_TENSOR_H_
