// Data at run time: sizes that give no shape, and indices of nothing.

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

using schema::BuiltinOperator;

const Operand kX{{4, 3}};
const Operand kOne{{}, kInt};
const Operand kTwo{{2}, kInt};
const Operand kAny{{1}};
const Operand kAnyInt{{1}, kInt};

struct Words {
  std::vector<int32_t> bad;
  std::vector<int32_t> good;
};
DataFault Row(const char* name, const ModelBuilder& model, size_t position,
              const Words& words, const char* error, StatusCode code = kRange) {
  return {name, model, position, words.bad, words.good, error, code};
}

ModelBuilder WithTwo(BuiltinOperator code) {
  return OneOp(code, {{{2, 3}}, kTwo}, {kAny});
}
ModelBuilder Resize(BuiltinOperator code) {
  return OneOp(code, {{{1, 2, 2, 1}}, kTwo}, {kAny});
}
ModelBuilder Range(const Operand& limit, const Operand& delta) {
  return OneOp(schema::BuiltinOperator_RANGE,
               {Constant<int32_t>({}, {0}), limit, delta}, {kAnyInt});
}
ModelBuilder Pad(BuiltinOperator code) {
  std::vector<Operand> inputs = {{{2}}, {{1, 2}, kInt}};
  if (code == schema::BuiltinOperator_PADV2) inputs.push_back(Ones({1}));
  return OneOp(code, inputs, {kAny});
}
ModelBuilder OneHot() {
  return OneOp(schema::BuiltinOperator_ONE_HOT, {{{3}, kInt}, kOne, {{}}, {{}}},
               {kAny},
               [](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, -1); });
}
ModelBuilder Slice() {
  return OneOp(schema::BuiltinOperator_SLICE, {{{4}}, kAnyInt, Ints({2})},
               {kAny});
}
ModelBuilder SliceSize() {
  return OneOp(schema::BuiltinOperator_SLICE, {{{4}}, Ints({2}), kAnyInt},
               {kAny});
}
ModelBuilder StridedSlice(int position) {
  std::vector<Operand> inputs = {{{4}}, Ints({0}), Ints({2}), Ints({1})};
  inputs[static_cast<size_t>(position)] = kAnyInt;
  return OneOp(schema::BuiltinOperator_STRIDED_SLICE, inputs, {kAny},
               [](Fbb& fbb) {
                 return schema::CreateStridedSliceOptions(fbb, 0, 0, 0, 0, 1);
               });
}
ModelBuilder SparseShape() {
  return OneOp(schema::BuiltinOperator_SPARSE_TO_DENSE,
               {Ints({0, 1}), kAnyInt, {{2}}, {{}}}, {kAny});
}
ModelBuilder ScatterShape() {
  return OneOp(schema::BuiltinOperator_SCATTER_ND,
               {Constant<int32_t>({2, 1}, {0, 1}), {{2, 3}}, kTwo}, {kAny});
}
ModelBuilder Segments(BuiltinOperator code) {
  return OneOp(code, {{{2, 3}}, Ints({0, 1}), kAnyInt}, {kAny});
}
ModelBuilder Nms(int boxes) {
  return OneOp(schema::BuiltinOperator_NON_MAX_SUPPRESSION_V4,
               {{{boxes, 4}}, {{boxes}}, kOne, {{}}, {{}}}, {kAnyInt, kOne});
}

