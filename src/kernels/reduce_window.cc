// REDUCE_WINDOW, STABLEHLO_REDUCE_WINDOW: the elements under a window joined
// to one, for each place of the window.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "base/checked_math.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/join.h"
#include "kernels/long_list.h"
#include "kernels/options.h"
#include "kernels/overlap_cost.h"
#include "kernels/window_work.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kInitial = 1;

// One dimension. Positions count along the input as the window sees it: with
// `base - 1` places between elements and `before` places in front, all of the
// initial value.
struct WindowAxis {
  int64_t size;      // Of the input.
  int64_t window;    // Elements under the window ...
  int64_t dilation;  // ... and places from one to the next.
  int64_t stride;    // From one place of the window to the next.
  int64_t base;
  int64_t before;  // Negative: cut off.
  int64_t after;
  int64_t step;  // Elements of the input from one index to the next.
};

struct WindowData {
  WindowAxis axes[kMaxRank];
  int rank;
  int element_bytes;
  JoinElements join;
};

// Places of the window along one dimension.
Result<int32_t> CountPlaces(const WindowAxis& axis, int i) {
  constexpr int64_t kMaxNumber = int64_t{1} << 31;
  constexpr int64_t kMaxCrop = int64_t{1} << 61;
  if (std::min({axis.window, axis.dilation, axis.stride, axis.base}) < 1 ||
      std::max({axis.window, axis.dilation, axis.stride, axis.base}) >
          kMaxNumber ||
      std::max(axis.before, axis.after) > kMaxNumber ||
      std::min(axis.before, axis.after) < -kMaxCrop) {
    return InvalidModelError("dimension ", i, " has window ", axis.window,
                             ", dilations ", axis.dilation, " and ", axis.base,
                             ", stride ", axis.stride, ", padding [",
                             axis.before, ",", axis.after, "], allowed are 1..",
                             kMaxNumber, " and paddings up to that");
  }
  const int64_t dilated = axis.size == 0 ? 0 : (axis.size - 1) * axis.base + 1;
  const int64_t padded = dilated + axis.before + axis.after;
  const int64_t window = (axis.window - 1) * axis.dilation + 1;
  if (padded < window) return 0;
  const int64_t places = (padded - window) / axis.stride + 1;
  if (places > INT32_MAX) {
    return InvalidModelError("dimension ", i, " of the output would be ",
                             places, ", allowed up to ", INT32_MAX);
  }
  return static_cast<int32_t>(places);
}

Status CheckWork(const WindowData& data, const Shape& output) {
  int64_t outputs = 1;
  int64_t window = 1;
  for (int i = 0; i < data.rank; ++i) {
    if (!CheckedMul(outputs, output.dim(i), &outputs)) outputs = INT64_MAX;
    if (!CheckedMul(window, data.axes[i].window, &window)) window = INT64_MAX;
  }
  return CheckWindowWork(outputs, window);
}

// Walks the places of the window and the elements under it. A result grows in
// `result_`: all that a place reads is read before it is written.
class WindowReducer {
 public:
  explicit WindowReducer(OpContext& context)
      : data_(context.data<WindowData>()),
        input_(context.input(0).data_as<uint8_t>()),
        initial_(context.input(kInitial).data_as<uint8_t>()),
        output_(context.output(0).data_as<uint8_t>()),
        output_shape_(context.output(0).shape) {}

  // All places of dimension i and those inside of it.
  void Run(int i) {
    if (i == data_.rank) {
      std::memcpy(result_, initial_, Bytes());
      Join(0, 0);
      std::memcpy(output_, result_, Bytes());
      output_ += data_.element_bytes;
      return;
    }
    for (place_[i] = 0; place_[i] < output_shape_.dim(i); ++place_[i]) {
      Run(i + 1);
    }
  }

 private:
  size_t Bytes() const { return static_cast<size_t>(data_.element_bytes); }

