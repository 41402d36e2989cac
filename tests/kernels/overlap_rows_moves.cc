#include <algorithm>
#include <numeric>

#include "arenalite/builtin_ops.h"
#include "kernels/overlap_rows.h"

namespace arenalite {
namespace testing {
namespace {

constexpr TensorType kShort = TensorType::kInt16;
using Longs = std::vector<int64_t>;

void AddInputAndOutput(OpRunner& runner, const Shape& shape, Draw& draw) {
  AddRandom(runner, kShort, shape, draw);
  runner.AddOutput(kShort);
}

std::vector<int32_t> Permutation(int rank, Draw& draw) {
  std::vector<int32_t> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), draw.random());
  return order;
}

// Where a part of each dimension begins and how much it takes.
struct Part {
  std::vector<int32_t> begin;
  std::vector<int32_t> size;
};
Part PartOf(const Shape& shape, Draw& draw) {
  Part part;
  for (int i = 0; i < shape.rank(); ++i) {
    part.size.push_back(draw.UpTo(shape.dim(i)));
    part.begin.push_back(draw.Below(shape.dim(i) - part.size.back() + 1));
  }
  return part;
}

// Inputs that differ along `axis` only.
void AddParts(OpRunner& runner, int32_t axis, Draw& draw) {
  Shape shape = draw.AnyShape(3);
  const int32_t count = draw.UpTo(3);
  for (int32_t i = 0; i < count; ++i) {
    shape.set_dim(axis, draw.UpTo(5));
    AddRandom(runner, kShort, shape, draw);
  }
  runner.AddOutput(kShort);
}

void BuildConcatenation(OpRunner& runner, Draw& draw) {
  const int32_t axis = draw.Below(3);
  AddParts(runner, axis, draw);
  runner.SetOptions(schema::BuiltinOptions_ConcatenationOptions, [=](auto& b) {
    return schema::CreateConcatenationOptions(b, axis);
  });
}

void BuildStablehloConcatenate(OpRunner& runner, Draw& draw) {
  const int32_t axis = draw.Below(3);
  AddParts(runner, axis, draw);
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloConcatenateOptions, [=](auto& b) {
        return schema::CreateStablehloConcatenateOptions(b, axis);
      });
}

void BuildPack(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(2);
  const int32_t axis = draw.Below(3);
  const int32_t count = draw.UpTo(3);
  for (int32_t i = 0; i < count; ++i) AddRandom(runner, kShort, shape, draw);
  runner.AddOutput(kShort);
  runner.SetOptions(schema::BuiltinOptions_PackOptions, [=](auto& b) {
    return schema::CreatePackOptions(b, count, axis);
  });
}

void BuildUnpack(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  const int32_t axis = draw.Below(3);
  AddRandom(runner, kShort, shape, draw);
  for (int32_t i = 0; i < shape.dim(axis); ++i) runner.AddOutput(kShort);
  runner.SetOptions(schema::BuiltinOptions_UnpackOptions, [=](auto& b) {
    return schema::CreateUnpackOptions(b, shape.dim(axis), axis);
  });
}

void BuildSplit(OpRunner& runner, Draw& draw) {
  const int32_t parts = draw.UpTo(3);
  const int32_t axis = draw.Below(3);
  Shape shape = draw.AnyShape(3);
  shape.set_dim(axis, shape.dim(axis) * parts);
  runner.AddConstant<int32_t>({}, {axis});
  AddRandom(runner, kShort, shape, draw);
  for (int32_t i = 0; i < parts; ++i) runner.AddOutput(kShort);
  runner.SetOptions(schema::BuiltinOptions_SplitOptions, [=](auto& b) {
    return schema::CreateSplitOptions(b, parts);
  });
}

void BuildSplitV(OpRunner& runner, Draw& draw) {
  const int32_t axis = draw.Below(3);
  const std::vector<int32_t> sizes = {draw.UpTo(4), draw.UpTo(4)};
  Shape shape = draw.AnyShape(3);
  shape.set_dim(axis, sizes[0] + sizes[1]);
  AddRandom(runner, kShort, shape, draw);
  AddNumbers(runner, sizes);
  runner.AddConstant<int32_t>({}, {axis});
  for (int i = 0; i < 2; ++i) runner.AddOutput(kShort);
  runner.SetOptions(schema::BuiltinOptions_SplitVOptions,
                    [](auto& b) { return schema::CreateSplitVOptions(b, 2); });
}

