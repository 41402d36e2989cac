// A sequence in one Invoke and the same sequence in one Invoke for each of its
// steps give the same bits: state lives on from one Invoke to the next, and
// ends with ResetVariableTensors.

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/build.h"
#include "writer/prng.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::IsOk;

constexpr auto kFloat = TensorType::kFloat32;
constexpr int kSteps = 6;
constexpr int kBatch = 2;
constexpr int kInputs = 3;
constexpr int kUnits = 4;
constexpr auto kTanh = schema::ActivationFunctionType_TANH;

// Makes seeded weights by the way.
class Network {
 public:
  Network() { x_ = b_.AddInput("x", kFloat, {kSteps, kBatch, kInputs}); }

  int Weights(std::vector<int32_t> shape) {
    size_t count = 1;
    for (const int32_t dim : shape) count *= static_cast<size_t>(dim);
    std::vector<float> values(count);
    for (float& value : values)
      value = 0.01f * static_cast<float>(prng_.Between(-60, 60));
    return b_.AddConstant<float>("w", std::move(shape), values);
  }
  int State() { return b_.AddVariable("state", kFloat, {kBatch, kUnits}); }
  int x() const { return x_; }

  template <class Create>
  ModelBuilder Finish(schema::BuiltinOperator code, std::vector<int32_t> inputs,
                      Create create) {
    const int y = b_.AddTensor("y", kFloat, {kSteps, kBatch, kUnits});
    b_.AddOp(code, std::move(inputs), {y}, create);
    b_.SetOutputs({y});
    return b_;
  }

 private:
  ModelBuilder b_;
  Prng prng_{11};
  int x_;
};

ModelBuilder Rnn() {
  Network net;
  const std::vector<int32_t> inputs = {net.x(), net.Weights({kUnits, kInputs}),
                                       net.Weights({kUnits, kUnits}),
                                       net.Weights({kUnits}), net.State()};
  return net.Finish(schema::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN, inputs,
                    [](auto& fbb) {
                      return schema::CreateSequenceRNNOptions(fbb, true, kTanh);
                    });
}

ModelBuilder Lstm() {
  Network net;
  std::vector<int32_t> inputs = {net.x()};
  for (int gate = 0; gate < 4; ++gate) {
    inputs.push_back(net.Weights({kUnits, kInputs}));
  }
  for (int gate = 0; gate < 4; ++gate) {
    inputs.push_back(net.Weights({kUnits, kUnits}));
  }
  inputs.insert(inputs.end(), 3, -1);  // No peepholes.
  for (int gate = 0; gate < 4; ++gate) inputs.push_back(net.Weights({kUnits}));
  inputs.insert(inputs.end(), 2, -1);  // No projection.
  inputs.push_back(net.State());
  inputs.push_back(net.State());
  return net.Finish(schema::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM,
                    inputs, [](auto& fbb) {
                      return schema::CreateUnidirectionalSequenceLSTMOptions(
                          fbb, kTanh, 0.0f, 0.0f, true);
                    });
}

std::vector<float> Sequence() {
  Prng prng(5);
  std::vector<float> values(kSteps * kBatch * kInputs);
  for (float& value : values) {
    value = 0.01f * static_cast<float>(prng.Between(-100, 100));
  }
  return values;
}

// Runs `steps` steps of the sequence in each Invoke, all of it.
std::vector<float> RunBy(BuiltModel& built, int steps) {
  const int32_t dims[] = {steps, kBatch, kInputs};
  EXPECT_THAT(built->ResizeInputTensor(built->inputs()[0], dims), IsOk());
  EXPECT_THAT(built->AllocateTensors(), IsOk());
  const std::vector<float> sequence = Sequence();
  std::vector<float> outputs;
  for (int at = 0; at < kSteps; at += steps) {
    std::copy_n(sequence.begin() + at * kBatch * kInputs,
                steps * kBatch * kInputs, built->typed_input_tensor<float>(0));
    EXPECT_THAT(built->Invoke(), IsOk());
    const float* y = built->typed_output_tensor<float>(0);
    outputs.insert(outputs.end(), y, y + steps * kBatch * kUnits);
  }
  return outputs;
}

class Streaming : public ::testing::TestWithParam<ModelBuilder (*)()> {};

TEST_P(Streaming, StepsGiveWhatTheWholeSequenceGives) {
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(GetParam()(), options);
  const std::vector<float> whole = RunBy(*built, kSteps);
  EXPECT_NE(RunBy(*built, kSteps), whole);  // It starts where it ended.
  for (const int steps : {1, 2, 3, kSteps}) {
    ASSERT_THAT((*built)->ResetVariableTensors(), IsOk());
    EXPECT_EQ(RunBy(*built, steps), whole) << "by " << steps;
  }
}

INSTANTIATE_TEST_SUITE_P(Op, Streaming, ::testing::Values(Rnn, Lstm));

}  // namespace
}  // namespace arenalite
