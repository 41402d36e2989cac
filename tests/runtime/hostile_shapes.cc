// Sizes, paddings, slices and numbers in constants and options that give no
// shape, or one that no memory holds.

#include <cmath>

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

using schema::BuiltinOperator;

const Operand kX{{2, 3}};
const Operand kImage{{1, 4, 4, 4}};
const Operand kAny{{1}};
const Operand kAnyInt{{1}, kInt};

ModelBuilder WithInts(BuiltinOperator code, std::vector<int32_t> values) {
  return OneOp(code, {kX, Ints(std::move(values))}, {kAny});
}
ModelBuilder OfShape(BuiltinOperator code, std::vector<int32_t> shape) {
  return OneOp(code, {Ints(std::move(shape)), {{}}}, {kAny});
}
ModelBuilder Random(std::vector<int32_t> shape) {
  return OneOp(schema::BuiltinOperator_RANDOM_UNIFORM, {Ints(std::move(shape))},
               {kAny},
               [](Fbb& fbb) { return schema::CreateRandomOptions(fbb, 1, 1); });
}
ModelBuilder Pad(BuiltinOperator code, std::vector<int32_t> values,
                 std::vector<int32_t> shape = {2, 2}) {
  std::vector<Operand> inputs = {
      kX, Constant<int32_t>(std::move(shape), std::move(values))};
  if (code == schema::BuiltinOperator_PADV2) inputs.push_back(Ones({1}));
  return OneOp(code, inputs, {kAny});
}
ModelBuilder Slice(std::vector<int32_t> begin, std::vector<int32_t> size) {
  return OneOp(schema::BuiltinOperator_SLICE,
               {kX, Ints(std::move(begin)), Ints(std::move(size))}, {kAny});
}
ModelBuilder StridedSlice(std::vector<int32_t> begin, std::vector<int32_t> end,
                          std::vector<int32_t> strides, int shrink = 0) {
  return OneOp(schema::BuiltinOperator_STRIDED_SLICE,
               {kX, Ints(std::move(begin)), Ints(std::move(end)),
                Ints(std::move(strides))},
               {kAny}, [=](Fbb& fbb) {
                 return schema::CreateStridedSliceOptions(fbb, 0, 0, 0, 0,
                                                          shrink);
               });
}
ModelBuilder Range(int start, int limit, int delta) {
  return OneOp(schema::BuiltinOperator_RANGE,
               {Constant<int32_t>({}, {start}), Constant<int32_t>({}, {limit}),
                Constant<int32_t>({}, {delta})},
               {kAnyInt});
}
ModelBuilder RangeF(float start, float limit, float delta) {
  return OneOp(schema::BuiltinOperator_RANGE,
               {Constant<float>({}, {start}), Constant<float>({}, {limit}),
                Constant<float>({}, {delta})},
               {kAny});
}
ModelBuilder OneHot(int depth) {
  return OneOp(schema::BuiltinOperator_ONE_HOT,
               {Operand{{3}, kInt}, Constant<int32_t>({}, {depth}), {{}}, {{}}},
               {kAny},
               [](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, -1); });
}
ModelBuilder ScatterNd(std::vector<int32_t> shape) {
  return OneOp(schema::BuiltinOperator_SCATTER_ND,
               {{{2, 1}, kInt}, {{2, 3}}, Ints(std::move(shape))}, {kAny});
}
ModelBuilder SparseToDense(std::vector<int32_t> shape) {
  return OneOp(schema::BuiltinOperator_SPARSE_TO_DENSE,
               {{{2, 2}, kInt}, Ints(std::move(shape)), {{2}}, {{}}}, {kAny});
}
ModelBuilder Resize(BuiltinOperator code, std::vector<int32_t> size) {
  return OneOp(code, {kImage, Ints(std::move(size))}, {kAny});
}
ModelBuilder Segments(BuiltinOperator code, int count) {
  return OneOp(code, {kX, Ints({0, 1}), Ints({count})}, {kAny});
}