std::vector<DataFault> Sizes() {
  const auto fill = OneOp(schema::BuiltinOperator_FILL, {kTwo, {{}}}, {kAny});
  const auto random =
      OneOp(schema::BuiltinOperator_RANDOM_STANDARD_NORMAL, {kTwo}, {kAny},
            [](Fbb& fbb) { return schema::CreateRandomOptions(fbb, 1, 1); });
  const auto reshape = WithTwo(schema::BuiltinOperator_RESHAPE);
  const auto tile = WithTwo(schema::BuiltinOperator_TILE);
  const auto broadcast = WithTwo(schema::BuiltinOperator_BROADCAST_TO);
  const auto bilinear = Resize(schema::BuiltinOperator_RESIZE_BILINEAR);
  const auto nearest = Resize(schema::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR);
  const auto range = Range(kOne, Constant<int32_t>({}, {1}));
  const auto delta = Range(Constant<int32_t>({}, {4}), kOne);
  const auto topk =
      OneOp(schema::BuiltinOperator_TOPK_V2, {kX, kOne}, {kAny, kAnyInt});
  const auto multinomial =
      OneOp(schema::BuiltinOperator_MULTINOMIAL, {{{1, 3}}, kOne}, {kAnyInt},
            [](Fbb& fbb) { return schema::CreateRandomOptions(fbb, 1, 1); });
  const auto dilate = OneOp(schema::BuiltinOperator_DILATE,
                            {{{2}}, kAnyInt, Ones({1})}, {kAny});
  const auto rfft = OneOp(schema::BuiltinOperator_RFFT2D, {kX, kTwo},
                          {{{1}, TensorType::kComplex64}});
  const auto transpose = WithTwo(schema::BuiltinOperator_TRANSPOSE);
  const auto broadcast_args = OneOp(schema::BuiltinOperator_BROADCAST_ARGS,
                                    {kTwo, Ints({2, 3})}, {{{2}, kInt}});
  const auto pad = Pad(schema::BuiltinOperator_PAD);
  const auto pad_v2 = Pad(schema::BuiltinOperator_PADV2);
  const auto mirror = Pad(schema::BuiltinOperator_MIRROR_PAD);
  const auto segments = Segments(schema::BuiltinOperator_UNSORTED_SEGMENT_MAX);
  return {
      Row("FillNegative", fill, 0, {{2, -1}, {2, 3}},
          "element 1 of input 0 (dims) is -1, allowed 0..2147483647", kInvalid),
      Row("FillOverflow", fill, 0, {{kMax, kMax}, {2, 3}},
          "shape [2147483647,2147483647] of type FLOAT32 has a byte count that "
          "overflows",
          kArgument),
      Row("FillHuge", fill, 0, {{65536, 16384}, {2, 3}},
          "a dynamic tensor of 4294967296 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("RandomNegative", random, 0, {{kMin, 1}, {2, 3}},
          "element 0 of input 0 (shape) is -2147483648, allowed 0..2147483647",
          kInvalid),
      Row("RandomHuge", random, 0, {{65536, 65536}, {2, 3}},
          "a dynamic tensor of 17179869184 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("ReshapeCount", reshape, 1, {{2, 2}, {3, 2}},
          "new shape [2,2] holds 4 elements, the input holds 6", kInvalid),
      Row("ReshapeNegative", reshape, 1, {{-3, -2}, {3, -1}},
          "new shape [-3,-2] is no shape: one -1 and sizes >= 0 allowed",
          kInvalid),
      Row("ReshapeOverflow", reshape, 1, {{65536, 65536}, {3, 2}},
          "new shape [65536,65536] holds 4294967296 elements, the input holds "
          "6",
          kInvalid),
      Row("TileNegative", tile, 1, {{1, -1}, {1, 2}},
          "input 1 (multiples) is -1 for dimension 1 of size 3, allowed >= 0 "
          "and a product up to 2147483647",
          kInvalid),
      Row("TileOverflow", tile, 1, {{kMax, kMax}, {1, 2}},
          "input 1 (multiples) is 2147483647 for dimension 0 of size 2, "
          "allowed >= 0 and a product up to 2147483647",
          kInvalid),
      Row("TileHuge", tile, 1, {{65536, 65536}, {1, 2}},
          "a dynamic tensor of 103079215104 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("BroadcastIncompatible", broadcast, 1, {{2, 4}, {2, 3}},
          "inputs of shapes [2,3] and [2,4] do not broadcast: dimensions from "
          "the last on must be equal or 1",
          kInvalid),
      Row("BroadcastNegative", broadcast, 1, {{-2, 3}, {2, 3}},
          "element 0 of input 1 (shape) is -2, allowed 0..2147483647",
          kInvalid),
      Row("BroadcastArgs", broadcast_args, 0, {{2, 4}, {2, 3}},
          "dimension 1 is 4 and 3, allowed are equal values or 1"),
      Row("ResizeZero", bilinear, 1, {{0, 4}, {4, 4}},
          "input 1 (size) is [0,4], allowed > 0", kInvalid),
      Row("ResizeHuge", bilinear, 1, {{65536, 65536}, {4, 4}},
          "a dynamic tensor of 17179869184 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("ResizeNearest", nearest, 1, {{4, -4}, {4, 4}},
          "input 1 (size) is [4,-4], allowed > 0", kInvalid),
      Row("ResizeNearestHuge", nearest, 1, {{kMax, kMax}, {4, 4}},
          "shape [1,2147483647,2147483647,1] of type FLOAT32 has a byte count "
          "that overflows",
          kArgument),
      Row("RangeHuge", range, 1, {{kMax}, {5}},
          "a dynamic tensor of 8589934588 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("RangeWrongWay", range, 1, {{-1}, {5}},
          "input 2 (delta) is 1, which does not lead from start, 0, to limit, "
          "-1"),
      Row("RangeDeltaZero", delta, 2, {{0}, {1}},
          "input 2 (delta) is 0, which does not lead from start, 0, to limit, "
          "4"),
      Row("TopKTooMany", topk, 1, {{4}, {2}},
          "input 1 (k) is 4, allowed up to 3, the last dimension", kInvalid),
      Row("OneHotDepth", OneHot(), 1, {{-2}, {2}},
          "input 1 (depth) is -2, allowed 0..2147483647", kInvalid),
      Row("OneHotHuge", OneHot(), 1, {{kMax}, {2}},
          "a dynamic tensor of 25769803764 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("SamplesNegative", multinomial, 1, {{-1}, {2}},
          "input 1 (num_samples) is -1, allowed >= 0"),
      Row("SamplesHuge", multinomial, 1, {{kMax}, {2}},
          "a dynamic tensor of 8589934588 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("PadNegative", pad, 1, {{-1, 0}, {1, 1}},
          "input 1 (paddings) is [-1,0] for dimension 0, allowed are numbers "
          ">= 0",
          kInvalid),
      Row("PadOverflow", pad, 1, {{kMax, kMax}, {1, 1}},
          "dimension 0 of size 2 is padded by 2147483647 before, 0 between and "
          "2147483647 after, allowed are results up to 2147483647",
          kInvalid),
      Row("PadHuge", pad, 1, {{0, kMax - 2}, {1, 1}},
          "a dynamic tensor of 8589934588 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("PadV2Negative", pad_v2, 1, {{0, kMin}, {1, 1}},
          "input 1 (paddings) is [0,-2147483648] for dimension 0, allowed are "
          "numbers >= 0",
          kInvalid),
      Row("PadV2Huge", pad_v2, 1, {{0, kMax - 2}, {1, 1}},
          "a dynamic tensor of 8589934588 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("MirrorPadNegative", mirror, 1, {{0, -1}, {1, 1}},
          "input 1 (paddings) is [0,-1] for dimension 0, allowed 0..1",
          kInvalid),
      Row("MirrorPadTooFar", mirror, 1, {{3, 0}, {1, 1}},
          "input 1 (paddings) is [3,0] for dimension 0, allowed 0..1",
          kInvalid),
      Row("DilateZero", dilate, 1, {{0}, {2}},
          "input 1 (dilations) is 0 for dimension 0, allowed >= 1", kInvalid),
      Row("DilateHuge", dilate, 1, {{kMax - 2}, {2}},
          "a dynamic tensor of 8589934584 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("RfftZero", rfft, 1, {{0, 4}, {4, 4}},
          "input 1 (fft_length) is [0,4], allowed powers of two", kMissing),
      Row("RfftHuge", rfft, 1, {{1 << 20, 1 << 20}, {4, 4}},
          "a dynamic tensor of 4398054899712 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("TransposeTwice", transpose, 1, {{0, 0}, {1, 0}},
          "input 1 (perm) names dimension 0 twice, allowed once", kInvalid),
      Row("TransposeOutside", transpose, 1, {{0, 2}, {1, 0}},
          "an entry of input 1 (perm) is 2, allowed [-2, 1]", kInvalid),
      Row("SliceBegin", Slice(), 1, {{3}, {2}},
          "takes 2 elements from 3 on of dimension 0, allowed within 0..4"),
      Row("SliceNegative", Slice(), 1, {{-1}, {2}},
          "takes 2 elements from -1 on of dimension 0, allowed within 0..4"),
      Row("SliceSize", SliceSize(), 2, {{3}, {2}},
          "takes 3 elements from 2 on of dimension 0, allowed within 0..4"),
      Row("SliceSizeNegative", SliceSize(), 2, {{kMin}, {-1}},
          "takes -2147483648 elements from 2 on of dimension 0, allowed within "
          "0..4"),
      Row("StridedSliceBegin", StridedSlice(1), 1, {{4}, {3}},
          "takes elements 4..4 of dimension 0, allowed 0..3"),
      Row("SparseToDense", SparseShape(), 1, {{-1}, {2}},
          "element 0 of input 1 (shape) is -1, allowed 0..2147483647",
          kInvalid),
      Row("SparseToDenseHuge", SparseShape(), 1, {{kMax}, {2}},
          "a dynamic tensor of 8589934588 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("ScatterShape", ScatterShape(), 2, {{2, 4}, {2, 3}},
          "indices of shape [2,1] and updates of shape [2,3] do not agree with "
          "output shape [2,4]",
          kInvalid),
      Row("ScatterHuge", ScatterShape(), 2, {{kMax, 3}, {2, 3}},
          "a dynamic tensor of 25769803764 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("SegmentsNegative", segments, 2, {{-1}, {2}},
          "input 2 (number of segments) is -1, allowed >= 0", kInvalid),
      Row("SegmentsHuge", segments, 2, {{kMax}, {2}},
          "a dynamic tensor of 25769803764 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("NmsNegative", Nms(2), 2, {{-1}, {1}},
          "input 2 (max_output_size) is -1, allowed 0..2147483647"),
  };
}
INSTANTIATE_TEST_SUITE_P(Size, InvokeFault, ::testing::ValuesIn(Sizes()),
                         NameOf<DataFault>);

