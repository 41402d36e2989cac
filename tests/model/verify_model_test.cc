// Each rule of VerifyModel: one model that breaks it, and the error.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "arenalite/model.h"
#include "model/example_model.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

using Bytes = std::vector<uint8_t>;

Status Load(const ModelBuilder& builder) {
  const Bytes file = builder.Finish();
  return FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file)).status();
}

constexpr auto kInvalid = StatusCode::kInvalidModel;
constexpr auto kUnimplemented = StatusCode::kUnimplemented;

struct Fault {
  const char* name;
  std::function<void(ModelBuilder&)> damage;
  const char* error;  // Part of the message.
  StatusCode code = kInvalid;
};

class FaultTest : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultTest, IsRefused) {
  ModelBuilder b = ExampleModel();
  ASSERT_THAT(Load(b), IsOk());
  GetParam().damage(b);
  EXPECT_THAT(Load(b), HasStatus(GetParam().code, GetParam().error));
}

std::string NameOf(const ::testing::TestParamInfo<Fault>& info) {
  return info.param.name;
}

const Fault kTensorFaults[] = {
    {"Type", [](auto& b) { b.tensor(kX).type = static_cast<TensorType>(23); },
     "subgraph 0 'main' tensor 0 'x': type 23, allowed 0..22"},
    {"TypeNegative",
     [](auto& b) { b.tensor(kX).type = static_cast<TensorType>(-1); },
     "type -1, allowed"},
    {"NegativeDimension", [](auto& b) { b.tensor(kConv).shape[1] = -4; },
     "tensor 3 'conv': dimension -4 of shape [1,-4,4,2] is negative"},
    {"ElementsOverflow",
     [](auto& b) {
       b.tensor(kConv).shape = {INT32_MAX, INT32_MAX, INT32_MAX};
     },
     "element count of shape [2147483647,2147483647,2147483647] overflows"},
    {"OverflowHiddenByZero",
     [](auto& b) {
       b.tensor(kConv).shape = {0, INT32_MAX, INT32_MAX, INT32_MAX};
     },
     "overflows"},
    {"BytesOverflow",
     [](auto& b) {
       b.tensor(kOut).shape = {65536, 65536, 65536, 32767};
     },
     "'out': shape [65536,65536,65536,32767] of type FLOAT32 has a byte count"},
    {"Rank", [](auto& b) { b.tensor(kOut).shape.assign(9, 1); },
     "tensor 5 'out': rank 9, supported 0..8", kUnimplemented},
    {"SignatureRank",
     [](auto& b) {
       b.tensor(kX).shape_signature = {-1, 4, 4};
     },
     "shape signature [-1,4,4] and shape [1,4,4,2] differ in rank"},
    {"SignatureDimension",
     [](auto& b) { b.tensor(kX).shape_signature[2] = -2; },
     "dimension 2 of shape signature [-1,4,-2,2] is -2, allowed -1 or that"},
    {"SignatureDisagrees", [](auto& b) { b.tensor(kX).shape_signature[2] = 5; },
     "is 5, allowed"},
    {"Buffer", [](auto& b) { b.tensor(kW).buffer = 99; },
     "tensor 1 'w': buffer 99, the file has"},
    {"BufferHuge", [](auto& b) { b.tensor(kW).buffer = UINT32_MAX; },
     "tensor 1 'w': buffer 4294967295, the file has 5 buffers"},
    {"BufferEmpty",
     [](auto& b) { b.spec().buffers[b.tensor(kW).buffer].clear(); },
     "op 0 CONV_2D: input 1 is tensor 1 'w', which nothing writes"},
    {"ShortData",
     [](auto& b) { b.spec().buffers[b.tensor(kW).buffer].pop_back(); },
     "has 3 bytes, INT8 of shape [2,1,1,2] needs 4"},
    {"LongData",
     [](auto& b) { b.spec().buffers[b.tensor(kBias).buffer].push_back(0); },
     "has 9 bytes, INT32 of shape [2] needs 8"},
    {"LongNibbles", [](auto& b) { b.tensor(kW).type = TensorType::kInt4; },
     "has 4 bytes, INT4 of shape [2,1,1,2] needs 2"},
    {"UnknownDimension", [](auto& b) { b.tensor(kX).shape[0] = -1; },
     "tensor 0 'x': dimension -1 of shape [-1,4,4,2] is negative"},
    {"VariableOfText",
     [](auto& b) { b.tensor(kState).type = TensorType::kString; },
     "tensor 4 'state': is a variable of type STRING, allowed are types"},
    {"VariableWithData",
     [](auto& b) { b.tensor(kState).buffer = b.tensor(kW).buffer; },
     "tensor 4 'state': is a variable and has 4 bytes of data"},
    {"DataOfNoFixedSize",
     [](auto& b) { b.tensor(kW).type = TensorType::kVariant; },
     "4 bytes of data, VARIANT tensors have none"},
    {"ControlCharactersInName",
     [](auto& b) {
       b.tensor(kX).name = "ab\ncd";
       b.tensor(kX).buffer = 99;
     },
     "tensor 0 'ab': buffer 99"},
};
INSTANTIATE_TEST_SUITE_P(Tensor, FaultTest, ::testing::ValuesIn(kTensorFaults),
                         NameOf);

