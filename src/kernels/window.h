// Windows: how output positions of spatial operators map to input positions,
// along one axis.

#ifndef ARENALITE_KERNELS_WINDOW_H_
#define ARENALITE_KERNELS_WINDOW_H_

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

// Low() of an output position that reads nothing: above every real position.
constexpr int64_t kReadsNothing = INT64_MAX / 4;

struct IndexRange {
  int64_t first = 0;
  int64_t end = 0;  // <= first when empty.

  bool empty() const { return end <= first; }
};

// What a window operator says of one axis.
struct WindowOptions {
  int32_t padding = 0;  // schema::Padding.
  int32_t window = 1;   // Taps.
  int32_t stride = 1;
  int32_t dilation = 1;
};

// Output position o reads the inputs o * stride - before + tap * dilation that
// lie in [0, input), for tap in [0, window).
struct WindowAxis {
  int32_t input = 1;
  int32_t output = 1;
  int32_t window = 1;
  int32_t stride = 1;
  int32_t dilation = 1;
  int32_t before = 0;  // Padding ahead of the first element.

  int64_t Start(int64_t o) const { return o * stride - before; }
  // The taps that lie inside of the input.
  IndexRange Taps(int64_t o) const {
    const int64_t start = Start(o);
    const int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
    const int64_t room = input - start;
    const int64_t end = room <= 0 ? 0 : (room + dilation - 1) / dilation;
    return {first, std::min<int64_t>(window, end)};
  }
  // The lowest input position that o reads.
  int64_t Low(int64_t o) const {
    const IndexRange taps = Taps(o);
    return taps.empty() ? kReadsNothing : Start(o) + taps.first * dilation;
  }
};

// The axis of a forward window, with the output size and padding that
// TensorFlow Lite gives it. `axis` names it in errors: "height".
Result<WindowAxis> MakeWindowAxis(const char* axis, int32_t input,
                                  const WindowOptions& options);

// Sets the members y and x of `axes`, for an NHWC input.
template <class Axes>
Status SetWindowAxes(const Shape& input, const WindowOptions& y,
                     const WindowOptions& x, Axes* axes) {
  ARENALITE_ASSIGN_OR_RETURN(axes->y,
                             MakeWindowAxis("height", input.dim(1), y));
  ARENALITE_ASSIGN_OR_RETURN(axes->x, MakeWindowAxis("width", input.dim(2), x));
  return OkStatus();
}

// The axis of a transposed window. Input position i adds to the outputs
// i * stride - before + tap * dilation; output position o therefore gathers
// from the inputs i for which Tap(o, i) is a tap.
struct TransposedAxis {
  int32_t input = 1;
  int32_t output = 1;
  int32_t window = 1;
  int32_t stride = 1;
  int32_t dilation = 1;
  int32_t before = 0;

  // Inputs with a tap at o: first, first + step, ... below end.
  struct Range : IndexRange {
    int64_t step = 1;
  };
  Range Inputs(int64_t o) const {
    const int64_t at = o + before;
    const int64_t end = std::min<int64_t>(input, at / stride + 1);
    if (dilation == 1) {
      const int64_t first = at < window ? 0 : (at - window) / stride + 1;
      return {{first, end}, 1};
    }
    // Between two inputs that meet o there may be many that do not, all inside
    // of the dilated window. The last tap that lies on an input names the
    // first of them.
    for (int64_t tap = window - 1; tap >= 0; --tap) {
      const int64_t place = at - tap * dilation;
      if (place < 0 || place % stride != 0) continue;
      return {{place / stride, end}, dilation / std::gcd(stride, dilation)};
    }
    return {};
  }
  // The tap of input i (of Inputs(o)) at o.
  int64_t Tap(int64_t o, int64_t i) const {
    return (o + before - i * stride) / dilation;
  }
  int64_t Low(int64_t o) const {
    const Range inputs = Inputs(o);
    return inputs.empty() ? kReadsNothing : inputs.first;
  }
};

// The axis of a transposed window whose output size the model states. Refuses
// one from which a forward window would not lead back to `input` positions.
Result<TransposedAxis> MakeTransposedAxis(const char* axis, int32_t input,
                                          int32_t output,
                                          const WindowOptions& options);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_WINDOW_H_
