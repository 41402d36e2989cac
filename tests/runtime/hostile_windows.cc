// Strides, dilations, filters, paddings and blocks that no image has.

#include <functional>

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

using schema::BuiltinOperator;

// The numbers of a window, all good.
struct Numbers {
  schema::Padding padding = kSame;
  int stride_d = 1, stride_h = 1, stride_w = 1;
  int dilation_d = 1, dilation_h = 1, dilation_w = 1;
  int filter_h = 2, filter_w = 2;  // Of pools.
};
using Model = std::function<ModelBuilder(const Numbers&)>;

constexpr auto kNoActivation = schema::ActivationFunctionType_NONE;

auto ConvOptions(const Numbers& n) {
  return [n](Fbb& fbb) {
    return schema::CreateConv2DOptions(fbb, n.padding, n.stride_w, n.stride_h,
                                       kNoActivation, n.dilation_w,
                                       n.dilation_h);
  };
}
auto DepthwiseOptions(const Numbers& n, int multiplier = 1) {
  return [=](Fbb& fbb) {
    return schema::CreateDepthwiseConv2DOptions(
        fbb, n.padding, n.stride_w, n.stride_h, multiplier, kNoActivation,
        n.dilation_w, n.dilation_h);
  };
}
auto Conv3dOptions(const Numbers& n) {
  return [n](Fbb& fbb) {
    return schema::CreateConv3DOptions(fbb, n.padding, n.stride_d, n.stride_w,
                                       n.stride_h, kNoActivation, n.dilation_d,
                                       n.dilation_w, n.dilation_h);
  };
}
auto PoolOptions(const Numbers& n) {
  return [n](Fbb& fbb) {
    return schema::CreatePool2DOptions(fbb, n.padding, n.stride_w, n.stride_h,
                                       n.filter_w, n.filter_h);
  };
}
auto TransposeConvOptions(const Numbers& n) {
  return [n](Fbb& fbb) {
    return schema::CreateTransposeConvOptions(fbb, n.padding, n.stride_w,
                                              n.stride_h);
  };
}

const Operand kImage{{1, 4, 4, 2}};
const Operand kVolume{{1, 3, 3, 3, 1}};
const Operand kAny{{1, 4, 4, 2}};

ModelBuilder Conv(const Numbers& n, const Operand& filter = Ones({2, 2, 2, 2}),
                  const Operand& image = kImage) {
  return OneOp(schema::BuiltinOperator_CONV_2D, {image, filter}, {kAny},
               ConvOptions(n));
}
ModelBuilder Depthwise(const Numbers& n,
                       const Operand& filter = Ones({1, 2, 2, 2}),
                       const Operand& image = kImage) {
  return OneOp(schema::BuiltinOperator_DEPTHWISE_CONV_2D, {image, filter},
               {kAny}, DepthwiseOptions(n));
}
ModelBuilder Pool(BuiltinOperator code, const Numbers& n) {
  return OneOp(code, {kImage}, {kAny}, PoolOptions(n));
}
ModelBuilder TransposeConv(const Numbers& n, std::vector<int32_t> shape) {
  return OneOp(schema::BuiltinOperator_TRANSPOSE_CONV,
               {Ints(std::move(shape)), Ones({1, 2, 2, 2}), kImage}, {kAny},
               TransposeConvOptions(n));
}
ModelBuilder Conv3d(const Numbers& n,
                    const Operand& filter = Ones({1, 1, 1, 1, 1})) {
  return OneOp(schema::BuiltinOperator_CONV_3D, {kVolume, filter}, {kAny},
               Conv3dOptions(n));
}
ModelBuilder Conv3dTranspose(const Numbers& n, std::vector<int32_t> shape) {
  return OneOp(schema::BuiltinOperator_CONV_3D_TRANSPOSE,
               {Ints(std::move(shape)), Ones({1, 1, 1, 1, 1}), kVolume}, {kAny},
               Conv3dOptions(n));
}

// A number of the options and what the message calls it.
struct Field {
  int Numbers::*number;
  const char* name;
  const char* called;
};
constexpr Field kStrides[] = {
    {&Numbers::stride_h, "stride_h", "stride of the height"},
    {&Numbers::stride_w, "stride_w", "stride of the width"}};
constexpr Field kDilations[] = {
    {&Numbers::dilation_h, "dilation_h", "dilation of the height"},
    {&Numbers::dilation_w, "dilation_w", "dilation of the width"}};