void BuildSlice(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  const Part part = PartOf(shape, draw);
  AddInputAndOutput(runner, shape, draw);
  AddNumbers(runner, part.begin);
  AddNumbers(runner, part.size);
}

void BuildStridedSlice(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  std::vector<int32_t> begin;
  std::vector<int32_t> end;
  std::vector<int32_t> strides;
  for (int i = 0; i < 3; ++i) {
    const bool backward = draw.Coin();
    begin.push_back(backward ? shape.dim(i) - 1 : 0);
    end.push_back(backward ? -shape.dim(i) - 1 : shape.dim(i));
    strides.push_back(backward ? -draw.UpTo(2) : draw.UpTo(3));
  }
  AddInputAndOutput(runner, shape, draw);
  for (const auto& numbers : {begin, end, strides}) AddNumbers(runner, numbers);
  runner.SetOptions(schema::BuiltinOptions_StridedSliceOptions, [](auto& b) {
    return schema::CreateStridedSliceOptions(b);
  });
}

void BuildStablehloSlice(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  const Part part = PartOf(shape, draw);
  Longs start, limit, strides;
  for (size_t i = 0; i < 3; ++i) {
    start.push_back(part.begin[i]);
    limit.push_back(part.begin[i] + part.size[i]);
    strides.push_back(draw.UpTo(2));
  }
  AddInputAndOutput(runner, shape, draw);
  runner.SetOptions2(schema::BuiltinOptions2_StablehloSliceOptions,
                     [&](auto& b) {
                       return schema::CreateStablehloSliceOptionsDirect(
                           b, &start, &limit, &strides);
                     });
}

void BuildDynamicSlice(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  const Part part = PartOf(shape, draw);
  const Longs sizes(part.size.begin(), part.size.end());
  AddInputAndOutput(runner, shape, draw);
  for (int32_t begin : part.begin) runner.AddConstant<int32_t>({}, {begin});
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloDynamicSliceOptions, [&](auto& b) {
        return schema::CreateStablehloDynamicSliceOptionsDirect(b, &sizes);
      });
}

void BuildUpdateSlice(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  const Part part = PartOf(shape, draw);
  AddInputAndOutput(runner, shape, draw);
  AddRandom(runner, kShort, {part.size[0], part.size[1], part.size[2]}, draw);
  AddNumbers(runner, part.begin);
}

std::vector<int32_t> Paddings(int count, Draw& draw) {
  std::vector<int32_t> paddings;
  for (int i = 0; i < count; ++i) paddings.push_back(draw.Below(3));
  return paddings;
}

void BuildPad(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  runner.AddConstant<int32_t>({3, 2}, Paddings(6, draw));
}

void BuildPadV2(OpRunner& runner, Draw& draw) {
  BuildPad(runner, draw);
  runner.AddConstant<int16_t>({}, {7});
}

void BuildMirrorPad(OpRunner& runner, Draw& draw) {
  Shape shape = draw.AnyShape(3);
  for (int i = 0; i < 3; ++i) shape.set_dim(i, shape.dim(i) + 2);
  AddInputAndOutput(runner, shape, draw);
  runner.AddConstant<int32_t>({3, 2}, Paddings(6, draw));
  const bool reflect = draw.Coin();
  runner.SetOptions(schema::BuiltinOptions_MirrorPadOptions, [=](auto& b) {
    return schema::CreateMirrorPadOptions(
        b, reflect ? schema::MirrorPadMode_REFLECT
                   : schema::MirrorPadMode_SYMMETRIC);
  });
}

void BuildStablehloPad(OpRunner& runner, Draw& draw) {
  Longs low, high, between;
  for (int i = 0; i < 3; ++i) {
    low.push_back(draw.Below(4) - 1);
    high.push_back(draw.Below(3));
    between.push_back(draw.Below(2));
  }
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  runner.AddConstant<int16_t>({}, {7});
  runner.SetOptions2(schema::BuiltinOptions2_StablehloPadOptions, [&](auto& b) {
    return schema::CreateStablehloPadOptionsDirect(b, &low, &high, &between);
  });
}

void BuildDilate(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  AddNumbers(runner, {draw.UpTo(3), draw.UpTo(3), draw.UpTo(3)});
  runner.AddConstant<int16_t>({}, {7});
}

void BuildTranspose(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  AddNumbers(runner, Permutation(3, draw));
}

