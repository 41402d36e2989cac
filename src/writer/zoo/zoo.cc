#include "writer/zoo/zoo.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "writer/layers.h"
#include "writer/model_builder.h"
#include "writer/zoo/architectures.h"

namespace arenalite {
namespace {

constexpr ZooModel kModels[] = {
    {"ds_cnn", "keyword spotter DS-CNN S: 49x10 features, 12 words", 1.0f, 0,
     zoo::BuildDsCnn},
    {"mobilenet_v1", "image classifier MobileNet v1, 1000 classes", 0.25f, 224,
     zoo::BuildMobileNetV1},
    {"mobilenet_v2", "image classifier MobileNet v2, 1000 classes", 0.25f, 224,
     zoo::BuildMobileNetV2},
    {"resnet8", "image classifier ResNet-8: 32x32 pixels, 10 classes", 1.0f, 0,
     zoo::BuildResNet8},
    {"sine", "sine of a number in [0, 2 pi], dense layers 1-16-16-1", 1.0f, 0,
     zoo::BuildSine},
};

Result<const ZooModel*> FindModel(const std::string& name) {
  std::string names;
  for (const ZooModel& model : kModels) {
    if (name == model.name) return &model;
    names += names.empty() ? "" : ", ";
    names += model.name;
  }
  return NotFoundError("no zoo model is named '", std::string_view(name),
                       "'; there are ", std::string_view(names));
}

Status CheckWidth(const ZooModel& model, float width) {
  if (width >= model.min_width && width <= 1.0f) return OkStatus();
  if (model.min_width == 1.0f) {
    return InvalidArgumentError("width is ", width, ", but ", model.name,
                                " has no width to choose");
  }
  return InvalidArgumentError("width is ", width, ", allowed for ", model.name,
                              ": ", model.min_width, " to 1");
}

Status CheckResolution(const ZooModel& model, int resolution) {
  if (resolution == 0) return OkStatus();
  if (model.default_resolution == 0) {
    return InvalidArgumentError("resolution is ", resolution, ", but ",
                                model.name, " has no resolution to choose");
  }
  if (resolution >= kZooResolutionStep && resolution <= kZooMaxResolution &&
      resolution % kZooResolutionStep == 0) {
    return OkStatus();
  }
  return InvalidArgumentError("resolution is ", resolution, ", allowed for ",
                              model.name, ": multiples of ", kZooResolutionStep,
                              " from ", kZooResolutionStep, " to ",
                              kZooMaxResolution);
}

}  // namespace

Span<const ZooModel> ZooModels() { return kModels; }

Result<std::vector<uint8_t>> BuildZooModel(const ZooOptions& options) {
  ARENALITE_ASSIGN_OR_RETURN(const ZooModel* model, FindModel(options.name));
  ARENALITE_RETURN_IF_ERROR(CheckWidth(*model, options.width));
  ARENALITE_RETURN_IF_ERROR(CheckResolution(*model, options.resolution));
  ZooOptions complete = options;
  if (complete.resolution == 0) {
    complete.resolution = model->default_resolution;
  }
  ModelBuilder builder;
  LayerBuilder::Options layers;
  layers.type = options.int8 ? TensorType::kInt8 : TensorType::kFloat32;
  layers.seed = options.seed;
  LayerBuilder net(builder, layers);
  const int output = model->build(net, complete);
  const int input = builder.subgraph().inputs[0];
  builder.SetOutputs({output});
  builder.AddSignature(
      "serving_default",
      {{builder.tensor(input).name, static_cast<uint32_t>(input)}},
      {{"output", static_cast<uint32_t>(output)}});
  builder.spec().description = options.name + " with seeded weights";
  return builder.Finish();
}

namespace zoo {

int ScaledChannels(int channels, float width) {
  const float exact = static_cast<float>(channels) * width;
  const int rounded = std::max(8, static_cast<int>(exact + 4.0f) / 8 * 8);
  return static_cast<float>(rounded) < 0.9f * exact ? rounded + 8 : rounded;
}

}  // namespace zoo
}  // namespace arenalite