std::vector<Fault> Shapes() {
  const auto reshape = schema::BuiltinOperator_RESHAPE;
  const auto fill = schema::BuiltinOperator_FILL;
  const auto tile = schema::BuiltinOperator_TILE;
  const auto broadcast = schema::BuiltinOperator_BROADCAST_TO;
  const auto bilinear = schema::BuiltinOperator_RESIZE_BILINEAR;
  const auto nearest = schema::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR;
  return {
      {"ReshapeOverflow", WithInts(reshape, {65536, 65536}),
       "new shape [65536,65536] holds 4294967296 elements, the input holds 6"},
      {"ReshapeOverflow64", WithInts(reshape, {kMax, kMax, kMax, 4}),
       "the element count of new shape [2147483647,2147483647,2147483647,4] "
       "overflows 64 bits, the input holds 6"},
      {"ReshapeTwoUnknown", WithInts(reshape, {-1, -1}),
       "new shape [-1,-1] is no shape: one -1 and sizes >= 0 allowed"},
      {"ReshapeNegative", WithInts(reshape, {-2, 3}),
       "new shape [-2,3] is no shape: one -1 and sizes >= 0 allowed"},
      {"ReshapeZeroAndUnknown", WithInts(reshape, {0, -1}),
       "new shape [0,-1] holds 0 elements, the input holds 6"},
      {"ReshapeUneven", WithInts(reshape, {4, -1}),
       "new shape [4,-1] holds 4 elements, the input holds 6"},
      {"ReshapeType", OneOp(reshape, {kX, {{2}}}, {kAny}),
       "input 1 (new shape) is FLOAT32 of shape [2], allowed 1-D INT32"},
      {"FillOverflow", OfShape(fill, {kMax, kMax}),
       "shape [2147483647,2147483647] of type FLOAT32 has a byte count that "
       "overflows",
       kArgument},
      {"FillOverflow64", OfShape(fill, {kMax, kMax, kMax}),
       "the element count of shape [2147483647,2147483647,2147483647] "
       "overflows 64 bits",
       kArgument},
      {"FillHiddenByZero", OfShape(fill, {kMax, kMax, kMax, 0}),
       "the element count of shape [2147483647,2147483647,2147483647,0] "
       "overflows 64 bits",
       kArgument},
      {"FillNegative", OfShape(fill, {2, -1}),
       "element 1 of input 0 (dims) is -1, allowed 0..2147483647"},
      {"FillMin", OfShape(fill, {kMin, kMin}),
       "element 0 of input 0 (dims) is -2147483648, allowed 0..2147483647"},
      {"FillValue", OneOp(fill, {Ints({2}), {{2}}}, {kAny}),
       "input 1 (value) has shape [2], allowed is a scalar"},
      {"RandomOverflow", Random({kMax, kMax, kMax}),
       "the element count of shape [2147483647,2147483647,2147483647] "
       "overflows 64 bits",
       kArgument},
      {"RandomNegative", Random({-1}),
       "element 0 of input 0 (shape) is -1, allowed 0..2147483647"},
      {"TileOverflow", WithInts(tile, {kMax, kMax}),
       "input 1 (multiples) is 2147483647 for dimension 0 of size 2, allowed "
       ">= 0 and a product up to 2147483647"},
      {"TileOverflow64",
       OneOp(tile, {{{1, 1, 1}}, Ints({kMax, kMax, kMax})}, {kAny}),
       "the element count of shape [2147483647,2147483647,2147483647] "
       "overflows 64 bits",
       kArgument},
      {"TileNegative", WithInts(tile, {-1, 1}),
       "input 1 (multiples) is -1 for dimension 0 of size 2, allowed >= 0 and "
       "a product up to 2147483647"},
      {"TileCount", WithInts(tile, {1}),
       "input 1 (multiples) has 1 elements, input 0 of rank 2 needs 2"},
      {"BroadcastOverflow",
       OneOp(broadcast, {{{1, 1, 1}}, Ints({kMax, kMax, kMax})}, {kAny}),
       "the element count of shape [2147483647,2147483647,2147483647] "
       "overflows 64 bits",
       kArgument},
      {"BroadcastIncompatible", WithInts(broadcast, {2, 4}),
       "inputs of shapes [2,3] and [2,4] do not broadcast: dimensions from the "
       "last on must be equal or 1"},
      {"BroadcastNegative", WithInts(broadcast, {-2, 3}),
       "element 0 of input 1 (shape) is -2, allowed 0..2147483647"},
      {"BroadcastFewer", WithInts(broadcast, {3}),
       "input 0 of shape [2,3] does not broadcast to [3]"},
      {"ResizeBilinearZero", Resize(bilinear, {0, 4}),
       "input 1 (size) is [0,4], allowed > 0"},
      {"ResizeBilinearNegative", Resize(bilinear, {-1, 4}),
       "input 1 (size) is [-1,4], allowed > 0"},
      {"ResizeBilinearHuge", Resize(bilinear, {kMax, kMax}),
       "shape [1,2147483647,2147483647,4] of type FLOAT32 has a byte count "
       "that overflows",
       kArgument},
      {"ResizeNearestZero", Resize(nearest, {4, 0}),
       "input 1 (size) is [4,0], allowed > 0"},
      {"ResizeNearestNegative", Resize(nearest, {4, kMin}),
       "input 1 (size) is [4,-2147483648], allowed > 0"},
      {"ResizeNearestHuge", Resize(nearest, {kMax, kMax}),
       "shape [1,2147483647,2147483647,4] of type FLOAT32 has a byte count "
       "that overflows",
       kArgument},
      {"ResizeCount", Resize(nearest, {4, 4, 4}),
       "input 1 (size) is INT32 of shape [3], allowed INT32 of shape [2]"},
      {"ResizeOfNothing",
       OneOp(bilinear, {{{1, 0, 4, 1}}, Ints({2, 2})}, {kAny}),
       "input 0 has shape [1,0,4,1], allowed height and width > 0"},
      {"RangeDeltaZero", Range(0, 4, 0),
       "input 2 (delta) is 0, which does not lead from start, 0, to limit, 4",
       kRange},
      {"RangeWrongWay", Range(0, 4, -1),
       "input 2 (delta) is -1, which does not lead from start, 0, to limit, 4",
       kRange},
      {"RangeFloatDeltaZero", RangeF(0, 4, 0),
       "input 2 (delta) is 0, which does not lead from start, 0, to limit, 4",
       kRange},
      {"RangeNan", RangeF(0, NAN, 1),
       "input 2 (delta) is 1, which does not lead from start, 0, to limit, nan",
       kRange},
      {"RangeInfinite", RangeF(0, INFINITY, 1),
       "a range of inf elements, allowed 0..2147483647", kMemory},
      {"RangeDenormal", RangeF(0, 1, 1e-40f),
       "a range of inf elements, allowed 0..2147483647", kMemory},
      {"RangeTooMany", Range(kMin, kMax, 1),
       "a range of 4294967295 elements, allowed 0..2147483647", kMemory},
      {"OneHotNegative", OneHot(-1),
       "input 1 (depth) is -1, allowed 0..2147483647"},
      {"OneHotMin", OneHot(kMin),
       "input 1 (depth) is -2147483648, allowed 0..2147483647"},
      {"ScatterNegative", ScatterNd({-4, 3}),
       "element 0 of input 2 (shape) is -4, allowed 0..2147483647"},
      {"ScatterShape", ScatterNd({4, 4}),
       "indices of shape [2,1] and updates of shape [2,3] do not agree with "
       "output shape [4,4]"},
      {"ScatterOverflow",
       OneOp(schema::BuiltinOperator_SCATTER_ND,
             {{{0, 3}, kInt}, {{0}}, Ints({kMax, kMax, kMax})}, {kAny}),
       "the element count of shape [2147483647,2147483647,2147483647] "
       "overflows 64 bits",
       kArgument},
      {"SparseToDenseNegative", SparseToDense({-4, 3}),
       "element 0 of input 1 (shape) is -4, allowed 0..2147483647"},
      {"SparseToDenseRank", SparseToDense({4}),
       "input 0 (indices) has shape [2,2]: 2 for each value, allowed 1, the "
       "output's rank"},
      {"SparseToDenseOverflow",
       OneOp(schema::BuiltinOperator_SPARSE_TO_DENSE,
             {{{2, 3}, kInt}, Ints({kMax, kMax, kMax}), {{2}}, {{}}}, {kAny}),
       "the element count of shape [2147483647,2147483647,2147483647] "
       "overflows 64 bits",
       kArgument},
  };
}
INSTANTIATE_TEST_SUITE_P(Shape, PrepareFault, ::testing::ValuesIn(Shapes()),
                         NameOf<Fault>);

