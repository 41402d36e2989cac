// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D: output[y, x, c] = mean, maximum or
// root mean square of the window of input[.., c]; padding does not count.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/quantization.h"
#include "kernels/row_view.h"
#include "kernels/window_overlap.h"
#include "kernels/window_work.h"

namespace arenalite {
namespace {

struct PoolOptions {
  int32_t padding;
  int32_t stride_height, stride_width;
  int32_t filter_height, filter_width;
  int32_t activation;
};

struct PoolData {
  WindowAxis y, x;
  ActivationRange range;  // Of integer types.
  FloatRange float_range;
};

// Channels of one step: their sums lie on the stack.
constexpr int64_t kBlock = 128;

Status ParsePool(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::Pool2DOptions>(source);
  if (table == nullptr) return InvalidModelError("Pool2DOptions are missing");
  auto* parsed = static_cast<PoolOptions*>(options);
  parsed->padding = table->padding();
  parsed->stride_height = table->stride_h();
  parsed->stride_width = table->stride_w();
  parsed->filter_height = table->filter_height();
  parsed->filter_width = table->filter_width();
  parsed->activation = table->fused_activation_function();
  return OkStatus();
}

template <class T>
T Clamp(T value, const PoolData& data) {
  if constexpr (std::is_same_v<T, float>) {
    return std::min(std::max(value, data.float_range.min),
                    data.float_range.max);
  } else {
    return static_cast<T>(std::min<int32_t>(
        std::max<int32_t>(value, data.range.min), data.range.max));
  }
}

// The pools: how a window is summed up and finished.

template <class T>
struct Average {
  using Element = T;
  // Integers wrap around instead of overflowing under absurdly large windows.
  using Sum = std::conditional_t<std::is_same_v<T, float>, float, uint32_t>;

  static Sum Start() { return 0; }
  static Sum Add(Sum sum, T value) { return sum + static_cast<Sum>(value); }
  static T Finish(Sum sum, int64_t count) {
    if constexpr (std::is_same_v<T, float>) {
      return sum / static_cast<float>(count);
    } else {
      // Rounded to nearest, ties away from zero.
      const int64_t exact = static_cast<int32_t>(sum);
      const int64_t half = count / 2;
      return static_cast<T>((exact > 0 ? exact + half : exact - half) / count);
    }
  }
};

template <class T>
struct Maximum {
  using Element = T;
  using Sum = T;

  static T Start() { return std::numeric_limits<T>::lowest(); }
  static T Add(T sum, T value) { return std::max(sum, value); }
  static T Finish(T sum, int64_t) { return sum; }
};

struct RootMeanSquare {
  using Element = float;
  using Sum = float;