constexpr Field kDepths[] = {
    {&Numbers::stride_d, "stride_d", "stride of the depth"},
    {&Numbers::dilation_d, "dilation_d", "dilation of the depth"}};
constexpr Field kFilters[] = {{&Numbers::filter_h, "filter_h", "filter height"},
                              {&Numbers::filter_w, "filter_w", "filter width"}};

template <class Fields>
void AddNotPositive(std::vector<Fault>& rows, const char* op,
                    const Model& model, const Fields& fields) {
  for (const Field& field : fields) {
    for (const int number : {0, -1, kMin}) {
      Numbers wrong;
      wrong.*field.number = number;
      rows.push_back({NameWith(std::string(op) + "_" + field.name, number),
                      model(wrong),
                      std::string(field.called) + " is " +
                          std::to_string(number) + ", allowed > 0"});
    }
  }
}

// Every number of every window, not positive.
std::vector<Fault> NotPositive() {
  std::vector<Fault> rows;
  const Model conv = [](const Numbers& n) { return Conv(n); };
  const Model depthwise = [](const Numbers& n) { return Depthwise(n); };
  const Model conv_3d = [](const Numbers& n) { return Conv3d(n); };
  const Model conv_3d_transpose = [](const Numbers& n) {
    return Conv3dTranspose(n, {1, 3, 3, 3, 1});
  };
  const Model transpose_conv = [](const Numbers& n) {
    return TransposeConv(n, {1, 4, 4, 1});
  };
  AddNotPositive(rows, "Conv", conv, kStrides);
  AddNotPositive(rows, "Conv", conv, kDilations);
  AddNotPositive(rows, "Depthwise", depthwise, kStrides);
  AddNotPositive(rows, "Depthwise", depthwise, kDilations);
  AddNotPositive(rows, "TransposeConv", transpose_conv, kStrides);
  AddNotPositive(rows, "Conv3D", conv_3d, kStrides);
  AddNotPositive(rows, "Conv3D", conv_3d, kDilations);
  AddNotPositive(rows, "Conv3D", conv_3d, kDepths);
  AddNotPositive(rows, "Conv3DTranspose", conv_3d_transpose, kStrides);
  AddNotPositive(rows, "Conv3DTranspose", conv_3d_transpose, kDilations);
  AddNotPositive(rows, "Conv3DTranspose", conv_3d_transpose, kDepths);
  for (const auto& [name, code] :
       {std::pair("AveragePool", schema::BuiltinOperator_AVERAGE_POOL_2D),
        std::pair("L2Pool", schema::BuiltinOperator_L2_POOL_2D),
        std::pair("MaxPool", schema::BuiltinOperator_MAX_POOL_2D)}) {
    const Model pool = [code = code](const Numbers& n) {
      return Pool(code, n);
    };
    AddNotPositive(rows, name, pool, kStrides);
    AddNotPositive(rows, name, pool, kFilters);
  }
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Window, PrepareFault,
                         ::testing::ValuesIn(NotPositive()), NameOf<Fault>);

Numbers With(int Numbers::*number, int value, schema::Padding padding = kSame) {
  Numbers numbers;
  numbers.*number = value;
  numbers.padding = padding;
  return numbers;
}