std::vector<Fault> Paddings() {
  std::vector<Fault> rows;
  for (const auto& [name, code] :
       {std::pair("Pad", schema::BuiltinOperator_PAD),
        std::pair("PadV2", schema::BuiltinOperator_PADV2),
        std::pair("MirrorPad", schema::BuiltinOperator_MIRROR_PAD)}) {
    const std::string op(name);
    const std::vector<Fault> more = {
        {op + "Overflow", Pad(code, {kMax, kMax, kMax, kMax}), "2147483647"},
        {op + "Negative", Pad(code, {0, 0, -1, 0}),
         "input 1 (paddings) is [-1,0] for dimension 1, allowed "},
        {op + "Min", Pad(code, {0, kMin, 0, 0}),
         "input 1 (paddings) is [0,-2147483648] for dimension 0, allowed "},
        {op + "Shape", Pad(code, {0, 0}, {1, 2}),
         "input 1 (paddings) has shape [1,2], "},
        {op + "Long", Pad(code, std::vector<int32_t>(20, 0), {10, 2}),
         "input 1 (paddings) has shape [10,2], "}};
    rows.insert(rows.end(), more.begin(), more.end());
  }
  rows.push_back({"MirrorPadTooFar",
                  Pad(schema::BuiltinOperator_MIRROR_PAD, {3, 0, 0, 0}),
                  "input 1 (paddings) is [3,0] for dimension 0, allowed 0..1"});
  const auto dilate = [](std::vector<int32_t> dilations) {
    return OneOp(schema::BuiltinOperator_DILATE,
                 {kX, Ints(std::move(dilations)), Ones({1})}, {kAny});
  };
  for (const int number : {0, -1, kMin}) {
    rows.push_back({NameWith("Dilate", number), dilate({1, number}),
                    "input 1 (dilations) is " + std::to_string(number) +
                        " for dimension 1, allowed >= 1"});
  }
  rows.push_back({"DilateHuge", dilate({1, kMax}),
                  "dimension 1 of size 3 is padded by 0 before, 2147483646 "
                  "between and 0 after, allowed are results up to 2147483647"});
  rows.push_back({"DilateCount", dilate({1}),
                  "input 1 (dilations) has shape [1], allowed [2]"});
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Padding, PrepareFault, ::testing::ValuesIn(Paddings()),
                         NameOf<Fault>);

