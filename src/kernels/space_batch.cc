#include "kernels/space_batch.h"

#include <algorithm>

#include "kernels/index_tensor.h"

namespace arenalite {
namespace {

// Checks all that does not depend on values.
Status CheckSpaceBatch(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 1, "block_shape", {TensorType::kInt32}));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 2, "margins", {TensorType::kInt32}));
  const Tensor& input = context.input(0);
  const int rank = input.shape.rank();
  if (rank != 3 && rank != 4) {
    return UnimplementedError("input 0 has shape ", input.shape.dims(),
                              ", allowed are ranks 3 and 4");
  }
  if (TensorTypeBits(input.type) < 8) {
    return UnimplementedError("input 0 is ", TensorTypeName(input.type),
                              ", allowed are types of whole bytes");
  }
  const int space = rank - 2;
  const Shape& block = context.input(1).shape;
  const Shape& margins = context.input(2).shape;
  if (block != Shape({space}) || margins != Shape({space, 2})) {
    return InvalidModelError("inputs 1 and 2 have shapes ", block.dims(),
                             " and ", margins.dims(), ", allowed [", space,
                             "] and [", space, ",2]");
  }
  const Quantization& from = input.quantization;
  const Quantization& to = context.output(0).quantization;
  if (MayBeQuantized(input.type) &&
      (from.scale() != to.scale() || from.zero_point() != to.zero_point())) {
    return InvalidModelError("output 0 has scale ", to.scale(),
                             " and zero point ", to.zero_point(),
                             ", allowed are those of the input: ", from.scale(),
                             " and ", from.zero_point());
  }
  return OkStatus();
}

// Reads and checks inputs 1 and 2.
Result<SpaceBlocks> ReadSpaceBlocks(const OpContext& context) {
  SpaceBlocks blocks = {{1, 1}, {0, 0}, {0, 0}};
  const Tensor& block = context.input(1);
  const Tensor& margins = context.input(2);
  for (int i = 0; i < block.shape.dim(0); ++i) {
    blocks.block[i] = ReadInteger(block, i);
    blocks.before[i] = ReadInteger(margins, 2 * i);
    blocks.after[i] = ReadInteger(margins, 2 * i + 1);
    if (blocks.block[i] < 1 ||
        std::min(blocks.before[i], blocks.after[i]) < 0) {
      return InvalidModelError(
          "dimension ", i + 1, " has block ", blocks.block[i], " and margins [",
          blocks.before[i], ",", blocks.after[i], "], allowed >= 1 and >= 0");
    }
  }
  return blocks;
}

Status EvalPlanned(OpContext& context) {
  const auto& data = context.data<SpaceBatchData>();
  data.op.move(context, data.blocks);
  return OkStatus();
}

Status EvalDynamic(OpContext& context) {
  const SpaceBatchOp& op = context.data<SpaceBatchData>().op;
  ARENALITE_ASSIGN_OR_RETURN(SpaceBlocks blocks, ReadSpaceBlocks(context));
  ARENALITE_ASSIGN_OR_RETURN(Shape shape,
                             op.output_shape(context.input(0).shape, blocks));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  if (context.output(0).bytes == 0) return OkStatus();
  op.move(context, blocks);
  return OkStatus();
}

}  // namespace

Image::Image(const Shape& shape)
    : batch(shape.dim(0)),
      height(shape.dim(1)),
      width(shape.rank() == 4 ? shape.dim(2) : 1),
      channels(shape.dim_from_end(0)) {}

Status PrepareSpaceBatch(OpContext& context, const SpaceBatchOp& op) {
  ARENALITE_RETURN_IF_ERROR(CheckSpaceBatch(context));
  ARENALITE_ASSIGN_OR_RETURN(SpaceBatchData * data,
                             context.CreateData<SpaceBatchData>());
  data->op = op;
  ARENALITE_ASSIGN_OR_RETURN(data->zero, PadValue::ZeroOf(context.output(0)));
  if (!context.HasValue(context.input(1)) ||
      !context.HasValue(context.input(2))) {
    context.SetEval(EvalDynamic);
    return context.SetOutputDynamic(0);
  }
  ARENALITE_ASSIGN_OR_RETURN(data->blocks, ReadSpaceBlocks(context));
  data->is_planned = true;
  ARENALITE_ASSIGN_OR_RETURN(
      Shape shape, op.output_shape(context.input(0).shape, data->blocks));
  context.SetEval(EvalPlanned);
  return context.SetOutputShape(0, shape);
}

Result<Shape> ImageShape(const Shape& like, int64_t batch, int64_t height,
                         int64_t width) {
  if (std::max({batch, height, width}) > INT32_MAX ||
      std::min({batch, height, width}) < 0) {
    return InvalidModelError("the output would be [", batch, ",", height, ",",
                             width, ",...], allowed 0..", INT32_MAX);
  }
  Shape shape = like;
  shape.set_dim(0, static_cast<int32_t>(batch));
  shape.set_dim(1, static_cast<int32_t>(height));
  if (shape.rank() == 4) shape.set_dim(2, static_cast<int32_t>(width));
  return Shape::Create(shape.dims());
}

}  // namespace arenalite
