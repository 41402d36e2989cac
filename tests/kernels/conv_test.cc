#include <gtest/gtest.h>

#include <random>

#include "arenalite/builtin_ops.h"
#include "kernels/naive_window.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::NaiveAxis;
using testing::OpRunner;

// One configuration of CONV_2D or DEPTHWISE_CONV_2D.
struct Config {
  bool depthwise = false;
  int batches = 1;
  int height = 1, width = 1, channels = 1;
  int window_height = 1, window_width = 1;
  int outputs = 1;
  int groups = 1;
  int stride = 1;
  int dilation_height = 1, dilation_width = 1;
  int padding = schema::Padding_SAME;
  int activation = schema::ActivationFunctionType_NONE;
  TensorType input = TensorType::kFloat32;
  TensorType weights = TensorType::kFloat32;
  TensorType bias = TensorType::kFloat32;
  bool per_channel = false;
  bool has_bias = true;

  Shape filter() const {
    if (depthwise) return {1, window_height, window_width, outputs};
    return {outputs, window_height, window_width, channels / groups};
  }
};

void SetOptions(const Config& c, OpRunner* runner) {
  const auto padding = static_cast<schema::Padding>(c.padding);
  const auto activation =
      static_cast<schema::ActivationFunctionType>(c.activation);
  if (c.depthwise) {
    runner->SetOptions(schema::BuiltinOptions_DepthwiseConv2DOptions,
                       [&](auto& b) {
                         return schema::CreateDepthwiseConv2DOptions(
                             b, padding, c.stride, c.stride, 0, activation,
                             c.dilation_width, c.dilation_height);
                       });
    return;
  }
  runner->SetOptions(schema::BuiltinOptions_Conv2DOptions, [&](auto& b) {
    return schema::CreateConv2DOptions(b, padding, c.stride, c.stride,
                                       activation, c.dilation_width,
                                       c.dilation_height);
  });
}

constexpr float kInputScale = 0.5f;
constexpr float kOutputScale = 16.0f;

std::unique_ptr<OpRunner> MakeRunner(const Config& c, std::mt19937& random) {
  auto runner = std::make_unique<OpRunner>(
      c.depthwise ? ops::kDepthwiseConv2d : ops::kConv2d, 7);
  SetOptions(c, runner.get());
  const bool is_float = c.input == TensorType::kFloat32;
  const int64_t zero = c.input == TensorType::kInt8    ? -3
                       : c.input == TensorType::kUInt8 ? 121
                                                       : 0;
  const Shape input = {c.batches, c.height, c.width, c.channels};
  if (is_float) {
    runner->AddRandomInput(c.input, input, random);
  } else {
    runner->AddRandomInput(c.input, input, random, {kInputScale}, {zero});
  }
  std::vector<float> scales;
  std::vector<int64_t> zeros;
  if (c.weights != TensorType::kFloat32) {
    for (int i = 0; i < (c.per_channel ? c.outputs : 1); ++i) {
      scales.push_back(0.25f + 0.01f * static_cast<float>(i % 7));
    }
    if (c.weights == TensorType::kUInt8) zeros = {118};
  }
  runner->AddRandomInput(c.weights, c.filter(), random, scales, zeros,
                         c.depthwise ? 3 : 0, true);
  if (c.bias == TensorType::kFloat32) {
    runner->AddRandomInput(c.bias, {c.outputs}, random, {}, {}, 0, true);
  } else if (c.bias == TensorType::kInt32) {
    std::vector<int32_t> bias;
    for (int i = 0; i < c.outputs; ++i) {
      bias.push_back(static_cast<int32_t>(random() % 20001) - 10000);
    }
    runner->AddConstant<int32_t>({c.outputs}, bias, {kInputScale * 0.25f}, {0});
  } else {
    std::vector<int64_t> bias;
    for (int i = 0; i < c.outputs; ++i) {
      bias.push_back(static_cast<int64_t>(random() % 2000001) - 1000000);
    }
    runner->AddConstant<int64_t>({c.outputs}, bias);
  }
  if (is_float) {
    runner->AddOutput(c.input);
  } else {
    runner->AddOutput(c.input,
                      {c.input == TensorType::kInt16 ? 900.0f : kOutputScale},
                      {zero});
  }
  return runner;
}

