// Shapes, constants and data that each operator would accept, but whose sizes,
// steps or bytes do not fit what it reads, writes or walks over: each is
// refused, or done, at once.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "model/sparse_model.h"
#include "testing/build.h"
#include "testing/one_op.h"

namespace arenalite {
namespace {

using namespace testing;
using Fbb = flatbuffers::FlatBufferBuilder;

constexpr auto kInt = TensorType::kInt32;
constexpr auto kByte = TensorType::kInt8;
constexpr auto kString = TensorType::kString;
constexpr auto kInvalid = StatusCode::kInvalidModel;
constexpr auto kMemory = StatusCode::kResourceExhausted;
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kHuge = 1 << 28;

// Built, allocated and run, with zeros for inputs.
Status RunAll(const ModelBuilder& model,
              const InterpreterOptions& options = {}) {
  ARENALITE_ASSIGN_OR_RETURN(auto built, TryBuild(model, options));
  Interpreter& interpreter = *built->interpreter;
  ARENALITE_RETURN_IF_ERROR(interpreter.AllocateTensors());
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor* tensor = interpreter.input_tensor(i);
    if (tensor->type == kString) {
      // One empty string, or none.
      const int32_t one[] = {1, 12, 12};
      const int32_t none[] = {0, 8};
      const bool is_one = tensor->shape.NumElements() == 1;
      ARENALITE_RETURN_IF_ERROR(interpreter.SetDynamicInput(
          interpreter.inputs()[i],
          Span<const uint8_t>(
              reinterpret_cast<const uint8_t*>(is_one ? one : none),
              is_one ? sizeof(one) : sizeof(none))));
    } else if (tensor->bytes > 0) {
      std::memset(tensor->data, 0, static_cast<size_t>(tensor->bytes));
    }
  }
  return interpreter.Invoke();
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

class KernelFault : public ::testing::TestWithParam<Fault> {};

TEST_P(KernelFault, IsRefused) {
  EXPECT_THAT(RunAll(GetParam().model),
              HasStatus(GetParam().code, GetParam().error));
}

const auto kNameOf = [](const auto& one) {
  return std::string(one.param.name);
};

// A constant without bytes.
Operand Empty(std::vector<int32_t> shape, TensorType type) {
  Operand operand(std::move(shape), type);
  operand.data.emplace();
  return operand;
}

// A row of constant strings of no characters.
Operand EmptyStrings(int32_t count) {
  std::vector<int32_t> words(static_cast<size_t>(count) + 2, 4 * (count + 2));
  words[0] = count;
  Operand operand({1, count}, kString);
  operand.data = ModelBuilder::ToBytes(words);
  return operand;
}

// Products of dimensions, in elements and bytes, that leave 64 bits.
std::vector<Fault> OverflowFaults() {
  const Operand any{{1}};
  return {
      {"ReshapeAroundZero",
       OneOp(schema::BuiltinOperator_RESHAPE,
             {{{0, 3}}, Ints({0, 1 << 30, 1 << 30, 1 << 30, -1})}, {any}),
       kInvalid, "1073741824"},
      {"BatchMatMulBatches",
       OneOp(schema::BuiltinOperator_BATCH_MATMUL,
             {{{1 << 30, 1, 1, 1, 1}}, {{1, 1 << 20, 1 << 20, 1, 1}}}, {any},
             [](Fbb& fbb) { return schema::CreateBatchMatMulOptions(fbb); }),
       StatusCode::kInvalidArgument, "1073741824"},
      {"GatherStrings",
       OneOp(schema::BuiltinOperator_GATHER,
             {{{0, kMax, kMax}, kString}, Ints({0, 0, 0})}, {{{1}, kString}},
             [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); }),
       StatusCode::kInvalidArgument, "2147483647"},
      {"SparseLookupRank",
       OneOp(
           schema::BuiltinOperator_EMBEDDING_LOOKUP_SPARSE,
           {{{0}, kInt}, {{0, kMax}, kInt}, {{kMax}, kInt}, {{0}}, {{1, 1, 1}}},
           {any},
           [](Fbb& fbb) {
             return schema::CreateEmbeddingLookupSparseOptions(fbb);
           }),
       kInvalid, "table"},
      {"SvdfState",
       OneOp(schema::BuiltinOperator_SVDF,
             {{{kMax, 0}},
              {{kHuge, 0}},
              {{kHuge, kHuge}},
              {{kHuge}},
              Variable({kMax, 1})},
             {any}, [](Fbb& fbb) { return schema::CreateSVDFOptions(fbb, 1); }),
       kInvalid, "input 4 (state)"},
  };
}
INSTANTIATE_TEST_SUITE_P(Overflow, KernelFault,
                         ::testing::ValuesIn(OverflowFaults()), kNameOf);

// A dimension of 0 hides others whose product just fits 64 bits, but not with
// the bytes of an element. Real models have such tensors.
TEST(Overflow, BytesBesideADimensionOfZeroAreNotCounted) {
  constexpr auto kWide = TensorType::kInt64;
  const Operand none{{0, kMax, kMax}, kWide};
  EXPECT_THAT(RunAll(OneOp(schema::BuiltinOperator_PACK, {none}, {none},
                           [](Fbb& fbb) {
                             return schema::CreatePackOptions(fbb, 1, 1);
                           })),
              IsOk());
  EXPECT_THAT(RunAll(OneOp(schema::BuiltinOperator_EMBEDDING_LOOKUP,
                           {{{0}, kInt}, none}, {none})),
              IsOk());
  EXPECT_THAT(
      RunAll(OneOp(schema::BuiltinOperator_CONV_2D,
                   {{{0, 1, kMax, 1}}, Constant<float>({1, 1, 1, 1}, {1})},
                   {{{0, 1, kMax, 1}}},
                   [](Fbb& fbb) {
                     return schema::CreateConv2DOptions(
                         fbb, schema::Padding_SAME, 1, 1);
                   })),
      IsOk());
  ModelBuilder pool;
  const int image =
      pool.AddInput("image", TensorType::kFloat32, {0, 1, kMax, kMax});
  const int maxima = pool.AddTensor("maxima", TensorType::kFloat32, {1});
  const int positions = pool.AddTensor("positions", TensorType::kFloat32, {1});
  // Padding VALID, strides and filter of 1.
  const std::vector<int32_t> params = {2, 1, 1, 1, 1, 0};
  pool.AddCustomOp("MaxPoolingWithArgmax2D", {image}, {maxima, positions},
                   ModelBuilder::ToBytes(params));
  pool.SetOutputs({maxima, positions});
  EXPECT_THAT(RunAll(pool), IsOk());
}

// Few bytes in the file that ask for more steps than anybody can wait for.
std::vector<Fault> EndlessFaults() {
  const auto gather_nd = [](const Operand& indices) {
    return OneOp(schema::BuiltinOperator_GATHER_ND, {{{1}, kByte}, indices},
                 {{{1}, kByte}});
  };
  return {
      {"GatherOuter",
       OneOp(schema::BuiltinOperator_GATHER,
             {{{1 << 24, 1}}, Ints(std::vector<int32_t>(1 << 16))}, {{{1}}},
             [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 1); }),
       kMemory, "arena"},
      {"GatherNdOfNoNumbers", gather_nd(Empty({kHuge, kHuge, 0}, kInt)),
       kMemory, "arena"},
      {"PoolOverAll",
       OneOp(schema::BuiltinOperator_MAX_POOL_2D,
             {{{1, 1 << 13, 1 << 13, 1}, kByte}}, {{{1}, kByte}},
             [](Fbb& fbb) {
               return schema::CreatePool2DOptions(fbb, schema::Padding_SAME, 1,
                                                  1, kMax, kMax);
             }),
       kMemory, "windows hold"},
      {"ResponseOverAll",
       OneOp(schema::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION,
             {{{1, 1, 1, 1 << 24}}}, {{{1, 1, 1, 1 << 24}}},
             [](Fbb& fbb) {
               return schema::CreateLocalResponseNormalizationOptions(fbb,
                                                                      kMax);
             }),
       kMemory, "windows hold"},
      {"TileStrings",
       OneOp(schema::BuiltinOperator_TILE,
             {{{1, 1}, kString}, Ints({kMax, kMax})}, {{{1}, kString}}),
       kMemory, "strings"},
      {"GatherManyStrings",
       OneOp(schema::BuiltinOperator_GATHER,
             {EmptyStrings(1 << 15), {{1 << 15}, TensorType::kInt16}},
             {{{1}, kString}},
             [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); }),
       kMemory, "strings"},
  };
}
INSTANTIATE_TEST_SUITE_P(Endless, KernelFault,
                         ::testing::ValuesIn(EndlessFaults()), kNameOf);