std::vector<Fault> WindowsThatDoNotFit() {
  const Numbers same;
  const Numbers valid = With(&Numbers::stride_h, 1, kValid);
  const Numbers other =
      With(&Numbers::stride_h, 1, static_cast<schema::Padding>(2));
  const auto max_pool = schema::BuiltinOperator_MAX_POOL_2D;
  return {
      {"ConvDilation", Conv(With(&Numbers::dilation_h, kMax, kValid)),
       "the filter spans 2147483648 of an input height of 4 without padding"},
      {"ConvFilter", Conv(valid, Ones({1, 5, 5, 2})),
       "the filter spans 5 of an input height of 4 without padding"},
      {"ConvPadding", Conv(other),
       "padding is 2, allowed SAME (0) or VALID (1)"},
      {"ConvGroups", Conv(same, Ones({3, 1, 1, 3})),
       "input shape [1,4,4,2] and filter shape [3,1,1,3] do not divide into "
       "groups of channels"},
      {"ConvGroupsOfOutputs", Conv(same, Ones({3, 1, 1, 1})),
       "input shape [1,4,4,2] and filter shape [3,1,1,1] do not divide into "
       "groups of channels"},
      {"ConvEmptyFilter", Conv(same, Ones({2, 0, 2, 2})),
       "input 1 (filter) has shape [2,0,2,2], allowed > 0 for dimension 1"},
      {"ConvNoInputChannels", Conv(same, Ones({2, 2, 2, 0})),
       "input 1 (filter) has shape [2,2,2,0], allowed > 0 for dimension 3"},
      {"ConvNoOutputChannels", Conv(same, Ones({0, 2, 2, 2})),
       "input 1 (filter) has shape [0,2,2,2], allowed > 0 for dimension 0"},
      {"ConvImageWithoutChannels",
       Conv(same, Ones({2, 2, 2, 2}), {{1, 4, 4, 0}}),
       "input 0 has shape [1,4,4,0], allowed > 0 for dimension 3"},
      {"ConvRank", Conv(same, Ones({2, 2})),
       "input 1 (filter) has shape [2,2], allowed rank 4"},
      {"DepthwiseStride", Depthwise(With(&Numbers::stride_w, 40000)),
       "stride of the width is 40000, allowed at most 32767", kMissing},
      {"DepthwiseDilation", Depthwise(With(&Numbers::dilation_h, kMax)),
       "dilation of the height is 2147483647, allowed at most 32767", kMissing},
      {"DepthwiseFilter", Depthwise(valid, Ones({1, 5, 1, 2})),
       "the filter spans 5 of an input height of 4 without padding"},
      {"DepthwiseMultiplier", Depthwise(same, Ones({1, 2, 2, 3})),
       "filter shape [1,2,2,3] for input shape [1,4,4,2], allowed [1, height, "
       "width, a multiple of 2]"},
      {"DepthwiseBatch", Depthwise(same, Ones({2, 2, 2, 2})),
       "filter shape [2,2,2,2] for input shape [1,4,4,2], allowed [1, height, "
       "width, a multiple of 2]"},
      {"DepthwiseNoChannels", Depthwise(same, Ones({1, 2, 2, 0})),
       "input 1 (filter) has shape [1,2,2,0], allowed > 0 for dimension 3"},
      {"DepthwiseImageWithoutChannels",
       Depthwise(same, Ones({1, 2, 2, 2}), {{1, 4, 4, 0}}),
       "input 0 has shape [1,4,4,0], allowed > 0 for dimension 3"},
      {"PoolFilter", Pool(max_pool, With(&Numbers::filter_w, 5, kValid)),
       "the filter spans 5 of an input width of 4 without padding"},
      {"PoolFilterHuge", Pool(max_pool, With(&Numbers::filter_h, kMax, kValid)),
       "the filter spans 2147483647 of an input height of 4 without padding"},
      {"PoolPadding", Pool(max_pool, other),
       "padding is 2, allowed SAME (0) or VALID (1)"},
      {"PoolRank",
       OneOp(max_pool, {{{4, 4, 2}}}, {kAny}, PoolOptions(Numbers())),
       "input 0 is FLOAT32 of shape [4,4,2], output 0 FLOAT32, allowed one "
       "type and rank 4"},
      {"TransposeConvShape", TransposeConv(same, {1, -4, 4, 1}),
       "dimension -4 of shape [1,-4,4,1] is negative: allowed 0..2147483647",
       kArgument},
      {"TransposeConvShapeHuge", TransposeConv(same, {1, 65536, 65536, 1}),
       "an output height of 65536 asks for an input height of 65536, found 4"},
      {"TransposeConvShapeOther", TransposeConv(same, {1, 5, 4, 1}),
       "an output height of 5 asks for an input height of 5, found 4"},
      {"TransposeConvChannels", TransposeConv(same, {1, 4, 4, 3}),
       "input 0 (output shape) is [1,4,4,3], allowed batch 1 and channels 1"},
      {"TransposeConvBatch", TransposeConv(same, {2, 4, 4, 1}),
       "input 0 (output shape) is [2,4,4,1], allowed batch 1 and channels 1"},
      {"TransposeConvRank", TransposeConv(same, {4, 4, 1}),
       "input 0 (output shape) is INT32 of shape [3], allowed INT32 of shape "
       "[4]"},
      {"Conv3DDilation",
       Conv3d(With(&Numbers::dilation_d, kMax, kValid), Ones({2, 1, 1, 1, 1})),
       "the filter spans 2147483648 of an input depth of 3 without padding"},
      {"Conv3DFilter", Conv3d(valid, Ones({4, 1, 1, 1, 1})),
       "the filter spans 4 of an input depth of 3 without padding"},
      {"Conv3DChannels", Conv3d(same, Ones({1, 1, 1, 2, 1})),
       "input 0 has 1 channels, input 1 (filter) has 2"},
      {"Conv3DTransposeShape", Conv3dTranspose(same, {1, 3, -3, 3, 1}),
       "dimension -3 of shape [1,3,-3,3,1] is negative: allowed 0..2147483647",
       kArgument},
      {"Conv3DTransposeShapeHuge",
       Conv3dTranspose(same, {1, kMax, kMax, kMax, 1}),
       "the element count of shape [1,2147483647,2147483647,2147483647,1] "
       "overflows 64 bits",
       kArgument},
  };
}
INSTANTIATE_TEST_SUITE_P(Fit, PrepareFault,
                         ::testing::ValuesIn(WindowsThatDoNotFit()),
                         NameOf<Fault>);

