// The three forms of the LSTM cell against a plain one in double.

#include <gtest/gtest.h>

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

constexpr int kInput = 3;
constexpr int kCells = 4;

struct Config {
  int batch = 2;
  int time = 3;
  int outputs = kCells;
  bool cifg = false;
  bool peephole = false;
  bool projection = false;
  bool layer_norm = false;
  bool hybrid = false;
};

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// Weights are multiples of 1/64 in [-1, 1], which 8 bits hold exactly.
double Weight(std::mt19937& random) {
  return (static_cast<int>(random() % 129) - 64) / 64.0;
}
Vector MakeVector(std::mt19937& random, int size) {
  Vector v(static_cast<size_t>(size));
  for (double& x : v) x = Weight(random);
  return v;
}
Matrix MakeMatrix(std::mt19937& random, int rows, int cols) {
  Matrix m;
  for (int r = 0; r < rows; ++r) m.push_back(MakeVector(random, cols));
  return m;
}

struct Gate {
  Matrix weights;
  Matrix recurrent;
  Vector peephole;
  Vector bias;
  Vector layer_norm;
};

struct Model {
  Config config;
  Gate gates[4];
  Matrix projection;
  Matrix inputs;  // [batch * time] rows, batch by batch.
};

Model MakeModel(const Config& config, std::mt19937& random) {
  Model model;
  model.config = config;
  for (Gate& gate : model.gates) {
    gate.weights = MakeMatrix(random, kCells, kInput);
    gate.recurrent = MakeMatrix(random, kCells, config.outputs);
    gate.peephole = MakeVector(random, kCells);
    gate.bias = MakeVector(random, kCells);
    gate.layer_norm = MakeVector(random, kCells);
  }
  model.projection = MakeMatrix(random, config.outputs, kCells);
  model.inputs = MakeMatrix(random, config.batch * config.time, kInput);
  return model;
}

double Dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vector GateOf(const Model& model, int g, const Vector& x, const Vector& h,
              const Vector& c) {
  const Gate& gate = model.gates[g];
  Vector sums(kCells);
  for (size_t i = 0; i < kCells; ++i) {
    sums[i] = Dot(gate.weights[i], x) + Dot(gate.recurrent[i], h);
    if (model.config.peephole && g != 2) sums[i] += gate.peephole[i] * c[i];
    if (!model.config.layer_norm) sums[i] += gate.bias[i];
  }
  if (model.config.layer_norm) {
    double mean = 0;
    double variance = 0;
    for (double s : sums) mean += s / kCells;
    for (double s : sums) variance += (s - mean) * (s - mean) / kCells;
    for (size_t i = 0; i < kCells; ++i) {
      sums[i] =
          (sums[i] - mean) / std::sqrt(variance + 1e-8) * gate.layer_norm[i] +
          gate.bias[i];
    }
  }
  for (double& s : sums) s = g == 2 ? std::tanh(s) : 1 / (1 + std::exp(-s));
  return sums;
}

std::vector<float> RunPlain(const Model& model) {
  const Config& config = model.config;
  std::vector<float> result;
  for (int b = 0; b < config.batch; ++b) {
    Vector h(static_cast<size_t>(config.outputs));
    Vector c(kCells);
    for (int t = 0; t < config.time; ++t) {
      const Vector& x = model.inputs[static_cast<size_t>(b * config.time + t)];
      const Vector input = GateOf(model, 0, x, h, c);
      const Vector forget = GateOf(model, 1, x, h, c);
      const Vector update = GateOf(model, 2, x, h, c);
      for (size_t i = 0; i < kCells; ++i) {
        c[i] = forget[i] * c[i] +
               (config.cifg ? 1 - forget[i] : input[i]) * update[i];
      }
      Vector hidden = GateOf(model, 3, x, h, c);
      for (size_t i = 0; i < kCells; ++i) hidden[i] *= std::tanh(c[i]);
      for (size_t i = 0; i < h.size(); ++i) {
        h[i] = config.projection ? Dot(model.projection[i], hidden) : hidden[i];
        result.push_back(static_cast<float>(h[i]));
      }
    }
  }
  return result;
}

void AddVector(OpRunner& runner, const Vector& v) {
  runner.AddConstant<float>({static_cast<int32_t>(v.size())},
                            std::vector<float>(v.begin(), v.end()));
}

void AddMatrix(OpRunner& runner, const Matrix& m, bool hybrid) {
  const Shape shape = {static_cast<int32_t>(m.size()),
                       static_cast<int32_t>(m[0].size())};
  std::vector<float> floats;
  std::vector<int8_t> bytes;
  for (const Vector& row : m) {
    for (double x : row) {
      floats.push_back(static_cast<float>(x));
      bytes.push_back(static_cast<int8_t>(x * 64));
    }
  }
  if (hybrid) {
    runner.AddConstant<int8_t>(shape, bytes, {1.0f / 64}, {0});
  } else {
    runner.AddConstant<float>(shape, floats);
  }
}