// Kernels that run because the shape of their output is known only inside of
// Invoke, and then is one of no elements.
TEST(Endless, NoElementsTakeNoTimeInsideOfInvoke) {
  for (const bool is_pool : {false, true}) {
    ModelBuilder b;
    const int data = b.AddInput("data", TensorType::kFloat32, {0});
    const int sizes = b.AddInput("sizes", kInt, {4});
    const int image = b.AddTensor("image", TensorType::kFloat32, {1, 1, 1, 1});
    const int out = b.AddTensor("out", TensorType::kFloat32, {1, 1, 1, 1});
    b.AddOp(schema::BuiltinOperator_RESHAPE, {data, sizes}, {image});
    if (is_pool) {
      b.AddOp(schema::BuiltinOperator_MAX_POOL_2D, {image}, {out},
              [](Fbb& fbb) {
                return schema::CreatePool2DOptions(fbb, schema::Padding_SAME, 1,
                                                   1, 1, 1);
              });
    } else {
      b.AddOp(schema::BuiltinOperator_CONV_2D,
              {image, b.AddConstant<float>("filter", {1, 1, 1, 1}, {1})}, {out},
              [](Fbb& fbb) {
                return schema::CreateConv2DOptions(fbb, schema::Padding_SAME, 1,
                                                   1);
              });
    }
    b.SetOutputs({out});
    auto built = Build(b);
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    const int32_t dims[] = {kHuge, kHuge, 0, 1};
    std::memcpy((*built)->input_tensor(1)->data, dims, sizeof(dims));
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({kHuge, kHuge, 0, 1}));
  }
}