  // Joins what lies under the window in dimension i and those inside of it to
  // the current result. `offset`: of the input, from dimensions < i.
  void Join(int i, int64_t offset) {
    if (i == data_.rank) {
      data_.join(result_, input_ + offset * data_.element_bytes, 0, 1);
      return;
    }
    const WindowAxis& axis = data_.axes[i];
    const int64_t first = place_[i] * axis.stride - axis.before;
    if (i == data_.rank - 1 && axis.base == 1) {
      JoinRow(axis, first, offset);
      return;
    }
    for (int64_t w = 0; w < axis.window; ++w) {
      const int64_t position = first + w * axis.dilation;
      const int64_t index = position / axis.base;
      if (position < 0 || index >= axis.size || position % axis.base != 0) {
        JoinInitial(i + 1);
      } else {
        Join(i + 1, offset + index * axis.step);
      }
    }
  }

  // The innermost dimension, without places between its elements.
  void JoinRow(const WindowAxis& axis, int64_t first, int64_t offset) {
    const auto reach = [&](int64_t position) {  // Elements before `position`.
      const int64_t count =
          (position - first + axis.dilation - 1) / axis.dilation;
      return std::clamp<int64_t>(position <= first ? 0 : count, 0, axis.window);
    };
    const int64_t begin = reach(0);
    const int64_t end = std::max(begin, reach(axis.size));
    data_.join(result_, initial_, 0, begin);
    if (end > begin) {
      const int64_t index = first + begin * axis.dilation;
      data_.join(result_,
                 input_ + (offset + index * axis.step) * data_.element_bytes,
                 axis.dilation * axis.step, end - begin);
    }
    data_.join(result_, initial_, 0, axis.window - end);
  }

  // Nothing but the initial value lies under the dimensions from i on.
  void JoinInitial(int i) {
    int64_t count = 1;
    for (; i < data_.rank; ++i) count *= data_.axes[i].window;
    data_.join(result_, initial_, 0, count);
  }

  const WindowData& data_;
  const uint8_t* input_;
  const uint8_t* initial_;
  uint8_t* output_;
  const Shape& output_shape_;
  alignas(int64_t) uint8_t result_[sizeof(int64_t)];
  int64_t place_[kMaxRank] = {};
};

Status EvalReduceWindow(OpContext& context) {
  if (context.output(0).bytes > 0) WindowReducer(context).Run(0);
  return OkStatus();
}

// `data` holds all of the axes but sizes and steps.
Status PrepareWindow(OpContext& context, JoinFunction function,
                     WindowData& data) {
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, kInitial));
  const Tensor& input = context.input(0);
  data.join = FindJoin(function, input.type);
  data.element_bytes = TensorTypeBits(input.type) / 8;
  if (data.join == nullptr) {
    return UnimplementedError("input 0 is ", TensorTypeName(input.type),
                              ", allowed are FLOAT32, FLOAT64, BOOL, UINT8 and "
                              "signed integers");
  }
  const Shape& initial = context.input(kInitial).shape;
  if (initial.NumElements() != 1) {
    return InvalidModelError("input 1 (initial value) has shape ",
                             initial.dims(), ", allowed is one element");
  }
  int64_t steps[kMaxRank];
  RowMajorSteps(input.shape, steps);
  data.rank = input.shape.rank();
  Shape output = input.shape;
  for (int i = 0; i < data.rank; ++i) {
    data.axes[i].size = input.shape.dim(i);
    data.axes[i].step = steps[i];
    ARENALITE_ASSIGN_OR_RETURN(int32_t places, CountPlaces(data.axes[i], i));
    output.set_dim(i, places);
  }
  ARENALITE_RETURN_IF_ERROR(CheckWork(data, output));
  return context.SetOutputShape(0, output);
}

// --- STABLEHLO_REDUCE_WINDOW ---

