// MaxPoolingWithArgmax2D, a custom operator of MediaPipe, for floats: MAX_POOL
// with a second output, the position of the maximum in its window.

#include <algorithm>
#include <limits>

#include "arenalite/custom_ops.h"
#include "kernels/pool_params.h"
#include "kernels/quantization.h"
#include "kernels/row_view.h"
#include "kernels/window_overlap.h"
#include "kernels/window_work.h"

namespace arenalite {
namespace {

struct ArgmaxData {
  WindowAxis y, x;
  FloatRange range;
};

// Channels of one step: their maxima lie on the stack.
constexpr int64_t kBlock = 64;

struct Maxima {
  float values[kBlock];
  float positions[kBlock];  // Row * filter width + column in the window.
};

// One output pixel of a batch.
struct Pixel {
  RowView<const float> batch;
  int64_t y, x;
  int64_t channels;
};

// The maxima of channels [first, first + count).
void FindMaxima(const ArgmaxData& data, const Pixel& at, int64_t first,
                int64_t count, Maxima* found) {
  const IndexRange rows = data.y.Taps(at.y);
  const IndexRange columns = data.x.Taps(at.x);
  std::fill_n(found->values, count, std::numeric_limits<float>::lowest());
  std::fill_n(found->positions, count, 0.0f);
  for (int64_t r = rows.first; r < rows.end; ++r) {
    const float* row = at.batch.Row(data.y.Start(at.y) + r) + first;
    for (int64_t c = columns.first; c < columns.end; ++c) {
      const float* pixel = row + (data.x.Start(at.x) + c) * at.channels;
      const auto position = static_cast<float>(r * data.x.window + c);
      for (int64_t i = 0; i < count; ++i) {
        if (!(pixel[i] > found->values[i])) continue;
        found->values[i] = pixel[i];
        found->positions[i] = position;
      }
    }
  }
}

Status EvalArgmax(OpContext& context) {
  const auto& data = context.data<ArgmaxData>();
  const Tensor& input = context.input(0);
  const Shape& shape = context.output(0).shape;
  if (context.output(0).bytes == 0) return OkStatus();
  const int64_t channels = shape.dim(3);
  const int64_t row_bytes =
      input.shape.NumElements(2, 4) * static_cast<int64_t>(sizeof(float));
  const RowView<const float> in = {input.data_as<float>(), row_bytes};
  float* values = context.output(0).data_as<float>();
  float* positions = context.output(1).data_as<float>();
  const int64_t pixels = shape.NumElements(0, 3);
  for (int64_t p = 0; p < pixels; ++p) {
    const int64_t row = p / data.x.output;
    const int64_t batch = row / data.y.output * data.y.input;
    const Pixel pixel = {{in.Row(batch), row_bytes},
                         row % data.y.output,
                         p % data.x.output,
                         channels};
    for (int64_t first = 0; first < channels; first += kBlock) {
      const int64_t count = std::min(kBlock, channels - first);
      Maxima found;
      FindMaxima(data, pixel, first, count, &found);
      for (int64_t i = 0; i < count; ++i) {
        *values++ =
            std::min(std::max(found.values[i], data.range.min), data.range.max);
        // MediaPipe adds 0.1, so that a reader may cut off the fraction.
        *positions++ = found.positions[i] + 0.1f;
      }
    }
  }
  return OkStatus();
}

Status PrepareArgmax(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 2, 2));
  ARENALITE_RETURN_IF_ERROR(CheckFloat(context.output(0), "output 0"));
  ARENALITE_RETURN_IF_ERROR(CheckFloat(context.output(1), "output 1"));
  ARENALITE_RETURN_IF_ERROR(CheckFloat(context.input(0), "input 0"));
  ARENALITE_RETURN_IF_ERROR(CheckImage(context.input(0), "input 0"));
  const Shape& input = context.input(0).shape;
  const auto& params = context.options<PoolParams>();
  ARENALITE_ASSIGN_OR_RETURN(ArgmaxData * data,
                             context.CreateData<ArgmaxData>());
  ARENALITE_RETURN_IF_ERROR(SetWindowAxes(
      input, {params.padding, params.filter_height, params.stride_height, 1},
      {params.padding, params.filter_width, params.stride_width, 1}, data));
  ARENALITE_ASSIGN_OR_RETURN(data->range,
                             FloatActivationRange(params.activation));
  const Shape output = {input.dim(0), data->y.output, data->x.output,
                        input.dim(3)};
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(1, output));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, output));
  return CheckWindowWork(output.NumElements(), MostTaps(*data));
}

int64_t OverlapArgmax(const OpContext& context, int output, int) {
  const auto& data = context.data<ArgmaxData>();
  return WindowOverlap(context.input(0), context.output(output), data.y, data.x,
                       {kBlock, 1});
}

}  // namespace

namespace ops {

const OpDefinition kMaxPoolingWithArgmax2d = {
    "MaxPoolingWithArgmax2D",
    kCustomOpCode,
    1,
    kOpDefault,
    sizeof(PoolParams),
    ParsePoolParams,
    PrepareArgmax,
    EvalArgmax,
    OverlapArgmax,
};

}  // namespace ops
}  // namespace arenalite
