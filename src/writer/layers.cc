// The layers that have weights or windows, and what all layers share.

#include "writer/layers.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace arenalite {
namespace {

using Activation = LayerBuilder::Activation;

// Tensors are given room for this many standard deviations.
constexpr double kRoom = 4.0;
// Below it, scales would get so small that some kernels refuse to rescale.
constexpr double kMinSigma = 0.05;
// Averages keep away from the ends of the range.
constexpr float kMeanOverRange = 0.75f;
// What averaging over many positions leaves of a mean of squares: 1 / pi where
// all are rectified normal values with one distribution, 1 where each channel
// is constant; real layers lie between.
constexpr double kMeanSquareOfAverage = 0.5;
// The more classes there are, the wider logits must be for one to stand out.
constexpr int kManyClasses = 100;
constexpr double kLogitSigma = 1.25;
constexpr double kLogitSigmaOfMany = 3.5;

size_t Index(int i) { return static_cast<size_t>(i); }

int OutputExtent(int input, int kernel, const Window& window) {
  if (window.padding == schema::Padding_SAME) {
    return (input + window.stride - 1) / window.stride;
  }
  return (input - (kernel - 1) * window.dilation - 1) / window.stride + 1;
}

LayerBuilder::Dims OutputShape(const LayerBuilder::Dims& input,
                               const Window& window, int channels) {
  return {input[0], OutputExtent(input[1], window.height, window),
          OutputExtent(input[2], window.width, window), channels};
}

// All dimensions but the last, as FULLY_CONNECTED folds them.
int32_t Rows(const LayerBuilder::Dims& shape) {
  return std::accumulate(shape.begin(), shape.end() - 1, 1,
                         std::multiplies<int32_t>());
}

// A root mean square before the activation that uses its range well.
double UsualSigma(Activation activation) {
  return activation == schema::ActivationFunctionType_RELU6 ? 2.0 : 1.0;
}

// What is left of a mean square behind the activation: one that cuts at zero
// halves a symmetric distribution.
double MeanSquareAfter(Activation activation, double sigma) {
  switch (activation) {
    case schema::ActivationFunctionType_RELU:
    case schema::ActivationFunctionType_RELU6:
      return 0.5 * sigma * sigma;
    case schema::ActivationFunctionType_RELU_N1_TO_1:
      return std::min(0.5, sigma * sigma);
    default:
      return sigma * sigma;
  }
}

}  // namespace

LayerBuilder::LayerBuilder(ModelBuilder& model, Options options)
    : model_(model),
      options_(std::move(options)),
      weights_(options_.seed),
      scales_(~options_.seed) {}

std::string LayerBuilder::NextName(const char* stem) {
  return stem + ("_" + std::to_string(++layers_));
}

Quant LayerBuilder::QuantFor(Range range) const {
  if (!is_int8()) return Quant();
  return options_.quant.scales.empty() ? QuantOf(range) : options_.quant;
}

Range LayerBuilder::RangeOf(double sigma, Activation activation) {
  sigma = std::max(sigma, kMinSigma);
  // Some asymmetry, so that zero points differ as trained ones do.
  const double low = -kRoom * sigma * (1.0 + 0.1 * scales_.Symmetric());
  const double high = kRoom * sigma * (1.0 + 0.1 * scales_.Symmetric());
  switch (activation) {
    case schema::ActivationFunctionType_RELU:
      return {0.0, high};
    case schema::ActivationFunctionType_RELU6:
      return {0.0, 6.0};
    case schema::ActivationFunctionType_RELU_N1_TO_1:
      return {-1.0, 1.0};
    default:
      return {low, high};
  }
}

double LayerBuilder::MeanSquare(int tensor) const {
  return Index(tensor) < mean_square_.size() ? mean_square_[Index(tensor)]
                                             : 1.0;
}

int LayerBuilder::NewTensor(const std::string& name, Dims shape, Quant quant,
                            double mean_square) {
  const int index =
      model_.AddTensor(name, options_.type, std::move(shape), std::move(quant));
  mean_square_.resize(Index(index), 1.0);
  mean_square_.push_back(mean_square);
  return index;
}

