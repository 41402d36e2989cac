// The arithmetic of convolutions, apart from the order in which they visit
// their tensors: what the loops of the convolution kernels are instantiated
// with.

#ifndef ARENALITE_KERNELS_CONV_MATH_H_
#define ARENALITE_KERNELS_CONV_MATH_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/conv_dot.h"
#include "kernels/conv_scaling.h"

namespace arenalite {

// Finishers: sum of products of one output element -> its value.

// Float output of float products.
struct Activate {
  using Output = float;
  const float* bias = nullptr;
  FloatRange range;

  void Bind(const ConvTensors& tensors, const ConvScaling& scaling) {
    bias = tensors.bias == nullptr ? nullptr : tensors.bias->data_as<float>();
    range = scaling.float_range;
  }
  float operator()(float sum, int64_t channel) const {
    const float real = sum + (bias == nullptr ? 0.0f : bias[channel]);
    return std::min(std::max(real, range.min), range.max);
  }
};

// Float output of integer products.
struct Dequantize {
  using Output = float;
  Activate activate;
  PerChannel<float> scales;  // Of the weights.
  float input_scale = 1.0f;

  void Bind(const ConvTensors& tensors, const ConvScaling& scaling) {
    activate.Bind(tensors, scaling);
    const Span<const float> all = tensors.weights->quantization.scales;
    scales = {all.data(), all.size() > 1 ? 1 : 0};
  }
  float operator()(int64_t sum, int64_t channel) const {
    return activate(
        static_cast<float>(sum) * (scales.at(channel) * input_scale), channel);
  }
};

// Integer output. B: the type of bias and accumulator, int32_t or int64_t.
template <class T, class B>
struct Requantize {
  using Output = T;
  const B* bias = nullptr;
  PerChannel<QuantizedMultiplier> multipliers;
  int32_t zero_point = 0;
  ActivationRange range;

  void Bind(const ConvTensors& tensors, const ConvScaling& scaling) {
    bias = tensors.bias == nullptr ? nullptr : tensors.bias->data_as<B>();
    multipliers = scaling.multipliers;
    zero_point = tensors.output->quantization.zero_point();
    range = scaling.range;
  }
  T operator()(int64_t sum, int64_t channel) const {
    // Sums are exact: narrowing them here wraps around like the reference's
    // accumulators.
    uint64_t total = static_cast<uint64_t>(sum);
    if (bias != nullptr) total += static_cast<uint64_t>(int64_t{bias[channel]});
    const int64_t scaled = MultiplyByQuantizedMultiplier(
        static_cast<B>(total), multipliers.at(channel));
    return static_cast<T>(std::min<int64_t>(
        std::max<int64_t>(scaled + zero_point, range.min), range.max));
  }
};

// Output channels [first, first + count) of a depthwise operator, each
// `multiplier` of which read one input channel.
struct DepthBlock {
  int64_t first = 0;
  int64_t count = 0;
  int64_t multiplier = 1;
  int64_t input = 0;  // first / multiplier: divided once, not for every tap.
};

// sums[i] += x[input channel of i] * w[i] for the channels of a block.
template <class Sum, class X, class W>
void AddProducts(const X* x, const W* w, DotOffsets offsets,
                 const DepthBlock& block, Sum* sums) {
  using Wide = std::conditional_t<std::is_same_v<X, float>, float, int16_t>;
  const auto x_offset = static_cast<Wide>(offsets.input);
  const auto w_offset = static_cast<Wide>(offsets.weights);
  const int64_t count = block.count;  // Not a member that `sums` may alias.
  if (block.multiplier == 1) {
    const X* values = x + block.first;
    for (int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<Wide>(values[i] + x_offset);
      sums[i] += static_cast<Sum>(value * static_cast<Wide>(w[i] + w_offset));
    }
    return;
  }
  int64_t i = 0;
  for (int64_t channel = block.input; i < count; ++channel) {
    const int64_t end =
        std::min(count, (channel + 1) * block.multiplier - block.first);
    const auto value = static_cast<Wide>(x[channel] + x_offset);
    for (; i < end; ++i) {
      sums[i] += static_cast<Sum>(value * static_cast<Wide>(w[i] + w_offset));
    }
  }
}

struct FloatMath {
  using Input = float;
  using Output = float;
  using Sum = float;                       // Of a dot product.
  using Products = float;                  // Of a depthwise sum.
  static constexpr int kMostChannels = 8;  // That Add takes at once.
  const float* weights = nullptr;
  Activate finish;

