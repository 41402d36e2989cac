// MobileNet v1: "MobileNets: Efficient Convolutional Neural Networks for Mobile
// Vision Applications" (Howard et al. 2017), table 1.

#include "writer/zoo/architectures.h"

namespace arenalite {
namespace zoo {
namespace {

constexpr int kClasses = 1000;
constexpr int kFirstChannels = 32;

// One depthwise separable convolution.
struct Block {
  int channels;
  int stride;
};
constexpr Block kBlocks[] = {{64, 1},  {128, 2},  {128, 1}, {256, 2}, {256, 1},
                             {512, 2}, {512, 1},  {512, 1}, {512, 1}, {512, 1},
                             {512, 1}, {1024, 2}, {1024, 1}};

}  // namespace

int BuildMobileNetV1(LayerBuilder& net, const ZooOptions& options) {
  constexpr auto kRelu6 = schema::ActivationFunctionType_RELU6;
  const auto scaled = [&](int channels) {
    return ScaledChannels(channels, options.width);
  };
  int x = net.Input("image", {1, options.resolution, options.resolution, 3});
  x = net.Conv(x, scaled(kFirstChannels), {3, 3, 2}, kRelu6);
  for (const Block& block : kBlocks) {
    x = net.Depthwise(x, 1, {3, 3, block.stride}, kRelu6);
    x = net.Conv(x, scaled(block.channels), {1, 1}, kRelu6);
  }
  const int rest = net.shape(x)[1];
  x = net.AveragePool(x, {rest, rest, 1, schema::Padding_VALID});
  x = net.Squeeze(net.Logits(x, kClasses), {1, 2});
  return net.Softmax(x);
}

}  // namespace zoo
}  // namespace arenalite