int LayerBuilder::NewResult(const std::string& name, Dims shape, double sigma,
                            Activation activation) {
  return NewTensor(name, std::move(shape), QuantFor(RangeOf(sigma, activation)),
                   MeanSquareAfter(activation, sigma));
}

int LayerBuilder::NewLike(const char* stem, int x, Dims shape) {
  return NewTensor(NextName(stem), std::move(shape), model_.tensor(x).quant,
                   MeanSquare(x));
}

int LayerBuilder::Input(std::string name, Dims shape, Range range) {
  // Of values that are uniform over the range.
  const double mean_square = (range.low * range.low + range.low * range.high +
                              range.high * range.high) /
                             3.0;
  const int index =
      NewTensor(name, std::move(shape), QuantFor(range), mean_square);
  model_.subgraph().inputs.push_back(index);
  return index;
}

std::vector<int32_t> LayerBuilder::Draw(int x, const std::string& name,
                                        LayerWeights weights, double sigma) {
  DrawWeights(weights, weights_, MeanSquare(x), sigma, options_.bias);
  return AddWeights(x, name, weights);
}

std::vector<int32_t> LayerBuilder::AddWeights(int x, const std::string& name,
                                              const LayerWeights& weights) {
  const std::string weights_name = name + "/weights";
  const std::string bias_name = name + "/bias";
  const Dims bias_shape = {static_cast<int32_t>(weights.bias.size())};
  int values = -1;
  int bias = -1;
  if (is_int8()) {
    const Int8Weights int8 =
        QuantizeWeights(weights, model_.tensor(x).quant.scale());
    values = model_.AddConstant(weights_name, weights.shape, int8.values,
                                int8.quant);
    if (!weights.bias.empty()) {
      bias =
          model_.AddConstant(bias_name, bias_shape, int8.bias, int8.bias_quant);
    }
  } else {
    values = model_.AddConstant(weights_name, weights.shape, weights.values);
    if (!weights.bias.empty()) {
      bias = model_.AddConstant(bias_name, bias_shape, weights.bias);
    }
  }
  return {x, values, bias};
}

int LayerBuilder::ConvOfSigma(int x, int channels, const Window& window,
                              Activation activation, double sigma, int groups) {
  const std::string name = NextName("conv");
  LayerWeights weights;
  weights.shape = {channels, window.height, window.width, shape(x)[3] / groups};
  weights.per_channel = true;
  auto inputs = Draw(x, name, std::move(weights), sigma);
  const int y = NewResult(name, OutputShape(shape(x), window, channels), sigma,
                          activation);
  model_.AddOp(
      schema::BuiltinOperator_CONV_2D, std::move(inputs), {y},
      [=](auto& fbb) {
        return schema::CreateConv2DOptions(fbb, window.padding, window.stride,
                                           window.stride, activation,
                                           window.dilation, window.dilation);
      },
      Version(schema::BuiltinOperator_CONV_2D));
  return y;
}

int LayerBuilder::Conv(int x, int channels, Window window,
                       Activation activation, int groups) {
  return ConvOfSigma(x, channels, window, activation, UsualSigma(activation),
                     groups);
}

int LayerBuilder::Depthwise(int x, int multiplier, Window window,
                            Activation activation) {
  const double sigma = UsualSigma(activation);
  const std::string name = NextName("depthwise");
  const int channels = shape(x)[3] * multiplier;
  LayerWeights weights;
  weights.shape = {1, window.height, window.width, channels};
  weights.channel_dimension = 3;
  weights.per_channel = true;
  auto inputs = Draw(x, name, std::move(weights), sigma);
  const int y = NewResult(name, OutputShape(shape(x), window, channels), sigma,
                          activation);
  const int version = Version(schema::BuiltinOperator_DEPTHWISE_CONV_2D);
  model_.AddOp(
      schema::BuiltinOperator_DEPTHWISE_CONV_2D, std::move(inputs), {y},
      [=](auto& fbb) {
        return schema::CreateDepthwiseConv2DOptions(
            fbb, window.padding, window.stride, window.stride, multiplier,
            activation, window.dilation, window.dilation);
      },
      window.dilation > 1 ? std::max(version, 2) : version);
  return y;
}

