#include "testing/seed_models.h"

#include "testing/one_op.h"
#include "testing/random_graph.h"
#include "writer/zoo/zoo.h"

namespace arenalite {
namespace testing {
namespace {

constexpr auto kBool = TensorType::kBool;
constexpr auto kInt = TensorType::kInt32;
constexpr auto kInt8 = TensorType::kInt8;
constexpr auto kSame = schema::Padding_SAME;

using schema::CreateConv2DOptions;
using Fbb = flatbuffers::FlatBufferBuilder;

Operand Data(std::vector<int32_t> shape, TensorType type) {
  return Operand{std::move(shape), type};
}
Operand Quantized(std::vector<int32_t> shape) {
  return Operand{std::move(shape), kInt8, Quant{0.5f, 3}};
}

// With all numbers in the file, so that each can be wrong.
void Add(std::vector<SeedModel>& seeds, const std::string& name,
         ModelBuilder b) {
  b.spec().write_defaults = true;
  seeds.push_back({name, b.Finish()});
}

void AddWindowModels(std::vector<SeedModel>& seeds) {
  const Operand image{{1, 5, 6, 2}};
  const auto add = [&](const char* name, ModelBuilder b) {
    Add(seeds, name, std::move(b));
  };
  const auto conv = [](Fbb& fbb) {
    return CreateConv2DOptions(fbb, kSame, 1, 2);
  };
  const auto pool = [](Fbb& fbb) {
    return schema::CreatePool2DOptions(fbb, kSame, 2, 2, 3, 2);
  };
  add("conv",
      OneOp(schema::BuiltinOperator_CONV_2D,
            {image, Constant<float>({3, 2, 2, 2}, std::vector<float>(24, 0.5f)),
             Constant<float>({3}, {1, 2, 3})},
            {{{1, 3, 6, 3}}}, conv));
  add("conv_int8",
      OneOp(schema::BuiltinOperator_CONV_2D,
            {Quantized({1, 5, 6, 2}),
             Constant<int8_t>({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8},
                              PerChannel({0.5f, 0.25f}, 0)),
             Constant<int32_t>({2}, {7, -7}, PerChannel({0.25f, 0.125f}, 0))},
            {Quantized({1, 3, 6, 2})}, conv, 3));
  add("depthwise",
      OneOp(schema::BuiltinOperator_DEPTHWISE_CONV_2D,
            {image, Constant<float>({1, 2, 2, 4}, std::vector<float>(16, 0.5f)),
             Constant<float>({4}, {1, 2, 3, 4})},
            {{{1, 3, 3, 4}}}, [](Fbb& fbb) {
              return schema::CreateDepthwiseConv2DOptions(fbb, kSame, 2, 2, 2);
            }));
  add("transpose_conv",
      OneOp(schema::BuiltinOperator_TRANSPOSE_CONV,
            {Ints({1, 6, 6, 1}),
             Constant<float>({1, 3, 3, 2}, std::vector<float>(18, 1)),
             {{1, 3, 3, 2}}},
            {{{1, 6, 6, 1}}}, [](Fbb& fbb) {
              return schema::CreateTransposeConvOptions(fbb, kSame, 2, 2);
            }));
  for (const auto code : {schema::BuiltinOperator_AVERAGE_POOL_2D,
                          schema::BuiltinOperator_MAX_POOL_2D,
                          schema::BuiltinOperator_L2_POOL_2D}) {
    add(schema::EnumNameBuiltinOperator(code),
        OneOp(code, {image}, {{{1, 3, 3, 2}}}, pool));
  }
  add("conv_3d",
      OneOp(schema::BuiltinOperator_CONV_3D,
            {{{1, 3, 3, 3, 1}},
             Constant<float>({2, 2, 2, 1, 2}, std::vector<float>(16, 1))},
            {{{1, 3, 3, 3, 2}}}, [](Fbb& fbb) {
              return schema::CreateConv3DOptions(fbb, kSame, 1, 1, 1);
            }));
  add("resize", OneOp(schema::BuiltinOperator_RESIZE_BILINEAR,
                      {image, Ints({7, 4})}, {{{1, 7, 4, 2}}}, [](Fbb& fbb) {
                        return schema::CreateResizeBilinearOptions(fbb, true);
                      }));
}

void AddMovingModels(std::vector<SeedModel>& seeds) {
  const Operand x{{4, 6}};
  const auto add = [&](const char* name, ModelBuilder b) {
    Add(seeds, name, std::move(b));
  };
  add("strided_slice", OneOp(schema::BuiltinOperator_STRIDED_SLICE,
                             {x, Ints({3, 0}), Ints({0, 6}), Ints({-1, 2})},
                             {{{3, 3}}}, [](Fbb& fbb) {
                               return schema::CreateStridedSliceOptions(fbb, 0,
                                                                        2);
                             }));
  add("slice", OneOp(schema::BuiltinOperator_SLICE,
                     {x, Ints({1, 2}), Ints({2, -1})}, {{{2, 4}}}));
  add("pad", OneOp(schema::BuiltinOperator_PAD,
                   {x, Constant<int32_t>({2, 2}, {1, 0, 2, 3})}, {{{5, 11}}}));
  add("mirror_pad",
      OneOp(schema::BuiltinOperator_MIRROR_PAD,
            {x, Constant<int32_t>({2, 2}, {1, 0, 2, 3})}, {{{5, 11}}},
            [](Fbb& fbb) { return schema::CreateMirrorPadOptions(fbb); }));
  add("tile",
      OneOp(schema::BuiltinOperator_TILE, {x, Ints({2, 1})}, {{{8, 6}}}));
  add("transpose",
      OneOp(schema::BuiltinOperator_TRANSPOSE, {x, Ints({1, 0})}, {{{6, 4}}}));
  add("concatenation",
      OneOp(
          schema::BuiltinOperator_CONCATENATION, {x, x}, {{{4, 12}}},
          [](Fbb& fbb) { return schema::CreateConcatenationOptions(fbb, 1); }));
  add("split",
      OneOp(schema::BuiltinOperator_SPLIT, {Ints({1}), x}, {{{4, 3}}, {{4, 3}}},
            [](Fbb& fbb) { return schema::CreateSplitOptions(fbb, 2); }));
  add("split_v",
      OneOp(schema::BuiltinOperator_SPLIT_V, {x, Ints({1, -1}), Ints({0})},
            {{{1, 6}}, {{3, 6}}},
            [](Fbb& fbb) { return schema::CreateSplitVOptions(fbb, 2); }));
  add("unpack",
      OneOp(schema::BuiltinOperator_UNPACK, {x}, {{{6}}, {{6}}, {{6}}, {{6}}},
            [](Fbb& fbb) { return schema::CreateUnpackOptions(fbb, 4, 0); }));
  add("space_to_batch", OneOp(schema::BuiltinOperator_SPACE_TO_BATCH_ND,
                              {{{1, 4, 4, 1}},
                               Ints({2, 2}),
                               Constant<int32_t>({2, 2}, {0, 0, 2, 0})},
                              {{{4, 2, 3, 1}}}));
  add("depth_to_space", OneOp(schema::BuiltinOperator_DEPTH_TO_SPACE,
                              {{{1, 2, 2, 4}}}, {{{1, 4, 4, 1}}}, [](Fbb& fbb) {
                                return schema::CreateDepthToSpaceOptions(fbb,
                                                                         2);
                              }));
}

// Shapes, counts and places that come from data at run time.
void AddDataModels(std::vector<SeedModel>& seeds) {
  const Operand x{{4, 6}};
  const Operand any{{1}};
  const auto add = [&](const char* name, ModelBuilder b) {
    Add(seeds, name, std::move(b));
  };
  add("reshape",
      OneOp(schema::BuiltinOperator_RESHAPE, {x, Data({2}, kInt)}, {any}));
  add("fill",
      OneOp(schema::BuiltinOperator_FILL, {Data({2}, kInt), {{}}}, {any}));
  add("range", OneOp(schema::BuiltinOperator_RANGE,
                     {Data({}, kInt), Data({}, kInt), Data({}, kInt)},
                     {Data({1}, kInt)}));
  add("tile_by_data",
      OneOp(schema::BuiltinOperator_TILE, {x, Data({2}, kInt)}, {any}));
  add("broadcast_to",
      OneOp(schema::BuiltinOperator_BROADCAST_TO, {x, Data({3}, kInt)}, {any}));
  add("where", OneOp(schema::BuiltinOperator_WHERE, {Data({3, 4}, kBool)},
                     {Data({1}, TensorType::kInt64)}));
  add("gather",
      OneOp(schema::BuiltinOperator_GATHER, {x, Data({3}, kInt)}, {{{3, 6}}},
            [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); }));
  add("gather_nd", OneOp(schema::BuiltinOperator_GATHER_ND,
                         {x, Data({3, 2}, kInt)}, {{{3}}}));
  add("scatter_nd",
      OneOp(schema::BuiltinOperator_SCATTER_ND,
            {Data({3, 1}, kInt), {{3, 2}}, Ints({5, 2})}, {{{5, 2}}}));
  add("segment_sum",
      OneOp(schema::BuiltinOperator_SEGMENT_SUM, {x, Data({4}, kInt)}, {any}));
  add("one_hot",
      OneOp(schema::BuiltinOperator_ONE_HOT,
            {Data({3}, kInt), Data({}, kInt), {{}}, {{}}}, {any},
            [](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, -1); }));
  add("topk", OneOp(schema::BuiltinOperator_TOPK_V2, {x, Data({}, kInt)},
                    {any, Data({1}, kInt)}));
  add("arg_max", OneOp(schema::BuiltinOperator_ARG_MAX, {x, Ints({1})},
                       {Data({4}, TensorType::kInt64)}, [](Fbb& fbb) {
                         return schema::CreateArgMaxOptions(
                             fbb, schema::TensorType_INT64);
                       }));
  add("cumsum", OneOp(schema::BuiltinOperator_CUMSUM, {x, Data({1}, kInt)}, {x},
                      [](Fbb& fbb) {
                        return schema::CreateCumsumOptions(fbb, true, true);
                      }));
  add("mean",
      OneOp(schema::BuiltinOperator_MEAN, {x, Data({1}, kInt)}, {any},
            [](Fbb& fbb) { return schema::CreateReducerOptions(fbb, true); }));
  add("unique",
      OneOp(schema::BuiltinOperator_UNIQUE, {{{5}}}, {any, Data({5}, kInt)},
            [](Fbb& fbb) { return schema::CreateUniqueOptions(fbb); }));
  add("reverse_sequence", OneOp(schema::BuiltinOperator_REVERSE_SEQUENCE,
                                {x, Data({4}, kInt)}, {x}, [](Fbb& fbb) {
                                  return schema::CreateReverseSequenceOptions(
                                      fbb, 1, 0);
                                }));
  add("dynamic_update_slice",
      OneOp(schema::BuiltinOperator_DYNAMIC_UPDATE_SLICE,
            {x, {{2, 2}}, Data({2}, kInt)}, {x}));
  add("batch_matmul",
      OneOp(schema::BuiltinOperator_BATCH_MATMUL, {{{2, 3, 4}}, {{1, 4, 2}}},
            {{{2, 3, 2}}},
            [](Fbb& fbb) { return schema::CreateBatchMatMulOptions(fbb); }));
  add("nms", OneOp(schema::BuiltinOperator_NON_MAX_SUPPRESSION_V4,
                   {{{5, 4}}, {{5}}, Data({}, kInt), {{}}, {{}}},
                   {Data({1}, kInt), Data({}, kInt)}));
  add("svdf", OneOp(schema::BuiltinOperator_SVDF,
                    {{{1, 3}},
                     Constant<float>({4, 3}, std::vector<float>(12, 0.5f)),
                     Constant<float>({4, 2}, std::vector<float>(8, 0.5f)),
                     Constant<float>({2}, {0, 1}),
                     Variable({1, 8})},
                    {{{1, 2}}}, [](Fbb& fbb) {
                      return schema::CreateSVDFOptions(fbb, 2);
                    }));
}

// x, halved until its sum is small; then one of two branches.
ModelBuilder ControlFlowModel() {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {4});
  const int small = b.AddTensor("small", TensorType::kFloat32, {4});
  const int flag = b.AddInput("flag", kBool, {1});
  const int y = b.AddTensor("y", TensorType::kFloat32, {4});
  b.AddOp(schema::BuiltinOperator_WHILE, {x}, {small},
          [](Fbb& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.AddOp(schema::BuiltinOperator_IF, {flag, small}, {y},
          [](Fbb& fbb) { return schema::CreateIfOptions(fbb, 2, 3); });
  b.SetOutputs({y});
  b.AddSignature("main", {{"x", static_cast<uint32_t>(x)}},
                 {{"y", static_cast<uint32_t>(y)}});
  b.AddSubgraph("cond");
  const int in = b.AddInput("in", TensorType::kFloat32, {4});
  const int axis = b.AddConstant<int32_t>("axis", {1}, {0});
  const int sum = b.AddTensor("sum", TensorType::kFloat32, {1});
  const int limit = b.AddConstant<float>("limit", {1}, {0.01f});
  const int more = b.AddTensor("more", kBool, {1});
  b.AddOp(schema::BuiltinOperator_SUM, {in, axis}, {sum},
          [](Fbb& fbb) { return schema::CreateReducerOptions(fbb, true); });
  b.AddOp(schema::BuiltinOperator_GREATER, {sum, limit}, {more});
  b.SetOutputs({more});
  for (const auto code :
       {schema::BuiltinOperator_MUL, schema::BuiltinOperator_ADD}) {
    b.AddSubgraph("branch");
    const int value = b.AddInput("value", TensorType::kFloat32, {4});
    const int half = b.AddConstant<float>("half", {1}, {0.5f});
    const int result = b.AddTensor("result", TensorType::kFloat32, {4});
    b.AddOp(code, {value, half}, {result});
    b.SetOutputs({result});
  }
  return b;
}

void AddGraphs(std::vector<SeedModel>& seeds) {
  Add(seeds, "control_flow", ControlFlowModel());
  RandomGraphOptions options;
  options.max_ops = 10;
  options.max_elements = 40;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    options.type = seed % 2 == 0 ? TensorType::kFloat32 : kInt8;
    Add(seeds, "random_" + std::to_string(seed), RandomGraph(seed, options));
  }
  for (const bool int8 : {false, true}) {
    ZooOptions zoo;
    zoo.name = "sine";
    zoo.int8 = int8;
    seeds.push_back({int8 ? "sine_int8" : "sine", *BuildZooModel(zoo)});
  }
}

}  // namespace

std::vector<SeedModel> SeedModels() {
  std::vector<SeedModel> seeds;
  AddWindowModels(seeds);
  AddMovingModels(seeds);
  AddDataModels(seeds);
  AddGraphs(seeds);
  return seeds;
}

}  // namespace testing
}  // namespace arenalite