ModelBuilder SegmentOf(BuiltinOperator code) {
  return OneOp(code, {{{2, 3}}, kTwo, Ints({2})}, {kAny});
}
ModelBuilder EmbeddingSparse(int position) {
  std::vector<Operand> inputs = {Ints({0, 1}),
                                 Constant<int32_t>({2, 2}, {0, 0, 1, 0}),
                                 Ints({2, 2}),
                                 {{2}},
                                 {{4, 3}}};
  inputs[static_cast<size_t>(position)] =
      position == 1 ? Operand({2, 2}, kInt) : kTwo;
  return OneOp(
      schema::BuiltinOperator_EMBEDDING_LOOKUP_SPARSE, inputs, {kAny},
      [](Fbb& fbb) { return schema::CreateEmbeddingLookupSparseOptions(fbb); });
}
ModelBuilder MaxUnpooling() {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {1, 1, 2, 1});
  const int at = b.AddInput("at", kInt, {1, 1, 2, 1});
  const int y = b.AddTensor("y", TensorType::kFloat32, {1});
  b.AddCustomOp("MaxUnpooling2D", {x, at}, {y},
                ModelBuilder::ToBytes<int32_t>({2, 2, 2, 2, 2, 0}));
  b.SetOutputs({y});
  return b;
}

