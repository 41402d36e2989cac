// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/philox.h"
#include "kernels/shape_tensor.h"

namespace arenalite {
namespace {

struct RandomOptions {
  int64_t seed;
  int64_t seed2;
};

Status ParseRandom(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::RandomOptions>(source);
  if (table == nullptr) return OkStatus();
  *static_cast<RandomOptions*>(options) = {table->seed(), table->seed2()};
  return OkStatus();
}

// The stream goes on from Invoke to Invoke; prepare starts it again.
struct RandomData {
  PhiloxStream stream;
  int scratch;  // MULTINOMIAL: cumulative probabilities.
};

// Two seeds of 0 ask for numbers that differ from run to run.
Result<RandomData*> StartStream(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(RandomData * data,
                             context.CreateData<RandomData>());
  const auto& options = context.options<RandomOptions>();
  auto seed = static_cast<uint64_t>(options.seed);
  auto seed2 = static_cast<uint64_t>(options.seed2);
  if (seed == 0 && seed2 == 0) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    seed = static_cast<uint64_t>(now.count());
    seed2 = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(data));
  }
  data->stream = PhiloxStream(seed, seed2);
  return data;
}

// 23 random bits as a number of [0, 1).
float ToUnit(uint32_t word) {
  const uint32_t bits = (127u << 23) | (word & 0x7FFFFFu);
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value - 1.0f;
}

// 52 random bits as a number of [0, 1).
double ToUnit(uint32_t high, uint32_t low) {
  const uint64_t bits =
      (uint64_t{1023} << 52) | (uint64_t{high & 0xFFFFFu} << 32) | low;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value - 1.0;
}

struct Uniform {
  static void Fill(const Words4& words, float* out) {
    for (size_t i = 0; i < 4; ++i) out[i] = ToUnit(words[i]);
  }
};

// The Box-Muller transform.
struct StandardNormal {
  static void Fill(const Words4& words, float* out) {
    constexpr double kTwoPi = 6.283185307179586;
    for (size_t i = 0; i < 4; i += 2) {
      const float u = std::max(ToUnit(words[i]), 1.0e-7f);
      const auto angle = static_cast<float>(
          kTwoPi * static_cast<double>(ToUnit(words[i + 1])));
      const float radius = std::sqrt(-2.0f * std::log(u));
      out[i] = std::sin(angle) * radius;
      out[i + 1] = std::cos(angle) * radius;
    }
  }
};

template <class Distribution>
Status EvalRandom(OpContext& context) {
  Tensor& output = context.output(0);
  if (output.is_dynamic()) {
    ARENALITE_ASSIGN_OR_RETURN(const Shape shape,
                               ReadShape(context, 0, "shape"));
    ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  }
  PhiloxStream& stream = context.data<RandomData>().stream;
  auto* out = output.data_as<float>();
  const int64_t count = output.shape.NumElements();
  for (int64_t i = 0; i < count; i += 4) {
    float block[4];
    Distribution::Fill(stream.Next(), block);
    std::copy_n(block, std::min<int64_t>(4, count - i), out + i);
  }
  return OkStatus();
}

Status PrepareRandom(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const Tensor& shape_tensor = context.input(0);
  if (shape_tensor.type != TensorType::kInt32 ||
      shape_tensor.shape.rank() != 1) {
    return InvalidModelError("input 0 (shape) is ",
                             TensorTypeName(shape_tensor.type), " of shape ",
                             shape_tensor.shape.dims(), ", allowed 1-D INT32");
  }
  const TensorType type = context.output(0).type;
  if (type != TensorType::kFloat32) {
    return UnimplementedError("output 0 is ", TensorTypeName(type),
                              ", allowed FLOAT32");
  }
  ARENALITE_RETURN_IF_ERROR(StartStream(context).status());
  if (!context.HasValue(shape_tensor)) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(const Shape shape, ReadShape(context, 0, "shape"));
  return context.SetOutputShape(0, shape);
}

// Sums of exp(logit - largest), where logits are finite. Returns the total.
double Accumulate(const float* logits, int64_t classes, double* sums) {
  float max = std::numeric_limits<float>::lowest();
  for (int64_t i = 0; i < classes; ++i) {
    if (std::isfinite(logits[i])) max = std::max(max, logits[i]);
  }
  double total = 0.0;
  for (int64_t i = 0; i < classes; ++i) {
    if (std::isfinite(logits[i])) {
      total +=
          std::exp(static_cast<double>(logits[i]) - static_cast<double>(max));
    }
    sums[i] = total;
  }
  return total;
}