  void Bind(const ConvTensors& tensors, const ConvScaling& scaling) {
    weights = tensors.weights->data_as<float>();
    finish.Bind(tensors, scaling);
  }
  // What padding stands for.
  float Zero() const { return 0.0f; }
  // sums[n] += dot(x, weights from `weight` + n * step), n < channels (1,
  // 4 or kMostChannels).
  void Add(const float* x, int64_t weight, int64_t step, int64_t count,
           int channels, float* sums) const {
    AddDots(x, {weights + weight, step}, count, channels, sums);
  }
  // Adds the products of a depthwise block; its weights start at `weight`.
  void AddDepth(const float* x, int64_t weight, const DepthBlock& block,
                float* sums) const {
    AddProducts(x, weights + weight, DotOffsets{}, block, sums);
  }
};

// X, W: element types of input and weights; F: the finisher.
template <class X, class W, class F>
struct IntegerMath {
  using Input = X;
  using Output = typename F::Output;
  using Sum = int64_t;
  // 32 bits wrap around instead of overflowing when a filter is absurdly large.
  using Products = std::conditional_t<sizeof(X) == 1, uint32_t, int64_t>;
  static constexpr int kMostChannels = 4;
  const W* weights = nullptr;
  bool packed = false;  // 4-bit weights, two in a byte.
  DotOffsets offsets;
  F finish;

  void Bind(const ConvTensors& tensors, const ConvScaling& scaling) {
    weights = tensors.weights->data_as<W>();
    packed = tensors.weights->type == TensorType::kInt4;
    offsets.input =
        static_cast<int16_t>(-tensors.input->quantization.zero_point());
    if constexpr (std::is_unsigned_v<W>) {
      offsets.weights =
          static_cast<int16_t>(-tensors.weights->quantization.zero_point());
    }
    finish.Bind(tensors, scaling);
  }
  X Zero() const { return static_cast<X>(-offsets.input); }
  void Add(const X* x, int64_t weight, int64_t step, int64_t count,
           int channels, int64_t* sums) const {
    if (packed) return AddPacked(x, weight, step, count, channels, sums);
    AddDots(x, WeightRuns<W>{weights + weight, step}, count, offsets, channels,
            sums);
  }
  void AddDepth(const X* x, int64_t weight, const DepthBlock& block,
                Products* sums) const {
    if (packed) return AddDepthPacked(x, weight, block, sums);
    AddProducts(x, weights + weight, offsets, block, sums);
  }

 private:
  // 4-bit weights are unpacked where they are used, a piece at a time: an
  // unpacked copy would cost twice the memory of the file's.
  static constexpr int64_t kPiece = 128;
  void Unpack(int64_t weight, int64_t count, W* piece) const {
    UnpackInt4(reinterpret_cast<const uint8_t*>(weights), weight, count,
               reinterpret_cast<int8_t*>(piece));
  }
  void AddPacked(const X* x, int64_t weight, int64_t step, int64_t count,
                 int channels, int64_t* sums) const {
    W piece[4 * kPiece];
    for (int64_t i = 0; i < count; i += kPiece) {
      const int64_t size = std::min(kPiece, count - i);
      for (int n = 0; n < channels; ++n) {
        Unpack(weight + n * step + i, size, piece + n * kPiece);
      }
      AddDots(x + i, WeightRuns<W>{piece, kPiece}, size, offsets, channels,
              sums);
    }
  }
  void AddDepthPacked(const X* x, int64_t weight, const DepthBlock& block,
                      Products* sums) const {
    W piece[kPiece];
    for (int64_t i = 0; i < block.count; i += kPiece) {
      const int64_t size = std::min(kPiece, block.count - i);
      Unpack(weight + i, size, piece);
      const int64_t first = block.first + i;
      AddProducts(x, piece, offsets,
                  {first, size, block.multiplier, first / block.multiplier},
                  sums + i);
    }
  }
};

using Int8Math = IntegerMath<int8_t, int8_t, Requantize<int8_t, int32_t>>;
using UInt8Math = IntegerMath<uint8_t, uint8_t, Requantize<uint8_t, int32_t>>;
using Int16Math = IntegerMath<int16_t, int8_t, Requantize<int16_t, int64_t>>;
using Int16NarrowMath =
    IntegerMath<int16_t, int8_t, Requantize<int16_t, int32_t>>;
using HybridMath = IntegerMath<int8_t, int8_t, Dequantize>;

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_CONV_MATH_H_
