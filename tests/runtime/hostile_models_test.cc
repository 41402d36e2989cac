// Models that are sound as files, but ask an operator for the impossible: in
// its options, its constants, or its data at run time. Each is refused with an
// error that names the operator and the value; the interpreter works on.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "testing/build.h"
#include "testing/one_op.h"

namespace arenalite {
namespace {

using namespace testing;
using Fbb = flatbuffers::FlatBufferBuilder;

constexpr auto kInt = TensorType::kInt32;
constexpr auto kSame = schema::Padding_SAME;
constexpr auto kValid = schema::Padding_VALID;
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

Operand Ones(std::vector<int32_t> shape) {
  size_t elements = 1;
  for (const int32_t dim : shape) elements *= static_cast<size_t>(dim);
  return Constant<float>(std::move(shape), std::vector<float>(elements, 1));
}

struct Fault {
  const char* name;
  ModelBuilder model;
  StatusCode code;
  const char* error;  // Part of the message.
};

void PrintTo(const Fault& fault, std::ostream* stream) {
  *stream << fault.name;
}

class PrepareFault : public ::testing::TestWithParam<Fault> {};

TEST_P(PrepareFault, IsRefused) {
  const Fault& fault = GetParam();
  auto built = TryBuild(fault.model);
  const Status status =
      built.ok() ? (**built)->AllocateTensors() : std::move(built).status();
  EXPECT_THAT(status, HasStatus(fault.code, fault.error));
  EXPECT_THAT(status, HasStatus(fault.code, "op 0 "));
}

const auto kNameOf = [](const auto& one) {
  return std::string(one.param.name);
};

constexpr auto kInvalid = StatusCode::kInvalidModel;

std::vector<Fault> WindowFaults() {
  const Operand image{{1, 4, 4, 2}};
  const Operand any{{1, 4, 4, 2}};
  const auto conv = [&](int stride, int dilation, const Operand& filter,
                        schema::Padding padding) {
    return OneOp(schema::BuiltinOperator_CONV_2D, {image, filter}, {any},
                 [=](Fbb& fbb) {
                   return schema::CreateConv2DOptions(
                       fbb, padding, 1, stride,
                       schema::ActivationFunctionType_NONE, 1, dilation);
                 });
  };
  const auto depthwise = [&](int stride, int dilation) {
    return OneOp(schema::BuiltinOperator_DEPTHWISE_CONV_2D,
                 {image, Ones({1, 2, 2, 2})}, {any}, [=](Fbb& fbb) {
                   return schema::CreateDepthwiseConv2DOptions(
                       fbb, kSame, stride, 1, 1,
                       schema::ActivationFunctionType_NONE, dilation, 1);
                 });
  };
  const auto pool = [&](int stride, int filter, schema::Padding padding) {
    return OneOp(schema::BuiltinOperator_MAX_POOL_2D, {image}, {any},
                 [=](Fbb& fbb) {
                   return schema::CreatePool2DOptions(fbb, padding, 1, stride,
                                                      filter, filter);
                 });
  };
  const auto transpose_conv = [&](int stride, std::vector<int32_t> shape) {
    return OneOp(schema::BuiltinOperator_TRANSPOSE_CONV,
                 {Ints(std::move(shape)), Ones({1, 2, 2, 2}), image}, {any},
                 [=](Fbb& fbb) {
                   return schema::CreateTransposeConvOptions(fbb, kSame, 1,
                                                             stride);
                 });
  };
  const Operand filter = Ones({2, 2, 2, 2});
  return {
      {"ConvStrideZero", conv(0, 1, filter, kSame), kInvalid, "stride"},
      {"ConvStrideNegative", conv(-1, 1, filter, kSame), kInvalid, "stride"},
      {"ConvDilationZero", conv(1, 0, filter, kSame), kInvalid, "dilation"},
      {"ConvDilationHuge", conv(1, kMax, filter, kValid), kInvalid, "filter"},
      {"ConvFilterTooLarge", conv(1, 1, Ones({1, 5, 5, 2}), kValid), kInvalid,
       "filter"},
      {"ConvGroups", conv(1, 1, Ones({3, 1, 1, 3}), kSame), kInvalid,
       "channels"},
      {"ConvFilterEmpty", conv(1, 1, Ones({2, 0, 2, 2}), kSame), kInvalid, ""},
      {"ConvFilterWithoutChannels", conv(1, 1, Ones({2, 2, 2, 0}), kSame),
       kInvalid, ""},
      {"DepthwiseStrideZero", depthwise(0, 1), kInvalid, "stride"},
      {"DepthwiseDilationZero", depthwise(1, 0), kInvalid, "dilation"},
      {"PoolStrideZero", pool(0, 2, kSame), kInvalid, "stride"},
      {"PoolFilterZero", pool(1, 0, kSame), kInvalid, "filter"},
      {"PoolFilterNegative", pool(1, -3, kSame), kInvalid, "filter"},
      {"PoolFilterTooLarge", pool(1, 5, kValid), kInvalid, "filter"},
      {"TransposeConvStrideZero", transpose_conv(0, {1, 4, 4, 1}), kInvalid,
       "stride"},
      {"TransposeConvShapeNegative", transpose_conv(1, {1, -4, 4, 1}),
       StatusCode::kInvalidArgument, "-4"},
      {"TransposeConvShapeHuge", transpose_conv(1, {1, 65536, 65536, 1}),
       kInvalid, "65536"},
      {"Conv3DStrideZero",
       OneOp(schema::BuiltinOperator_CONV_3D,
             {{{1, 3, 3, 3, 1}}, Ones({1, 1, 1, 1, 1})}, {any},
             [](Fbb& fbb) {
               return schema::CreateConv3DOptions(fbb, kSame, 0, 1, 1);
             }),
       kInvalid, "stride"},
  };
}
INSTANTIATE_TEST_SUITE_P(Window, PrepareFault,
                         ::testing::ValuesIn(WindowFaults()), kNameOf);

std::vector<Fault> AxisFaults() {
  const Operand x{{2, 3}};
  const Operand any{{1}};
  const auto concatenation = [&](int axis) {
    return OneOp(schema::BuiltinOperator_CONCATENATION, {x, x}, {any},
                 [=](Fbb& fbb) {
                   return schema::CreateConcatenationOptions(fbb, axis);
                 });
  };
  const auto gather = [&](int axis, int batch_dims) {
    return OneOp(schema::BuiltinOperator_GATHER, {x, Operand{{2}, kInt}}, {any},
                 [=](Fbb& fbb) {
                   return schema::CreateGatherOptions(fbb, axis, batch_dims);
                 });
  };
  const auto pack = [&](int axis) {
    return OneOp(schema::BuiltinOperator_PACK, {x, x}, {any}, [=](Fbb& fbb) {
      return schema::CreatePackOptions(fbb, 2, axis);
    });
  };
  const auto one_hot = [&](int axis) {
    return OneOp(
        schema::BuiltinOperator_ONE_HOT,
        {Operand{{3}, kInt}, Ints({2}), {{}}, {{}}}, {any},
        [=](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, axis); });
  };
  const auto with_ints = [&](schema::BuiltinOperator code,
                             std::vector<int32_t> values) {
    return OneOp(code, {x, Ints(std::move(values))}, {any});
  };
  return {
      {"Concatenation", concatenation(2), kInvalid, "is 2"},
      {"ConcatenationNegative", concatenation(-3), kInvalid, "is -3"},
      {"ConcatenationMin", concatenation(kMin), kInvalid, "axis"},
      {"Gather", gather(2, 0), kInvalid, "is 2"},
      {"GatherBatchDims", gather(0, 3), kInvalid, "batch_dims"},
      {"GatherBatchDimsNegative", gather(0, kMin), kInvalid, "batch_dims"},
      {"Pack", pack(3), kInvalid, "is 3"},
      {"OneHot", one_hot(3), kInvalid, "is 3"},
      {"Unpack",
       OneOp(schema::BuiltinOperator_UNPACK, {x}, {any},
             [](Fbb& fbb) { return schema::CreateUnpackOptions(fbb, 1, 7); }),
       kInvalid, "is 7"},
      {"UnpackCount",
       OneOp(schema::BuiltinOperator_UNPACK, {x}, {any},
             [](Fbb& fbb) { return schema::CreateUnpackOptions(fbb, 9, 0); }),
       kInvalid, ""},
      {"Split",
       OneOp(schema::BuiltinOperator_SPLIT, {Ints({4}), x}, {any},
             [](Fbb& fbb) { return schema::CreateSplitOptions(fbb, 1); }),
       kInvalid, "is 4"},
      {"SplitZero",
       OneOp(schema::BuiltinOperator_SPLIT, {Ints({0}), x}, {any},
             [](Fbb& fbb) { return schema::CreateSplitOptions(fbb, 0); }),
       kInvalid, ""},
      {"SplitUneven",
       OneOp(schema::BuiltinOperator_SPLIT, {Ints({1}), x}, {any, any},
             [](Fbb& fbb) { return schema::CreateSplitOptions(fbb, 2); }),
       kInvalid, "3"},
      {"SplitVSizes",
       OneOp(schema::BuiltinOperator_SPLIT_V,
             {x, Ints({kMax, kMax}), Ints({0})}, {any, any},
             [](Fbb& fbb) { return schema::CreateSplitVOptions(fbb, 2); }),
       kInvalid, ""},
      {"SplitVTwoUnknown",
       OneOp(schema::BuiltinOperator_SPLIT_V, {x, Ints({-1, -1}), Ints({0})},
             {any, any},
             [](Fbb& fbb) { return schema::CreateSplitVOptions(fbb, 2); }),
       kInvalid, "-1"},
      {"Mean", with_ints(schema::BuiltinOperator_MEAN, {5}), kInvalid,
       "axis 5"},
      {"Sum", with_ints(schema::BuiltinOperator_SUM, {-3}), kInvalid, "is -3"},
      {"ArgMax",
       OneOp(schema::BuiltinOperator_ARG_MAX, {x, Ints({2})}, {{{2}, kInt}},
             [](Fbb& fbb) {
               return schema::CreateArgMaxOptions(fbb,
                                                  schema::TensorType_INT32);
             }),
       kInvalid, "is 2"},
      {"Cumsum", with_ints(schema::BuiltinOperator_CUMSUM, {2}), kInvalid,
       "is 2"},
      {"Reverse", with_ints(schema::BuiltinOperator_REVERSE_V2, {2}), kInvalid,
       "is 2"},
      {"TransposeTwice", with_ints(schema::BuiltinOperator_TRANSPOSE, {0, 0}),
       kInvalid, ""},
      {"TransposeOutside", with_ints(schema::BuiltinOperator_TRANSPOSE, {0, 2}),
       kInvalid, "2"},
      {"TransposeCount", with_ints(schema::BuiltinOperator_TRANSPOSE, {0}),
       kInvalid, ""},
      {"ExpandDims", with_ints(schema::BuiltinOperator_EXPAND_DIMS, {4}),
       kInvalid, "4"},
      {"Squeeze",
       OneOp(schema::BuiltinOperator_SQUEEZE, {x}, {any},
             [](Fbb& fbb) {
               return schema::CreateSqueezeOptions(
                   fbb, fbb.CreateVector<int32_t>({1}));
             }),
       kInvalid, "1"},
  };
}
INSTANTIATE_TEST_SUITE_P(Axis, PrepareFault, ::testing::ValuesIn(AxisFaults()),
                         kNameOf);

std::vector<Fault> ShapeFaults() {
  const Operand x{{2, 3}};
  const Operand deep{{1, 1, 1, 1, 1, 1, 1, 2}};
  const Operand image{{1, 4, 4, 4}};
  const Operand any{{1}};
  const auto with_ints = [&](schema::BuiltinOperator code,
                             std::vector<int32_t> values) {
    return OneOp(code, {x, Ints(std::move(values))}, {any});
  };
  const auto pad = [&](schema::BuiltinOperator code,
                       std::vector<int32_t> values) {
    return OneOp(code, {x, Constant<int32_t>({2, 2}, std::move(values))},
                 {any});
  };
  const auto block = [&](schema::BuiltinOperator code, int size) {
    return OneOp(code, {image}, {any}, [=](Fbb& fbb) {
      return schema::CreateSpaceToDepthOptions(fbb, size);
    });
  };
  const auto space_to_batch = [&](int size, std::vector<int32_t> padding) {
    return OneOp(schema::BuiltinOperator_SPACE_TO_BATCH_ND,
                 {image, Ints({size, size}),
                  Constant<int32_t>({2, 2}, std::move(padding))},
                 {any});
  };
  return {
      {"ReshapeOverflow",
       with_ints(schema::BuiltinOperator_RESHAPE, {65536, 65536}), kInvalid,
       "65536"},
      {"ReshapeTwoUnknown",
       with_ints(schema::BuiltinOperator_RESHAPE, {-1, -1}), kInvalid, "-1"},
      {"ReshapeNegative", with_ints(schema::BuiltinOperator_RESHAPE, {-2, 3}),
       kInvalid, "-2"},
      {"ReshapeZeroAndUnknown",
       with_ints(schema::BuiltinOperator_RESHAPE, {0, -1}), kInvalid, ""},
      {"FillOverflow",
       OneOp(schema::BuiltinOperator_FILL, {Ints({kMax, kMax}), {{}}}, {any}),
       StatusCode::kInvalidArgument, "2147483647"},
      {"FillNegative",
       OneOp(schema::BuiltinOperator_FILL, {Ints({2, -1}), {{}}}, {any}),
       kInvalid, "-1"},
      {"TileOverflow", with_ints(schema::BuiltinOperator_TILE, {kMax, kMax}),
       kInvalid, ""},
      {"TileNegative", with_ints(schema::BuiltinOperator_TILE, {-1, 1}),
       kInvalid, "-1"},
      {"BroadcastOverflow",
       OneOp(schema::BuiltinOperator_BROADCAST_TO,
             {{{1, 1}}, Ints({kMax, kMax})}, {any}),
       StatusCode::kInvalidArgument, ""},
      {"BroadcastIncompatible",
       with_ints(schema::BuiltinOperator_BROADCAST_TO, {2, 4}), kInvalid, "4"},
      {"PadOverflow",
       pad(schema::BuiltinOperator_PAD, {kMax, kMax, kMax, kMax}), kInvalid,
       "2147483647"},
      {"PadNegative", pad(schema::BuiltinOperator_PAD, {-1, 0, 0, 0}), kInvalid,
       "-1"},
      {"MirrorPadTooFar", pad(schema::BuiltinOperator_MIRROR_PAD, {3, 0, 0, 0}),
       kInvalid, "3"},
      {"SliceOutside",
       OneOp(schema::BuiltinOperator_SLICE, {x, Ints({1, 1}), Ints({1, 3})},
             {any}),
       StatusCode::kOutOfRange, ""},
      {"SliceOverflow",
       OneOp(schema::BuiltinOperator_SLICE,
             {x, Ints({1, kMax}), Ints({1, kMax})}, {any}),
       StatusCode::kOutOfRange, ""},
      {"StrideZero",
       OneOp(schema::BuiltinOperator_STRIDED_SLICE,
             {x, Ints({0, 0}), Ints({2, 3}), Ints({1, 0})}, {any},
             [](Fbb& fbb) { return schema::CreateStridedSliceOptions(fbb); }),
       kInvalid, "stride"},
      {"ResizeNegative",
       OneOp(schema::BuiltinOperator_RESIZE_BILINEAR, {image, Ints({-1, 4})},
             {any}),
       kInvalid, "-1"},
      {"ResizeHuge",
       OneOp(schema::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR,
             {image, Ints({kMax, kMax})}, {any}),
       StatusCode::kInvalidArgument, "2147483647"},
      {"SpaceToDepthZero", block(schema::BuiltinOperator_SPACE_TO_DEPTH, 0),
       kInvalid, "block"},
      {"SpaceToDepthUneven", block(schema::BuiltinOperator_SPACE_TO_DEPTH, 3),
       kInvalid, "3"},
      {"SpaceToBatchZero", space_to_batch(0, {0, 0, 0, 0}), kInvalid, "block"},
      {"SpaceToBatchOverflow", space_to_batch(2, {kMax, kMax, 0, 0}), kInvalid,
       ""},
      {"RangeDeltaZero",
       OneOp(schema::BuiltinOperator_RANGE, {Ints({0}), Ints({4}), Ints({0})},
             {any}),
       kInvalid, ""},
      {"RankOfExpandDims",
       OneOp(schema::BuiltinOperator_EXPAND_DIMS, {deep, Ints({0})}, {any}),
       kInvalid, "8"},
      {"RankOfPack",
       OneOp(schema::BuiltinOperator_PACK, {deep, deep}, {any},
             [](Fbb& fbb) { return schema::CreatePackOptions(fbb, 2, 0); }),
       StatusCode::kUnimplemented, "8"},
      {"RankOfReshape",
       with_ints(schema::BuiltinOperator_RESHAPE, {1, 1, 1, 1, 1, 1, 1, 2, 3}),
       kInvalid, "8"},
      {"BatchMatMulInner",
       OneOp(schema::BuiltinOperator_BATCH_MATMUL, {x, {{2, 3}}}, {any},
             [](Fbb& fbb) { return schema::CreateBatchMatMulOptions(fbb); }),
       kInvalid, "3"},
      {"AddIncompatible",
       OneOp(schema::BuiltinOperator_ADD, {x, {{2, 2}}}, {any},
             [](Fbb& fbb) { return schema::CreateAddOptions(fbb); }),
       kInvalid, ""},
  };
}
INSTANTIATE_TEST_SUITE_P(Shape, PrepareFault,
                         ::testing::ValuesIn(ShapeFaults()), kNameOf);

std::vector<Fault> QuantFaults() {
  const Operand image{{1, 2, 2, 2}, TensorType::kInt8, Quant{0.5f, 0}};
  const auto conv = [&](const Quant& filter, const Operand& output) {
    return OneOp(
        schema::BuiltinOperator_CONV_2D,
        {image, Constant<int8_t>({3, 1, 1, 2}, {1, 2, 3, 4, 5, 6}, filter)},
        {output},
        [](Fbb& fbb) { return schema::CreateConv2DOptions(fbb, kSame, 1, 1); },
        3);
  };
  const Operand out{{1, 2, 2, 3}, TensorType::kInt8, Quant{0.5f, 0}};
  const Operand bare{{1, 2, 2, 3}, TensorType::kInt8};
  return {
      {"ScalesOfAnotherDimension", conv(PerChannel({1, 1}, 3), out), kInvalid,
       "scale"},
      {"NoScaleOfOutput", conv(Quant{0.5f, 0}, bare), kInvalid, "scale"},
      {"NoScaleOfFilter", conv(Quant{}, out), kInvalid, "scale"},
      {"QuantizeWithoutScale",
       OneOp(schema::BuiltinOperator_QUANTIZE, {{{1, 2, 2, 3}}}, {bare}),
       kInvalid, "scale"},
  };
}
INSTANTIATE_TEST_SUITE_P(Quantization, PrepareFault,
                         ::testing::ValuesIn(QuantFaults()), kNameOf);

// Custom options that are no FlexBuffer, or hold absurd numbers.
TEST(CustomOptions, AreRefusedWhereTheyAreNoFlexBuffer) {
  for (const std::vector<uint8_t>& options : {std::vector<uint8_t>{},
                                              {1},
                                              {0xFF, 0xFF, 0xFF},
                                              {36, 1, 4, 200, 5, 36, 1},
                                              std::vector<uint8_t>(64, 0x24)}) {
    ModelBuilder b;
    const int boxes = b.AddInput("boxes", TensorType::kFloat32, {1, 2, 4});
    const int scores = b.AddInput("scores", TensorType::kFloat32, {1, 2, 3});
    const int anchors =
        b.AddConstant<float>("anchors", {2, 4}, std::vector<float>(8, 1));
    std::vector<int32_t> out;
    for (const char* name : {"boxes", "classes", "scores", "count"}) {
      out.push_back(b.AddTensor(name, TensorType::kFloat32, {1}));
    }
    b.AddCustomOp("TFLite_Detection_PostProcess", {boxes, scores, anchors}, out,
                  options);
    b.SetOutputs(out);
    EXPECT_THAT(TryBuild(b), HasStatus(kInvalid, "op 0 "))
        << options.size() << " bytes";
  }
}

// Data at run time: input `position` is int32 and gets `values`.
struct DataFault {
  const char* name;
  ModelBuilder model;
  size_t position;
  std::vector<int32_t> bad;
  std::vector<int32_t> good;
  StatusCode code;
  const char* error;
};

void PrintTo(const DataFault& fault, std::ostream* stream) {
  *stream << fault.name;
}

class InvokeFault : public ::testing::TestWithParam<DataFault> {};

Status RunWith(Interpreter& interpreter, size_t position,
               const std::vector<int32_t>& values) {
  ARENALITE_RETURN_IF_ERROR(interpreter.AllocateTensors());
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor* tensor = interpreter.input_tensor(i);
    if (tensor->is_constant()) continue;
    std::memset(tensor->data, 0, static_cast<size_t>(tensor->bytes));
    if (i == position) {
      std::memcpy(tensor->data, values.data(), values.size() * 4);
    }
  }
  return interpreter.Invoke();
}