// The multiplier follows from the filter; writers leave any number there.
TEST(DepthMultiplier, IsTheFilters) {
  for (const int multiplier : {0, -1, kMin, kMax}) {
    auto built = Build(OneOp(schema::BuiltinOperator_DEPTHWISE_CONV_2D,
                             {kImage, Ones({1, 2, 2, 4})}, {kAny},
                             DepthwiseOptions(Numbers(), multiplier)));
    ASSERT_THAT(built->interpreter->AllocateTensors(), IsOk());
    EXPECT_EQ(built->interpreter->output_tensor(0)->shape, Shape({1, 4, 4, 4}));
  }
}

// MaxPoolingWithArgmax2D and MaxUnpooling2D: padding, stride_w, stride_h,
// filter_w, filter_h, activation, as TensorFlow Lite's struct lays them out.
ModelBuilder PoolParamsModel(const char* op, const std::vector<int32_t>& words,
                             size_t bytes) {
  ModelBuilder b;
  const bool unpool = std::string(op) == "MaxUnpooling2D";
  const int x = b.AddInput("x", TensorType::kFloat32, {1, 4, 4, 1});
  std::vector<int32_t> in = {x};
  std::vector<int32_t> out = {b.AddTensor("y", TensorType::kFloat32, {1})};
  if (unpool) in.push_back(b.AddInput("at", kInt, {1, 4, 4, 1}));
  if (!unpool) out.push_back(b.AddTensor("at", TensorType::kFloat32, {1}));
  std::vector<uint8_t> options = ModelBuilder::ToBytes(words);
  options.resize(bytes);
  b.AddCustomOp(op, in, out, options);
  b.SetOutputs(out);
  return b;
}

std::vector<Fault> CustomPools() {
  std::vector<Fault> rows;
  const std::vector<int32_t> good = {1, 2, 2, 2, 2, 0};
  const char* const called[] = {"padding", "stride_width", "stride_height",
                                "filter_width", "filter_height"};
  for (const char* op : {"MaxPoolingWithArgmax2D", "MaxUnpooling2D"}) {
    const std::string name(op);
    rows.push_back({name + "_None", PoolParamsModel(op, good, 0),
                    "the options have 0 bytes, allowed at least 24"});
    rows.push_back({name + "_Short", PoolParamsModel(op, good, 23),
                    "the options have 23 bytes, allowed at least 24"});
    for (size_t field = 0; field < std::size(called); ++field) {
      for (const int32_t number : {0, -1, kMin}) {
        std::vector<int32_t> wrong = good;
        wrong[field] = number;
        rows.push_back({NameWith(name + "_" + called[field], number),
                        PoolParamsModel(op, wrong, 24),
                        std::string(called[field]) + " is " +
                            std::to_string(number) + ", allowed "});
      }
    }
  }
  rows.push_back(
      {"MaxPoolingWithArgmax2D_FilterHuge",
       PoolParamsModel("MaxPoolingWithArgmax2D", {2, 2, 2, kMax, 2, 0}, 24),
       "the filter spans 2147483647 of an input width of 4 without padding"});
  rows.push_back(
      {"MaxUnpooling2D_StrideHuge",
       PoolParamsModel("MaxUnpooling2D", {2, kMax, 2, 2, 2, 0}, 24),
       "dimension 2 of input shape [1,4,4,1] unpools to 6442450943, allowed "
       "1..2147483647"});
  return rows;
}
INSTANTIATE_TEST_SUITE_P(CustomPool, PrepareFault,
                         ::testing::ValuesIn(CustomPools()), NameOf<Fault>);

