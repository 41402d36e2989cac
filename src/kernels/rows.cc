#include "kernels/rows.h"

#include "kernels/unary.h"

namespace arenalite {

Status CheckHasRows(const OpContext& context) {
  if (context.input(0).shape.rank() > 0) return OkStatus();
  return InvalidModelError("input 0 is a scalar, allowed rank >= 1");
}

int64_t RowsOverlap(const OpContext& context, int, int) {
  return BlockOverlap(context, 1);
}

}  // namespace arenalite
