// Every operator with operands that are not its own: other types, counts,
// shapes and quantization, versions and options.

#include <cstring>
#include <random>

#include "runtime/hostile.h"
#include "testing/counted_heap.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

using schema::BuiltinOperator;

Operand Bytes(std::vector<int32_t> shape, const Quant& quant) {
  return Operand(std::move(shape), TensorType::kInt8, quant);
}
Operand Shorts(std::vector<int32_t> shape, const Quant& quant) {
  return Operand(std::move(shape), TensorType::kInt16, quant);
}
const Quant kHalf{0.5f, 0};
const Quant kNone;
const Quant kTiny{1e-40f, 0};  // Denormal.
const Quant kHuge{3e38f, 0};

ModelBuilder Conv(const Quant& input, const Quant& filter,
                  const Quant& output) {
  return OneOp(
      schema::BuiltinOperator_CONV_2D,
      {Bytes({1, 2, 2, 2}, input),
       Constant<int8_t>({3, 1, 1, 2}, {1, 2, 3, 4, 5, 6}, filter)},
      {Bytes({1, 2, 2, 3}, output)},
      [](Fbb& fbb) { return schema::CreateConv2DOptions(fbb, kSame, 1, 1); },
      3);
}
ModelBuilder Depthwise(const Quant& filter) {
  return OneOp(
      schema::BuiltinOperator_DEPTHWISE_CONV_2D,
      {Bytes({1, 2, 2, 2}, kHalf),
       Constant<int8_t>({1, 2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, filter)},
      {Bytes({1, 2, 2, 4}, kHalf)},
      [](Fbb& fbb) {
        return schema::CreateDepthwiseConv2DOptions(fbb, kSame, 1, 1, 1);
      },
      3);
}
ModelBuilder Dense(const Quant& weights, const Quant& bias) {
  return OneOp(
      schema::BuiltinOperator_FULLY_CONNECTED,
      {Bytes({1, 2}, kHalf), Constant<int8_t>({2, 2}, {1, 2, 3, 4}, weights),
       Constant<int32_t>({2}, {1, 2}, bias)},
      {Bytes({1, 2}, kHalf)},
      [](Fbb& fbb) { return schema::CreateFullyConnectedOptions(fbb); }, 4);
}
ModelBuilder Unary(BuiltinOperator code, const Operand& in,
                   const Operand& out) {
  return OneOp(code, {in}, {out});
}
template <class Create>
ModelBuilder Binary(BuiltinOperator code, const Operand& a, const Operand& b,
                    const Operand& out, Create create) {
  return OneOp(code, {a, b}, {out}, create, 2);
}

std::vector<Fault> Quantization() {
  const auto add = [](Fbb& fbb) { return schema::CreateAddOptions(fbb); };
  const auto mul = [](Fbb& fbb) { return schema::CreateMulOptions(fbb); };
  const auto softmax = [](float beta) {
    return OneOp(
        schema::BuiltinOperator_SOFTMAX, {Bytes({2, 2}, kHalf)},
        {Bytes({2, 2}, Quant{1 / 256.0f, -128})},
        [=](Fbb& fbb) { return schema::CreateSoftmaxOptions(fbb, beta); }, 2);
  };
  const std::vector<int32_t> two = {2};
  return {
      {"ConvInputWithout", Conv(kNone, kHalf, kHalf),
       "input 0 has 0 scales and 0 zero points, allowed one of each"},
      {"ConvFilterWithout", Conv(kHalf, kNone, kHalf),
       "input 1 (filter) has 0 scales, allowed 1 or 3"},
      {"ConvOutputWithout", Conv(kHalf, kHalf, kNone),
       "output 0 has 0 scales and 0 zero points, allowed one of each"},
      {"ConvOtherDimension", Conv(kHalf, PerChannel({1, 1}, 3), kHalf),
       "input 1 (filter) has 2 scales, allowed 1 or 3"},
      {"ConvFilterZeroPoint", Conv(kHalf, {0.5f, 3}, kHalf),
       "input 1 (filter) has zero point 3, allowed 0"},
      {"ConvOutputPerChannel", Conv(kHalf, kHalf, PerChannel({1, 1, 1}, 3)),
       "output 0 has 3 scales and 3 zero points, allowed one of each"},
      {"DepthwiseOtherDimension", Depthwise(PerChannel({1, 1}, 1)),
       "input 1 (filter) has 2 scales, allowed 1 or 4"},
      {"DepthwiseWithout", Depthwise(kNone),
       "input 1 (filter) has 0 scales, allowed 1 or 4"},
      {"DenseOtherDimension", Dense(PerChannel({1, 1}, 1), kNone),
       "input 1 (weights) has 2 scales along dimension 1, allowed 1, or 2 "
       "along dimension 0"},
      {"DenseWithout", Dense(kNone, kNone),
       "input 1 (weights) has 0 scales along dimension 0, allowed 1, or 2 "
       "along dimension 0"},
      {"DenseBias", Dense(kHalf, {7.0f, 0}),
       "input 2 (bias) has scale 7, allowed about 0.25 (input scale x weights "
       "scale)"},
      {"AddWithout",
       Binary(schema::BuiltinOperator_ADD, Bytes(two, kHalf), Bytes(two, kNone),
              Bytes(two, kHalf), add),
       "input 1 has 0 scales and 0 zero points, allowed one of each"},
      {"AddInt16ZeroPoint",
       Binary(schema::BuiltinOperator_ADD, Shorts(two, kHalf),
              Shorts(two, {0.5f, 1}), Shorts(two, kHalf), add),
       "tensor 'in1' is INT16 with zero point 1, allowed with pot_scale_int16 "
       "is 0"},
      {"AddPerChannel",
       Binary(schema::BuiltinOperator_ADD, Bytes(two, PerChannel({1, 2}, 0)),
              Bytes(two, kHalf), Bytes(two, kHalf), add),
       "input 0 has 2 scales and 2 zero points, allowed one of each"},
      {"MulInt16ZeroPoint",
       Binary(schema::BuiltinOperator_MUL, Shorts(two, {0.5f, 1}),
              Shorts(two, kHalf), Shorts(two, kHalf), mul),
       "input 0 is INT16 with zero point 1, allowed 0"},
      {"ConcatenationWithout",
       OneOp(
           schema::BuiltinOperator_CONCATENATION,
           {Bytes(two, kNone), Bytes(two, kHalf)}, {Bytes({4}, kHalf)},
           [](Fbb& fbb) { return schema::CreateConcatenationOptions(fbb, 0); }),
       "input 0 has scale 0, the output 0.5, allowed are equal scales or two "
       "above 0"},
      {"QuantizeWithout",
       Unary(schema::BuiltinOperator_QUANTIZE, {{2}}, Bytes(two, kNone)),
       "output 0 has 0 scales and 0 zero points, allowed one of each"},
      {"RequantizeWithout",
       Unary(schema::BuiltinOperator_QUANTIZE, Bytes(two, kNone),
             Bytes(two, kHalf)),
       "input 0 has 0 scales and 0 zero points, allowed one of each"},
      {"LogisticScale",
       Unary(schema::BuiltinOperator_LOGISTIC, Bytes(two, kHalf),
             Bytes(two, kHalf)),
       "output 0 has scale 0.5, allowed 1/256"},
      {"SoftmaxBetaZero", softmax(0),
       "beta 0 times the scale 0.5 of input 0 is 0, allowed more than 2^-26",
       kMissing},
      {"SoftmaxBetaNegative", softmax(-1),
       "beta -1 times the scale 0.5 of input 0 is -0.5, allowed more than "
       "2^-26",
       kMissing},
      {"SoftmaxScale",
       OneOp(
           schema::BuiltinOperator_SOFTMAX, {Bytes({2, 2}, kHalf)},
           {Bytes({2, 2}, kHalf)},
           [](Fbb& fbb) { return schema::CreateSoftmaxOptions(fbb, 1); }, 2),
       "output 0 has scale 0.5 and zero point 0, allowed 0.00390625 and -128"},
      {"PackScales",
       OneOp(schema::BuiltinOperator_PACK,
             {Bytes(two, kHalf), Bytes(two, {0.25f, 0})},
             {Bytes({2, 2}, kHalf)},
             [](Fbb& fbb) { return schema::CreatePackOptions(fbb, 2, 0); }),
       "input 1 has scale 0.25 and zero point 0, the other side 0.5 and 0, "
       "allowed are equal ones"},
      {"EmbeddingZeroPoint",
       OneOp(schema::BuiltinOperator_EMBEDDING_LOOKUP,
             {{{2}, kInt},
              Constant<int8_t>({2, 2}, {1, 2, 3, 4}, Quant{0.5f, 3})},
             {{{2, 2}}}),
       "input 1 (table) has zero point 3, allowed 0", kMissing},
  };
}
INSTANTIATE_TEST_SUITE_P(Quantization, PrepareFault,
                         ::testing::ValuesIn(Quantization()), NameOf<Fault>);

// Scales that are finite and positive are sound, whatever they are: results
// saturate.
TEST(Quantization, ExtremesSaturate) {
  const std::vector<int32_t> two = {2};
  const auto add = [](Fbb& fbb) { return schema::CreateAddOptions(fbb); };
  const auto mul = [](Fbb& fbb) { return schema::CreateMulOptions(fbb); };
  for (const Quant& in : {kTiny, kHalf, kHuge}) {
    for (const Quant& out : {kTiny, kHalf, kHuge}) {
      const Operand from = Bytes(two, in);
      const Operand to = Bytes(two, out);
      const ModelBuilder models[] = {
          Conv(in, in, out),
          Binary(schema::BuiltinOperator_ADD, from, to, to, add),
          Binary(schema::BuiltinOperator_MUL, from, from, to, mul),
          Unary(schema::BuiltinOperator_QUANTIZE, from, to),
          Unary(schema::BuiltinOperator_DEQUANTIZE, from, {{2}}),
          OneOp(schema::BuiltinOperator_MEAN, {Bytes({2, 2}, in), Ints({0})},
                {to}),
          Unary(schema::BuiltinOperator_LEAKY_RELU, from, to),
          Unary(schema::BuiltinOperator_HARD_SWISH, from, to),
          Binary(schema::BuiltinOperator_MAXIMUM, from, from, to, add),
          Binary(schema::BuiltinOperator_SQUARED_DIFFERENCE, from, from, to,
                 add),
          Unary(schema::BuiltinOperator_TANH, from,
                Bytes(two, Quant{1 / 128.0f, 0}))};
      for (const ModelBuilder& model : models) {
        auto built = Build(model);
        Status status = built->interpreter->AllocateTensors();
        if (status.ok()) {
          std::memset(built->interpreter->input_tensor(0)->data, 0x81, 2);
          EXPECT_THAT(built->interpreter->Invoke(), IsOk());
        } else {
          EXPECT_NE(std::string(status.message()).find("scale"),
                    std::string::npos)
              << status.message();
        }
      }
    }
  }
}

// Text, handles and variants where numbers are wanted, and absent operands.
std::vector<Fault> Operands() {
  std::vector<Fault> rows;
  for (const TensorType type :
       {kText, TensorType::kResource, TensorType::kVariant}) {
    const std::string name = TensorTypeName(type);
    const bool late = TensorTypeBits(type) == 0;
    const Operand odd{{2}, type};
    const Operand x{{2}};
    const Operand image{{1, 2, 2, 1}, type};
    const auto conv = [](Fbb& fbb) {
      return schema::CreateConv2DOptions(fbb, kSame, 1, 1);
    };
    const auto split = [](Fbb& fbb) {
      return schema::CreateSplitOptions(fbb, 1);
    };
    const auto gather = [](Fbb& fbb) {
      return schema::CreateGatherOptions(fbb, 0);
    };
    const std::vector<Fault> more = {
        {"Add", OneOp(schema::BuiltinOperator_ADD, {odd, odd}, {odd}), name,
         kMissing},
        {"AddMixed", OneOp(schema::BuiltinOperator_ADD, {x, odd}, {x}), name},
        {"AddOutput", OneOp(schema::BuiltinOperator_ADD, {x, x}, {odd}), name},
        {"Neg", OneOp(schema::BuiltinOperator_NEG, {odd}, {odd}), name,
         kMissing},
        {"Cast", OneOp(schema::BuiltinOperator_CAST, {odd}, {x}), name,
         kMissing},
        {"Conv",
         OneOp(schema::BuiltinOperator_CONV_2D, {image, Ones({1, 1, 1, 1})},
               {image}, conv),
         name, kMissing},
        {"GatherIndices",
         OneOp(schema::BuiltinOperator_GATHER, {x, odd}, {x}, gather), name,
         kMissing},
        {"ReshapeShape", OneOp(schema::BuiltinOperator_RESHAPE, {x, odd}, {x}),
         name},
        {"FillShape", OneOp(schema::BuiltinOperator_FILL, {odd, {{}}}, {x}),
         name},
        {"Condition", OneOp(schema::BuiltinOperator_SELECT, {odd, x, x}, {x}),
         name},
        {"SplitAxis",
         OneOp(schema::BuiltinOperator_SPLIT, {odd, x}, {x}, split), name,
         kMissing},
    };
    for (Fault row : more) {
      row.at_invoke = late && row.name != "AddOutput";
      row.name += name;
      rows.push_back(std::move(row));
    }
  }
  const Operand x{{2}};
  rows.push_back({"TooFewInputs", OneOp(schema::BuiltinOperator_ADD, {x}, {x}),
                  "has 1 inputs, allowed 2..2"});
  rows.push_back({"TooManyInputs",
                  OneOp(schema::BuiltinOperator_ADD, {x, x, x}, {x}),
                  "has 3 inputs, allowed 2..2"});
  rows.push_back({"TooManyOutputs",
                  OneOp(schema::BuiltinOperator_ADD, {x, x}, {x, x}),
                  "has 2 outputs, allowed 1..1"});
  ModelBuilder absent = OneOp(schema::BuiltinOperator_ADD, {x, x}, {x});
  absent.op(0).inputs[1] = -1;
  rows.push_back(
      {"AbsentInput", absent, "input 1 is absent, but is not optional"});
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Operand, PrepareFault, ::testing::ValuesIn(Operands()),
                         NameOf<Fault>);

// The file may give an operator the options of any other.
TEST(Options, OfAnotherOperatorAreNotRead) {
  const Operand x({1, 4});
  const auto other = [](Fbb& fbb) {
    return schema::CreateConv2DOptions(fbb, kSame, 3, 3);
  };
  auto built =
      Build(OneOp(schema::BuiltinOperator_SQUEEZE, {x}, {Operand({4})}, other));
  ASSERT_THAT(built->interpreter->AllocateTensors(), IsOk());
  EXPECT_EQ(built->interpreter->output_tensor(0)->shape, Shape({4}));
  EXPECT_THAT(TryBuild(OneOp(schema::BuiltinOperator_WHILE, {x}, {x}, other)),
              HasStatus(kInvalid, "absent or another operator's"));
}

// Custom options that are no FlexBuffer, or hold absurd numbers.
TEST(CustomOptions, AreRefusedWhereTheyAreNoFlexBuffer) {
  for (const std::vector<uint8_t>& options : {std::vector<uint8_t>{},
                                              {1},
                                              {0xFF, 0xFF, 0xFF},
                                              {36, 1, 4, 200, 5, 36, 1},
                                              std::vector<uint8_t>(64, 0x24)}) {
    const ModelBuilder b = DetectionPostProcess(options);
    EXPECT_THAT(TryBuild(b), HasStatus(kInvalid, "op 0 "))
        << options.size() << " bytes";
    EXPECT_THAT(TryBuild(b), HasStatus(kInvalid, "custom options"));
  }
}

// Calls `use` with every operator that a file can name.
template <class Use>
void ForEachOperator(Use use) {
  for (int code = 0; code <= schema::BuiltinOperator_MAX; ++code) {
    if (code == schema::BuiltinOperator_CUSTOM ||
        code == schema::BuiltinOperator_DELEGATE ||
        code == schema::BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES) {
      continue;
    }
    use(static_cast<BuiltinOperator>(code));
  }
}

TEST(EveryOperator, OfAnAbsurdVersionIsRefused) {
  ForEachOperator([](BuiltinOperator code) {
    const std::string name = schema::EnumNameBuiltinOperator(code);
    const auto built = TryBuild(OneOp(code, {{{2}}}, {{{2}}}, kMax));
    // Control flow has no versions; without options it calls nothing.
    if (built.code() == kInvalid) {
      EXPECT_THAT(built, HasStatus(kInvalid, name + ", output tensor 1 'out0': "
                                                    "names no subgraph"));
    } else {
      EXPECT_THAT(built, HasStatus(kMissing, name + " version 2147483647"));
    }
  });
}

Operand RandomOperand(std::mt19937& random, TensorType usual) {
  constexpr TensorType kTypes[] = {
      TensorType::kFloat32, TensorType::kInt32,    TensorType::kInt64,
      TensorType::kInt8,    TensorType::kInt4,     TensorType::kInt16,
      TensorType::kUInt8,   TensorType::kBool,     TensorType::kComplex64,
      TensorType::kString,  TensorType::kResource, TensorType::kVariant};
  const std::vector<int32_t> shapes[] = {{},
                                         {0},
                                         {1},
                                         {2},
                                         {2, 2},
                                         {0, 2},
                                         {1, 2, 2, 1},
                                         {2, 2, 2, 0},
                                         {1, 3},
                                         {1, 2, 2, 2, 1},
                                         {1, 1, 1, 1, 1, 1, 1, 2}};
  Operand operand{
      shapes[random() % std::size(shapes)],
      random() % 3 == 0 ? kTypes[random() % std::size(kTypes)] : usual};
  if (random() % 2 == 0) operand.quant = Quant{0.5f, 0};
  operand.is_variable = random() % 8 == 0 && TensorTypeBits(operand.type) > 0;
  if (random() % 3 == 0 && TensorTypeBits(operand.type) > 0) {
    size_t elements = 1;
    for (const int32_t dim : operand.shape) {
      elements *= static_cast<size_t>(dim);
    }
    const size_t bits = static_cast<size_t>(TensorTypeBits(operand.type));
    std::vector<uint8_t> data((elements * bits + 7) / 8);
    for (uint8_t& byte : data) byte = random() % 4 == 0 ? random() % 3 : 0;
    if (!data.empty()) operand.data = data;
    operand.is_variable = false;
  }
  return operand;
}

// Ends, and without success says which operator is to blame.
void RunToTheEnd(const ModelBuilder& model, const std::string& name) {
  CountingAllocator memory;
  InterpreterOptions options;
  options.max_arena_bytes = options.max_dynamic_bytes = 1 << 20;
  options.allocator = &memory;
  auto built = TryBuild(model, options);
  Status status =
      built.ok() ? (**built)->AllocateTensors() : std::move(built).status();
  if (status.ok()) status = (**built)->Invoke();
  EXPECT_LE(memory.peak_bytes, 2 << 20) << name;
  if (status.ok() || status.code() == kMemory) return;
  EXPECT_NE(std::string(status.message()).find(name), std::string::npos)
      << name << ": " << status.message();
}

TEST(EveryOperator, WithRandomOperandsRunsOrIsRefused) {
  constexpr TensorType kUsual[] = {TensorType::kFloat32, TensorType::kInt8,
                                   TensorType::kInt32, TensorType::kBool};
  std::mt19937 random(1);
  ForEachOperator([&](BuiltinOperator code) {
    for (int round = 0; round < 100; ++round) {
      const TensorType usual = kUsual[random() % std::size(kUsual)];
      std::vector<Operand> inputs;
      std::vector<Operand> outputs;
      for (unsigned n = random() % 6; n > 0; --n) {
        inputs.push_back(RandomOperand(random, usual));
      }
      for (unsigned n = random() % 8 == 0 ? random() % 4 : 1; n > 0; --n) {
        outputs.push_back(RandomOperand(random, usual));
        outputs.back().data.reset();
        outputs.back().is_variable = false;
      }
      ModelBuilder model = OneOp(code, inputs, outputs);
      // A kind of options, and none of it.
      model.op(0).options_type = static_cast<schema::BuiltinOptions>(
          random() % (schema::BuiltinOptions_MAX + 1));
      if (random() % 4 == 0) {
        model.op(0).options_2_type = static_cast<schema::BuiltinOptions2>(
            random() % (schema::BuiltinOptions2_MAX + 1));
      }
      RunToTheEnd(model, schema::EnumNameBuiltinOperator(code));
    }
  });
}

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