void AddPeephole(OpRunner& runner, const Vector& v, bool hybrid) {
  if (!hybrid) return AddVector(runner, v);
  std::vector<int8_t> bytes;
  for (double x : v) bytes.push_back(static_cast<int8_t>(x * 64));
  runner.AddConstant<int8_t>({kCells}, bytes, {1.0f / 64}, {0});
}

void AddState(OpRunner& runner, int batch, int size) {
  const int i = runner.AddInput<float>(
      {batch, size}, std::vector<float>(static_cast<size_t>(batch * size)));
  runner.tensor_of_input(i).memory = TensorMemory::kVariable;
}

// The 24 inputs of UNIDIRECTIONAL_SEQUENCE_LSTM, batch-major.
void AddTensors(OpRunner& runner, const Model& model) {
  const Config& config = model.config;
  std::vector<float> x;
  for (const Vector& row : model.inputs)
    x.insert(x.end(), row.begin(), row.end());
  runner.AddInput<float>({config.batch, config.time, kInput}, x);
  const auto absent = [&](int g) { return config.cifg && g == 0; };
  for (const bool recurrent : {false, true}) {
    for (int g = 0; g < 4; ++g) {
      const Gate& gate = model.gates[g];
      if (absent(g)) {
        runner.AddAbsentInput();
      } else {
        AddMatrix(runner, recurrent ? gate.recurrent : gate.weights,
                  config.hybrid);
      }
    }
  }
  for (const int g : {0, 1, 3}) {
    if (!config.peephole || absent(g)) {
      runner.AddAbsentInput();
    } else {
      AddPeephole(runner, model.gates[g].peephole, config.hybrid);
    }
  }
  for (int g = 0; g < 4; ++g) {
    absent(g) ? runner.AddAbsentInput()
              : AddVector(runner, model.gates[g].bias);
  }
  config.projection ? AddMatrix(runner, model.projection, config.hybrid)
                    : runner.AddAbsentInput();
  runner.AddAbsentInput();
  AddState(runner, config.batch, config.outputs);
  AddState(runner, config.batch, kCells);
  for (int g = 0; g < 4; ++g) {
    if (!config.layer_norm || absent(g)) {
      runner.AddAbsentInput();
    } else {
      AddVector(runner, model.gates[g].layer_norm);
    }
  }
  runner.AddOutput(TensorType::kFloat32);
  runner.SetOptions(schema::BuiltinOptions_UnidirectionalSequenceLSTMOptions,
                    [](auto& b) {
                      return schema::CreateUnidirectionalSequenceLSTMOptions(
                          b, schema::ActivationFunctionType_TANH);
                    });
}

void ExpectNear(const std::vector<float>& actual,
                const std::vector<float>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
  }
}

TEST(Lstm, FloatAndHybridFollowTheFormula) {
  std::mt19937 random(1);
  for (int i = 0; i < 32; ++i) {
    Config config;
    config.cifg = i & 1;
    config.peephole = i & 2;
    config.projection = i & 4;
    config.layer_norm = i & 8;
    config.hybrid = i & 16;
    config.outputs = config.projection ? 2 : kCells;
    const Model model = MakeModel(config, random);
    OpRunner runner(ops::kUnidirectionalSequenceLstm);
    AddTensors(runner, model);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    ExpectNear(runner.output<float>(0), RunPlain(model),
               config.hybrid ? 0.05 : 1e-5);
  }
}

TEST(Lstm, StateGoesOnFromInvokeToInvoke) {
  std::mt19937 random(2);
  Config config;
  const Model whole = MakeModel(config, random);
  const auto expected = RunPlain(whole);
  Model step = whole;
  step.config.time = 1;
  OpRunner runner(ops::kUnidirectionalSequenceLstm);
  AddTensors(runner, step);
  ASSERT_THAT(runner.Prepare(), IsOk());
  for (int t = 0; t < config.time; ++t) {
    auto* x = runner.tensor_of_input(0).data_as<float>();
    for (int b = 0; b < config.batch; ++b) {
      const Vector& row =
          whole.inputs[static_cast<size_t>(b * config.time + t)];
      x = std::copy(row.begin(), row.end(), x);
    }
    ASSERT_THAT(runner.Run(), IsOk());
    const auto out = runner.output<float>(0);
    for (int i = 0; i < config.batch * kCells; ++i) {
      const int b = i / kCells;
      EXPECT_NEAR(out[static_cast<size_t>(i)],
                  expected[static_cast<size_t>((b * config.time + t) * kCells +
                                               i % kCells)],
                  1e-5);
    }
  }
}

TEST(Lstm, RefusesStatesItCannotKeep) {
  std::mt19937 random(3);
  const Model model = MakeModel({}, random);
  OpRunner runner(ops::kUnidirectionalSequenceLstm);
  AddTensors(runner, model);
  runner.tensor_of_input(18).memory = TensorMemory::kConstant;
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                          "output state is not a variable"));
}