// Two taps, as far apart as the input is long: each output has at most two.
TEST(Endless, DilatedTransposedWindowsVisitOnlyTheirTaps) {
  constexpr int32_t kLength = 1 << 18;
  const ModelBuilder model =
      OneOp(schema::BuiltinOperator_CONV_3D_TRANSPOSE,
            {Ints({1, kLength, 1, 1, 1}),
             Constant<float>({2, 1, 1, 1, 1}, {1, 2}),
             {{1, kLength, 1, 1, 1}}},
            {{{1, kLength, 1, 1, 1}}}, [](Fbb& fbb) {
              return schema::CreateConv3DOptions(
                  fbb, schema::Padding_SAME, 1, 1, 1,
                  schema::ActivationFunctionType_NONE, kLength - 1);
            });
  EXPECT_THAT(RunAll(model), IsOk());
}

// Memory that data structures of an operator take counts as any other.
TEST(Memory, WordsOfGramsAreHeldToTheLimit) {
  InterpreterOptions options;
  options.max_dynamic_bytes = 1 << 16;
  EXPECT_THAT(RunAll(OneOp(schema::BuiltinOperator_SKIP_GRAM, {{{1}, kString}},
                           {{{1}, kString}},
                           [](Fbb& fbb) {
                             return schema::CreateSkipGramOptions(fbb, 1 << 16);
                           }),
                     options),
              HasStatus(kMemory, "max_dynamic_bytes"));
}

// Sums that leave 64 bits wrap around.
TEST(Arithmetic, ABiasOf64BitsWrapsAround) {
  const Quant one{1.0f, 0};
  const ModelBuilder model = OneOp(
      schema::BuiltinOperator_FULLY_CONNECTED,
      {{{1, 1}, TensorType::kInt16, one},
       Constant<int8_t>({1, 1}, {127}, one),
       Constant<int64_t>({1}, {std::numeric_limits<int64_t>::max()}, one)},
      {{{1, 1}, TensorType::kInt16, one}},
      [](Fbb& fbb) { return schema::CreateFullyConnectedOptions(fbb); });
  auto built = Build(model);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  *(*built)->typed_input_tensor<int16_t>(0) = 1;
  ASSERT_THAT((*built)->Invoke(), IsOk());
  EXPECT_EQ(*(*built)->typed_output_tensor<int16_t>(0), -32768);
}