struct StablehloOptions {
  LongList<> window;
  LongList<> strides;
  LongList<> dilations;
  LongList<> base_dilations;
  LongList<2 * kMaxRank> padding;
  JoinFunction function;
};

Status ParseStablehlo(const OpSource& source, void* options) {
  auto* parsed = static_cast<StablehloOptions*>(options);
  const auto* table =
      OptionsTable2<schema::StablehloReduceWindowOptions>(source);
  if (table == nullptr) return InvalidModelError("has no options");
  ARENALITE_RETURN_IF_ERROR(
      parsed->window.Parse("window_dimensions", table->window_dimensions()));
  ARENALITE_RETURN_IF_ERROR(
      parsed->strides.Parse("window_strides", table->window_strides()));
  ARENALITE_RETURN_IF_ERROR(
      parsed->dilations.Parse("window_dilations", table->window_dilations()));
  ARENALITE_RETURN_IF_ERROR(
      parsed->base_dilations.Parse("base_dilations", table->base_dilations()));
  ARENALITE_RETURN_IF_ERROR(parsed->padding.Parse("padding", table->padding()));
  ARENALITE_ASSIGN_OR_RETURN(
      int32_t body, source.OnlyOperatorOf(table->body_subgraph_index()));
  ARENALITE_ASSIGN_OR_RETURN(parsed->function, JoinOfOperator(body));
  return OkStatus();
}

Status PrepareStablehlo(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const auto& options = context.options<StablehloOptions>();
  const int rank = context.input(0).shape.rank();
  ARENALITE_RETURN_IF_ERROR(
      options.window.CheckSize("window_dimensions", rank));
  ARENALITE_RETURN_IF_ERROR(options.strides.CheckSize("window_strides", rank));
  ARENALITE_RETURN_IF_ERROR(
      options.dilations.CheckSize("window_dilations", rank));
  ARENALITE_RETURN_IF_ERROR(
      options.base_dilations.CheckSize("base_dilations", rank));
  ARENALITE_RETURN_IF_ERROR(options.padding.CheckSize("padding", 2 * rank));
  ARENALITE_ASSIGN_OR_RETURN(WindowData * data,
                             context.CreateData<WindowData>());
  for (int i = 0; i < rank; ++i) {
    WindowAxis& axis = data->axes[i];
    axis.window = options.window[i];
    axis.stride = options.strides[i];
    axis.dilation = options.dilations[i];
    axis.base = options.base_dilations[i];
    axis.before = options.padding[2 * i];
    axis.after = options.padding[2 * i + 1];
  }
  return PrepareWindow(context, options.function, *data);
}

// --- REDUCE_WINDOW: the retired form, with inputs for options ---

struct ReduceWindowOptions {
  JoinFunction function;
};

Status ParseReduceWindow(const OpSource& source, void* options) {
  auto* parsed = static_cast<ReduceWindowOptions*>(options);
  const auto* table = OptionsTable2<schema::ReduceWindowOptions>(source);
  const int32_t function = table ? table->reduce_function() : 0;
  switch (function) {
    case schema::ReduceWindowFunction_ADD:
      parsed->function = JoinFunction::kAdd;
      return OkStatus();
    case schema::ReduceWindowFunction_MUL:
      parsed->function = JoinFunction::kMul;
      return OkStatus();
    case schema::ReduceWindowFunction_MINIMUM:
      parsed->function = JoinFunction::kMin;
      return OkStatus();
    case schema::ReduceWindowFunction_MAXIMUM:
      parsed->function = JoinFunction::kMax;
      return OkStatus();
    case schema::ReduceWindowFunction_ALL:
      parsed->function = JoinFunction::kAll;
      return OkStatus();
    case schema::ReduceWindowFunction_ANY:
      parsed->function = JoinFunction::kAny;
      return OkStatus();
    default:
      return UnimplementedError("reduce_function is ", function,
                                ", allowed 1..6");
  }
}