std::vector<Fault> Slices() {
  return {
      {"Outside", Slice({1, 1}, {1, 3}),
       "takes 3 elements from 1 on of dimension 1, allowed within 0..3",
       kRange},
      {"Overflow", Slice({1, kMax}, {1, kMax}),
       "takes 2147483647 elements from 2147483647 on of dimension 1, allowed "
       "within 0..3",
       kRange},
      {"Negative", Slice({-1, 0}, {1, 1}),
       "takes 1 elements from -1 on of dimension 0, allowed within 0..2",
       kRange},
      {"SizeNegative", Slice({0, 0}, {1, -2}),
       "takes -2 elements from 0 on of dimension 1, allowed within 0..3",
       kRange},
      {"Count", Slice({0}, {1, 1}),
       "input 1 has shape [1], input 0 of rank 2 needs [2]"},
      {"StridedZero", StridedSlice({0, 0}, {2, 3}, {1, 0}),
       "input 3 (strides) is 0 for dimension 1, allowed are numbers other than "
       "0 and -2147483648"},
      {"StridedMin", StridedSlice({0, 2}, {2, 0}, {1, kMin}),
       "input 3 (strides) is -2147483648 for dimension 1, allowed are numbers "
       "other than 0 and -2147483648"},
      {"StridedShrink", StridedSlice({0, 3}, {2, 4}, {1, 1}, 2),
       "takes elements 3..3 of dimension 1, allowed 0..2", kRange},
      {"StridedCount", StridedSlice({0, 0}, {2, 3}, {1}),
       "input 3 (strides) has shape [1], allowed 1-D, at most 31 and as many "
       "as begin"},
      {"StridedLong",
       StridedSlice(std::vector<int32_t>(1000, 0),
                    std::vector<int32_t>(1000, 1),
                    std::vector<int32_t>(1000, 1)),
       "input 1 (begin) has shape [1000], allowed 1-D, at most 31 and as many "
       "as begin"},
  };
}
INSTANTIATE_TEST_SUITE_P(Slice, PrepareFault, ::testing::ValuesIn(Slices()),
                         NameOf<Fault>);