int LayerBuilder::DenseOp(std::vector<int32_t> inputs, int y,
                          Activation activation) {
  model_.AddOp(
      schema::BuiltinOperator_FULLY_CONNECTED, std::move(inputs), {y},
      [=](auto& fbb) {
        return schema::CreateFullyConnectedOptions(fbb, activation);
      },
      Version(schema::BuiltinOperator_FULLY_CONNECTED));
  return y;
}

int LayerBuilder::DenseOf(int x, const LayerWeights& weights,
                          Activation activation, Range range) {
  const std::string name = NextName("dense");
  auto inputs = AddWeights(x, name, weights);
  const double sigma = range.high / kRoom;
  const int y = NewTensor(name, {Rows(shape(x)), weights.shape[0]},
                          QuantFor(range), sigma * sigma);
  return DenseOp(std::move(inputs), y, activation);
}

int LayerBuilder::DenseOfSigma(int x, int units, Activation activation,
                               double sigma) {
  const std::string name = NextName("dense");
  LayerWeights weights;
  weights.shape = {units, shape(x).back()};
  auto inputs = Draw(x, name, std::move(weights), sigma);
  const int y = NewResult(name, {Rows(shape(x)), units}, sigma, activation);
  return DenseOp(std::move(inputs), y, activation);
}

int LayerBuilder::Dense(int x, int units, Activation activation) {
  return DenseOfSigma(x, units, activation, UsualSigma(activation));
}

int LayerBuilder::Logits(int x, int classes) {
  constexpr Activation kNone = schema::ActivationFunctionType_NONE;
  const double sigma = classes < kManyClasses ? kLogitSigma : kLogitSigmaOfMany;
  return shape(x).size() == 4 ? ConvOfSigma(x, classes, {}, kNone, sigma, 1)
                              : DenseOfSigma(x, classes, kNone, sigma);
}

int LayerBuilder::Pool(schema::BuiltinOperator code, int x, Window window) {
  const int y = NewLike("pool", x, OutputShape(shape(x), window, shape(x)[3]));
  model_.AddOp(
      code, {x}, {y},
      [=](auto& fbb) {
        return schema::CreatePool2DOptions(fbb, window.padding, window.stride,
                                           window.stride, window.width,
                                           window.height);
      },
      Version(code));
  return y;
}

int LayerBuilder::AveragePool(int x, Window window) {
  const int y = Pool(schema::BuiltinOperator_AVERAGE_POOL_2D, x, window);
  mean_square_[Index(y)] *= kMeanSquareOfAverage;
  return y;
}

int LayerBuilder::MaxPool(int x, Window window) {
  return Pool(schema::BuiltinOperator_MAX_POOL_2D, x, window);
}

int LayerBuilder::GlobalAverage(int x, bool keep_dims) {
  const std::string name = NextName("mean");
  const Dims in = shape(x);
  const Dims out = keep_dims ? Dims{in[0], 1, 1, in[3]} : Dims{in[0], in[3]};
  const int axes = model_.AddConstant<int32_t>(name + "/axes", {2}, {1, 2});
  Quant quant = model_.tensor(x).quant;
  if (is_int8() && options_.quant.scales.empty()) {
    quant.scales[0] *= kMeanOverRange;
  }
  const int y =
      NewTensor(name, out, quant, kMeanSquareOfAverage * MeanSquare(x));
  model_.AddOp(
      schema::BuiltinOperator_MEAN, {x, axes}, {y},
      [=](auto& fbb) { return schema::CreateReducerOptions(fbb, keep_dims); },
      Version(schema::BuiltinOperator_MEAN));
  return y;
}

int LayerBuilder::Version(schema::BuiltinOperator code) const {
  if (!is_int8()) return 1;
  switch (code) {
    case schema::BuiltinOperator_EXPAND_DIMS:
    case schema::BuiltinOperator_HARD_SWISH:
    case schema::BuiltinOperator_RELU_N1_TO_1:
    case schema::BuiltinOperator_RESHAPE:
    case schema::BuiltinOperator_SQUEEZE:
      return 1;
    case schema::BuiltinOperator_CONV_2D:
    case schema::BuiltinOperator_DEPTHWISE_CONV_2D:
      return 3;
    case schema::BuiltinOperator_FULLY_CONNECTED:
      return 4;
    default:
      return 2;
  }
}

}  // namespace arenalite