// The bytes of the constant strings "a", "bc" in ExampleModel.
Bytes& Words(ModelBuilder& b) {
  return b.spec().buffers[b.tensor(kWords).buffer];
}

const Fault kStringFaults[] = {
    {"NoCount", [](auto& b) { Words(b).resize(3); },
     "tensor 6 'words': string data of 3 bytes, at least 4"},
    {"Count", [](auto& b) { Words(b)[0] = 3; },
     "data of 3 strings, the shape needs 2"},
    {"NegativeCount", [](auto& b) { Words(b)[3] = 0x80; },
     "data of -2147483646 strings"},
    {"NoOffsets", [](auto& b) { Words(b).resize(15); },
     "string data of 15 bytes, 2 strings need at least 16"},
    {"OffsetInHeader", [](auto& b) { Words(b)[4] = 15; },
     "string offset 0 is 15, allowed 16..19"},
    {"OffsetsFall", [](auto& b) { Words(b)[8] = 15; },
     "string offset 1 is 15, allowed 16..19"},
    {"OffsetPastEnd", [](auto& b) { Words(b)[12] = 20; },
     "string offset 2 is 20, allowed 17..19"},
};
INSTANTIATE_TEST_SUITE_P(String, FaultTest, ::testing::ValuesIn(kStringFaults),
                         NameOf);

const Fault kQuantizationFaults[] = {
    {"NanScale", [](auto& b) { b.tensor(kX).quant.scales = {NAN}; },
     "tensor 0 'x': scale 0 is nan, allowed finite and positive"},
    {"InfiniteScale", [](auto& b) { b.tensor(kW).quant.scales[1] = INFINITY; },
     "tensor 1 'w': scale 1 is inf"},
    {"NegativeScale", [](auto& b) { b.tensor(kX).quant.scales = {-0.5f}; },
     "scale 0 is -0.5"},
    {"ZeroScale", [](auto& b) { b.tensor(kX).quant.scales = {0}; },
     "scale 0 is 0, allowed finite and positive"},
    {"ZeroScaleOfUnsigned",
     [](auto& b) {
       b.tensor(kX).type = TensorType::kUInt8;
       b.tensor(kX).quant = Quant{0, 0};
     },
     "tensor 0 'x': scale 0 is 0, allowed finite and positive"},
    {"ScalesOfAScalar",
     [](auto& b) {
       b.tensor(kOut).shape.clear();
       b.tensor(kOut).quant = PerChannel({1, 1}, 0);
     },
     "tensor 5 'out': 2 scales for a scalar, allowed 0 or 1"},
    {"TooFewScales",
     [](auto& b) {
       b.tensor(kConv).quant = PerChannel({1, 1, 1}, 3);
     },
     "'conv': 3 scales along dimension 3 of shape [1,4,4,2], needed 2"},
    {"Dimension",
     [](auto& b) {
       b.tensor(kConv).quant = PerChannel({1, 1}, 4);
     },
     "2 scales along dimension 4, allowed 0..3"},
    {"NegativeDimension",
     [](auto& b) {
       b.tensor(kConv).quant = PerChannel({1, 1}, -1);
     },
     "2 scales along dimension -1, allowed 0..3"},
    {"ZeroPointCount",
     [](auto& b) {
       b.tensor(kX).quant.zero_points = {1, 2};
     },
     "2 zero points for 1 scales"},
    {"ZeroPointsWithoutScales",
     [](auto& b) {
       b.tensor(kOut).quant.zero_points = {1, 2};
     },
     "tensor 5 'out': 2 zero points for 0 scales"},
    {"ZeroPointOfUnsigned",
     [](auto& b) { b.tensor(kX).type = TensorType::kUInt8; },
     "zero point 0 is -128, allowed 0..255"},
    {"ZeroPointOfShort",
     [](auto& b) { b.tensor(kState).quant.zero_points = {32768}; },
     "tensor 4 'state': zero point 0 is 32768, allowed -32768..32767"},
    {"ZeroPointRange", [](auto& b) { b.tensor(kX).quant.zero_points = {128}; },
     "zero point 0 is 128, allowed -128..127"},
    {"ZeroPointHuge",
     [](auto& b) {
       b.tensor(kBias).quant.zero_points = {0, INT64_MIN};
     },
     "zero point 1 is -9223372036854775808, allowed -2147483648..2147483647"},
};
INSTANTIATE_TEST_SUITE_P(Quantization, FaultTest,
                         ::testing::ValuesIn(kQuantizationFaults), NameOf);