// The exact sums of all output elements, bias included.
std::vector<double> NaiveSums(const Config& c, OpRunner& runner) {
  const Tensor& input = runner.tensor_of_input(0);
  const Tensor& weights = runner.tensor_of_input(1);
  const Tensor& bias = runner.tensor_of_input(2);
  const Shape& output = runner.tensor_of_output(0).shape;
  std::vector<double> sums(static_cast<size_t>(output.NumElements()));
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] = testing::RealValue(bias, static_cast<int64_t>(i) % c.outputs);
  }
  NaiveAxis y{c.stride, c.dilation_height, 0};
  NaiveAxis x{c.stride, c.dilation_width, 0};
  y.before =
      testing::PaddingBefore(c.height, output.dim(1), c.window_height, y);
  x.before = testing::PaddingBefore(c.width, output.dim(2), c.window_width, x);
  testing::VisitTaps(
      input.shape, output, c.window_height, c.window_width, y, x,
      [&](int64_t out, int r, int tap, int64_t in) {
        for (int o = 0; o < c.outputs; ++o) {
          const int taken = c.depthwise ? 1 : c.channels / c.groups;
          const int first = c.depthwise ? o / (c.outputs / c.channels)
                                        : o / (c.outputs / c.groups) * taken;
          for (int i = 0; i < taken; ++i) {
            const int64_t w = c.depthwise
                                  ? testing::At4(weights.shape, 0, r, tap, o)
                                  : testing::At4(weights.shape, o, r, tap, i);
            sums[static_cast<size_t>(out + o)] +=
                testing::RealValue(input, in + first + i) *
                testing::RealValue(weights, w);
          }
        }
      });
  return sums;
}

void ExpectNaive(const Config& c, OpRunner& runner) {
  const std::vector<double> sums = NaiveSums(c, runner);
  const Tensor& output = runner.tensor_of_output(0);
  const auto& scales = runner.tensor_of_input(1).quantization.scales;
  for (size_t i = 0; i < sums.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (c.input == TensorType::kFloat32) {
      ASSERT_NEAR(output.data_as<float>()[at], sums[i], 1e-4);
      continue;
    }
    const float weight_scale = scales[c.per_channel ? i % c.outputs : 0];
    const double multiplier =
        double{runner.tensor_of_input(0).quantization.scale()} *
        double{weight_scale} / double{output.quantization.scale()};
    ASSERT_EQ(static_cast<int64_t>(testing::RealValue(output, at)) +
                  output.quantization.zero_point(),
              testing::Requantized(sums[i], multiplier, output,
                                   c.bias == TensorType::kInt64))
        << "element " << i;
  }
}

Config RandomConfig(std::mt19937& random, bool depthwise) {
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low + 1));
  };
  Config c;
  c.depthwise = depthwise;
  c.batches = pick(1, 2);
  c.height = pick(1, 8);
  c.width = pick(1, 8);
  c.window_height = pick(1, 4);
  c.window_width = pick(1, 4);
  c.stride = pick(1, 3);
  c.dilation_height = pick(1, 4) == 1 ? 3 : 1;
  c.dilation_width = pick(1, 4) == 1 ? 2 : 1;
  c.groups = depthwise ? 1 : (pick(1, 3) == 1 ? pick(2, 3) : 1);
  c.channels = c.groups * pick(1, 9);
  c.outputs = depthwise ? c.channels * pick(1, 3) : c.groups * pick(1, 9);
  if (pick(1, 6) == 1) c.outputs *= 40;  // Several blocks.
  if (pick(1, 12) == 1) {                // A window too large to gather.
    c.channels *= 60;
    if (depthwise) c.outputs *= 60;
  }
  c.padding = pick(0, 1);
  if ((c.window_height - 1) * c.dilation_height >= c.height ||
      (c.window_width - 1) * c.dilation_width >= c.width) {
    c.padding = schema::Padding_SAME;
  }
  return c;
}

