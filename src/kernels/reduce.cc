// MEAN, SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ANY, REDUCE_ALL.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/quantization.h"
#include "kernels/reduce_loops.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct ReduceOptions {
  bool keep_dims;
};

Status ParseReduce(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::ReducerOptions>(source);
  if (table != nullptr) {
    static_cast<ReduceOptions*>(options)->keep_dims = table->keep_dims();
  }
  return OkStatus();
}

// --- Reducers ----------------------------------------------------------------

// Integer sums and products wrap around, as they do on the reference's
// hardware; floats are left alone.
template <class T>
T WrappingAdd(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
}
template <class T>
T WrappingMultiply(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a * b;
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
}

// Reducers without parameters: the result is the accumulator.
template <class T>
struct PlainReducer {
  using Value = T;
  using Sum = T;
  PlainReducer(const OpContext&, const ReducePlan&) {}
  T First(T value) const { return value; }
  T Finish(T sum) const { return sum; }
};

template <class T>
struct Total : PlainReducer<T> {
  using PlainReducer<T>::PlainReducer;
  static constexpr T kOfNone = 0;
  T Step(T sum, T value) const { return WrappingAdd(sum, value); }
};
template <class T>
struct Product : PlainReducer<T> {
  using PlainReducer<T>::PlainReducer;
  static constexpr T kOfNone = 1;
  T Step(T sum, T value) const { return WrappingMultiply(sum, value); }
};
template <class T>
struct Largest : PlainReducer<T> {
  using PlainReducer<T>::PlainReducer;
  static constexpr T kOfNone = std::numeric_limits<T>::lowest();
  T Step(T sum, T value) const { return value > sum ? value : sum; }
};
template <class T>
struct Smallest : PlainReducer<T> {
  using PlainReducer<T>::PlainReducer;
  static constexpr T kOfNone = std::numeric_limits<T>::max();
  T Step(T sum, T value) const { return value < sum ? value : sum; }
};
// Bytes, because a file's BOOL may hold more than 0 and 1.
struct AnyOf : PlainReducer<uint8_t> {
  using PlainReducer::PlainReducer;
  static constexpr uint8_t kOfNone = 0;
  uint8_t First(uint8_t value) const { return value != 0; }
  uint8_t Step(uint8_t sum, uint8_t value) const {
    return static_cast<uint8_t>(sum | First(value));
  }
};
struct AllOf : PlainReducer<uint8_t> {
  using PlainReducer::PlainReducer;
  static constexpr uint8_t kOfNone = 1;
  uint8_t First(uint8_t value) const { return value != 0; }
  uint8_t Step(uint8_t sum, uint8_t value) const {
    return static_cast<uint8_t>(sum & First(value));
  }
};

// S: what the reference adds up in.
template <class T, class S>
struct Mean {
  using Value = T;
  using Sum = S;
  static constexpr T kOfNone = std::numeric_limits<T>::quiet_NaN();
  S divisor;
  Mean(const OpContext&, const ReducePlan& plan)
      : divisor(static_cast<S>(plan.count)) {}
  S First(T value) const { return static_cast<S>(value); }
  S Step(S sum, T value) const {
    return WrappingAdd(sum, static_cast<S>(value));
  }
  T Finish(S sum) const { return static_cast<T>(sum / divisor); }
};

// Quantized MEAN and SUM: adds raw values, then rescales from the input's
// scale to the output's, with the division by the count folded in.
template <class T, bool kIsMean>
struct Rescaled {
  using Value = T;
  using Sum = int32_t;
  static constexpr T kOfNone = 0;
  QuantizedMultiplier multiplier;
  int64_t offset;
  int32_t zero_point;

