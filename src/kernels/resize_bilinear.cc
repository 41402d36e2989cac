// RESIZE_BILINEAR: every output pixel is interpolated between the four input
// pixels around it: in float, or, for INT8 and INT16, in fixed point with 10
// fractional bits.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/resize.h"
#include "kernels/row_view.h"
#include "kernels/window_overlap.h"

namespace arenalite {
namespace {

// Channels of one step, interpolated on the stack.
constexpr int64_t kBlock = 128;

Status ParseBilinear(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::ResizeBilinearOptions>(source);
  if (table == nullptr) return OkStatus();
  auto* parsed = static_cast<ResizeOptions*>(options);
  parsed->align_corners = table->align_corners();
  parsed->half_pixel_centers = table->half_pixel_centers();
  return OkStatus();
}

// The two input positions around an output position, and how far it lies
// from the lower towards the upper one.
template <class Delta>
struct Between {
  int64_t lower = 0;
  int64_t upper = 0;
  Delta delta = 0;
};

// FLOAT32 and UINT8.
template <class T>
struct FloatLerp {
  using Element = T;
  ResizeAxis axis;
  float scale = 1.0f;

  explicit FloatLerp(const ResizeAxis& a) : axis(a), scale(a.Scale()) {}
  Between<float> At(int64_t o) const {
    const auto position = static_cast<float>(o);
    const float at = axis.half_pixel_centers ? (position + 0.5f) * scale - 0.5f
                                             : position * scale;
    const int64_t last = int64_t{axis.input} - 1;
    Between<float> result;
    result.lower =
        std::clamp<int64_t>(static_cast<int64_t>(std::floor(at)), 0, last);
    result.upper = std::min(static_cast<int64_t>(std::ceil(at)), last);
    result.delta = at - static_cast<float>(result.lower);
    return result;
  }
  // The order of the products is the reference's: it decides roundings.
  static T Mix(const T (&corners)[4], float dy, float dx) {
    constexpr float kRounding = std::is_integral_v<T> ? 0.5f : 0.0f;
    return static_cast<T>(static_cast<float>(corners[0]) * (1 - dy) * (1 - dx) +
                          static_cast<float>(corners[1]) * dy * (1 - dx) +
                          static_cast<float>(corners[2]) * (1 - dy) * dx +
                          static_cast<float>(corners[3]) * dy * dx + kRounding);
  }
};

// INT8 and INT16.
template <class T>
struct FixedLerp {
  using Element = T;
  using Wide = std::conditional_t<sizeof(T) == 1, int32_t, int64_t>;
  static constexpr int64_t kOne = 1 << 10;
  ResizeAxis axis;
  int64_t scale = kOne;