Status PrepareReduceWindow(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(5, 5, 1, 1));
  const int rank = context.input(0).shape.rank();
  const char* const roles[] = {"window", "strides", "dilations"};
  for (int i = 2; i < 5; ++i) {
    const Tensor& numbers = context.input(i);
    ARENALITE_RETURN_IF_ERROR(
        CheckIndexType(context, i, roles[i - 2], {TensorType::kInt64}));
    if (numbers.shape.NumElements() != rank || !context.HasValue(numbers)) {
      return UnimplementedError(
          "input ", i, " (", roles[i - 2], ") has shape ", numbers.shape.dims(),
          ", allowed are constants of ", rank, " elements");
    }
  }
  ARENALITE_ASSIGN_OR_RETURN(WindowData * data,
                             context.CreateData<WindowData>());
  for (int i = 0; i < rank; ++i) {
    WindowAxis& axis = data->axes[i];
    axis.window = ReadInteger(context.input(2), i);
    axis.stride = ReadInteger(context.input(3), i);
    axis.dilation = ReadInteger(context.input(4), i);
    axis.base = 1;
  }
  return PrepareWindow(context, context.options<ReduceWindowOptions>().function,
                       *data);
}

// The first element of the input under a window, or -1 for none.
int64_t LowestUnder(const WindowAxis& axis, int64_t place) {
  const int64_t first = place * axis.stride - axis.before;
  int64_t w = first < 0 ? (-first + axis.dilation - 1) / axis.dilation : 0;
  // The gaps between elements come round after `base` places at most.
  const int64_t end = std::min(axis.window, w + axis.base);
  for (; w < end; ++w) {
    const int64_t position = first + w * axis.dilation;
    if (position % axis.base != 0) continue;
    return position / axis.base < axis.size ? position / axis.base : -1;
  }
  return -1;
}

// D is the least difference, over all places that read, of the lowest element
// read and of the elements written before. Both are sums over the dimensions,
// and so is their least difference. That nothing was written before the very
// first place is not made use of.
int64_t WindowOverlap(const OpContext& context, int, int input) {
  // The initial value is read for every place; the other inputs are constants.
  if (input != 0) return kNoOverlap;
  const auto& data = context.data<WindowData>();
  const Shape& output = context.output(0).shape;
  int64_t steps = 0;
  int64_t places[kMaxRank];
  RowMajorSteps(output, places);
  int64_t distance = 0;
  for (int i = 0; i < data.rank; ++i) {
    const WindowAxis& axis = data.axes[i];
    steps += output.dim(i) * std::min(axis.window, axis.base);
    if (steps > kMostOverlapSteps) return kNoOverlap;
    int64_t least = INT64_MAX;
    for (int32_t place = 0; place < output.dim(i); ++place) {
      const int64_t low = LowestUnder(axis, place);
      if (low < 0) continue;
      least = std::min(least, low * axis.step - place * places[i]);
    }
    if (least == INT64_MAX) return context.input(0).bytes;  // Reads nothing.
    distance += least;
  }
  return std::min(distance * data.element_bytes, context.input(0).bytes);
}

}  // namespace

namespace ops {

const OpDefinition kReduceWindow = {
    "REDUCE_WINDOW",
    schema::BuiltinOperator_REDUCE_WINDOW,
    1,
    kOpDefault,
    sizeof(ReduceWindowOptions),
    ParseReduceWindow,
    PrepareReduceWindow,
    EvalReduceWindow,
    WindowOverlap,
};
const OpDefinition kStablehloReduceWindow = {
    "STABLEHLO_REDUCE_WINDOW",
    schema::BuiltinOperator_STABLEHLO_REDUCE_WINDOW,
    1,
    kOpDefault,
    sizeof(StablehloOptions),
    ParseStablehlo,
    PrepareStablehlo,
    EvalReduceWindow,
    WindowOverlap,
};

}  // namespace ops
}  // namespace arenalite
