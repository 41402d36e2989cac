// DS-CNN, small: "Hello Edge: Keyword Spotting on Microcontrollers" (Zhang et
// al. 2017), with the 10x4 first filter and the 12 words of the MLPerf Tiny
// benchmark.

#include "writer/zoo/architectures.h"

namespace arenalite {
namespace zoo {

int BuildDsCnn(LayerBuilder& net, const ZooOptions&) {
  constexpr auto kRelu = schema::ActivationFunctionType_RELU;
  constexpr int kChannels = 64;
  constexpr int kBlocks = 4;
  constexpr int kWords = 12;
  int x = net.Input("features", {1, 49, 10, 1}, {-4.0, 4.0});
  x = net.Conv(x, kChannels, {10, 4, 2}, kRelu);
  for (int block = 0; block < kBlocks; ++block) {
    x = net.Depthwise(x, 1, {3, 3}, kRelu);
    x = net.Conv(x, kChannels, {1, 1}, kRelu);
  }
  const int height = net.shape(x)[1];
  const int width = net.shape(x)[2];
  x = net.AveragePool(x, {height, width, 1, schema::Padding_VALID});
  x = net.Reshape(x, {1, kChannels});
  return net.Softmax(net.Logits(x, kWords));
}

}  // namespace zoo
}  // namespace arenalite
