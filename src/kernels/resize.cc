#include "kernels/resize.h"

namespace arenalite {
namespace {

// Input 0's shape with the height and width of input 1.
Result<Shape> OutputShape(const OpContext& context) {
  const Tensor& input = context.input(0);
  const auto* size = context.input(1).data_as<int32_t>();
  if (size[0] <= 0 || size[1] <= 0) {
    return InvalidModelError("input 1 (size) is [", size[0], ",", size[1],
                             "], allowed > 0");
  }
  if (input.shape.dim(1) == 0 || input.shape.dim(2) == 0) {
    return InvalidModelError("input 0 has shape ", input.shape.dims(),
                             ", allowed height and width > 0");
  }
  return Shape{input.shape.dim(0), size[0], size[1], input.shape.dim(3)};
}

}  // namespace

float ResizeAxis::Scale() const {
  if (align_corners && output > 1) {
    return static_cast<float>(input - 1) / static_cast<float>(output - 1);
  }
  return static_cast<float>(input) / static_cast<float>(output);
}

ResizeAxis MakeResizeAxis(const OpContext& context, int dimension) {
  const auto& options = context.options<ResizeOptions>();
  return {context.input(0).shape.dim(dimension),
          context.output(0).shape.dim(dimension), options.align_corners,
          options.half_pixel_centers};
}

Status PrepareResize(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const Tensor& input = context.input(0);
  const Tensor& size = context.input(1);
  if (input.shape.rank() != 4) {
    return InvalidModelError("input 0 has shape ", input.shape.dims(),
                             ", allowed rank 4");
  }
  if (size.type != TensorType::kInt32 || size.shape != Shape({2})) {
    return InvalidModelError("input 1 (size) is ", TensorTypeName(size.type),
                             " of shape ", size.shape.dims(),
                             ", allowed INT32 of shape [2]");
  }
  if (context.output(0).type != input.type) {
    return InvalidModelError("output 0 is ",
                             TensorTypeName(context.output(0).type),
                             ", but input 0 is ", TensorTypeName(input.type));
  }
  if (!context.HasValue(size)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, OutputShape(context));
  return context.SetOutputShape(0, shape);
}

Status ResizeDynamicOutput(OpContext& context) {
  if (!context.output(0).is_dynamic()) return OkStatus();
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, OutputShape(context));
  return context.ResizeOutput(0, shape);
}

}  // namespace arenalite