// A failed Invoke leaves an interpreter that works.
TEST_P(InvokeFault, IsRefusedAndForgotten) {
  const DataFault& fault = GetParam();
  auto built = TryBuild(fault.model);
  ASSERT_THAT(built, IsOk());
  Interpreter& interpreter = *(*built)->interpreter;
  ASSERT_THAT(RunWith(interpreter, fault.position, fault.good), IsOk());
  const Status status = RunWith(interpreter, fault.position, fault.bad);
  EXPECT_THAT(status, HasStatus(fault.code, fault.error));
  EXPECT_THAT(status, HasStatus(fault.code, "op 0 "));
  EXPECT_THAT(RunWith(interpreter, fault.position, fault.good), IsOk());
}

std::vector<DataFault> SizeFaults() {
  const Operand x{{2, 3}};
  const Operand dims{{2}, kInt};
  const Operand one{{}, kInt};
  const Operand any{{1}};
  const auto with_dims = [&](schema::BuiltinOperator code) {
    return OneOp(code, {x, dims}, {any});
  };
  const ModelBuilder fill =
      OneOp(schema::BuiltinOperator_FILL, {dims, {{}}}, {any});
  const ModelBuilder range =
      OneOp(schema::BuiltinOperator_RANGE,
            {one, one, Constant<int32_t>({}, {1})}, {{{1}, kInt}});
  const ModelBuilder range_step =
      OneOp(schema::BuiltinOperator_RANGE,
            {Constant<int32_t>({}, {0}), Constant<int32_t>({}, {4}), one},
            {{{1}, kInt}});
  const ModelBuilder top =
      OneOp(schema::BuiltinOperator_TOPK_V2, {x, one}, {any, {{1}, kInt}});
  const ModelBuilder one_hot = OneOp(
      schema::BuiltinOperator_ONE_HOT, {{{3}, kInt}, one, {{}}, {{}}}, {any},
      [](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, -1); });
  constexpr auto kRange = StatusCode::kOutOfRange;
  constexpr auto kMemory = StatusCode::kResourceExhausted;
  return {
      {"FillNegative", fill, 0, {2, -1}, {2, 3}, kInvalid, "-1"},
      {"FillOverflow",
       fill,
       0,
       {kMax, kMax},
       {2, 3},
       StatusCode::kInvalidArgument,
       "2147483647"},
      {"FillHuge", fill, 0, {65536, 16384}, {2, 3}, kMemory, ""},
      {"ReshapeCount",
       with_dims(schema::BuiltinOperator_RESHAPE),
       1,
       {2, 2},
       {3, 2},
       kInvalid,
       ""},
      {"ReshapeNegative",
       with_dims(schema::BuiltinOperator_RESHAPE),
       1,
       {-3, -2},
       {3, -1},
       kInvalid,
       "-3"},
      {"TileNegative",
       with_dims(schema::BuiltinOperator_TILE),
       1,
       {1, -1},
       {1, 2},
       kInvalid,
       "-1"},
      {"TileOverflow",
       with_dims(schema::BuiltinOperator_TILE),
       1,
       {kMax, kMax},
       {1, 2},
       kInvalid,
       ""},
      {"BroadcastIncompatible",
       with_dims(schema::BuiltinOperator_BROADCAST_TO),
       1,
       {2, 4},
       {2, 3},
       kInvalid,
       "4"},
      {"RangeHuge", range, 1, {kMax}, {5}, kMemory, ""},
      {"RangeDeltaZero", range_step, 0, {0}, {1}, kRange, ""},
      {"TopKTooMany", top, 1, {4}, {2}, kInvalid, "4"},
      {"OneHotDepth", one_hot, 1, {-2}, {2}, kInvalid, "-2"},
  };
}
INSTANTIATE_TEST_SUITE_P(Size, InvokeFault, ::testing::ValuesIn(SizeFaults()),
                         kNameOf);

