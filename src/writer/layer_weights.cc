#include "writer/layer_weights.h"

#include <algorithm>
#include <cmath>

namespace arenalite {
namespace {

// Gains of channels are uniform in [0.5, 1.5); this is the mean of their
// squares.
constexpr double kGainMeanSquare = 13.0 / 12.0;
constexpr double kBiasPerSigma = 0.1;

// Halves go up: the same everywhere, unlike lrint.
double Round(double value) { return std::floor(value + 0.5); }

// The channel of each element of weights in memory order.
class ChannelOf {
 public:
  explicit ChannelOf(const LayerWeights& weights)
      : channels_(weights.channels()) {
    const auto first = weights.shape.begin() + weights.channel_dimension + 1;
    for (auto dim = first; dim != weights.shape.end(); ++dim) {
      inner_ *= static_cast<size_t>(*dim);
    }
  }
  size_t operator()(size_t element) const {
    return element / inner_ % channels_;
  }

 private:
  size_t channels_;
  size_t inner_ = 1;
};

std::vector<float> WeightScales(const LayerWeights& weights) {
  const ChannelOf channel_of(weights);
  std::vector<float> scales(weights.per_channel ? weights.channels() : 1);
  for (size_t i = 0; i < weights.values.size(); ++i) {
    float& scale = scales[weights.per_channel ? channel_of(i) : 0];
    scale = std::max(scale, std::fabs(weights.values[i]));
  }
  for (float& scale : scales) scale = scale > 0 ? scale / 127.0f : 1.0f;
  return scales;
}

}  // namespace

Quant QuantOf(Range range) {
  const double scale = (range.high - range.low) / 255.0;
  const double zero_point = Round(-128.0 - range.low / scale);
  return Quant(static_cast<float>(scale), static_cast<int64_t>(zero_point));
}

void DrawWeights(LayerWeights& weights, Prng& prng, double input_mean_square,
                 double sigma, bool with_bias) {
  size_t count = 1;
  for (int32_t dim : weights.shape) count *= static_cast<size_t>(dim);
  // Weights are independent of the inputs and of each other, so a sum of
  // fan_in products has the mean square
  //   fan_in * input_mean_square * kGainMeanSquare * amplitude^2 / 3.
  const size_t fan_in = count / weights.channels();
  const double amplitude =
      sigma * std::sqrt(3.0 / (static_cast<double>(fan_in) * input_mean_square *
                               kGainMeanSquare));
  std::vector<double> amplitudes(weights.channels());
  for (double& a : amplitudes) a = amplitude * (0.5 + prng.Unit());
  const ChannelOf channel_of(weights);
  weights.values.resize(count);
  for (size_t i = 0; i < count; ++i) {
    weights.values[i] =
        static_cast<float>(amplitudes[channel_of(i)] * prng.Symmetric());
  }
  if (!with_bias) return;
  weights.bias.resize(weights.channels());
  for (float& bias : weights.bias) {
    bias = static_cast<float>(kBiasPerSigma * sigma * prng.Symmetric());
  }
}

Int8Weights QuantizeWeights(const LayerWeights& weights, float input_scale) {
  const ChannelOf channel_of(weights);
  const std::vector<float> scales = WeightScales(weights);
  const auto index = [&](size_t channel) {
    return weights.per_channel ? channel : 0;
  };
  Int8Weights quantized;
  quantized.quant =
      PerChannel(scales, weights.per_channel ? weights.channel_dimension : 0);
  for (size_t i = 0; i < weights.values.size(); ++i) {
    const double scale = scales[index(channel_of(i))];
    quantized.values.push_back(
        static_cast<int8_t>(Round(weights.values[i] / scale)));
  }
  std::vector<float> bias_scales = scales;
  for (float& scale : bias_scales) scale *= input_scale;
  for (size_t c = 0; c < weights.bias.size(); ++c) {
    const double scale = bias_scales[index(c)];
    quantized.bias.push_back(
        static_cast<int32_t>(Round(weights.bias[c] / scale)));
  }
  quantized.bias_quant = PerChannel(std::move(bias_scales), 0);
  return quantized;
}

}  // namespace arenalite
