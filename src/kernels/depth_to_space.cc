// DEPTH_TO_SPACE, SPACE_TO_DEPTH: blocks of channels become blocks of pixels,
// and back.

#include "arenalite/builtin_ops.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct BlockOptions {
  int32_t block;
};

template <class Table>
Status ParseBlock(const OpSource& source, void* options) {
  const auto* table = OptionsTable<Table>(source);
  if (table) static_cast<BlockOptions*>(options)->block = table->block_size();
  return OkStatus();
}

// Of the tensor with more pixels: batch, row of blocks, row in the block,
// column of blocks, column in the block, channel.
struct Blocks {
  int64_t batch, rows, block, columns, channels;
};

Result<CopyJob> ResolveDepthToSpace(const OpContext& context) {
  const Shape& in = context.input(0).shape;
  const int64_t block = context.options<BlockOptions>().block;
  if (in.dim(3) % (block * block) != 0 || in.dim(1) * block > INT32_MAX ||
      in.dim(2) * block > INT32_MAX) {
    return InvalidModelError("input 0 has shape ", in.dims(),
                             ", its channels must be a multiple of ",
                             block * block);
  }
  const Blocks b = {in.dim(0), in.dim(1), block, in.dim(2),
                    in.dim(3) / (block * block)};
  CopyJob job;
  job.shape = {in.dim(0), static_cast<int32_t>(b.rows * block),
               static_cast<int32_t>(b.columns * block),
               static_cast<int32_t>(b.channels)};
  const int64_t pixel = in.dim(3);
  CopyAxis axes[] = {
      {b.batch, b.rows * b.columns * pixel, 0},
      {b.rows, b.columns * pixel, 0},
      {block, block * b.channels, 0},
      {b.columns, pixel, 0},
      {block, b.channels, 0},
      {b.channels, 1, 0},
  };
  job.plan = MakeDenseCopyPlan(axes, context.input(0).type);
  return job;
}

Result<CopyJob> ResolveSpaceToDepth(const OpContext& context) {
  const Shape& in = context.input(0).shape;
  const int64_t block = context.options<BlockOptions>().block;
  if (in.dim(1) % block != 0 || in.dim(2) % block != 0 ||
      in.dim(3) * block * block > INT32_MAX) {
    return InvalidModelError("input 0 has shape ", in.dims(),
                             ", its rows and columns must be multiples of ",
                             block);
  }
  const Blocks b = {in.dim(0), in.dim(1) / block, block, in.dim(2) / block,
                    in.dim(3)};
  CopyJob job;
  job.shape = {in.dim(0), static_cast<int32_t>(b.rows),
               static_cast<int32_t>(b.columns),
               static_cast<int32_t>(b.channels * block * block)};
  const int64_t row = b.columns * block * b.channels;
  CopyAxis axes[] = {
      {b.batch, b.rows * block * row, 0},
      {b.rows, block * row, 0},
      {b.columns, block * b.channels, 0},
      {block, row, 0},
      {block, b.channels, 0},
      {b.channels, 1, 0},
  };
  job.plan = MakeDenseCopyPlan(axes, context.input(0).type);
  return job;
}

template <ResolveCopy resolve>
Status PrepareBlocks(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  const Shape& shape = context.input(0).shape;
  if (shape.rank() != 4) {
    return InvalidModelError("input 0 has shape ", shape.dims(),
                             ", allowed is rank 4");
  }
  constexpr int32_t kMaxBlock = 1 << 15;  // Its square fits.
  const int32_t block = context.options<BlockOptions>().block;
  if (block < 1 || block > kMaxBlock) {
    return InvalidModelError("block_size is ", block, ", allowed 1..",
                             kMaxBlock);
  }
  return PrepareCopy(context, 0, true, resolve);
}

}  // namespace

namespace ops {

const OpDefinition kDepthToSpace = {
    "DEPTH_TO_SPACE",
    schema::BuiltinOperator_DEPTH_TO_SPACE,
    2,
    kOpDefault,
    sizeof(BlockOptions),
    ParseBlock<schema::DepthToSpaceOptions>,
    PrepareBlocks<ResolveDepthToSpace>,
    nullptr,
    CopyOverlap,
};
const OpDefinition kSpaceToDepth = {
    "SPACE_TO_DEPTH",
    schema::BuiltinOperator_SPACE_TO_DEPTH,
    2,
    kOpDefault,
    sizeof(BlockOptions),
    ParseBlock<schema::SpaceToDepthOptions>,
    PrepareBlocks<ResolveSpaceToDepth>,
    nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
