// Sine, 1-16-16-1: the network with which microcontroller tutorials begin. Its
// weights are not trained but constructed, so it computes a sine for each seed:
// the line through 17 points of the curve, as a sum of ramps that start at the
// points.

#include <numeric>

#include "writer/prng.h"
#include "writer/zoo/architectures.h"

namespace arenalite {
namespace zoo {
namespace {

constexpr int kUnits = 16;
constexpr double kTwoPi = 6.283185307179586;
constexpr double kStep = kTwoPi / kUnits;

// sin(i * kStep), without a library's rounding.
double SineAt(int i) {
  constexpr double kQuarter[] = {0.0, 0.3826834323650898, 0.7071067811865476,
                                 0.9238795325112867, 1.0};
  const int in_half = i % 8;
  const double value = kQuarter[in_half <= 4 ? in_half : 8 - in_half];
  return i % 16 < 8 ? value : -value;
}

// The change of slope at point i.
double SlopeChange(int i) {
  const double after = SineAt(i + 1) - SineAt(i);
  const double before = i == 0 ? 0.0 : SineAt(i) - SineAt(i - 1);
  return (after - before) / kStep;
}

// Both hidden layers hold the ramps, each in an order and with gains that the
// seed decides.
struct Ramps {
  explicit Ramps(Prng& prng) : point(kUnits), gain(kUnits) {
    std::iota(point.begin(), point.end(), 0);
    for (int i = kUnits - 1; i > 0; --i) {
      std::swap(point[static_cast<size_t>(i)],
                point[static_cast<size_t>(prng.Below(i + 1))]);
    }
    for (float& g : gain) g = 0.75f + 0.25f * prng.Unit();
  }
  std::vector<int> point;   // Of each unit.
  std::vector<float> gain;  // Of each unit, at most 1.
};

LayerWeights FirstLayer(const Ramps& ramps) {
  LayerWeights layer;
  layer.shape = {kUnits, 1};
  layer.values = ramps.gain;
  for (size_t unit = 0; unit < kUnits; ++unit) {
    const double start = kStep * ramps.point[unit];
    layer.bias.push_back(static_cast<float>(-start * ramps.gain[unit]));
  }
  return layer;
}

LayerWeights SecondLayer(const Ramps& from, const Ramps& to) {
  LayerWeights layer;
  layer.shape = {kUnits, kUnits};
  layer.bias.assign(kUnits, 0.0f);
  for (size_t out = 0; out < kUnits; ++out) {
    for (size_t in = 0; in < kUnits; ++in) {
      const bool same = from.point[in] == to.point[out];
      layer.values.push_back(same ? to.gain[out] / from.gain[in] : 0.0f);
    }
  }
  return layer;
}

LayerWeights LastLayer(const Ramps& ramps) {
  LayerWeights layer;
  layer.shape = {1, kUnits};
  layer.bias = {0.0f};
  for (size_t unit = 0; unit < kUnits; ++unit) {
    layer.values.push_back(
        static_cast<float>(SlopeChange(ramps.point[unit]) / ramps.gain[unit]));
  }
  return layer;
}

}  // namespace

int BuildSine(LayerBuilder& net, const ZooOptions& options) {
  constexpr auto kNone = schema::ActivationFunctionType_NONE;
  constexpr auto kRelu = schema::ActivationFunctionType_RELU;
  Prng prng(options.seed);
  const Ramps first(prng);
  const Ramps second(prng);
  int x = net.Input("x", {1, 1}, {0.0, kTwoPi});
  x = net.DenseOf(x, FirstLayer(first), kRelu, {0.0, kTwoPi});
  x = net.DenseOf(x, SecondLayer(first, second), kRelu, {0.0, kTwoPi});
  return net.DenseOf(x, LastLayer(second), kNone, {-1.05, 1.05});
}

}  // namespace zoo
}  // namespace arenalite