std::vector<DataFault> IndexFaults() {
  const Operand x{{4, 3}};
  const Operand two{{2}, kInt};
  const Operand any{{1}};
  const ModelBuilder gather =
      OneOp(schema::BuiltinOperator_GATHER, {x, two}, {any},
            [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); });
  const ModelBuilder gather_nd =
      OneOp(schema::BuiltinOperator_GATHER_ND, {x, {{1, 2}, kInt}}, {any});
  const ModelBuilder scatter =
      OneOp(schema::BuiltinOperator_SCATTER_ND,
            {{{2, 1}, kInt}, {{2, 3}}, Ints({4, 3})}, {{{4, 3}}});
  const ModelBuilder segment =
      OneOp(schema::BuiltinOperator_SEGMENT_SUM, {{{2, 3}}, two}, {any});
  const ModelBuilder unsorted =
      OneOp(schema::BuiltinOperator_UNSORTED_SEGMENT_SUM,
            {{{2, 3}}, two, Ints({2})}, {any});
  const ModelBuilder embedding =
      OneOp(schema::BuiltinOperator_EMBEDDING_LOOKUP, {two, x}, {any});
  const ModelBuilder reverse = OneOp(
      schema::BuiltinOperator_REVERSE_SEQUENCE, {{{2, 3}}, two}, {{{2, 3}}},
      [](Fbb& fbb) { return schema::CreateReverseSequenceOptions(fbb, 1, 0); });
  const ModelBuilder mean =
      OneOp(schema::BuiltinOperator_MEAN, {x, {{1}, kInt}}, {any});
  const ModelBuilder cumsum =
      OneOp(schema::BuiltinOperator_CUMSUM, {x, {{1}, kInt}}, {x});
  constexpr auto kRange = StatusCode::kOutOfRange;
  return {
      {"Gather", gather, 1, {0, 4}, {0, 3}, kRange, "4"},
      {"GatherNegative", gather, 1, {-1, 0}, {3, 0}, kRange, "-1"},
      {"GatherMin", gather, 1, {kMin, 0}, {3, 0}, kRange, ""},
      {"GatherNd", gather_nd, 1, {3, 3}, {3, 2}, kRange, "3"},
      {"GatherNdNegative", gather_nd, 1, {0, -1}, {0, 0}, kRange, "-1"},
      {"Scatter", scatter, 0, {0, 4}, {0, 3}, kRange, "4"},
      {"ScatterNegative", scatter, 0, {-1, 0}, {1, 0}, kRange, "-1"},
      {"SegmentUnsorted", segment, 1, {1, 0}, {0, 1}, kRange, "0"},
      {"SegmentNegative", segment, 1, {-1, 0}, {0, 1}, kRange, "-1"},
      {"SegmentHuge", segment, 1, {0, kMax}, {0, 1}, kRange, ""},
      {"UnsortedSegment", unsorted, 1, {0, 2}, {1, 0}, kRange, "2"},
      {"Embedding", embedding, 0, {0, 4}, {0, 3}, kRange, "4"},
      {"ReverseSequence", reverse, 1, {4, 0}, {3, 1}, kRange, "4"},
      {"ReverseSequenceNegative", reverse, 1, {0, -1}, {3, 1}, kRange, "-1"},
      {"MeanAxis", mean, 1, {2}, {1}, kInvalid, "2"},
      {"CumsumAxis", cumsum, 1, {-3}, {-1}, kInvalid, "-3"},
  };
}
INSTANTIATE_TEST_SUITE_P(Index, InvokeFault, ::testing::ValuesIn(IndexFaults()),
                         kNameOf);