std::vector<Fault> Counts() {
  const auto svdf = [](int rank) {
    return OneOp(
        schema::BuiltinOperator_SVDF,
        {kX, Ones({4, 3}), Ones({4, 2}), Ones({2}), Variable({2, 8})}, {kAny},
        [=](Fbb& fbb) { return schema::CreateSVDFOptions(fbb, rank); });
  };
  const auto fake_quant = [](float min, float max, int bits) {
    return OneOp(schema::BuiltinOperator_FAKE_QUANT, {kX}, {kX}, [=](Fbb& fbb) {
      return schema::CreateFakeQuantOptions(fbb, min, max, bits);
    });
  };
  const auto bucketize = [](std::vector<float> boundaries) {
    return OneOp(schema::BuiltinOperator_BUCKETIZE, {kX}, {{{2, 3}, kInt}},
                 [=](Fbb& fbb) {
                   return schema::CreateBucketizeOptionsDirect(fbb,
                                                               &boundaries);
                 });
  };
  const auto topk = [](int k) {
    return OneOp(schema::BuiltinOperator_TOPK_V2,
                 {kX, Constant<int32_t>({}, {k})}, {kAny, kAnyInt});
  };
  const auto rfft = [](std::vector<int32_t> lengths) {
    return OneOp(schema::BuiltinOperator_RFFT2D, {kX, Ints(std::move(lengths))},
                 {{{1}, TensorType::kComplex64}});
  };
  const auto normalize = [](int radius) {
    return OneOp(schema::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {kImage},
                 {kAny}, [=](Fbb& fbb) {
                   return schema::CreateLocalResponseNormalizationOptions(
                       fbb, radius, 1, 1, 1);
                 });
  };
  const auto dense = [](std::vector<int32_t> weights) {
    return OneOp(schema::BuiltinOperator_FULLY_CONNECTED,
                 {kX, Ones(std::move(weights))}, {kAny}, [](Fbb& fbb) {
                   return schema::CreateFullyConnectedOptions(fbb);
                 });
  };
  const auto unsorted = schema::BuiltinOperator_UNSORTED_SEGMENT_SUM;
  return {
      {"SvdfRankZero", svdf(0), "rank is 0, allowed >= 1"},
      {"SvdfRankNegative", svdf(-1), "rank is -1, allowed >= 1"},
      {"SvdfRankUneven", svdf(3),
       "input 0 has shape [2,3], input 1 (feature weights) [4,3], input 2 "
       "(time weights) [4,2]; allowed [b,i], [f,i], [f,m] with f a multiple of "
       "the rank, 3"},
      {"FakeQuantBitsZero", fake_quant(-1, 1, 0),
       "num_bits is 0, allowed 1..16"},
      {"FakeQuantBitsNegative", fake_quant(-1, 1, -8),
       "num_bits is -8, allowed 1..16"},
      {"FakeQuantBits", fake_quant(-1, 1, 17), "num_bits is 17, allowed 1..16"},
      {"FakeQuantEmpty", fake_quant(1, 1, 8),
       "the range is 1..1, allowed are finite, non-empty ones"},
      {"FakeQuantNan", fake_quant(NAN, 1, 8),
       "the range is nan..1, allowed are finite, non-empty ones"},
      {"FakeQuantInfinite", fake_quant(-INFINITY, INFINITY, 8),
       "the range is -inf..inf, allowed are finite, non-empty ones"},
      {"BucketizeFalls", bucketize({1, 3, 2}),
       "boundary 2 is 2, allowed from 3 on"},
      {"BucketizeNan", bucketize({1, NAN}),
       "boundary 1 is nan, allowed from 1 on"},
      {"TopKTooMany", topk(4),
       "input 1 (k) is 4, allowed up to 3, the last dimension"},
      {"RfftZero", rfft({0, 4}),
       "input 1 (fft_length) is [0,4], allowed powers of two", kMissing},
      {"RfftNegative", rfft({4, -4}),
       "input 1 (fft_length) is [4,-4], allowed powers of two", kMissing},
      {"RfftUneven", rfft({4, 3}),
       "input 1 (fft_length) is [4,3], allowed powers of two", kMissing},
      {"RfftHuge", rfft({1 << 30, 1 << 30}),
       "shape [1073741824,536870913] of type COMPLEX64 has a byte count that "
       "overflows",
       kArgument},
      {"RadiusNegative", normalize(-1), "radius is -1, allowed >= 0"},
      {"DenseInputs", dense({4, 5}),
       "input 0 has shape [2,3], but input 1 (weights) [4,5]"},
      {"DenseEmpty", dense({4, 0}),
       "input 0 has shape [2,3], but input 1 (weights) [4,0]"},
      {"DenseRank", dense({4}),
       "input 1 (weights) has shape [4], allowed rank 2"},
      {"SegmentsNegative", Segments(unsorted, -1),
       "input 2 (number of segments) is -1, allowed >= 0"},
      {"SegmentsMin", Segments(unsorted, kMin),
       "input 2 (number of segments) is -2147483648, allowed >= 0"},
      {"BatchMatMulInner",
       OneOp(schema::BuiltinOperator_BATCH_MATMUL, {kX, {{2, 3}}}, {kAny},
             [](Fbb& fbb) { return schema::CreateBatchMatMulOptions(fbb); }),
       "input 0 has shape [2,3], input 1 has [2,3]: the depths differ"},
      {"BatchMatMulBatch",
       OneOp(schema::BuiltinOperator_BATCH_MATMUL, {{{2, 2, 3}}, {{3, 3, 2}}},
             {kAny},
             [](Fbb& fbb) { return schema::CreateBatchMatMulOptions(fbb); }),
       "input 0 has shape [2,2,3], input 1 has [3,3,2]: batch dimensions do "
       "not broadcast"},
      {"AddIncompatible",
       OneOp(schema::BuiltinOperator_ADD, {kX, {{2, 2}}}, {kAny},
             [](Fbb& fbb) { return schema::CreateAddOptions(fbb); }),
       "inputs of shapes [2,3] and [2,2] do not broadcast: dimensions from the "
       "last on must be equal or 1"},
      {"AddOverflow",
       OneOp(schema::BuiltinOperator_ADD,
             {{{65536, 1, 65536, 1}}, {{1, 65536, 1, 65536}}}, {kAny},
             [](Fbb& fbb) { return schema::CreateAddOptions(fbb); }),
       "the element count of shape [65536,65536,65536,65536] overflows 64 bits",
       kArgument},
      {"MaximumOfNothing",
       OneOp(schema::BuiltinOperator_ARG_MAX, {{{2, 0}}, Ints({1})},
             {{{2}, kInt}},
             [](Fbb& fbb) {
               return schema::CreateArgMaxOptions(fbb,
                                                  schema::TensorType_INT32);
             }),
       "input 0 has shape [2,0] with nothing along axis 1"},
  };
}
INSTANTIATE_TEST_SUITE_P(Count, PrepareFault, ::testing::ValuesIn(Counts()),
                         NameOf<Fault>);