TEST(Lstm, RefusesHalfAnInputGate) {
  std::mt19937 random(4);
  Model model = MakeModel({}, random);
  model.gates[1].bias.push_back(0);
  OpRunner runner(ops::kUnidirectionalSequenceLstm);
  AddTensors(runner, model);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                          "forget gate: bias is FLOAT32"));
}

// A vector of recurrent weights is a diagonal: as many outputs as cells.
TEST(Lstm, RefusesADiagonalThatIsNotSquare) {
  std::mt19937 random(6);
  Config config;
  config.projection = true;
  config.outputs = 2;
  const Model model = MakeModel(config, random);
  OpRunner runner(ops::kUnidirectionalSequenceLstm);
  AddTensors(runner, model);
  for (int g = 0; g < 4; ++g) {
    Tensor& recurrent = runner.tensor_of_input(5 + g);
    recurrent.shape = Shape({config.outputs});
    recurrent.bytes = config.outputs * 4;
  }
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                          "vector for 4 cells and 2 outputs"));
}

TEST(Lstm, RefusesHybridWeightsWithAScaleForEachChannel) {
  std::mt19937 random(7);
  Config config;
  config.hybrid = true;
  const Model model = MakeModel(config, random);
  OpRunner runner(ops::kUnidirectionalSequenceLstm);
  AddTensors(runner, model);
  const std::vector<float> scales = {1, 1, 1, 1};
  runner.tensor_of_input(2).quantization.scales = Span<const float>(scales);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "weights has 4 scales"));
}

// With the forget gate shut and no way back for outputs, no state matters.
TEST(Lstm, OverlapHoldsAndIsTight) {
  std::mt19937 random(5);
  int caught = 0;
  for (int i = 0; i < 40; ++i) {
    Config config;
    config.batch = static_cast<int>(random() % 3 + 1);
    config.time = static_cast<int>(random() % 5 + 1);
    config.projection = i % 2 == 1;
    config.outputs =
        config.projection ? static_cast<int>(random() % 6 + 1) : kCells;
    Model model = MakeModel(config, random);
    for (Gate& gate : model.gates) {
      for (Vector& row : gate.recurrent) row.assign(row.size(), 0.0);
    }
    model.gates[1].bias.assign(kCells, -1000.0);
    OpRunner runner(ops::kUnidirectionalSequenceLstm);
    AddTensors(runner, model);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 10);
}

// BASIC: gates in the order input, update, forget, output.
TEST(Lstm, BasicBytesFollowTheFormula) {
  OpRunner runner(ops::kLstm, 2);
  // Real values (x - 128) / 128.
  runner.AddInput<uint8_t>({1, 1}, {192}, {1.0f / 128}, {128});
  const int previous =
      runner.AddInput<uint8_t>({1, 1}, {128}, {1.0f / 128}, {128});
  runner.tensor_of_input(previous).memory = TensorMemory::kVariable;
  // Real weights (w - 100) / 64: 1, 0.5, 2, -1 for the input.
  runner.AddConstant<uint8_t>({4, 2}, {164, 100, 132, 100, 228, 100, 36, 100},
                              {1.0f / 64}, {100});
  runner.AddConstant<int32_t>({4}, {0, 0, 0, 0}, {1.0f / 8192}, {0});
  const int state =
      runner.AddInput<int16_t>({1, 1}, {1024}, {1.0f / 2048}, {0});
  runner.tensor_of_input(state).memory = TensorMemory::kVariable;
  runner.AddOutput(TensorType::kUInt8, {1.0f / 128}, {128});
  runner.AddOutput(TensorType::kInt16, {1.0f / 2048}, {0});
  runner.AddOutput(TensorType::kUInt8, {1.0f / 128}, {128});
  runner.AddOutput(TensorType::kInt16, {1.0f / 4096}, {0});
  runner.SetOptions(schema::BuiltinOptions_LSTMOptions, [](auto& b) {
    return schema::CreateLSTMOptions(b, schema::ActivationFunctionType_TANH, 0,
                                     0, schema::LSTMKernelType_BASIC);
  });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double cell =
      logistic(0.5) * std::tanh(0.25) + logistic(1.0) * 1024 / 2048;
  const double output = logistic(-0.5) * std::tanh(cell);
  EXPECT_NEAR(runner.output<int16_t>(1)[0], cell * 2048, 2);
  EXPECT_NEAR(runner.output<uint8_t>(0)[0], output * 128 + 128, 1);
  EXPECT_EQ(runner.tensor_of_input(state).data_as<int16_t>()[0],
            runner.output<int16_t>(1)[0]);
  EXPECT_EQ(runner.tensor_of_input(previous).data_as<uint8_t>()[0],
            runner.output<uint8_t>(0)[0]);
}

}  // namespace
}  // namespace arenalite