struct Types {
  const char* name;
  TensorType input, weights, bias;
  bool per_channel;
};
constexpr Types kConvTypes[] = {
    {"float", TensorType::kFloat32, TensorType::kFloat32, TensorType::kFloat32,
     false},
    {"int8", TensorType::kInt8, TensorType::kInt8, TensorType::kInt32, false},
    {"int8 per channel", TensorType::kInt8, TensorType::kInt8,
     TensorType::kInt32, true},
    {"uint8", TensorType::kUInt8, TensorType::kUInt8, TensorType::kInt32,
     false},
    {"int16x8", TensorType::kInt16, TensorType::kInt8, TensorType::kInt64,
     true},
    {"int8x4", TensorType::kInt8, TensorType::kInt4, TensorType::kInt32, true},
    {"int16x8, bias 32", TensorType::kInt16, TensorType::kInt8,
     TensorType::kInt32, true},
    {"int16x4", TensorType::kInt16, TensorType::kInt4, TensorType::kInt64,
     true},
};

void ExpectAllTypesNaive(bool depthwise, size_t types, int cases) {
  std::mt19937 random(11);
  for (size_t t = 0; t < types; ++t) {
    SCOPED_TRACE(kConvTypes[t].name);
    for (int i = 0; i < cases; ++i) {
      Config c = RandomConfig(random, depthwise);
      c.input = kConvTypes[t].input;
      c.weights = kConvTypes[t].weights;
      c.bias = kConvTypes[t].bias;
      c.per_channel = kConvTypes[t].per_channel;
      auto runner = MakeRunner(c, random);
      ASSERT_THAT(runner->PrepareAndRun(), IsOk());
      ExpectNaive(c, *runner);
      if (::testing::Test::HasFatalFailure()) FAIL() << "case " << i;
    }
  }
}

TEST(Conv2d, AllTypesMatchTheSpelledOutSum) {
  ExpectAllTypesNaive(false, std::size(kConvTypes), 30);
}

TEST(DepthwiseConv2d, AllTypesMatchTheSpelledOutSum) {
  ExpectAllTypesNaive(true, 6, 40);
}

