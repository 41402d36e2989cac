// DILATE: a value between the elements of the input.

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/pad_op.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kDilations = 1;
constexpr int kValue = 2;

Result<PadSpec> ReadDilations(const OpContext& context) {
  const Tensor& dilations = context.input(kDilations);
  PadSpec spec = {};
  for (int i = 0; i < context.input(0).shape.rank(); ++i) {
    const int64_t dilation = ReadInteger(dilations, i);
    if (dilation < 1) {
      return InvalidModelError("input 1 (dilations) is ", dilation,
                               " for dimension ", i, ", allowed >= 1");
    }
    spec.axes[i].between = dilation - 1;
  }
  return spec;
}

Status PrepareDilate(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, kDilations, "dilations", {TensorType::kInt32}));
  const Tensor& dilations = context.input(kDilations);
  const int rank = context.input(0).shape.rank();
  if (dilations.shape != Shape({rank})) {
    return InvalidModelError("input 1 (dilations) has shape ",
                             dilations.shape.dims(), ", allowed [", rank, "]");
  }
  return PreparePad(context, kValue, context.HasValue(dilations),
                    ReadDilations);
}

}  // namespace

namespace ops {

const OpDefinition kDilate = {
    "DILATE",
    schema::BuiltinOperator_DILATE,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareDilate,
    nullptr,
    PadOverlap,
};

}  // namespace ops
}  // namespace arenalite