const Fault kOperatorFaults[] = {
    {"OperatorCode", [](auto& b) { b.op(kMineOp).opcode_index = 99; },
     "subgraph 0 'main' op 1: operator code 99, the file has 5 codes"},
    {"UnknownCode",
     [](auto& b) {
       b.op(kConvOp).code = static_cast<schema::BuiltinOperator>(210);
     },
     "op 0 : builtin operator 210 is unknown, allowed 0..209", kUnimplemented},
    {"NegativeCode",
     [](auto& b) {
       b.op(kConvOp).code = static_cast<schema::BuiltinOperator>(-3);
     },
     "builtin operator -3 is none that a file can hold"},
    {"Placeholder",
     [](auto& b) {
       b.op(kConvOp).code =
           schema::BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES;
     },
     "builtin operator 127 is none"},
    {"Delegate",
     [](auto& b) { b.op(kConvOp).code = schema::BuiltinOperator_DELEGATE; },
     "builtin operator 51 is none"},
    {"CustomWithoutName", [](auto& b) { b.op(kMineOp).custom_name = ""; },
     "op 1 : a custom operator without a name"},
    {"Version", [](auto& b) { b.op(kConvOp).version = 0; },
     "op 0 CONV_2D: operator version 0, allowed 1 or more"},
    {"VersionMin", [](auto& b) { b.op(kConvOp).version = INT32_MIN; },
     "op 0 CONV_2D: operator version -2147483648, allowed 1 or more"},
    {"InputMax", [](auto& b) { b.op(kConvOp).inputs[1] = INT32_MAX; },
     "input 1 is tensor 2147483647, allowed -1..8"},
    {"InputMin", [](auto& b) { b.op(kConvOp).inputs[1] = INT32_MIN; },
     "input 1 is tensor -2147483648, allowed -1..8"},
    {"Input", [](auto& b) { b.op(kConvOp).inputs[1] = 99; },
     "subgraph 0 'main' op 0 CONV_2D: input 1 is tensor 99, allowed -1..8"},
    {"NegativeInput", [](auto& b) { b.op(kMineOp).inputs[2] = -2; },
     "op 1 Mine: input 2 is tensor -2, allowed -1..8"},
    {"Output", [](auto& b) { b.op(kConvOp).outputs[0] = 9; },
     "output 0 is tensor 9, allowed 0..8"},
    {"AbsentOutput", [](auto& b) { b.op(kConvOp).outputs[0] = -1; },
     "op 0 CONV_2D: output 0 is tensor -1, allowed 0..8"},
    {"Intermediate",
     [](auto& b) {
       b.op(kConvOp).intermediates = {-1, 9};
     },
     "intermediate 1 is tensor 9, allowed -1..8"},
};
INSTANTIATE_TEST_SUITE_P(Operator, FaultTest,
                         ::testing::ValuesIn(kOperatorFaults), NameOf);

