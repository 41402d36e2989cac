// One function, and one file, for each architecture of the zoo: adds its layers
// to `net` and returns the output. The options have been checked.

#ifndef ARENALITE_WRITER_ZOO_ARCHITECTURES_H_
#define ARENALITE_WRITER_ZOO_ARCHITECTURES_H_

#include "writer/layers.h"
#include "writer/zoo/zoo.h"

namespace arenalite {
namespace zoo {

int BuildDsCnn(LayerBuilder& net, const ZooOptions& options);
int BuildMobileNetV1(LayerBuilder& net, const ZooOptions& options);
int BuildMobileNetV2(LayerBuilder& net, const ZooOptions& options);
int BuildResNet8(LayerBuilder& net, const ZooOptions& options);
int BuildSine(LayerBuilder& net, const ZooOptions& options);

// channels * width, rounded as the MobileNet authors do: to the nearest
// multiple of 8, at least 8, and up where that would take more than 10 % away.
int ScaledChannels(int channels, float width);

}  // namespace zoo
}  // namespace arenalite

#endif  // ARENALITE_WRITER_ZOO_ARCHITECTURES_H_