// Peepholes are met as outputs are counted: more outputs than cells would
// read behind their end.
TEST(Lstm, PeepholesOfFewerCellsThanOutputsAreRefused) {
  const Quant unit{1.0f / 128, 0};
  const auto bytes = [&](std::vector<int32_t> shape) {
    const size_t count = static_cast<size_t>(shape[0] * shape[1]);
    return Constant<int8_t>(std::move(shape), std::vector<int8_t>(count, 1),
                            unit);
  };
  const Operand peephole = Constant<int16_t>({1}, {1}, unit);
  const Operand bias = Constant<int32_t>({1}, {0});
  Operand output_state = Variable({4, 8});
  output_state.type = kByte;
  output_state.quant = unit;
  Operand cell_state = Variable({4, 1});
  cell_state.type = TensorType::kInt16;
  cell_state.quant = Quant{1.0f / 2048, 0};
  const Operand w = bytes({1, 1});
  const Operand r = bytes({1, 8});
  const Operand input{{4, 1}, kByte, unit};
  ModelBuilder model = OneOp(schema::BuiltinOperator_LSTM,
                             {input,
                              w,
                              w,
                              w,
                              w,
                              r,
                              r,
                              r,
                              r,
                              peephole,
                              peephole,
                              peephole,
                              bias,
                              bias,
                              bias,
                              bias,
                              bytes({8, 1}),
                              Constant<int32_t>({8}, std::vector<int32_t>(8)),
                              output_state,
                              cell_state},
                             {{{4, 8}, kByte, unit}}, [](Fbb& fbb) {
                               return schema::CreateLSTMOptions(
                                   fbb, schema::ActivationFunctionType_TANH);
                             });
  const int hidden = model.AddTensor("hidden", kByte, {1}, unit);
  model.op(0).intermediates = {-1, -1, -1, -1, hidden};
  EXPECT_THAT(RunAll(model),
              HasStatus(StatusCode::kUnimplemented, "8 outputs"));
}

// An operator that takes its output's type from its inputs.
std::vector<Fault> TypeFaults() {
  const Quant one{1.0f, 0};
  const Operand x{{64}, kByte, one};
  ModelBuilder call;
  call.SetOutputs({});
  const int a = call.AddInput("a", kByte, {64}, one);
  const int y = call.AddTensor("y", TensorType::kFloat32, {64});
  call.AddOp(schema::BuiltinOperator_CALL, {a}, {y},
             [](Fbb& fbb) { return schema::CreateCallOptions(fbb, 1); });
  call.SetOutputs({y});
  call.AddSubgraph("sum");
  const int in = call.AddInput("in", kByte, {64}, one);
  const int sum = call.AddTensor("sum", TensorType::kFloat32, {64}, one);
  call.AddOp(schema::BuiltinOperator_ADD, {in, in}, {sum});
  call.SetOutputs({sum});

  ModelBuilder pass;
  const int p = pass.AddInput("p", kByte, {64}, one);
  const int q = pass.AddTensor("q", TensorType::kFloat32, {64}, one);
  const int r = pass.AddTensor("r", TensorType::kFloat32, {64});
  pass.AddOp(schema::BuiltinOperator_ADD, {p, p}, {q});
  pass.AddOp(schema::BuiltinOperator_CALL, {q}, {r},
             [](Fbb& fbb) { return schema::CreateCallOptions(fbb, 1); });
  pass.SetOutputs({r});
  pass.AddSubgraph("copy");
  const int s = pass.AddInput("s", TensorType::kFloat32, {64});
  const int t = pass.AddTensor("t", TensorType::kFloat32, {64});
  pass.AddOp(schema::BuiltinOperator_ABS, {s}, {t});
  pass.SetOutputs({t});
  return {
      {"StringsForNumbers",
       OneOp(schema::BuiltinOperator_ADD, {x, x}, {{{64}, kString, one}}),
       kInvalid, "output 0 is STRING"},
      {"ResultOfAnotherType", call, kInvalid, "INT8"},
      {"ArgumentOfAnotherType", pass, kInvalid, "INT8"},
  };
}
INSTANTIATE_TEST_SUITE_P(Type, KernelFault, ::testing::ValuesIn(TypeFaults()),
                         kNameOf);

