// RESIZE_NEAREST_NEIGHBOR: every output pixel is a copy of an input pixel.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/resize.h"
#include "kernels/row_view.h"
#include "kernels/window_overlap.h"

namespace arenalite {
namespace {

Status ParseNearest(const OpSource& source, void* options) {
  const auto* table =
      OptionsTable<schema::ResizeNearestNeighborOptions>(source);
  if (table == nullptr) return OkStatus();
  auto* parsed = static_cast<ResizeOptions*>(options);
  parsed->align_corners = table->align_corners();
  parsed->half_pixel_centers = table->half_pixel_centers();
  return OkStatus();
}

// The input position that output position `o` copies.
int64_t Nearest(const ResizeAxis& axis, float scale, int64_t o) {
  const float offset = axis.half_pixel_centers ? 0.5f : 0.0f;
  const float at = (static_cast<float>(o) + offset) * scale;
  const float whole = axis.align_corners ? std::round(at) : std::floor(at);
  return std::min(static_cast<int64_t>(whole), int64_t{axis.input} - 1);
}

Status EvalNearest(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(ResizeDynamicOutput(context));
  if (context.output(0).bytes == 0) return OkStatus();
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  const ResizeAxis y_axis = MakeResizeAxis(context, 1);
  const ResizeAxis x_axis = MakeResizeAxis(context, 2);
  const float y_scale = y_axis.Scale();
  const float x_scale = x_axis.Scale();
  const int64_t pixel =
      int64_t{input.shape.dim(3)} * (TensorTypeBits(input.type) / 8);
  if (output.bytes == 0) return OkStatus();
  const RowView<const uint8_t> in = {input.data_as<uint8_t>(),
                                     x_axis.input * pixel};
  const RowView<uint8_t> out = {output.data_as<uint8_t>(),
                                x_axis.output * pixel};
  const int64_t rows = output.shape.NumElements(0, 2);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t batch = row / y_axis.output * y_axis.input;
    const uint8_t* from =
        in.Row(batch + Nearest(y_axis, y_scale, row % y_axis.output));
    uint8_t* to = out.Row(row);
    for (int64_t x = 0; x < x_axis.output; ++x, to += pixel) {
      // The pixels of input and output may overlap.
      std::memmove(to, from + Nearest(x_axis, x_scale, x) * pixel,
                   static_cast<size_t>(pixel));
    }
  }
  return OkStatus();
}

Status PrepareNearest(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareResize(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
    case TensorType::kInt8:
    case TensorType::kUInt8:
    case TensorType::kInt16:
      return OkStatus();
    default:
      return UnimplementedError("input 0 is ",
                                TensorTypeName(context.input(0).type),
                                ", allowed FLOAT32, INT8, UINT8, INT16");
  }
}

int64_t OverlapNearest(const OpContext& context, int, int input) {
  // The size is read before anything is written.
  const Tensor& tensor = context.input(input);
  if (input != 0) return tensor.bytes;
  const ResizeAxis y_axis = MakeResizeAxis(context, 1);
  const ResizeAxis x_axis = MakeResizeAxis(context, 2);
  const float y_scale = y_axis.Scale();
  const float x_scale = x_axis.Scale();
  const int64_t pixel =
      int64_t{tensor.shape.dim(3)} * (TensorTypeBits(tensor.type) / 8);
  PixelWalk walk;
  walk.rows = context.output(0).shape.NumElements(0, 2);
  walk.columns = x_axis.output;
  walk.output_pixel_bytes = pixel;
  walk.output_row_bytes = walk.columns * pixel;
  walk.block_channels = pixel;  // Bytes: a pixel is copied at once.
  return WalkOverlap(
      walk, tensor.bytes,
      [&](int64_t row) {
        const int64_t batch = row / y_axis.output * y_axis.input;
        return (batch + Nearest(y_axis, y_scale, row % y_axis.output)) *
               x_axis.input * pixel;
      },
      [&](int64_t x) { return Nearest(x_axis, x_scale, x) * pixel; });
}

}  // namespace

namespace ops {

const OpDefinition kResizeNearestNeighbor = {
    "RESIZE_NEAREST_NEIGHBOR",
    schema::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR,
    4,
    kOpDefault,
    sizeof(ResizeOptions),
    ParseNearest,
    PrepareNearest,
    EvalNearest,
    OverlapNearest,
};

}  // namespace ops
}  // namespace arenalite