  static float Start() { return 0.0f; }
  static float Add(float sum, float value) { return sum + value * value; }
  static float Finish(float sum, int64_t count) {
    return std::sqrt(sum / static_cast<float>(count));
  }
};

// Channels [first, first + count) of output pixel (y, x) of a batch.
template <class Pool>
void ComputePixel(const PoolData& data,
                  RowView<const typename Pool::Element> batch, int64_t y,
                  int64_t x, Span<typename Pool::Element> output) {
  using Element = typename Pool::Element;
  const auto channels = static_cast<int64_t>(output.size());
  const IndexRange rows = data.y.Taps(y);
  const IndexRange columns = data.x.Taps(x);
  const int64_t taps =
      ((rows.end - rows.first) * (columns.end - columns.first));
  typename Pool::Sum sums[kBlock];
  for (int64_t first = 0; first < channels; first += kBlock) {
    const int64_t count = std::min(kBlock, channels - first);
    std::fill_n(sums, count, Pool::Start());
    for (int64_t r = rows.first; r < rows.end; ++r) {
      const Element* row = batch.Row(data.y.Start(y) + r) + first;
      for (int64_t c = columns.first; c < columns.end; ++c) {
        const Element* pixel = row + (data.x.Start(x) + c) * channels;
        for (int64_t i = 0; i < count; ++i) {
          sums[i] = Pool::Add(sums[i], pixel[i]);
        }
      }
    }
    Element* to = output.data() + first;
    for (int64_t i = 0; i < count; ++i) {
      to[i] = Clamp<Element>(Pool::Finish(sums[i], taps), data);
    }
  }
}

template <class Pool>
Status EvalPool(OpContext& context) {
  using Element = typename Pool::Element;
  const auto& data = context.data<PoolData>();
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  if (output.bytes == 0) return OkStatus();
  const int64_t channels = output.shape.dim(3);
  const RowView<const Element> in = {
      input.data_as<Element>(),
      input.shape.NumElements(2, 4) * static_cast<int64_t>(sizeof(Element))};
  const RowView<Element> out = {
      output.data_as<Element>(),
      output.shape.NumElements(2, 4) * static_cast<int64_t>(sizeof(Element))};
  const int64_t rows = output.shape.NumElements(0, 2);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t batch = row / data.y.output;
    for (int64_t x = 0; x < data.x.output; ++x) {
      ComputePixel<Pool>(data, {in.Row(batch * data.y.input), in.row_bytes},
                         row % data.y.output, x,
                         Span<Element>(out.Row(row) + x * channels,
                                       static_cast<size_t>(channels)));
    }
  }
  return OkStatus();
}

template <template <class> class Pool>
EvalFunction PickEval(TensorType type) {
  switch (type) {
    case TensorType::kFloat32:
      return EvalPool<Pool<float>>;
    case TensorType::kInt8:
      return EvalPool<Pool<int8_t>>;
    case TensorType::kUInt8:
      return EvalPool<Pool<uint8_t>>;
    case TensorType::kInt16:
      return EvalPool<Pool<int16_t>>;
    default:
      return nullptr;
  }
}

EvalFunction PickL2(TensorType type) {
  return type == TensorType::kFloat32 ? EvalPool<RootMeanSquare> : nullptr;
}

Status SetGeometry(const Shape& input, const PoolOptions& options,
                   PoolData* data) {
  return SetWindowAxes(
      input, {options.padding, options.filter_height, options.stride_height, 1},
      {options.padding, options.filter_width, options.stride_width, 1}, data);
}

Status SetRange(const Tensor& output, int32_t activation, PoolData* data) {
  if (output.type == TensorType::kFloat32) {
    ARENALITE_ASSIGN_OR_RETURN(data->float_range,
                               FloatActivationRange(activation));
  } else {
    ARENALITE_ASSIGN_OR_RETURN(data->range,
                               QuantizedActivationRange(activation, output));
  }
  return OkStatus();
}

template <EvalFunction (*kPick)(TensorType)>
Status PreparePool(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const Tensor& input = context.input(0);
  const Tensor& output = context.output(0);
  const EvalFunction eval = kPick(input.type);
  if (eval == nullptr) {
    return UnimplementedError("no kernel for input 0 of ",
                              TensorTypeName(input.type));
  }
  if (output.type != input.type || input.shape.rank() != 4) {
    return InvalidModelError("input 0 is ", TensorTypeName(input.type),
                             " of shape ", input.shape.dims(), ", output 0 ",
                             TensorTypeName(output.type),
                             ", allowed one type and rank 4");
  }
  const auto& options = context.options<PoolOptions>();
  ARENALITE_ASSIGN_OR_RETURN(PoolData * data, context.CreateData<PoolData>());
  ARENALITE_RETURN_IF_ERROR(SetGeometry(input.shape, options, data));
  ARENALITE_RETURN_IF_ERROR(SetRange(output, options.activation, data));
  context.SetEval(eval);
  const Shape shape = {input.shape.dim(0), data->y.output, data->x.output,
                       input.shape.dim(3)};
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, shape));
  return CheckWindowWork(shape.NumElements(), MostTaps(*data));
}

int64_t OverlapPool(const OpContext& context, int, int) {
  const auto& data = context.data<PoolData>();
  return WindowOverlap(context.input(0), context.output(0), data.y, data.x,
                       {kBlock, 1});
}

}  // namespace

namespace ops {

const OpDefinition kAveragePool2d = {
    "AVERAGE_POOL_2D",
    schema::BuiltinOperator_AVERAGE_POOL_2D,
    3,
    kOpDefault,
    sizeof(PoolOptions),
    ParsePool,
    PreparePool<PickEval<Average>>,
    nullptr,
    OverlapPool,
};
const OpDefinition kL2Pool2d = {
    "L2_POOL_2D",
    schema::BuiltinOperator_L2_POOL_2D,
    1,
    kOpDefault,
    sizeof(PoolOptions),
    ParsePool,
    PreparePool<PickL2>,
    nullptr,
    OverlapPool,
};
const OpDefinition kMaxPool2d = {
    "MAX_POOL_2D",
    schema::BuiltinOperator_MAX_POOL_2D,
    3,
    kOpDefault,
    sizeof(PoolOptions),
    ParsePool,
    PreparePool<PickEval<Maximum>>,
    nullptr,
    OverlapPool,
};

}  // namespace ops
}  // namespace arenalite