// Variables count as much as what is planned.
TEST(Memory, ThePersistentPartIsHeldToTheLimit) {
  const ModelBuilder model =
      OneOp(schema::BuiltinOperator_SVDF,
            {Operand({1, 3}), Ones({4, 3}), Ones({4, 100}), Ones({2}),
             Variable({1, 400})},
            {Operand({1, 2})},
            [](Fbb& fbb) { return schema::CreateSVDFOptions(fbb, 2); });
  InterpreterOptions options;
  auto built = Build(model, options);
  const auto need = built->interpreter->QueryMemory();
  ASSERT_THAT(need, IsOk());
  ASSERT_EQ(need->persistent_bytes, 1600);
  options.max_arena_bytes = need->arena_bytes;
  EXPECT_THAT(Build(model, options)->interpreter->AllocateTensors(), IsOk());
  options.max_arena_bytes = need->arena_bytes - 1;
  EXPECT_THAT(Build(model, options)->interpreter->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted,
                        "1600 persistent bytes, max_arena_bytes allows"));
}

// The file may give an operator the options of any other.
TEST(Options, OfAnotherOperatorAreNotRead) {
  const Operand x({1, 4});
  const ModelBuilder squeeze = OneOp(
      schema::BuiltinOperator_SQUEEZE, {x}, {Operand({4})},
      [](Fbb& fbb) { return schema::CreateConv2DOptions(fbb, kSame, 3, 3); });
  auto built = Build(squeeze);
  ASSERT_THAT(built->interpreter->AllocateTensors(), IsOk());
  EXPECT_EQ(built->interpreter->output_tensor(0)->shape, Shape({4}));
  const ModelBuilder loop = OneOp(
      schema::BuiltinOperator_WHILE, {x}, {x},
      [](Fbb& fbb) { return schema::CreateConv2DOptions(fbb, kSame, 1, 2); });
  EXPECT_THAT(TryBuild(loop),
              HasStatus(kInvalid, "absent or another operator's"));
}