const Fault kDataflowFaults[] = {
    {"GraphInput", [](auto& b) { b.subgraph().inputs[0] = 9; },
     "subgraph 0 'main' graph input 0 is tensor 9, allowed -1..8"},
    {"GraphInputMin", [](auto& b) { b.subgraph().inputs[0] = INT32_MIN; },
     "graph input 0 is tensor -2147483648, allowed -1..8"},
    {"GraphOutputHigh", [](auto& b) { b.subgraph().outputs[1] = INT32_MAX; },
     "graph output 1 is tensor 2147483647, allowed 0..8"},
    {"GraphInputTwice",
     [](auto& b) {
       b.subgraph().inputs = {0, 7, 0};
     },
     "graph input 2 is tensor 0 'x', which an earlier input names too"},
    {"GraphOutput", [](auto& b) { b.subgraph().outputs[0] = -1; },
     "graph output 0 is tensor -1, allowed 0..8"},
    {"WritesGraphInput", [](auto& b) { b.op(kMineOp).outputs[0] = kX; },
     "op 1 Mine: output 0 is tensor 0 'x', which is a graph input"},
    {"WritesConstant", [](auto& b) { b.op(kMineOp).outputs[0] = kW; },
     "output 0 is tensor 1 'w', which is a constant"},
    {"WritesVariable", [](auto& b) { b.op(kMineOp).outputs[0] = kState; },
     "output 0 is tensor 4 'state', which is a variable"},
    {"TwoWriters", [](auto& b) { b.op(kMineOp).outputs[0] = kConv; },
     "tensor 3 'conv', which another op writes too, op 0"},
    {"WritesTwice",
     [](auto& b) {
       b.op(kMineOp).outputs = {kOut, kOut};
     },
     "output 1 is tensor 5 'out', which this op already writes"},
    {"InputIsOutput", [](auto& b) { b.op(kMineOp).inputs[0] = kOut; },
     "op 1 Mine: input 0 is tensor 5 'out', which is also an output of this"},
    {"ReadsUnwritten", [](auto& b) { b.op(kMineOp).outputs.clear(); },
     "op 2 IF: input 1 is tensor 5 'out', which nothing writes"},
};
INSTANTIATE_TEST_SUITE_P(Dataflow, FaultTest,
                         ::testing::ValuesIn(kDataflowFaults), NameOf);

void SetBranches(ModelBuilder& b, int then_subgraph, int else_subgraph) {
  b.op(kIfOp).options = [=](auto& fbb) {
    return schema::CreateIfOptions(fbb, then_subgraph, else_subgraph).Union();
  };
}

const Fault kCallFaults[] = {
    {"Subgraph", [](auto& b) { SetBranches(b, 1, 3); },
     "subgraph 0 'main' op 2 IF: calls subgraph 3, allowed 0..2"},
    {"NegativeSubgraph", [](auto& b) { SetBranches(b, -1, 2); },
     "calls subgraph -1, allowed 0..2"},
    {"CallsItself", [](auto& b) { SetBranches(b, 1, 0); },
     "op 2 IF: calls subgraph 0, which leads back here: recursion"},
    {"CallsInCircle",
     [](auto& b) {
       b.SetCurrentSubgraph(2);
       const int c = b.AddTensor("c", TensorType::kFloat32, {});
       b.AddOp(schema::BuiltinOperator_CALL, {}, {c},
               [](auto& fbb) { return schema::CreateCallOptions(fbb, 0); });
     },
     "subgraph 2 'branch' op 1 CALL: calls subgraph 0, which leads back"},
    {"DroppedResult", [](auto& b) { b.op(kIfOp).outputs.push_back(-1); },
     "op 2 IF: has 2 outputs, subgraph 2 has 1"},
    {"DroppedByNobody",
     [](auto& b) {
       b.op(kIfOp).options = nullptr;
       b.op(kIfOp).options_type = schema::BuiltinOptions_NONE;
       b.op(kIfOp).outputs.push_back(-1);
     },
     "op 2 IF: has outputs that are absent (-1), and calls no subgraph"},
    {"CaseOutOfRange",
     [](auto& b) {
       const int c = b.AddTensor("c", TensorType::kFloat32, {});
       b.AddOp(schema::BuiltinOperator_STABLEHLO_CASE, {}, {c}, [](auto& fbb) {
         const std::vector<int32_t> branches = {1, 2, 7};
         return schema::CreateStablehloCaseOptionsDirect(fbb, &branches);
       });
     },
     "op 3 STABLEHLO_CASE: calls subgraph 7, allowed 0..2"},
};
INSTANTIATE_TEST_SUITE_P(Call, FaultTest, ::testing::ValuesIn(kCallFaults),
                         NameOf);