std::vector<DataFault> Indices() {
  const auto gather =
      OneOp(schema::BuiltinOperator_GATHER, {kX, kTwo}, {kAny},
            [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); });
  const auto gather_inner =
      OneOp(schema::BuiltinOperator_GATHER, {kX, kTwo}, {kAny},
            [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 1); });
  const auto gather_long = OneOp(
      schema::BuiltinOperator_GATHER, {kX, {{1}, TensorType::kInt64}}, {kAny},
      [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); });
  const auto gather_nd =
      OneOp(schema::BuiltinOperator_GATHER_ND, {kX, {{1, 2}, kInt}}, {kAny});
  const auto scatter =
      OneOp(schema::BuiltinOperator_SCATTER_ND,
            {{{2, 1}, kInt}, {{2, 3}}, Ints({4, 3})}, {{{4, 3}}});
  const auto sparse = OneOp(schema::BuiltinOperator_SPARSE_TO_DENSE,
                            {kTwo, Ints({4}), {{2}}, {{}}}, {kAny});
  const auto segment =
      OneOp(schema::BuiltinOperator_SEGMENT_SUM, {{{2, 3}}, kTwo}, {kAny});
  const auto embedding =
      OneOp(schema::BuiltinOperator_EMBEDDING_LOOKUP, {kTwo, kX}, {kAny});
  const auto reverse = OneOp(
      schema::BuiltinOperator_REVERSE_SEQUENCE, {{{2, 3}}, kTwo}, {{{2, 3}}},
      [](Fbb& fbb) { return schema::CreateReverseSequenceOptions(fbb, 1, 0); });
  const auto with_axis = [](BuiltinOperator code) {
    return OneOp(code, {kX, kAnyInt}, {kAny});
  };
  const auto mean = with_axis(schema::BuiltinOperator_MEAN);
  const auto sum = with_axis(schema::BuiltinOperator_SUM);
  const auto cumsum = with_axis(schema::BuiltinOperator_CUMSUM);
  const auto flip = with_axis(schema::BuiltinOperator_REVERSE_V2);
  const auto expand = with_axis(schema::BuiltinOperator_EXPAND_DIMS);
  const auto arg_max = OneOp(
      schema::BuiltinOperator_ARG_MAX, {kX, kAnyInt}, {kAnyInt}, [](Fbb& fbb) {
        return schema::CreateArgMaxOptions(fbb, schema::TensorType_INT32);
      });
  const auto split =
      OneOp(schema::BuiltinOperator_SPLIT, {kAnyInt, {{4, 4}}}, {kAny, kAny},
            [](Fbb& fbb) { return schema::CreateSplitOptions(fbb, 2); });
  const auto split_v = OneOp(
      schema::BuiltinOperator_SPLIT_V, {kX, kTwo, Ints({0})}, {kAny, kAny},
      [](Fbb& fbb) { return schema::CreateSplitVOptions(fbb, 2); });
  const auto power =
      OneOp(schema::BuiltinOperator_POW, {kTwo, kTwo}, {{{2}, kInt}});
  std::vector<DataFault> rows = {
      Row("Gather", gather, 1, {{0, 4}, {0, 3}},
          "input 1 (indices) is 4 at element 1, allowed 0..3"),
      Row("GatherNegative", gather, 1, {{-1, 0}, {3, 0}},
          "input 1 (indices) is -1 at element 0, allowed 0..3"),
      Row("GatherMin", gather, 1, {{kMin, 0}, {3, 0}},
          "input 1 (indices) is -2147483648 at element 0, allowed 0..3"),
      Row("GatherInner", gather_inner, 1, {{0, 3}, {0, 2}},
          "input 1 (indices) is 3 at element 1, allowed 0..2"),
      Row("GatherLong", gather_long, 1, {{0, 1}, {3, 0}},
          "input 1 (indices) is 4294967296 at element 0, allowed 0..3"),
      Row("GatherLongMin", gather_long, 1, {{0, kMin}, {3, 0}},
          "input 1 (indices) is -9223372036854775808 at element 0, allowed "
          "0..3"),
      Row("GatherNd", gather_nd, 1, {{3, 3}, {3, 2}},
          "input 1 (indices) is 3 at [0,1], allowed 0..2"),
      Row("GatherNdNegative", gather_nd, 1, {{0, -1}, {0, 0}},
          "input 1 (indices) is -1 at [0,1], allowed 0..2"),
      Row("GatherNdMin", gather_nd, 1, {{kMin, 0}, {0, 0}},
          "input 1 (indices) is -2147483648 at [0,0], allowed 0..3"),
      Row("Scatter", scatter, 0, {{0, 4}, {0, 3}},
          "index 4 of update 1 is outside of dimension 0, allowed 0..3"),
      Row("ScatterNegative", scatter, 0, {{-1, 0}, {1, 0}},
          "index -1 of update 0 is outside of dimension 0, allowed 0..3"),
      Row("SparseToDense", sparse, 0, {{0, 4}, {0, 3}},
          "index 4 of value 1 is outside of dimension 0, allowed 0..3"),
      Row("SparseToDenseNegative", sparse, 0, {{kMin, 1}, {0, 3}},
          "index -2147483648 of value 0 is outside of dimension 0, allowed "
          "0..3"),
      Row("SegmentUnsorted", segment, 1, {{1, 0}, {0, 1}},
          "input 1 (segment ids) is 1 at element 0, allowed 0..0"),
      Row("SegmentNegative", segment, 1, {{-1, 0}, {0, 1}},
          "input 1 (segment ids) is -1 at element 0, allowed 0..0"),
      Row("SegmentHuge", segment, 1, {{0, kMax}, {0, 1}},
          "input 1 (segment ids) is 2147483647 at element 1, allowed 0..1"),
      Row("Embedding", embedding, 0, {{0, 4}, {0, 3}},
          "id 1 is 4, allowed 0..3"),
      Row("EmbeddingNegative", embedding, 0, {{kMin, 0}, {0, 3}},
          "id 0 is -2147483648, allowed 0..3"),
      Row("EmbeddingSparseId", EmbeddingSparse(0), 0, {{0, 4}, {3, 0}},
          "id 1 is 4, allowed 0..3"),
      Row("EmbeddingSparseIndex", EmbeddingSparse(1), 1,
          {{0, 0, 2, 0}, {0, 1, 1, 0}},
          "index 2 of id 1 is outside of dimension 0, allowed 0..1"),
      Row("EmbeddingSparseShape", EmbeddingSparse(2), 2, {{1, 2}, {2, 2}},
          "index 1 of id 1 is outside of dimension 0, allowed 0..0"),
      Row("EmbeddingSparseNegative", EmbeddingSparse(2), 2, {{-2, 2}, {2, 2}},
          "dimension -2 of shape [-2,3] is negative: allowed 0..2147483647",
          kArgument),
      Row("EmbeddingSparseHuge", EmbeddingSparse(2), 2, {{kMax, kMax}, {2, 2}},
          "a dynamic tensor of 25769803764 bytes with 0 held exceeds "
          "max_dynamic_bytes, 1073741824",
          kMemory),
      Row("ReverseSequence", reverse, 1, {{4, 0}, {3, 1}},
          "element 0 of input 1 (lengths) is 4, allowed 0..3"),
      Row("ReverseSequenceNegative", reverse, 1, {{0, -1}, {3, 1}},
          "element 1 of input 1 (lengths) is -1, allowed 0..3"),
      Row("MaxUnpooling", MaxUnpooling(), 1, {{0, 8}, {0, 7}},
          "input 1 (indices) holds 8, allowed 0..7"),
      Row("MaxUnpoolingNegative", MaxUnpooling(), 1, {{-1, 0}, {0, 7}},
          "input 1 (indices) holds -1, allowed 0..7"),
      Row("PowNegative", power, 1, {{2, -1}, {2, 0}},
          "element 1 of input 1 (exponents) is -1, allowed for INT32 are "
          "values >= 0"),
      Row("MeanAxis", mean, 1, {{2}, {1}},
          "input 1 (axes) names axis 2, allowed -2..1", kInvalid),
      Row("SumAxis", sum, 1, {{-3}, {-2}},
          "input 1 (axes) names axis -3, allowed -2..1", kInvalid),
      Row("CumsumAxis", cumsum, 1, {{-3}, {-1}},
          "input 1 (axis) is -3, allowed [-2, 1]", kInvalid),
      Row("ReverseAxis", flip, 1, {{2}, {1}},
          "an entry of input 1 (axis) is 2, allowed [-2, 1]", kInvalid),
      Row("ExpandDimsAxis", expand, 1, {{3}, {2}},
          "input 1 (axis) is 3 for input shape [4,3], allowed [-3, 2] and rank "
          "at most 8",
          kInvalid),
      Row("ArgMaxAxis", arg_max, 1, {{kMin}, {0}},
          "input 1 (axis) is -2147483648, allowed -2..1", kInvalid),
      Row("SplitAxis", split, 0, {{2}, {1}}, "axis is 2, allowed [-2, 1]",
          kInvalid),
      Row("SplitVSizes", split_v, 1, {{kMax, kMax}, {1, 3}},
          "output 0 takes 2147483647 of dimension 4 with 0 taken, allowed one "
          "-1 and sizes up to all",
          kInvalid),
      Row("SplitVNegative", split_v, 1, {{-2, 6}, {-1, 3}},
          "output 0 takes -2 of dimension 4 with 0 taken, allowed one -1 and "
          "sizes up to all",
          kInvalid),
  };
  for (const auto& [name, code] :
       {std::pair("Max", schema::BuiltinOperator_UNSORTED_SEGMENT_MAX),
        std::pair("Min", schema::BuiltinOperator_UNSORTED_SEGMENT_MIN),
        std::pair("Prod", schema::BuiltinOperator_UNSORTED_SEGMENT_PROD),
        std::pair("Sum", schema::BuiltinOperator_UNSORTED_SEGMENT_SUM)}) {
    rows.push_back(
        {std::string("UnsortedSegment") + name,
         SegmentOf(code),
         1,
         {0, 2},
         {1, -1},
         "input 1 (segment ids) is 2 at element 1, allowed up to 1"});
  }
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Index, InvokeFault, ::testing::ValuesIn(Indices()),
                         NameOf<DataFault>);

