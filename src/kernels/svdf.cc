// SVDF: a fully connected layer over the last steps of a sequence, factorised
// into feature filters and time filters (Nakkiran et al. 2015, "Compressing
// deep neural networks using a rank-constrained topology").

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/quantization.h"
#include "kernels/recurrent.h"

namespace arenalite {
namespace {

enum Inputs { kInput, kFeatureWeights, kTimeWeights, kBias, kState };

struct SvdfOptions {
  int32_t rank;
  int32_t activation;
  bool asymmetric;
};

Status ParseSvdf(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::SVDFOptions>(source);
  if (table == nullptr) return InvalidModelError("has no SVDFOptions");
  *static_cast<SvdfOptions*>(options) = {table->rank(),
                                         table->fused_activation_function(),
                                         table->asymmetric_quantize_inputs()};
  if (table->rank() < 1) {
    return InvalidModelError("rank is ", table->rank(), ", allowed >= 1");
  }
  return CheckActivation(table->fused_activation_function());
}

struct SvdfData {
  int64_t batch;
  int64_t input_size;
  int64_t filters;
  int64_t units;
  int64_t memory;  // Steps that a filter remembers.
  int scratch;     // Hybrid: a quantized input vector. Else unused.
  // Integer: input to state, state to output.
  QuantizedMultiplier feature_scale;
  QuantizedMultiplier time_scale;
};

// Each filter's memory moves by one step; its last place is free.
template <class State>
void ShiftState(State* state, int64_t count) {
  if (count == 0) return;
  std::memmove(state, state + 1,
               static_cast<size_t>(count - 1) * sizeof(State));
}

// The product of a filter's memory with its time weights.
float TimeDot(const float* weights, const float* state, int64_t memory, float) {
  return FloatDot(weights, state, memory);
}
float TimeDot(const int8_t* weights, const float* state, int64_t memory,
              float scale) {
  float sum = 0.0f;
  for (int64_t m = 0; m < memory; ++m) {
    sum += static_cast<float>(weights[m]) * scale * state[m];
  }
  return sum;
}

// Weight: float or int8_t, of the time weights; Vector: of the features.
template <class Weight, class Vector>
Status EvalSvdf(OpContext& context) {
  const auto& data = context.data<SvdfData>();
  const auto& options = context.options<SvdfOptions>();
  const Matrix features = BindMatrix(&context.input(kFeatureWeights));
  const Tensor& time = context.input(kTimeWeights);
  const auto* time_weights = time.data_as<Weight>();
  const Tensor* bias = context.optional_input(kBias);
  auto* state = context.variable(kState)->data_as<float>();
  const auto* input = context.input(kInput).data_as<float>();
  auto* output = context.output(0).data_as<float>();
  const int64_t memory = data.memory;
  const int64_t state_size = data.filters * memory;
  Vector vector(
      data.scratch < 0 ? nullptr : context.scratch<int8_t>(data.scratch),
      options.asymmetric);
  ShiftState(state, data.batch * state_size);
  for (int64_t b = 0; b < data.batch && state_size > 0; ++b) {
    float* newest = state + b * state_size + memory - 1;
    vector.Set(input + b * data.input_size, data.input_size);
    for (int64_t f = 0; f < data.filters; ++f) {
      float sum = 0.0f;
      vector.AddProduct(features.Row(f, sizeof(Weight)), &sum);
      newest[f * memory] = sum;
    }
  }
  // All inputs are read by now.
  for (int64_t i = 0; i < data.batch * data.units; ++i) {
    const int64_t unit = i % data.units;
    float sum = 0.0f;
    for (int64_t r = 0; r < options.rank && memory > 0; ++r) {
      sum += TimeDot(time_weights + (unit * options.rank + r) * memory,
                     state + (i * options.rank + r) * memory, memory,
                     time.quantization.scale());
    }
    output[i] = sum + (bias != nullptr ? bias->data_as<float>()[unit] : 0.0f);
  }
  ApplyActivation(options.activation, output, data.batch * data.units);
  return OkStatus();
}

// State: int16_t, or int8_t of newer files; time weights are of its type.
template <class State>
Status EvalIntegerSvdf(OpContext& context) {
  const auto& data = context.data<SvdfData>();
  const int32_t rank = context.options<SvdfOptions>().rank;
  const Tensor& input = context.input(kInput);
  const auto* features = context.input(kFeatureWeights).data_as<int8_t>();
  const auto* time_weights = context.input(kTimeWeights).data_as<State>();
  const Tensor* bias = context.optional_input(kBias);
  auto* state = context.variable(kState)->data_as<State>();
  Tensor& output = context.output(0);
  const int64_t memory = data.memory;
  const int64_t state_size = data.filters * memory;
  // The reference takes 16-bit states as symmetric, whatever the file says.
  const int32_t state_zero =
      sizeof(State) == 1 ? context.input(kState).quantization.zero_point() : 0;
  ShiftState(state, data.batch * state_size);
  for (int64_t i = 0; i < data.batch * data.filters && memory > 0; ++i) {
    const int64_t dot =
        OffsetDot(features + i % data.filters * data.input_size, 0,
                  input.data_as<int8_t>() + i / data.filters * data.input_size,
                  -input.quantization.zero_point(), data.input_size);
    const int64_t scaled = int64_t{MultiplyByQuantizedMultiplier(
                               static_cast<int32_t>(dot), data.feature_scale)} +
                           state_zero;
    state[i * memory + memory - 1] = static_cast<State>(
        std::clamp<int64_t>(scaled, std::numeric_limits<State>::min(),
                            std::numeric_limits<State>::max()));
  }
  for (int64_t i = 0; i < data.batch * data.units; ++i) {
    const int64_t unit = i % data.units;
    int64_t sum = bias != nullptr ? bias->data_as<int32_t>()[unit] : 0;
    for (int64_t r = 0; r < rank && memory > 0; ++r) {
      sum += OffsetDot(time_weights + (unit * rank + r) * memory, 0,
                       state + (i * rank + r) * memory, -state_zero, memory);
    }
    const auto clamped =
        static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
    const int64_t scaled =
        int64_t{MultiplyByQuantizedMultiplier(clamped, data.time_scale)} +
        output.quantization.zero_point();
    output.data_as<int8_t>()[i] =
        static_cast<int8_t>(std::clamp<int64_t>(scaled, INT8_MIN, INT8_MAX));
  }
  return OkStatus();
}

// Sizes from the shapes; refuses those that contradict each other.
Result<SvdfData> MakeData(const OpContext& context) {
  const Tensor& input = context.input(kInput);
  const Tensor& features = context.input(kFeatureWeights);
  const Tensor& time = context.input(kTimeWeights);
  const int32_t rank = context.options<SvdfOptions>().rank;
  if (input.shape.rank() != 2 || features.shape.rank() != 2 ||
      time.shape.rank() != 2 || features.shape.dim(1) != input.shape.dim(1) ||
      time.shape.dim(0) != features.shape.dim(0) ||
      features.shape.dim(0) % rank != 0) {
    return InvalidModelError("input 0 has shape ", input.shape.dims(),
                             ", input 1 (feature weights) ",
                             features.shape.dims(), ", input 2 (time weights) ",
                             time.shape.dims(),
                             "; allowed [b,i], [f,i], [f,m] with f a multiple "
                             "of the rank, ",
                             rank);
  }
  SvdfData data = {};
  data.batch = input.shape.dim(0);
  data.input_size = input.shape.dim(1);
  data.filters = features.shape.dim(0);
  data.units = data.filters / rank;
  data.memory = time.shape.dim(1);
  data.scratch = -1;
  return data;
}

Status CheckTypes(const OpContext& context, const SvdfData& data,
                  TensorType feature_weights, TensorType time_weights,
                  TensorType bias, TensorType state) {
  const Tensor& features = context.input(kFeatureWeights);
  const Tensor& time = context.input(kTimeWeights);
  ARENALITE_RETURN_IF_ERROR(CheckWeights(features, "input 1 (feature weights)",
                                         feature_weights, features.shape));
  ARENALITE_RETURN_IF_ERROR(
      CheckWeights(time, "input 2 (time weights)", time_weights, time.shape));
  if (const Tensor* tensor = context.optional_input(kBias)) {
    ARENALITE_RETURN_IF_ERROR(
        CheckTensor(*tensor, "input 3 (bias)", bias,
                    Shape({static_cast<int32_t>(data.units)})));
  }
  const Shape& shape = context.input(kState).shape;
  const int64_t state_size = data.memory * data.filters;
  if (shape.rank() != 2 || shape.dim(0) != data.batch ||
      shape.dim(1) != state_size) {
    return InvalidModelError("input 4 (state) has shape ", shape.dims(),
                             ", allowed [", data.batch, ",", state_size, "]");
  }
  return CheckState(context.variable(kState), "input 4 (state)", state,
                    shape.NumElements());
}

Status PrepareInteger(OpContext& context, SvdfData& data) {
  const TensorType state = context.input(kState).type;
  if (state != TensorType::kInt16 && state != TensorType::kInt8) {
    return UnimplementedError("input 4 (state) is ", TensorTypeName(state),
                              " for an INT8 input, allowed INT16 or INT8");
  }
  ARENALITE_RETURN_IF_ERROR(CheckTypes(context, data, TensorType::kInt8, state,
                                       TensorType::kInt32, state));
  constexpr const char* kNames[] = {"input 0", "input 1", "input 2", "",
                                    "input 4 (state)"};
  for (const int i : {kInput, kFeatureWeights, kTimeWeights, kState}) {
    ARENALITE_RETURN_IF_ERROR(
        CheckPerTensorQuantization(context.input(i), kNames[i]));
  }
  ARENALITE_RETURN_IF_ERROR(
      CheckPerTensorQuantization(context.output(0), "output 0"));
  const auto scale = [&](int i) {
    return static_cast<double>(context.input(i).quantization.scale());
  };
  data.feature_scale = QuantizeMultiplier(
      scale(kInput) * scale(kFeatureWeights) / scale(kState));
  data.time_scale = QuantizeMultiplier(
      scale(kState) * scale(kTimeWeights) /
      static_cast<double>(context.output(0).quantization.scale()));
  context.SetEval(state == TensorType::kInt16 ? EvalIntegerSvdf<int16_t>
                                              : EvalIntegerSvdf<int8_t>);
  return OkStatus();
}

Status PrepareFloat(OpContext& context, SvdfData& data) {
  const TensorType weights = context.input(kFeatureWeights).type;
  const bool hybrid = IsHybridWeight(weights);
  ARENALITE_RETURN_IF_ERROR(
      CheckTypes(context, data, hybrid ? weights : TensorType::kFloat32,
                 hybrid ? weights : TensorType::kFloat32, TensorType::kFloat32,
                 TensorType::kFloat32));
  if (!hybrid) {
    context.SetEval(EvalSvdf<float, FloatVector>);
    return OkStatus();
  }
  ARENALITE_ASSIGN_OR_RETURN(data.scratch,
                             context.RequestScratch(data.input_size));
  context.SetEval(EvalSvdf<int8_t, HybridVector>);
  return OkStatus();
}

Status PrepareSvdf(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 5, 1, 1));
  if (context.num_inputs() != 5 || context.optional_input(kState) == nullptr) {
    return InvalidModelError("input 4 (state) is absent");
  }
  ARENALITE_ASSIGN_OR_RETURN(SvdfData * data, context.CreateData<SvdfData>());
  ARENALITE_ASSIGN_OR_RETURN(*data, MakeData(context));
  const Tensor& input = context.input(kInput);
  if (context.output(0).type != input.type) {
    return InvalidModelError("output 0 is ",
                             TensorTypeName(context.output(0).type),
                             ", but input 0 is ", TensorTypeName(input.type));
  }
  if (input.type == TensorType::kInt8) {
    ARENALITE_RETURN_IF_ERROR(PrepareInteger(context, *data));
  } else if (input.type == TensorType::kFloat32) {
    ARENALITE_RETURN_IF_ERROR(PrepareFloat(context, *data));
  } else {
    return UnimplementedError("input 0 is ", TensorTypeName(input.type),
                              ", allowed FLOAT32 or INT8");
  }
  return context.SetOutputShape(0, Shape({static_cast<int32_t>(data->batch),
                                          static_cast<int32_t>(data->units)}));
}

// The input is in the state before any output is written; weights and bias are
// read to the end.
int64_t SvdfOverlap(const OpContext& context, int, int input) {
  return input == kInput ? context.input(kInput).bytes : kNoOverlap;
}

}  // namespace

namespace ops {

const OpDefinition kSvdf = {
    "SVDF",
    schema::BuiltinOperator_SVDF,
    4,
    kOpHasState,
    sizeof(SvdfOptions),
    ParseSvdf,
    PrepareSvdf,
    nullptr,
    SvdfOverlap,
};

}  // namespace ops
}  // namespace arenalite