void BuildStablehloTranspose(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  const std::vector<int32_t> order = Permutation(3, draw);
  const Longs permutation(order.begin(), order.end());
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloTransposeOptions, [&](auto& b) {
        return schema::CreateStablehloTransposeOptionsDirect(b, &permutation);
      });
}

void BuildTile(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  AddNumbers(runner, {draw.UpTo(2), draw.UpTo(3), draw.UpTo(3)});
}

void BuildReverse(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  AddNumbers(runner, {draw.Below(3)});
}

void BuildDepthToSpace(OpRunner& runner, Draw& draw) {
  const int32_t block = draw.UpTo(3);
  AddInputAndOutput(
      runner,
      {draw.UpTo(2), draw.UpTo(4), draw.UpTo(4), draw.UpTo(3) * block * block},
      draw);
  runner.SetOptions(schema::BuiltinOptions_DepthToSpaceOptions, [=](auto& b) {
    return schema::CreateDepthToSpaceOptions(b, block);
  });
}

void BuildSpaceToDepth(OpRunner& runner, Draw& draw) {
  const int32_t block = draw.UpTo(3);
  AddInputAndOutput(
      runner,
      {draw.UpTo(2), draw.UpTo(4) * block, draw.UpTo(4) * block, draw.UpTo(3)},
      draw);
  runner.SetOptions(schema::BuiltinOptions_SpaceToDepthOptions, [=](auto& b) {
    return schema::CreateSpaceToDepthOptions(b, block);
  });
}

Build SpaceBatch(bool to_batch) {
  return [=](OpRunner& runner, Draw& draw) {
    const int32_t block[] = {draw.UpTo(3), draw.UpTo(3)};
    const Shape small = draw.AnyShape(4, 3);
    const Shape large = {small.dim(0), small.dim(1) * block[0],
                         small.dim(2) * block[1], small.dim(3)};
    Shape shape = to_batch ? large : small;
    if (!to_batch) shape.set_dim(0, small.dim(0) * block[0] * block[1]);
    AddInputAndOutput(runner, shape, draw);
    AddNumbers(runner, {block[0], block[1]});
    const int32_t top = draw.Below(block[0]);
    const int32_t left = draw.Below(block[1]);
    // Paddings that keep the sizes multiples; crops within the first block.
    runner.AddConstant<int32_t>(
        {2, 2}, to_batch
                    ? std::vector<int32_t>{top, (block[0] - top) % block[0],
                                           left, (block[1] - left) % block[1]}
                    : std::vector<int32_t>{top, 0, left, 0});
  };
}

void BuildMatrixDiag(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(2), draw);
}

void BuildMatrixSetDiag(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  AddInputAndOutput(runner, shape, draw);
  AddRandom(runner, kShort,
            {shape.dim(0), std::min(shape.dim(1), shape.dim(2))}, draw);
}

std::vector<int32_t> Indices(int32_t count, int32_t end, Draw& draw) {
  std::vector<int32_t> indices;
  for (int32_t i = 0; i < count; ++i) indices.push_back(draw.Below(end));
  if (draw.Coin()) std::sort(indices.begin(), indices.end());
  return indices;
}

// Indices may be constants: then the values have a number as well.
void AddIndices(OpRunner& runner, const Shape& shape, int32_t end, Draw& draw) {
  const auto count = static_cast<int32_t>(shape.NumElements());
  runner.AddInput<int32_t>(shape, Indices(count, end, draw), {}, {}, 0,
                           draw.Coin());
}

void BuildGather(OpRunner& runner, Draw& draw) {
  const int32_t axis = draw.Below(3);
  const Shape shape = draw.AnyShape(3);
  AddInputAndOutput(runner, shape, draw);
  AddIndices(runner, {draw.UpTo(5)}, shape.dim(axis), draw);
  runner.SetOptions(schema::BuiltinOptions_GatherOptions, [=](auto& b) {
    return schema::CreateGatherOptions(b, axis);
  });
}

void BuildGatherNd(OpRunner& runner, Draw& draw) {
  const Shape shape = {3, 3, draw.UpTo(4)};
  AddInputAndOutput(runner, shape, draw);
  AddIndices(runner, {draw.UpTo(6), 2}, 3, draw);
}

void BuildEmbeddingLookup(OpRunner& runner, Draw& draw) {
  const Shape table = draw.AnyShape(2);
  AddIndices(runner, {draw.UpTo(8)}, table.dim(0), draw);
  AddRandom(runner, TensorType::kFloat32, table, draw);
  runner.AddOutput(TensorType::kFloat32);
}

