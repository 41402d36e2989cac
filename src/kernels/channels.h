// Element-wise maps whose function depends on the channel: per-channel
// quantization.

#ifndef ARENALITE_KERNELS_CHANNELS_H_
#define ARENALITE_KERNELS_CHANNELS_H_

#include <algorithm>
#include <cstdint>

#include "kernels/quantization.h"
#include "kernels/unary.h"

namespace arenalite {

// One zero point may stand for all channels, none for 0.
inline int32_t ChannelZeroPoint(Span<const int64_t> zero_points, int64_t c) {
  if (zero_points.empty()) return 0;
  const size_t index = zero_points.size() > 1 ? static_cast<size_t>(c) : 0;
  return static_cast<int32_t>(zero_points[index]);
}

// Refuses a tensor whose scales and zero points fit neither the tensor nor its
// channels, or whose zero points leave `range`. With `need_scale`, also one
// without scales, and scales that nothing can be divided by.
Status CheckChannelQuantization(const Tensor& tensor, const char* what,
                                ActivationRange range, bool need_scale);

// F::ForChannel(c) gives the function of channel c.
template <class F>
struct ChannelMap {
  F functions;
  int64_t channels;
  int64_t inner;  // Elements of one channel that lie together.
};

// Blocks as in MapElements; within one, runs of a single channel.
template <class In, class Out, class F>
Status EvalChannelMap(OpContext& context) {
  typename Element<In>::Value gathered[kUnaryBlock];
  typename Element<Out>::Value computed[kUnaryBlock];
  const auto& map = context.data<ChannelMap<F>>();
  const Tensor& input = context.input(0);
  const int64_t elements = input.shape.NumElements();
  int64_t channel = 0;
  int64_t rest = map.inner;
  for (int64_t first = 0; first < elements; first += kUnaryBlock) {
    const int64_t count = std::min(kUnaryBlock, elements - first);
    Element<In>::Load(input.data, first, count, gathered);
    for (int64_t i = 0; i < count;) {
      const int64_t end = std::min(count, i + rest);
      const auto f = map.functions.ForChannel(channel);
      rest -= end - i;
      for (; i < end; ++i) computed[i] = f(gathered[i]);
      if (rest > 0) continue;
      rest = map.inner;
      channel = channel + 1 == map.channels ? 0 : channel + 1;
    }
    Element<Out>::Store(context.output(0).data, first, count, computed);
  }
  return OkStatus();
}

// prepare: eval is to apply `functions` along the quantized dimension of `q`,
// which CheckChannelQuantization has seen.
template <class In, class Out, class F>
Status SetChannelMap(OpContext& context, const Quantization& q,
                     const F& functions) {
  const Shape& shape = context.input(0).shape;
  const int axis = q.quantized_dimension;
  ARENALITE_ASSIGN_OR_RETURN(ChannelMap<F> * map,
                             context.CreateData<ChannelMap<F>>());
  map->functions = functions;
  map->channels = shape.dim(axis);
  map->inner = shape.NumElements(axis + 1, shape.rank());
  context.SetEval(EvalChannelMap<In, Out, F>);
  return OkStatus();
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_CHANNELS_H_