// Places that are moved inside, or stand for nothing: no errors to the
// reference.
struct Forgiven {
  const char* name;
  ModelBuilder model;
  size_t position;
};
TEST(Forgiven, PlacesOutsideAreMovedOrLeftOut) {
  const Forgiven rows[] = {
      {"dynamic_update_slice",
       OneOp(schema::BuiltinOperator_DYNAMIC_UPDATE_SLICE, {kX, {{2, 2}}, kTwo},
             {kX}),
       2},
      {"one_hot indices",
       OneOp(schema::BuiltinOperator_ONE_HOT,
             {kTwo, Constant<int32_t>({}, {3}), {{}}, {{}}}, {kAny},
             [](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, -1); }),
       0},
      {"strided_slice without shrinking",
       OneOp(schema::BuiltinOperator_STRIDED_SLICE,
             {kX, kTwo, Ints({4, 3}), Ints({1, 1})}, {kAny},
             [](Fbb& fbb) { return schema::CreateStridedSliceOptions(fbb); }),
       1},
      {"strided_slice with more entries than dimensions",
       OneOp(schema::BuiltinOperator_STRIDED_SLICE,
             {{{4}}, kTwo, Ints({4, 3}), Ints({1, 0})}, {kAny},
             [](Fbb& fbb) { return schema::CreateStridedSliceOptions(fbb); }),
       1},
  };
  for (const Forgiven& row : rows) {
    for (const int32_t index : {0, 4, -5, kMax, kMin}) {
      auto built = Build(row.model);
      ASSERT_THAT(built->interpreter->AllocateTensors(), IsOk()) << row.name;
      int32_t* data =
          built->interpreter->input_tensor(row.position)->data_as<int32_t>();
      data[0] = data[1] = index;
      EXPECT_THAT(built->interpreter->Invoke(), IsOk())
          << row.name << " " << index;
    }
  }
}

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