// Shapes that are sound, and need more than max_arena_bytes allows.
std::vector<MemoryFault> Memory() {
  const auto fill = schema::BuiltinOperator_FILL;
  const auto tile = schema::BuiltinOperator_TILE;
  const auto broadcast = schema::BuiltinOperator_BROADCAST_TO;
  const auto bilinear = schema::BuiltinOperator_RESIZE_BILINEAR;
  const auto unsorted = schema::BuiltinOperator_UNSORTED_SEGMENT_SUM;
  return {
      {"Fill", OfShape(fill, {65536, 65536}),
       "[65536,65536] needs 17179869184"},
      {"Random", Random({65536, 65536}), "[65536,65536] needs 17179869184"},
      {"Tile", WithInts(tile, {65536, 65536}),
       "[131072,196608] needs 103079215104"},
      {"Broadcast", OneOp(broadcast, {{{1, 1}}, Ints({65536, 65536})}, {kAny}),
       "[65536,65536] needs 17179869184"},
      {"Pad", Pad(schema::BuiltinOperator_PAD, {65536, 0, 0, 65536}),
       "[65538,65539] needs 17181179928"},
      {"Resize", Resize(bilinear, {65536, 65536}),
       "[1,65536,65536,4] needs 68719476736"},
      {"OneHot", OneHot(kMax), "[3,2147483647] needs 25769803764"},
      {"Range", Range(0, kMax, 1), "[2147483647] needs 8589934588"},
      {"RangeFolded", RangeF(0, 2e9f, 1), "[2000000000] needs 8000000000"},
      {"Scatter", ScatterNd({kMax, 3}), "[2147483647,3] needs 25769803764"},
      {"SparseToDense", SparseToDense({65536, 65536}),
       "[65536,65536] needs 17179869184"},
      {"Segments", Segments(unsorted, kMax),
       "[2147483647,3] needs 25769803764"},
      {"Add",
       OneOp(schema::BuiltinOperator_ADD, {{{65536, 1}}, {{1, 65536}}}, {kAny},
             [](Fbb& fbb) { return schema::CreateAddOptions(fbb); }),
       "[65536,65536] needs 17179869184"},
  };
}
INSTANTIATE_TEST_SUITE_P(Memory, PrepareMemory, ::testing::ValuesIn(Memory()),
                         NameOf<MemoryFault>);

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