template <class Int>
void DrawSamples(const OpContext& context, int64_t samples) {
  auto& data = context.data<RandomData>();
  const Shape& shape = context.input(0).shape;
  const int64_t batch = shape.dim(0);
  const int64_t classes = shape.dim(1);
  const auto* logits = context.input(0).data_as<float>();
  auto* sums = context.scratch<double>(data.scratch);
  auto* out = context.output(0).data_as<Int>();
  // Far more than is drawn: TensorFlow leaves room for kernels that draw an
  // unknown number, and the next Invoke goes on where it would.
  PhiloxStream stream = data.stream;
  const auto groups = static_cast<uint64_t>((samples + 3) / 4 * 4);
  data.stream.Skip(static_cast<uint64_t>(batch) * groups * 2 * 256);
  Words4 words = {};
  size_t used = words.size();
  for (int64_t b = 0; b < batch; ++b) {
    const double total = Accumulate(logits + b * classes, classes, sums);
    for (int64_t i = 0; i < samples; ++i) {
      if (used == words.size()) {
        words = stream.Next();
        used = 0;
      }
      const double wanted = ToUnit(words[used], words[used + 1]) * total;
      used += 2;
      const int64_t found =
          std::upper_bound(sums, sums + classes, wanted) - sums;
      *out++ = static_cast<Int>(std::min(found, classes - 1));
    }
  }
}

Result<int32_t> ReadNumSamples(const OpContext& context) {
  const int32_t samples = *context.input(1).data_as<int32_t>();
  if (samples >= 0) return samples;
  return OutOfRangeError("input 1 (num_samples) is ", samples,
                         ", allowed >= 0");
}

template <class Int>
Status EvalMultinomial(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(const int32_t samples, ReadNumSamples(context));
  if (context.output(0).is_dynamic()) {
    ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(
        0, Shape({context.input(0).shape.dim(0), samples})));
  }
  DrawSamples<Int>(context, samples);
  return OkStatus();
}

Status CheckMultinomial(const OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  const Tensor& logits = context.input(0);
  if (logits.type != TensorType::kFloat32 || logits.shape.rank() != 2 ||
      logits.shape.dim(1) == 0) {
    return InvalidModelError(
        "input 0 (logits) is ", TensorTypeName(logits.type), " of shape ",
        logits.shape.dims(), ", allowed FLOAT32 [batch, classes > 0]");
  }
  const Tensor& samples = context.input(1);
  if (samples.type == TensorType::kInt32 && samples.shape.rank() == 0) {
    return OkStatus();
  }
  return InvalidModelError("input 1 (num_samples) is ",
                           TensorTypeName(samples.type), " of shape ",
                           samples.shape.dims(), ", allowed an INT32 scalar");
}

Status PrepareMultinomial(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckMultinomial(context));
  const TensorType type = context.output(0).type;
  if (type == TensorType::kInt32) {
    context.SetEval(EvalMultinomial<int32_t>);
  } else if (type == TensorType::kInt64) {
    context.SetEval(EvalMultinomial<int64_t>);
  } else {
    return UnimplementedError("output 0 is ", TensorTypeName(type),
                              ", allowed INT32 or INT64");
  }
  ARENALITE_ASSIGN_OR_RETURN(RandomData * data, StartStream(context));
  const Shape& logits = context.input(0).shape;
  ARENALITE_ASSIGN_OR_RETURN(
      data->scratch, context.RequestScratch(
                         logits.dim(1) * static_cast<int64_t>(sizeof(double))));
  if (!context.HasValue(context.input(1))) return context.SetOutputDynamic(0);
  ARENALITE_ASSIGN_OR_RETURN(const int32_t samples, ReadNumSamples(context));
  return context.SetOutputShape(0, Shape({logits.dim(0), samples}));
}

}  // namespace

namespace ops {

// None of these overlaps its inputs: a shape or a count is a few bytes, and
// logits are read again for every class of a batch.
const OpDefinition kRandomUniform = {
    "RANDOM_UNIFORM",
    schema::BuiltinOperator_RANDOM_UNIFORM,
    1,
    kOpHasState,
    sizeof(RandomOptions),
    ParseRandom,
    PrepareRandom,
    EvalRandom<Uniform>,
    nullptr,
};
const OpDefinition kRandomStandardNormal = {
    "RANDOM_STANDARD_NORMAL",
    schema::BuiltinOperator_RANDOM_STANDARD_NORMAL,
    1,
    kOpHasState,
    sizeof(RandomOptions),
    ParseRandom,
    PrepareRandom,
    EvalRandom<StandardNormal>,
    nullptr,
};
const OpDefinition kMultinomial = {
    "MULTINOMIAL",
    schema::BuiltinOperator_MULTINOMIAL,
    1,
    kOpHasState,
    sizeof(RandomOptions),
    ParseRandom,
    PrepareMultinomial,
    nullptr,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
