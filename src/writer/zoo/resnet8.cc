// ResNet-8: "Deep Residual Learning for Image Recognition" (He et al. 2015) in
// the small form of the MLPerf Tiny benchmark: one block a stage, with
// projection shortcuts where the shape changes.

#include "writer/zoo/architectures.h"

namespace arenalite {
namespace zoo {
namespace {

constexpr auto kNone = schema::ActivationFunctionType_NONE;
constexpr auto kRelu = schema::ActivationFunctionType_RELU;

int Block(LayerBuilder& net, int x, int channels, int stride) {
  int y = net.Conv(x, channels, {3, 3, stride}, kRelu);
  y = net.Conv(y, channels, {3, 3}, kNone);
  const int shortcut =
      stride == 1 ? x : net.Conv(x, channels, {1, 1, stride}, kNone);
  return net.Add(shortcut, y, kRelu);
}

}  // namespace

int BuildResNet8(LayerBuilder& net, const ZooOptions&) {
  constexpr int kClasses = 10;
  int x = net.Input("image", {1, 32, 32, 3});
  x = net.Conv(x, 16, {3, 3}, kRelu);
  x = Block(net, x, 16, 1);
  x = Block(net, x, 32, 2);
  x = Block(net, x, 64, 2);
  x = net.AveragePool(x, {8, 8, 1, schema::Padding_VALID});
  x = net.Reshape(x, {1, 64});
  return net.Softmax(net.Logits(x, kClasses));
}

}  // namespace zoo
}  // namespace arenalite