// -(int64 of 8 constant bytes), which lie wherever a writer without care for
// alignment puts them behind a text of `filler` bytes.
std::vector<uint8_t> WideViewModel(size_t filler) {
  namespace s = schema;
  Fbb fbb;
  const std::vector<int32_t> bytes_shape = {1, 8};
  const std::vector<int32_t> wide_shape = {1};
  const std::vector<flatbuffers::Offset<s::Tensor>> tensors = {
      s::CreateTensorDirect(fbb, &bytes_shape, s::TensorType_INT8, 1),
      s::CreateTensorDirect(fbb, &wide_shape, s::TensorType_INT64),
      s::CreateTensorDirect(fbb, &wide_shape, s::TensorType_INT64)};
  const std::vector<int32_t> bytes = {0};
  const std::vector<int32_t> wide = {1};
  const std::vector<int32_t> result = {2};
  const std::vector<int32_t> none;
  const std::vector<flatbuffers::Offset<s::Operator>> ops = {
      s::CreateOperatorDirect(fbb, 0, &bytes, &wide),
      s::CreateOperatorDirect(fbb, 1, &wide, &result)};
  const std::vector<flatbuffers::Offset<s::SubGraph>> subgraphs = {
      s::CreateSubGraphDirect(fbb, &tensors, &none, &result, &ops)};
  const std::vector<flatbuffers::Offset<s::OperatorCode>> codes = {
      s::CreateOperatorCode(fbb, 127, 0, 1, s::BuiltinOperator_BITCAST),
      s::CreateOperatorCode(fbb, s::BuiltinOperator_NEG, 0, 1,
                            s::BuiltinOperator_NEG)};
  const std::vector<uint8_t> data = {1, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<flatbuffers::Offset<s::Buffer>> buffers = {
      s::CreateBuffer(fbb), s::CreateBuffer(fbb, fbb.CreateVector(data))};
  // FlatBuffers grow from their end: what comes last lies in front.
  const std::string text(filler, ' ');
  s::FinishModelBuffer(fbb, s::CreateModelDirect(fbb, 3, &codes, &subgraphs,
                                                 text.c_str(), &buffers));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

TEST(Alignment, ConstantsAreNotReadAsWiderOnesWhereTheyAreOff) {
  for (const size_t filler : {size_t{1}, size_t{5}}) {
    const std::vector<uint8_t> file = WideViewModel(filler);
    auto model = FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file));
    ASSERT_THAT(model, IsOk());
    BuiltinOpResolver resolver;
    auto built = InterpreterBuilder(**model, resolver).Build();
    ASSERT_THAT(built, IsOk());
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ(*(*built)->typed_output_tensor<int64_t>(0), -1);
  }
}

// Sparse constants hold fewer bytes than their shape says: who does not know
// of that must not see them.
TEST(Sparse, ConstantsAreForOperatorsThatReadThem) {
  struct Use {
    schema::BuiltinOperator code;
    std::vector<int32_t> inputs;
  };
  const auto run = [](const SparseSpec& spec) -> Status {
    const std::vector<uint8_t> file = SparseModel(spec);
    ARENALITE_ASSIGN_OR_RETURN(auto model, FlatBufferModel::BuildFromBuffer(
                                               Span<const uint8_t>(file)));
    BuiltinOpResolver resolver;
    ARENALITE_ASSIGN_OR_RETURN(auto interpreter,
                               InterpreterBuilder(*model, resolver).Build());
    ARENALITE_RETURN_IF_ERROR(interpreter->AllocateTensors());
    return interpreter->Invoke();
  };
  EXPECT_THAT(run(SparseSpec()), IsOk());
  for (const Use& use : {Use{schema::BuiltinOperator_ADD, {0, 0}},
                         Use{schema::BuiltinOperator_CONCATENATION, {0, 0}},
                         Use{schema::BuiltinOperator_FULLY_CONNECTED, {0, 0}},
                         Use{schema::BuiltinOperator_ABS, {0}}}) {
    SparseSpec spec;
    spec.shape = {64, 64};
    spec.levels[0].dense_size = 64;
    spec.levels[1].segments = std::vector<int32_t>(65, 4);
    spec.levels[1].segments[0] = 0;
    spec.code = use.code;
    spec.inputs = use.inputs;
    EXPECT_THAT(run(spec), HasStatus(StatusCode::kUnimplemented, "sparse"))
        << schema::EnumNameBuiltinOperator(use.code);
  }
  SparseSpec shown;
  shown.outputs = {0};
  EXPECT_THAT(run(shown), HasStatus(StatusCode::kUnimplemented, "sparse"));
}

}  // namespace
}  // namespace arenalite