  explicit FixedLerp(const ResizeAxis& a) : axis(a) {
    const bool corners = a.align_corners && a.output > 1;
    const int64_t from = int64_t{a.input} - (corners ? 1 : 0);
    const int64_t to = int64_t{a.output} - (corners ? 1 : 0);
    scale = (kOne * from + to / 2) / to;
  }
  Between<Wide> At(int64_t o) const {
    const int64_t at =
        axis.half_pixel_centers ? o * scale + scale / 2 - kOne / 2 : o * scale;
    const int64_t last = int64_t{axis.input} - 1;
    Between<Wide> result;
    result.lower = std::clamp<int64_t>(at / kOne, 0, last);
    result.upper = std::min((at + kOne - 1) / kOne, last);
    // Where both are one position, any delta gives the same, and 0 fits.
    result.delta = result.upper == result.lower
                       ? 0
                       : static_cast<Wide>(at - result.lower * kOne);
    return result;
  }
  static T Mix(const T (&corners)[4], Wide dy, Wide dx) {
    constexpr Wide kWhole = kOne;
    const Wide sum = corners[0] * ((kWhole - dy) * (kWhole - dx)) +
                     corners[1] * (dy * (kWhole - dx)) +
                     corners[2] * ((kWhole - dy) * dx) + corners[3] * (dy * dx);
    const Wide half = sum > 0 ? 1 << 19 : -(1 << 19);
    return static_cast<T>((sum + half) / (1 << 20));
  }
};

template <class Lerp>
Status EvalBilinear(OpContext& context) {
  using T = typename Lerp::Element;
  ARENALITE_RETURN_IF_ERROR(ResizeDynamicOutput(context));
  if (context.output(0).bytes == 0) return OkStatus();
  const Lerp y_lerp(MakeResizeAxis(context, 1));
  const Lerp x_lerp(MakeResizeAxis(context, 2));
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  const int64_t channels = output.shape.dim(3);
  const int64_t pixel = channels * static_cast<int64_t>(sizeof(T));
  const RowView<const T> in = {input.data_as<T>(), x_lerp.axis.input * pixel};
  const RowView<T> out = {output.data_as<T>(), x_lerp.axis.output * pixel};
  const int64_t rows = output.shape.NumElements(0, 2);
  T block[kBlock];
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t batch = row / y_lerp.axis.output * y_lerp.axis.input;
    const auto y = y_lerp.At(row % y_lerp.axis.output);
    const T* low = in.Row(batch + y.lower);
    const T* high = in.Row(batch + y.upper);
    T* to = out.Row(row);
    for (int64_t column = 0; column < x_lerp.axis.output; ++column) {
      const auto x = x_lerp.At(column);
      const int64_t left = x.lower * channels;
      const int64_t right = x.upper * channels;
      for (int64_t first = 0; first < channels; first += kBlock) {
        const int64_t count = std::min(kBlock, channels - first);
        for (int64_t i = 0; i < count; ++i) {
          const int64_t c = first + i;
          block[i] = Lerp::Mix(
              {low[left + c], high[left + c], low[right + c], high[right + c]},
              y.delta, x.delta);
        }
        std::memcpy(to, block, static_cast<size_t>(count) * sizeof(T));
        to += count;
      }
    }
  }
  return OkStatus();
}

Status PrepareBilinear(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareResize(context));
  const auto& options = context.options<ResizeOptions>();
  if (options.align_corners && options.half_pixel_centers) {
    return InvalidModelError(
        "align_corners and half_pixel_centers are both true, allowed is one");
  }
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      context.SetEval(EvalBilinear<FloatLerp<float>>);
      return OkStatus();
    case TensorType::kUInt8:
      context.SetEval(EvalBilinear<FloatLerp<uint8_t>>);
      return OkStatus();
    case TensorType::kInt8:
      context.SetEval(EvalBilinear<FixedLerp<int8_t>>);
      return OkStatus();
    case TensorType::kInt16:
      context.SetEval(EvalBilinear<FixedLerp<int16_t>>);
      return OkStatus();
    default:
      return UnimplementedError("input 0 is ",
                                TensorTypeName(context.input(0).type),
                                ", allowed FLOAT32, INT8, UINT8, INT16");
  }
}

template <class Lerp>
int64_t LerpOverlap(const OpContext& context) {
  const Lerp y_lerp(MakeResizeAxis(context, 1));
  const Lerp x_lerp(MakeResizeAxis(context, 2));
  const Tensor& tensor = context.input(0);
  const auto bytes = static_cast<int64_t>(sizeof(typename Lerp::Element));
  const int64_t pixel = tensor.shape.dim(3) * bytes;
  const int64_t height = y_lerp.axis.output;
  PixelWalk walk;
  walk.rows = context.output(0).shape.NumElements(0, 2);
  walk.columns = x_lerp.axis.output;
  walk.output_channel_bytes = bytes;
  walk.output_pixel_bytes = pixel;
  walk.output_row_bytes = walk.columns * pixel;
  walk.block_channels = kBlock;
  walk.channels_per_input = 1;
  walk.input_channel_bytes = bytes;
  return WalkOverlap(
      walk, tensor.bytes,
      [&](int64_t row) {
        const int64_t batch = row / height * y_lerp.axis.input;
        return (batch + y_lerp.At(row % height).lower) * x_lerp.axis.input *
               pixel;
      },
      [&](int64_t x) { return x_lerp.At(x).lower * pixel; });
}

int64_t OverlapBilinear(const OpContext& context, int, int input) {
  // The size is read before anything is written.
  if (input != 0) return context.input(input).bytes;
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return LerpOverlap<FloatLerp<float>>(context);
    case TensorType::kUInt8:
      return LerpOverlap<FloatLerp<uint8_t>>(context);
    case TensorType::kInt8:
      return LerpOverlap<FixedLerp<int8_t>>(context);
    default:
      return LerpOverlap<FixedLerp<int16_t>>(context);
  }
}

}  // namespace

namespace ops {

const OpDefinition kResizeBilinear = {
    "RESIZE_BILINEAR",
    schema::BuiltinOperator_RESIZE_BILINEAR,
    4,
    kOpDefault,
    sizeof(ResizeOptions),
    ParseBilinear,
    PrepareBilinear,
    nullptr,
    OverlapBilinear,
};

}  // namespace ops
}  // namespace arenalite
