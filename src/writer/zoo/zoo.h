// The zoo: well-known architectures as `.tflite` files with seeded weights.
// They have the layers, the size and the memory needs of the real ones, not
// their knowledge.

#ifndef ARENALITE_WRITER_ZOO_ZOO_H_
#define ARENALITE_WRITER_ZOO_ZOO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

class LayerBuilder;

struct ZooOptions {
  std::string name;    // One of ZooModels().
  bool int8 = false;   // Weights and activations; else float32.
  float width = 1.0f;  // Factor on the channel counts.
  int resolution = 0;  // Height and width of the input; 0: the usual one.
  uint64_t seed = 1;   // Of the weights. The same options give the same bytes.
};

// What a user can choose from.
struct ZooModel {
  const char* name;
  const char* description;  // One line.
  float min_width;          // Widths go up to 1; 1: there is no choice.
  int default_resolution;   // 0: there is no choice.
  // Adds the layers and returns the output; the options have been checked.
  int (*build)(LayerBuilder& net, const ZooOptions& options);
};

// All models, sorted by name.
Span<const ZooModel> ZooModels();

// Resolutions are multiples of the first from the first to the second.
constexpr int kZooResolutionStep = 32;
constexpr int kZooMaxResolution = 1024;

// The file. Errors name the option, its value and what is allowed: kNotFound
// for the name, kInvalidArgument for all others.
Result<std::vector<uint8_t>> BuildZooModel(const ZooOptions& options);

}  // namespace arenalite

#endif  // ARENALITE_WRITER_ZOO_ZOO_H_