void BuildScatter(OpRunner& runner, Draw& draw) {
  const Longs zero = {0};
  const Longs one = {1};
  const int32_t rows = draw.UpTo(4);
  const int32_t columns = draw.UpTo(4);
  AddInputAndOutput(runner, {rows, columns}, draw);
  runner.AddInput<int32_t>({3, 1}, Indices(3, rows, draw));
  AddRandom(runner, kShort, {3, columns}, draw);
  runner.SetOptions2(schema::BuiltinOptions2_StablehloScatterOptions,
                     [&](auto& b) {
                       return schema::CreateStablehloScatterOptionsDirect(
                           b, false, &one, &zero, &zero, 1);
                     });
  runner.SetBody(schema::BuiltinOperator_STABLEHLO_ADD);
}

void BuildReshape(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  AddNumbers(runner, {-1});
}

void BuildExpandDims(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
  runner.AddConstant<int32_t>({}, {draw.Below(4)});
}

void BuildAlone(OpRunner& runner, Draw& draw) {
  AddInputAndOutput(runner, draw.AnyShape(3), draw);
}

void BuildZerosLike(OpRunner& runner, Draw& draw) {
  AddRandom(runner, TensorType::kFloat32, draw.AnyShape(3), draw);
  runner.AddOutput(TensorType::kFloat32);
}

void BuildShape(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kShort, draw.AnyShape(3), draw);
  runner.AddOutput(TensorType::kInt32);
}

void BuildRandomBits(OpRunner& runner, Draw& draw) {
  AddRandom(runner, TensorType::kUInt64, {2}, draw);
  runner.AddOutput(TensorType::kUInt64);
  const int bits = runner.AddOutput(TensorType::kInt32);
  runner.tensor_of_output(bits).shape = draw.AnyShape(2);
}

}  // namespace

OverlapRows MoveRows() {
  return {
      {&ops::kConcatenation, BuildConcatenation},
      {&ops::kStablehloConcatenate, BuildStablehloConcatenate},
      {&ops::kPack, BuildPack},
      {&ops::kUnpack, BuildUnpack},
      {&ops::kSplit, BuildSplit},
      {&ops::kSplitV, BuildSplitV},
      {&ops::kSlice, BuildSlice},
      {&ops::kStridedSlice, BuildStridedSlice},
      {&ops::kStablehloSlice, BuildStablehloSlice},
      {&ops::kStablehloDynamicSlice, BuildDynamicSlice},
      {&ops::kDynamicUpdateSlice, BuildUpdateSlice, true},
      {&ops::kPad, BuildPad},
      {&ops::kPadV2, BuildPadV2},
      {&ops::kMirrorPad, BuildMirrorPad},
      {&ops::kStablehloPad, BuildStablehloPad},
      {&ops::kDilate, BuildDilate},
      {&ops::kTranspose, BuildTranspose},
      {&ops::kStablehloTranspose, BuildStablehloTranspose},
      {&ops::kTile, BuildTile},
      {&ops::kReverseV2, BuildReverse},
      {&ops::kDepthToSpace, BuildDepthToSpace},
      {&ops::kSpaceToDepth, BuildSpaceToDepth},
      {&ops::kSpaceToBatchNd, SpaceBatch(true)},
      {&ops::kBatchToSpaceNd, SpaceBatch(false)},
      {&ops::kMatrixDiag, BuildMatrixDiag},
      {&ops::kMatrixSetDiag, BuildMatrixSetDiag},
      {&ops::kGather, BuildGather},
      {&ops::kGatherNd, BuildGatherNd},
      {&ops::kEmbeddingLookup, BuildEmbeddingLookup},
      {&ops::kStablehloScatter, BuildScatter, true},
      {&ops::kReshape, BuildReshape, true},
      {&ops::kExpandDims, BuildExpandDims, true},
      {&ops::kSqueeze, BuildAlone, true},
      {&ops::kBitcast, BuildAlone, true},
      {&ops::kZerosLike, BuildZerosLike, true},
      {&ops::kShape, BuildShape, true},
      {&ops::kRank, BuildShape, true},
      {&ops::kStablehloRngBitGenerator, BuildRandomBits, true},
  };
}

}  // namespace testing
}  // namespace arenalite