// Strings that the application packs: two of them, "a" and "bc".
TEST(Strings, WhoseOffsetsLieAreRefused) {
  const std::vector<int32_t> good = {2, 16, 17, 19, 'a' | 'b' << 8 | 'c' << 16};
  auto built =
      Build(OneOp(schema::BuiltinOperator_GATHER,
                  {Operand({2}, TensorType::kString), Operand({1}, kInt)},
                  {Operand({1}, TensorType::kString)}, [](Fbb& fbb) {
                    return schema::CreateGatherOptions(fbb, 0);
                  }));
  Interpreter& interpreter = *built->interpreter;
  const auto run = [&](const std::vector<int32_t>& words, size_t bytes) {
    Status status = interpreter.AllocateTensors();
    EXPECT_THAT(status, IsOk());
    *interpreter.typed_input_tensor<int32_t>(1) = 1;
    status = interpreter.SetDynamicInput(
        interpreter.inputs()[0],
        Span<const uint8_t>(reinterpret_cast<const uint8_t*>(words.data()),
                            bytes));
    return status.ok() ? interpreter.Invoke() : std::move(status);
  };
  ASSERT_THAT(run(good, 19), IsOk());
  for (size_t word = 0; word < 4; ++word) {
    for (const int32_t wrong : {-1, 1, 15, 20, 1 << 20, kMax, kMin}) {
      std::vector<int32_t> bad = good;
      bad[word] = wrong;
      EXPECT_FALSE(run(bad, 19).ok()) << word << ": " << wrong;
    }
  }
  for (size_t bytes = 0; bytes < 19; ++bytes) {
    EXPECT_FALSE(run(good, bytes).ok()) << bytes;
  }
  EXPECT_THAT(run(good, 19), IsOk());
}

}  // namespace
}  // namespace arenalite