ModelBuilder Block(BuiltinOperator code, int size) {
  const Operand image{{1, 4, 4, 4}};
  if (code == schema::BuiltinOperator_SPACE_TO_DEPTH) {
    return OneOp(code, {image}, {kAny}, [=](Fbb& fbb) {
      return schema::CreateSpaceToDepthOptions(fbb, size);
    });
  }
  return OneOp(code, {image}, {kAny}, [=](Fbb& fbb) {
    return schema::CreateDepthToSpaceOptions(fbb, size);
  });
}
ModelBuilder BatchBlock(BuiltinOperator code, std::vector<int32_t> blocks,
                        std::vector<int32_t> margins) {
  return OneOp(code,
               {{{4, 4, 4, 1}},
                Ints(std::move(blocks)),
                Constant<int32_t>({2, 2}, std::move(margins))},
               {kAny});
}

std::vector<Fault> Blocks() {
  const auto to_depth = schema::BuiltinOperator_SPACE_TO_DEPTH;
  const auto to_space = schema::BuiltinOperator_DEPTH_TO_SPACE;
  const auto to_batch = schema::BuiltinOperator_SPACE_TO_BATCH_ND;
  const auto from_batch = schema::BuiltinOperator_BATCH_TO_SPACE_ND;
  std::vector<Fault> rows;
  for (const int32_t number : {0, -1, kMin, kMax, 65536}) {
    const std::string is = "is " + std::to_string(number) + ", allowed 1..";
    rows.push_back({NameWith("SpaceToDepth", number), Block(to_depth, number),
                    "block_size " + is});
    rows.push_back({NameWith("DepthToSpace", number), Block(to_space, number),
                    "block_size " + is});
  }
  for (const int32_t number : {0, -1, kMin}) {
    const std::string has = "has block " + std::to_string(number);
    rows.push_back({NameWith("SpaceToBatch", number),
                    BatchBlock(to_batch, {2, number}, {0, 0, 0, 0}),
                    "dimension 2 " + has});
    rows.push_back({NameWith("BatchToSpace", number),
                    BatchBlock(from_batch, {number, 2}, {0, 0, 0, 0}),
                    "dimension 1 " + has});
  }
  const std::vector<Fault> more = {
      {"SpaceToDepthUneven", Block(to_depth, 3),
       "input 0 has shape [1,4,4,4], its rows and columns must be multiples of "
       "3"},
      {"DepthToSpaceUneven", Block(to_space, 4),
       "input 0 has shape [1,4,4,4], its channels must be a multiple of 16"},
      {"SpaceToBatchUneven", BatchBlock(to_batch, {3, 2}, {0, 0, 0, 0}),
       "dimension 1 is 4 with paddings, allowed are multiples of 3"},
      {"SpaceToBatchMargin", BatchBlock(to_batch, {2, 2}, {-1, 1, 0, 0}),
       "dimension 1 has block 2 and margins [-1,1], allowed >= 1 and >= 0"},
      {"SpaceToBatchOverflow", BatchBlock(to_batch, {2, 2}, {kMax, kMax, 0, 0}),
       "the output would be [16,2147483649,2,...], allowed 0..2147483647"},
      {"SpaceToBatchHuge",
       BatchBlock(to_batch, {kMax, kMax}, {kMax - 4, 0, kMax - 4, 0}),
       "the output would be [8589934588,1,4,...], allowed 0..2147483647"},
      {"BatchToSpaceUneven", BatchBlock(from_batch, {3, 2}, {0, 0, 0, 0}),
       "input 0 has a batch of 4, allowed are multiples of 3 x 2"},
      {"BatchToSpaceOverflow",
       BatchBlock(from_batch, {kMax, kMax}, {0, 0, 0, 0}),
       "input 0 has a batch of 4, allowed are multiples of 2147483647 x "
       "2147483647"},
      {"BatchToSpaceCrop", BatchBlock(from_batch, {2, 2}, {0, 0, 5, 4}),
       "the output would be [1,8,-1,...], allowed 0..2147483647"},
      {"BatchToSpaceCropNegative",
       BatchBlock(from_batch, {2, 2}, {0, -1, 0, 0}),
       "dimension 1 has block 2 and margins [0,-1], allowed >= 1 and >= 0"},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Block, PrepareFault, ::testing::ValuesIn(Blocks()),
                         NameOf<Fault>);

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