const Fault kModelFaults[] = {
    {"NoSubgraph", [](auto& b) { b.spec().subgraphs.clear(); },
     "0 subgraphs, at least 1 needed"},
    {"SignatureSubgraph", [](auto& b) { b.spec().signatures[0].subgraph = 3; },
     "signature 0 'serve': subgraph 3, allowed 0..2"},
    {"SignatureInput",
     [](auto& b) { b.spec().signatures[0].inputs[0].second = kConv; },
     "signature 0 'serve': input 0 'image' is tensor 3, allowed are the "
     "subgraph's inputs [0,7]"},
    {"SignatureOutput",
     [](auto& b) { b.spec().signatures[0].outputs[0].second = 0xFFFFFFFF; },
     "output 0 'result' is tensor 4294967295, allowed are"},
    {"SignatureNotAnOutput",
     [](auto& b) { b.spec().signatures[0].outputs[0].second = kConv; },
     "output 0 'result' is tensor 3, allowed are the subgraph's outputs"},
    {"SignatureSubgraphHuge",
     [](auto& b) { b.spec().signatures[0].subgraph = UINT32_MAX; },
     "signature 0 'serve': subgraph 4294967295, allowed 0..2"},
    {"Metadata", [](auto& b) { b.spec().metadata[0].second = 77; },
     "metadata 0 'note': buffer 77, the file has"},
};
INSTANTIATE_TEST_SUITE_P(Model, FaultTest, ::testing::ValuesIn(kModelFaults),
                         NameOf);

// What looks odd, is common, and has a plain meaning.
TEST(VerifyModel, AcceptsPlainMeanings) {
  ModelBuilder b = ExampleModel();
  // A bias that names its filter's channel dimension.
  b.tensor(kBias).quant.dimension = 3;
  // One scale, whatever the dimension; no zero points; a dead channel.
  b.tensor(kX).quant.dimension = 9;
  b.tensor(kX).quant.zero_points.clear();
  b.tensor(kW).quant.scales[0] = 0;
  // As small as scales get.
  b.tensor(kConv).quant.scales[0] = 1e-45f;
  // Text and states without a scale worth the name.
  b.tensor(kWords).quant = Quant{0, 0};
  b.tensor(kState).quant = Quant{0, 0};
  // A constant and a variable among the inputs, and one that is absent.
  for (const int input : {int{kW}, int{kState}, -1, -1}) {
    b.subgraph().inputs.push_back(input);
  }
  // A constant and a variable among the outputs, and one output twice.
  for (const int output : {kW, kState, kOut, kOut}) {
    b.subgraph().outputs.push_back(output);
  }
  // Control flow that drops its result; an op without any tensor.
  b.op(kIfOp).outputs = {-1};
  b.subgraph().outputs = {kOut};
  b.AddCustomOp("Nothing", {}, {});
  // No elements and no writer.
  const int none = b.AddTensor("none", TensorType::kInt32, {0});
  b.op(kMineOp).inputs.push_back(none);
  EXPECT_THAT(Load(b), IsOk());
}

TEST(VerifyModel, AcceptsAFileWithoutBuffers) {
  ModelBuilder b;
  const int x = b.AddInput("", TensorType::kFloat32, {});
  const int y = b.AddTensor("", TensorType::kFloat32, {});
  b.AddOp(schema::BuiltinOperator_NEG, {x}, {y});
  b.SetOutputs({y});
  b.spec().buffers.clear();
  EXPECT_THAT(Load(b), IsOk());
}

// Subgraph i calls subgraph i + 1 `times` times; the last has one op.
ModelBuilder NestedCalls(int depth, int times) {
  ModelBuilder b;
  for (int i = 0; i <= depth; ++i) {
    if (i > 0) b.AddSubgraph("");
    if (i == depth) b.AddCustomOp("Last", {}, {});
    for (int k = 0; k < times && i < depth; ++k) {
      b.AddOp(schema::BuiltinOperator_CALL, {}, {}, [i](auto& fbb) {
        return schema::CreateCallOptions(fbb, static_cast<uint32_t>(i) + 1);
      });
    }
  }
  return b;
}

TEST(VerifyModel, LimitsNestingAndUnfolding) {
  EXPECT_THAT(Load(NestedCalls(32, 1)), IsOk());
  EXPECT_THAT(Load(NestedCalls(33, 1)),
              HasStatus(kInvalid, "calls nest 33 deep, allowed 0..32"));
  EXPECT_THAT(Load(NestedCalls(2000, 1)), HasStatus(kInvalid, "calls nest"));
  EXPECT_THAT(Load(NestedCalls(14, 2)), IsOk());
  EXPECT_THAT(Load(NestedCalls(24, 2)), HasStatus(kInvalid, "calls unfold to"));
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
