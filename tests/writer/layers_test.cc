#include "writer/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace arenalite {
namespace {

using Dims = std::vector<int32_t>;

template <class T>
std::vector<T> Values(ModelBuilder& model, int tensor) {
  const auto& bytes = model.spec().buffers[model.tensor(tensor).buffer];
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(LayersTest, ShapesFollowFromTheOptions) {
  ModelBuilder model;
  LayerBuilder net(model, {TensorType::kInt8});
  const int x = net.Input("x", {1, 9, 8, 4});
  const auto kValid = schema::Padding_VALID;
  EXPECT_EQ(net.shape(net.Conv(x, 6, {3, 3, 2})), (Dims{1, 5, 4, 6}));
  EXPECT_EQ(net.shape(net.Conv(x, 6, {3, 2, 2, kValid})), (Dims{1, 4, 4, 6}));
  EXPECT_EQ(net.shape(net.Conv(x, 6, {3, 3, 1, kValid, 2})),
            (Dims{1, 5, 4, 6}));
  EXPECT_EQ(net.shape(net.Depthwise(x, 2, {3, 3})), (Dims{1, 9, 8, 8}));
  EXPECT_EQ(net.shape(net.MaxPool(x, {2, 2, 2})), (Dims{1, 5, 4, 4}));
  EXPECT_EQ(net.shape(net.GlobalAverage(x)), (Dims{1, 4}));
  EXPECT_EQ(net.shape(net.Concat({x, x, x}, 2)), (Dims{1, 9, 24, 4}));
  EXPECT_EQ(net.shape(net.Pad(x, {0, 1, 2, 0}, {0, 0, 3, 1})),
            (Dims{1, 10, 13, 5}));
  const int mean = net.GlobalAverage(x, /*keep_dims=*/true);
  EXPECT_EQ(net.shape(net.Add(mean, x)), (Dims{1, 9, 8, 4}));
  EXPECT_EQ(net.shape(net.Squeeze(mean, {0, 2})), (Dims{1, 4}));
  EXPECT_EQ(net.shape(net.ExpandDims(x, 2)), (Dims{1, 9, 1, 8, 4}));
}

TEST(LayersTest, Int8IsTheQuantizedFormOfFloat) {
  ModelBuilder models[2];
  int weights[2];
  int bias[2];
  for (int i : {0, 1}) {
    LayerBuilder net(models[i],
                     {i == 0 ? TensorType::kFloat32 : TensorType::kInt8, 5});
    net.Conv(net.Input("x", {1, 8, 8, 3}), 7, {3, 3});
    weights[i] = models[i].op(0).inputs[1];
    bias[i] = models[i].op(0).inputs[2];
  }
  const auto real = Values<float>(models[0], weights[0]);
  const auto quantized = Values<int8_t>(models[1], weights[1]);
  const Quant& quant = models[1].tensor(weights[1]).quant;
  ASSERT_EQ(quant.scales.size(), 7u);
  ASSERT_EQ(real.size(), quantized.size());
  std::vector<int> largest(7);
  for (size_t i = 0; i < real.size(); ++i) {
    const size_t channel = i / 27;
    const float scale = quant.scales[channel];
    EXPECT_LE(std::fabs(real[i] - scale * quantized[i]), 0.501f * scale);
    largest[channel] = std::max(largest[channel], std::abs(quantized[i]));
  }
  EXPECT_EQ(largest, std::vector<int>(7, 127));
  const auto real_bias = Values<float>(models[0], bias[0]);
  const auto quantized_bias = Values<int32_t>(models[1], bias[1]);
  const Quant& bias_quant = models[1].tensor(bias[1]).quant;
  for (size_t c = 0; c < 7; ++c) {
    EXPECT_EQ(bias_quant.scales[c],
              quant.scales[c] * models[1].tensor(0).quant.scale());
    EXPECT_NEAR(real_bias[c],
                bias_quant.scales[c] * static_cast<float>(quantized_bias[c]),
                0.51f * bias_quant.scales[c]);
  }
}

// Drawn weights make sums of the asked size: measured on random inputs.
TEST(LayersTest, WeightsGiveTheExpectedSpread) {
  Prng prng(3);
  LayerWeights weights;
  weights.shape = {200, 50};
  DrawWeights(weights, prng, 1.0 / 3, 2.0, false);
  std::vector<float> x(50);
  double squares = 0;
  constexpr int kRuns = 50;
  for (int run = 0; run < kRuns; ++run) {
    for (float& value : x) value = prng.Symmetric();
    for (size_t out = 0; out < 200; ++out) {
      double sum = 0;
      for (size_t in = 0; in < 50; ++in) {
        sum += weights.values[50 * out + in] * x[in];
      }
      squares += sum * sum;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / (200 * kRuns)), 2.0, 0.1);
}

TEST(LayersTest, QuantizationHoldsTheRange) {
  const Quant relu6 = QuantOf({0, 6});
  EXPECT_EQ(relu6.zero_point(), -128);
  EXPECT_FLOAT_EQ(relu6.scale(), 6.0f / 255);
  const Quant both = QuantOf({-1, 2});
  EXPECT_EQ(both.zero_point(), -43);
  const auto at = [&](int q) {
    return both.scale() * static_cast<float>(q - both.zero_point());
  };
  EXPECT_NEAR(at(-128), -1, both.scale());
  EXPECT_NEAR(at(127), 2, both.scale());
}

}  // namespace
}  // namespace arenalite