void ExpectOverlapContract(bool depthwise) {
  std::mt19937 random(3);
  int caught = 0;
  for (int i = 0; i < 300; ++i) {
    Config c = RandomConfig(random, depthwise);
    const Types& types = kConvTypes[i % 5];
    c.input = types.input;
    c.weights = types.weights;
    c.bias = types.bias;
    c.per_channel = types.per_channel;
    auto runner = MakeRunner(c, random);
    ASSERT_THAT(runner->PrepareAndRun(), IsOk());
    CheckOverlapContract(*runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 100);
}

TEST(Conv2d, KeepsItsOverlapContract) { ExpectOverlapContract(false); }
TEST(DepthwiseConv2d, KeepsItsOverlapContract) { ExpectOverlapContract(true); }

// person_detect's largest step: 48x48x8 -> 48x48x16 in the output's bytes.
TEST(Conv2d, PointwiseGrowthNeedsNoMoreThanItsOutput) {
  std::mt19937 random(1);
  Config c;
  c.height = c.width = 48;
  c.channels = 8;
  c.outputs = 16;
  c.input = c.weights = TensorType::kInt8;
  c.bias = TensorType::kInt32;
  auto runner = MakeRunner(c, random);
  ASSERT_THAT(runner->PrepareAndRun(), IsOk());
  const int64_t distance = runner->Overlap(0, 0);
  EXPECT_EQ(distance, -(48 * 48 - 1) * 8);
  EXPECT_TRUE(runner->EqualAtDistance(0, 0, distance));
}

// A hybrid input is quantized before anything is written.
TEST(Conv2d, HybridIsCloseToFloatAndOverlapsWhole) {
  std::mt19937 random(2);
  for (bool depthwise : {false, true}) {
    for (TensorType weights : {TensorType::kInt8, TensorType::kInt4}) {
      if (depthwise && weights == TensorType::kInt4) continue;
      Config c;
      c.depthwise = depthwise;
      c.batches = 2;
      c.height = c.width = 5;
      c.channels = 4;
      c.outputs = 8;
      c.window_height = c.window_width = 3;
      c.weights = weights;
      c.per_channel = true;
      auto runner = MakeRunner(c, random);
      ASSERT_THAT(runner->PrepareAndRun(), IsOk());
      Tensor& bias = runner->tensor_of_input(2);
      const std::vector<float> biases(bias.data_as<float>(),
                                      bias.data_as<float>() + c.outputs);
      std::fill_n(bias.data_as<float>(), c.outputs, 0.0f);
      const std::vector<double> sums = NaiveSums(c, *runner);
      const auto& scales = runner->tensor_of_input(1).quantization.scales;
      for (size_t i = 0; i < sums.size(); ++i) {
        const size_t channel = i % static_cast<size_t>(c.outputs);
        // At most half a step of input error (1/127) for each of the taps.
        const double weight_max = weights == TensorType::kInt4 ? 8 : 128;
        const double error =
            36 * weight_max * double{scales[channel]} * (0.5 / 127);
        EXPECT_NEAR(runner->output<float>(0)[i],
                    sums[i] * double{scales[channel]} + double{biases[channel]},
                    error);
      }
      std::copy(biases.begin(), biases.end(), bias.data_as<float>());
      int caught = 0;
      EXPECT_EQ(runner->Overlap(0, 0), runner->tensor_of_input(0).bytes);
      CheckOverlapContract(*runner, 1, 1, random, &caught);
      EXPECT_TRUE(runner->EqualAtDistance(0, 0, 0));
    }
  }
}

TEST(Conv2d, SumsThatLeave32BitsWrapAround) {
  OpRunner runner(ops::kConv2d, 3);
  SetOptions(Config{}, &runner);
  runner.AddInput<int8_t>({1, 1, 1, 1}, {100}, {1.0f}, {0});
  runner.AddConstant<int8_t>({1, 1, 1, 1}, {100}, {1.0f});
  runner.AddConstant<int32_t>({1}, {INT32_MAX - 9998});
  runner.AddOutput(TensorType::kInt8, {65536.0f}, {0});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // INT32_MAX + 2 is -2^31 + 1.
  EXPECT_EQ(runner.output<int8_t>(0)[0], -128);
}

TEST(Conv2d, RefusesWhatContradictsItself) {
  const auto prepare = [](Shape input, Shape filter, int bias, Config options) {
    OpRunner runner(ops::kConv2d);
    std::mt19937 random(1);
    SetOptions(options, &runner);
    runner.AddRandomInput(TensorType::kFloat32, input, random);
    runner.AddRandomInput(TensorType::kFloat32, filter, random);
    runner.AddRandomInput(TensorType::kFloat32, {bias}, random);
    runner.AddOutput(TensorType::kFloat32);
    return runner.Prepare();
  };
  Config options;
  EXPECT_THAT(prepare({1, 4, 4, 2}, {2, 1, 1, 2}, 2, options), IsOk());
  EXPECT_THAT(prepare({4, 4, 2}, {2, 1, 1, 2}, 2, options),
              HasStatus(StatusCode::kInvalidModel, "allowed rank 4"));
  EXPECT_THAT(
      prepare({1, 4, 4, 0}, {2, 1, 1, 2}, 2, options),
      HasStatus(StatusCode::kInvalidModel, "allowed > 0 for dimension 3"));
  EXPECT_THAT(prepare({1, 4, 4, 3}, {2, 1, 1, 2}, 2, options),
              HasStatus(StatusCode::kInvalidModel, "groups of channels"));
  EXPECT_THAT(prepare({1, 4, 4, 4}, {3, 1, 1, 2}, 3, options),
              HasStatus(StatusCode::kInvalidModel, "groups of channels"));
  EXPECT_THAT(prepare({1, 4, 4, 2}, {2, 1, 1, 2}, 3, options),
              HasStatus(StatusCode::kInvalidModel, "3 elements for 2 output"));
  options.stride = 0;
  EXPECT_THAT(
      prepare({1, 4, 4, 2}, {2, 1, 1, 2}, 2, options),
      HasStatus(StatusCode::kInvalidModel, "stride of the height is 0"));
  options.stride = 1;
  options.dilation_height = INT32_MAX;
  EXPECT_THAT(prepare({1, 4, 4, 2}, {2, 9, 1, 2}, 2, options),
              HasStatus(StatusCode::kInvalidModel, "does not fit 32 bits"));
}

}  // namespace
}  // namespace arenalite
