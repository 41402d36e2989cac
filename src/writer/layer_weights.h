// LayerWeights: the real weights of one layer, and their int8 form.

#ifndef ARENALITE_WRITER_LAYER_WEIGHTS_H_
#define ARENALITE_WRITER_LAYER_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "writer/model_spec.h"
#include "writer/prng.h"

namespace arenalite {

// Real values that a quantized tensor must be able to hold; contains 0.
struct Range {
  double low = -1;
  double high = 1;
};

// The int8 quantization with 255 steps over `range`.
Quant QuantOf(Range range);

struct LayerWeights {
  std::vector<int32_t> shape;
  int channel_dimension = 0;  // The output channel's.
  std::vector<float> values;
  std::vector<float> bias;   // One a channel, or empty: the input is left out.
  bool per_channel = false;  // For int8: a scale for each channel.

  size_t channels() const {
    return static_cast<size_t>(shape[static_cast<size_t>(channel_dimension)]);
  }
};

// Random weights for `weights.shape`, and biases when `with_bias`, so that for
// inputs with the given mean of squares the sums have a root mean square of
// `sigma`. Channels differ in size, as trained ones do.
void DrawWeights(LayerWeights& weights, Prng& prng, double input_mean_square,
                 double sigma, bool with_bias);

struct Int8Weights {
  std::vector<int8_t> values;
  std::vector<int32_t> bias;
  Quant quant;
  Quant bias_quant;
};

// Symmetric: the largest weight of a channel (or of all) becomes +-127, and
// biases take the scale of the products.
Int8Weights QuantizeWeights(const LayerWeights& weights, float input_scale);

}  // namespace arenalite

#endif  // ARENALITE_WRITER_LAYER_WEIGHTS_H_
