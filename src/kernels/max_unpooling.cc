// MaxUnpooling2D, a custom operator, for floats: scatters the maxima that a
// pooling found back to where it found them; the rest of the output is 0. The
// type of the indices (input 1) says where that is:
//   FLOAT32  MediaPipe: row * filter width + column in the maximum's window;
//   INT32    TensorFlow Lite: the element within the output's batch.

#include <algorithm>
#include <cstring>

#include "arenalite/custom_ops.h"
#include "kernels/pool_params.h"
#include "kernels/window.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct UnpoolingData {
  // Padding of the pooling; positions in the window count from there.
  int32_t before_height, before_width;
};

void ClearOutput(Tensor& output) {
  if (output.bytes == 0) return;
  std::memset(output.data, 0, static_cast<size_t>(output.bytes));
}

// `position` is data: what points outside of the output is left out.
void PlaceInWindow(const OpContext& context, int64_t pixel, int64_t channel,
                   float value, float position) {
  constexpr float kFarthest = 1e9f;
  if (!(position > -kFarthest && position < kFarthest)) return;
  const auto& data = context.data<UnpoolingData>();
  const auto& params = context.options<PoolParams>();
  const Shape& input = context.input(0).shape;
  const Shape& output = context.output(0).shape;
  const auto index = static_cast<int64_t>(position);
  const int64_t in_x = pixel % input.dim(2);
  const int64_t in_y = pixel / input.dim(2) % input.dim(1);
  const int64_t batch = pixel / input.dim(2) / input.dim(1);
  const int64_t x = in_x * params.stride_width - data.before_width +
                    index % params.filter_width;
  const int64_t y = in_y * params.stride_height - data.before_height +
                    index / params.filter_width;
  if (x < 0 || x >= output.dim(2) || y < 0 || y >= output.dim(1)) return;
  const int64_t to = (batch * output.dim(1) + y) * output.dim(2) + x;
  context.output(0).data_as<float>()[to * output.dim(3) + channel] = value;
}

Status EvalWindowPositions(OpContext& context) {
  const auto* values = context.input(0).data_as<float>();
  const auto* positions = context.input(1).data_as<float>();
  const Shape& shape = context.input(0).shape;
  if (context.input(0).bytes == 0) return OkStatus();
  ClearOutput(context.output(0));
  const int64_t pixels = shape.NumElements(0, 3);
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    for (int64_t channel = 0; channel < shape.dim(3); ++channel) {
      PlaceInWindow(context, pixel, channel, *values++, *positions++);
    }
  }
  return OkStatus();
}

Status EvalElementPositions(OpContext& context) {
  const auto* values = context.input(0).data_as<float>();
  const auto* positions = context.input(1).data_as<int32_t>();
  const Shape& input = context.input(0).shape;
  Tensor& output = context.output(0);
  ClearOutput(output);
  auto* to = output.data_as<float>();
  const int64_t size = input.NumElements(1, 4);
  const int64_t output_size = output.shape.NumElements(1, 4);
  for (int64_t batch = 0; batch < input.dim(0); ++batch, to += output_size) {
    for (int64_t i = 0; i < size; ++i) {
      const int32_t at = *positions++;
      if (at < 0 || at >= output_size) {
        return OutOfRangeError("input 1 (indices) holds ", at, ", allowed 0..",
                               output_size - 1);
      }
      to[at] = *values++;
    }
  }
  return OkStatus();
}

// Output height and width, by the definition that the indices' type selects.
Status SetShape(OpContext& context, UnpoolingData* data) {
  const Shape& input = context.input(0).shape;
  const auto& params = context.options<PoolParams>();
  const bool windows = context.input(1).type == TensorType::kFloat32;
  const int32_t filters[2] = {params.filter_height, params.filter_width};
  const int32_t strides[2] = {params.stride_height, params.stride_width};
  int32_t before[2];
  Shape output = input;
  for (int i = 0; i < 2; ++i) {
    const int64_t size = input.dim(i + 1);
    const int64_t reach = (size - 1) * strides[i] + filters[i];
    const int64_t same = size * strides[i];
    const int64_t stretched =
        windows ? size * filters[i]
                : (params.padding == schema::Padding_SAME ? same : reach);
    if (size == 0 || stretched > INT32_MAX) {
      return InvalidModelError("dimension ", i + 1, " of input shape ",
                               input.dims(), " unpools to ", stretched,
                               ", allowed 1..", INT32_MAX);
    }
    output.set_dim(i + 1, static_cast<int32_t>(stretched));
    const int64_t padding = std::max<int64_t>(0, reach - stretched) / 2;
    before[i] = static_cast<int32_t>(std::min<int64_t>(padding, INT32_MAX));
  }
  *data = {before[0], before[1]};
  return context.SetOutputShape(0, output);
}

Status PrepareUnpooling(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckFloat(context.output(0), "output 0"));
  ARENALITE_RETURN_IF_ERROR(CheckFloat(context.input(0), "input 0"));
  ARENALITE_RETURN_IF_ERROR(CheckImage(context.input(0), "input 0"));
  const Tensor& indices = context.input(1);
  if (indices.shape != context.input(0).shape) {
    return InvalidModelError("input 1 (indices) has shape ",
                             indices.shape.dims(), ", input 0 has ",
                             context.input(0).shape.dims());
  }
  ARENALITE_ASSIGN_OR_RETURN(UnpoolingData * data,
                             context.CreateData<UnpoolingData>());
  if (indices.type == TensorType::kFloat32) {
    context.SetEval(EvalWindowPositions);
  } else if (indices.type == TensorType::kInt32) {
    context.SetEval(EvalElementPositions);
  } else {
    return UnimplementedError("input 1 (indices) is ",
                              TensorTypeName(indices.type),
                              ", allowed FLOAT32 or INT32");
  }
  return SetShape(context, data);
}

}  // namespace

namespace ops {

// No overlap: the output is cleared first, then written where the data say.
const OpDefinition kMaxUnpooling2d = {
    "MaxUnpooling2D", kCustomOpCode,    1,       kOpDefault, sizeof(PoolParams),
    ParsePoolParams,  PrepareUnpooling, nullptr, nullptr,
};
const OpDefinition kLiteRtMaxUnpooling2d = {
    "LiteRtMaxUnpooling2D",
    kCustomOpCode,
    1,
    kOpDefault,
    sizeof(PoolParams),
    ParsePoolParams,
    PrepareUnpooling,
    nullptr,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
