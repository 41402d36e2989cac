// MobileNet v2: "MobileNetV2: Inverted Residuals and Linear Bottlenecks"
// (Sandler et al. 2018), table 2.

#include "writer/zoo/architectures.h"

namespace arenalite {
namespace zoo {
namespace {

constexpr auto kRelu6 = schema::ActivationFunctionType_RELU6;
constexpr int kClasses = 1000;
constexpr int kFirstChannels = 32;
// Not scaled down with the width.
constexpr int kLastChannels = 1280;

// A sequence of inverted residuals; only the first has the stride.
struct Stage {
  int expansion;
  int channels;
  int repeats;
  int stride;
};
constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2},
                             {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2},
                             {6, 320, 1, 1}};

int InvertedResidual(LayerBuilder& net, int x, int expansion, int channels,
                     int stride) {
  const int in_channels = net.shape(x)[3];
  int y = x;
  if (expansion > 1) y = net.Conv(y, expansion * in_channels, {1, 1}, kRelu6);
  y = net.Depthwise(y, 1, {3, 3, stride}, kRelu6);
  // The bottleneck is linear: no activation.
  y = net.Conv(y, channels, {1, 1});
  return stride == 1 && channels == in_channels ? net.Add(x, y) : y;
}

}  // namespace

int BuildMobileNetV2(LayerBuilder& net, const ZooOptions& options) {
  int x = net.Input("image", {1, options.resolution, options.resolution, 3});
  x = net.Conv(x, ScaledChannels(kFirstChannels, options.width), {3, 3, 2},
               kRelu6);
  for (const Stage& stage : kStages) {
    const int channels = ScaledChannels(stage.channels, options.width);
    for (int i = 0; i < stage.repeats; ++i) {
      x = InvertedResidual(net, x, stage.expansion, channels,
                           i == 0 ? stage.stride : 1);
    }
  }
  x = net.Conv(x, kLastChannels, {1, 1}, kRelu6);
  x = net.GlobalAverage(x);
  return net.Softmax(net.Logits(x, kClasses));
}

}  // namespace zoo
}  // namespace arenalite