  Rescaled(const OpContext& context, const ReducePlan& plan) {
    const Quantization& in = context.input(0).quantization;
    const Quantization& out = context.output(0).quantization;
    multiplier = QuantizeMultiplier(double{in.scale()} / double{out.scale()});
    offset = -in.zero_point() * plan.count;
    zero_point = out.zero_point();
    if (!kIsMean) return;
    // The largest power of two <= count keeps the multiplier's precision;
    // bounded so that neither the product nor the shift leaves its range.
    int shift = 63 - __builtin_clzll(static_cast<uint64_t>(plan.count));
    shift = std::min({shift, 32, 31 + multiplier.shift});
    multiplier.multiplier = static_cast<int32_t>(
        (int64_t{multiplier.multiplier} << shift) / plan.count);
    multiplier.shift -= shift;
  }
  int32_t First(T value) const { return value; }
  int32_t Step(int32_t sum, T value) const {
    return WrappingAdd<int32_t>(sum, value);
  }
  T Finish(int32_t sum) const {
    const auto centered = static_cast<int32_t>(sum + offset);
    const int64_t value =
        int64_t{MultiplyByQuantizedMultiplier(centered, multiplier)} +
        zero_point;
    return static_cast<T>(std::clamp<int64_t>(
        value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

// Quantized REDUCE_PROD: each product is rescaled at once, by a factor whose
// power over all products is the wanted one, so that 32 bits hold it.
template <class T>
struct RescaledProduct {
  using Value = T;
  using Sum = int32_t;
  static constexpr T kOfNone = 0;
  QuantizedMultiplier multiplier;
  int32_t input_zero_point;
  int32_t output_zero_point;

  RescaledProduct(const OpContext& context, const ReducePlan& plan)
      : input_zero_point(context.input(0).quantization.zero_point()),
        output_zero_point(context.output(0).quantization.zero_point()) {
    const double in = context.input(0).quantization.scale();
    const double out = context.output(0).quantization.scale();
    multiplier = QuantizeMultiplier(
        in / std::pow(out, 1.0 / static_cast<double>(plan.count)));
  }
  int32_t First(T value) const { return value - input_zero_point; }
  int32_t Step(int32_t sum, T value) const {
    return MultiplyByQuantizedMultiplier(int64_t{sum} * First(value),
                                         multiplier);
  }
  T Finish(int32_t sum) const {
    const int64_t value =
        int64_t{MultiplyByQuantizedMultiplier(int64_t{sum}, multiplier)} +
        output_zero_point;
    return static_cast<T>(std::clamp<int64_t>(
        value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

// --- prepare and eval --------------------------------------------------------

// Bit i is set when axis i of `rank` ones is named.
Result<uint32_t> ReadAxes(const Tensor& axes, int rank) {
  uint32_t bits = 0;
  if (rank == 0) return bits;  // The reference ignores the axes of a scalar.
  const int64_t count = axes.shape.NumElements();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t axis = axes.data_as<int32_t>()[i];
    if (axis < -rank || axis >= rank) {
      return InvalidModelError("input 1 (axes) names axis ", axis, ", allowed ",
                               -rank, "..", rank - 1);
    }
    bits |= uint32_t{1} << (axis < 0 ? axis + rank : axis);
  }
  return bits;
}

// Reads the axes; fills the plan and gives the output's shape.
Result<Shape> PlanReduction(const OpContext& context, ReducePlan* plan) {
  const Shape& input = context.input(0).shape;
  ARENALITE_ASSIGN_OR_RETURN(uint32_t axes,
                             ReadAxes(context.input(1), input.rank()));
  *plan = MakeReducePlan(input, axes);
  const bool keep_dims = context.options<ReduceOptions>().keep_dims;
  Shape output;
  for (int i = 0; i < input.rank(); ++i) {
    const bool reduced = (axes >> i & 1) != 0;
    if (reduced && !keep_dims) continue;
    output.set_rank(output.rank() + 1);
    output.set_dim(output.rank() - 1, reduced ? 1 : input.dim(i));
  }
  return output;
}

struct ReduceData {
  ReducePlan plan;
  bool planned;  // False: the axes are known to eval only.
};

template <class Reducer>
Status EvalReduce(OpContext& context) {
  using Value = typename Reducer::Value;
  auto& data = context.data<ReduceData>();
  ReducePlan& plan = data.plan;
  if (!data.planned) {
    ARENALITE_ASSIGN_OR_RETURN(Shape shape, PlanReduction(context, &plan));
    ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  }
  if (plan.outputs == 0) return OkStatus();
  auto* values = context.output(0).data_as<Value>();
  if (plan.count == 0) {
    std::fill_n(values, plan.outputs, Reducer::kOfNone);
    return OkStatus();
  }
  Reduce(plan, Reducer(context, plan), context.input(0).data_as<Value>(),
         values);
  return OkStatus();
}

struct ReduceKernel {
  TensorType type;
  EvalFunction eval;
};

constexpr TensorType kF32 = TensorType::kFloat32;
constexpr TensorType kI32 = TensorType::kInt32;
constexpr TensorType kI64 = TensorType::kInt64;
constexpr TensorType kU8 = TensorType::kUInt8;
constexpr TensorType kI8 = TensorType::kInt8;
constexpr TensorType kI16 = TensorType::kInt16;

constexpr ReduceKernel kMeanKernels[] = {
    {kF32, EvalReduce<Mean<float, float>>},
    {kI32, EvalReduce<Mean<int32_t, int64_t>>},
    {kI64, EvalReduce<Mean<int64_t, int64_t>>},
    {kU8, EvalReduce<Rescaled<uint8_t, true>>},
    {kI8, EvalReduce<Rescaled<int8_t, true>>},
    {kI16, EvalReduce<Rescaled<int16_t, true>>},
};
constexpr ReduceKernel kSumKernels[] = {
    {kF32, EvalReduce<Total<float>>},
    {kI32, EvalReduce<Total<int32_t>>},
    {kI64, EvalReduce<Total<int64_t>>},
    {kU8, EvalReduce<Rescaled<uint8_t, false>>},
    {kI8, EvalReduce<Rescaled<int8_t, false>>},
    {kI16, EvalReduce<Rescaled<int16_t, false>>},
};
constexpr ReduceKernel kProductKernels[] = {
    {kF32, EvalReduce<Product<float>>},   {kI32, EvalReduce<Product<int32_t>>},
    {kI64, EvalReduce<Product<int64_t>>}, {kU8, EvalReduce<Product<uint8_t>>},
    {kI8, EvalReduce<Product<int8_t>>},   {kI16, EvalReduce<Product<int16_t>>},
};
constexpr ReduceKernel kQuantizedProductKernels[] = {
    {kI8, EvalReduce<RescaledProduct<int8_t>>},
    {kI16, EvalReduce<RescaledProduct<int16_t>>},
};
constexpr ReduceKernel kLargestKernels[] = {
    {kF32, EvalReduce<Largest<float>>},   {kI32, EvalReduce<Largest<int32_t>>},
    {kI64, EvalReduce<Largest<int64_t>>}, {kU8, EvalReduce<Largest<uint8_t>>},
    {kI8, EvalReduce<Largest<int8_t>>},   {kI16, EvalReduce<Largest<int16_t>>},
};
constexpr ReduceKernel kSmallestKernels[] = {
    {kF32, EvalReduce<Smallest<float>>},
    {kI32, EvalReduce<Smallest<int32_t>>},
    {kI64, EvalReduce<Smallest<int64_t>>},
    {kU8, EvalReduce<Smallest<uint8_t>>},
    {kI8, EvalReduce<Smallest<int8_t>>},
    {kI16, EvalReduce<Smallest<int16_t>>},
};
constexpr ReduceKernel kAnyKernels[] = {
    {TensorType::kBool, EvalReduce<AnyOf>},
};
constexpr ReduceKernel kAllKernels[] = {
    {TensorType::kBool, EvalReduce<AllOf>},
};

bool IsSmallInteger(TensorType type) {
  return type == kU8 || type == kI8 || type == kI16;
}

Status PrepareReduce(OpContext& context, Span<const ReduceKernel> kernels) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const Tensor& input = context.input(0);
  const Tensor& axes = context.input(1);
  const Tensor& output = context.output(0);
  if (output.type != input.type) {
    return InvalidModelError("output 0 is ", TensorTypeName(output.type),
                             ", but input 0 is ", TensorTypeName(input.type));
  }
  if (axes.type != kI32) {
    return InvalidModelError("input 1 (axes) is ", TensorTypeName(axes.type),
                             ", allowed INT32");
  }
  if (input.type == kI16 && (input.quantization.zero_point() != 0 ||
                             output.quantization.zero_point() != 0)) {
    return InvalidModelError("INT16 has zero points ",
                             input.quantization.zero_point(), " (input 0) and ",
                             output.quantization.zero_point(),
                             " (output 0), allowed 0");
  }
  const auto* kernel =
      std::find_if(kernels.begin(), kernels.end(),
                   [&](const ReduceKernel& k) { return k.type == input.type; });
  if (kernel == kernels.end()) {
    return UnimplementedError("no kernel for input 0 of ",
                              TensorTypeName(input.type));
  }
  context.SetEval(kernel->eval);
  ARENALITE_ASSIGN_OR_RETURN(ReduceData * data,
                             context.CreateData<ReduceData>());
  if (!context.HasValue(axes)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, PlanReduction(context, &data->plan));
  data->planned = true;
  return context.SetOutputShape(0, shape);
}

Status CheckBothQuantizations(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(context.input(0), "input 0"));
  return CheckPerTensorQuantization(context.output(0), "output 0");
}

Status PrepareRescaled(OpContext& context, Span<const ReduceKernel> kernels) {
  ARENALITE_RETURN_IF_ERROR(PrepareReduce(context, kernels));
  if (!IsSmallInteger(context.input(0).type)) return OkStatus();
  return CheckBothQuantizations(context);
}

Status PrepareMean(OpContext& context) {
  return PrepareRescaled(context, kMeanKernels);
}

Status PrepareSum(OpContext& context) {
  return PrepareRescaled(context, kSumKernels);
}

Status PrepareProduct(OpContext& context) {
  const Tensor* input = context.optional_input(0);
  if (input == nullptr || !IsSmallInteger(input->type) ||
      !input->quantization.has_scale()) {
    return PrepareReduce(context, kProductKernels);
  }
  ARENALITE_RETURN_IF_ERROR(PrepareReduce(context, kQuantizedProductKernels));
  ARENALITE_RETURN_IF_ERROR(CheckBothQuantizations(context));
  // The n-th root of the output's scale lies between it and 1. The 64-bit
  // multiplication shifts left by less than 15.
  const double out = context.output(0).quantization.scale();
  const double factor = input->quantization.scale() / std::min(out, 1.0);
  constexpr double kTooLarge = 16384.0;
  if (factor >= kTooLarge) {
    return InvalidModelError("input scale / output scale is ", factor,
                             ", allowed below ", kTooLarge);
  }
  return OkStatus();
}

// The result is one of the inputs, so both sides must mean the same by it.
Status PrepareExtreme(OpContext& context, Span<const ReduceKernel> kernels) {
  ARENALITE_RETURN_IF_ERROR(PrepareReduce(context, kernels));
  const Tensor& input = context.input(0);
  const Quantization& in = input.quantization;
  const Quantization& out = context.output(0).quantization;
  if (!IsSmallInteger(input.type) ||
      (in.scale() == out.scale() && in.zero_point() == out.zero_point())) {
    return OkStatus();
  }
  return InvalidModelError(
      "output 0 has scale ", out.scale(), " and zero point ", out.zero_point(),
      ", input 0 has ", in.scale(), " and ", in.zero_point());
}

Status PrepareMax(OpContext& context) {
  return PrepareExtreme(context, kLargestKernels);
}

Status PrepareMin(OpContext& context) {
  return PrepareExtreme(context, kSmallestKernels);
}

Status PrepareAny(OpContext& context) {
  return PrepareReduce(context, kAnyKernels);
}

Status PrepareAll(OpContext& context) {
  return PrepareReduce(context, kAllKernels);
}

int64_t OverlapReduce(const OpContext& context, int, int input) {
  const auto& data = context.data<ReduceData>();
  const ReducePlan& plan = data.plan;
  // A planned eval does not read the axes; an output that data shape has no
  // place in the plan.
  if (!data.planned) return kNoOverlap;
  const Tensor& in = context.input(input);
  if (input != 0 || plan.outputs == 0 || plan.count == 0) return in.bytes;
  return ReduceOverlap(plan, TensorTypeBits(in.type) / 8, in.bytes);
}

constexpr OpDefinition ReduceDefinition(const char* name, int32_t code,
                                        int32_t max_version,
                                        Status (*prepare)(OpContext&)) {
  OpDefinition definition;
  definition.name = name;
  definition.builtin_code = code;
  definition.max_version = max_version;
  definition.options_bytes = sizeof(ReduceOptions);
  definition.parse = ParseReduce;
  definition.prepare = prepare;
  definition.overlap = OverlapReduce;
  return definition;
}

}  // namespace

namespace ops {

constexpr OpDefinition kMean =
    ReduceDefinition("MEAN", schema::BuiltinOperator_MEAN, 3, PrepareMean);
constexpr OpDefinition kReduceAll = ReduceDefinition(
    "REDUCE_ALL", schema::BuiltinOperator_REDUCE_ALL, 1, PrepareAll);
constexpr OpDefinition kReduceAny = ReduceDefinition(
    "REDUCE_ANY", schema::BuiltinOperator_REDUCE_ANY, 1, PrepareAny);
constexpr OpDefinition kReduceMax = ReduceDefinition(
    "REDUCE_MAX", schema::BuiltinOperator_REDUCE_MAX, 3, PrepareMax);
constexpr OpDefinition kReduceMin = ReduceDefinition(
    "REDUCE_MIN", schema::BuiltinOperator_REDUCE_MIN, 3, PrepareMin);
constexpr OpDefinition kReduceProd = ReduceDefinition(
    "REDUCE_PROD", schema::BuiltinOperator_REDUCE_PROD, 2, PrepareProduct);
constexpr OpDefinition kSum =
    ReduceDefinition("SUM", schema::BuiltinOperator_SUM, 2, PrepareSum);

}  // namespace ops
}  // namespace arenalite
