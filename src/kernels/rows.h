// The loop nest of operators that work on rows along the last dimension.

#ifndef ARENALITE_KERNELS_ROWS_H_
#define ARENALITE_KERNELS_ROWS_H_

#include <cstdint>

#include "arenalite/op_definition.h"
#include "kernels/unary.h"

namespace arenalite {

// Row: a functor of SetFunctor, with element types In and Out, and a call
// operator (const In* in, Out* out, int64_t depth). It may read its row as
// often as it likes, but no element after the output element at the same place
// is written: that makes BlockOverlap(context, 1) the op's overlap.
template <class Row>
Status EvalRows(OpContext& context) {
  const Tensor& input = context.input(0);
  const Shape& shape = input.shape;
  const int64_t depth = shape.dim_from_end(0);
  const int64_t rows = shape.NumElements(0, shape.rank() - 1);
  const auto* in = input.data_as<typename Row::In>();
  auto* out = context.output(0).data_as<typename Row::Out>();
  const Row& row = FunctorOf<Row>(context);
  for (int64_t r = 0; r < rows && depth > 0; ++r) {
    row(in + r * depth, out + r * depth, depth);
  }
  return OkStatus();
}

// prepare: eval is to apply `row`.
template <class Row>
Status SetRows(OpContext& context, const Row& row) {
  context.SetEval(EvalRows<Row>);
  return SetFunctor(context, row);
}

// Refuses a scalar input.
Status CheckHasRows(const OpContext& context);

// The overlap of EvalRows.
int64_t RowsOverlap(const OpContext& context, int output, int input);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_ROWS_H_
