// LOGISTIC and TANH.

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>

#include "arenalite/builtin_ops.h"
#include "kernels/lookup.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr char kAllowed[] = "FLOAT32, FLOAT16, BFLOAT16, UINT8, INT8 or INT16";

struct Logistic {
  float operator()(float x) const {
    // The bounds keep exp() finite; NaN passes both comparisons.
    const float clamped = x > 100.0f ? 100.0f : (x < -100.0f ? -100.0f : x);
    return 1.0f / (1.0f + std::exp(-clamped));
  }
};
// Of 8-bit tensors: saturation by infinity, as the reference fills its table.
struct UnclampedLogistic {
  float operator()(float x) const { return 1.0f / (1.0f + std::exp(-x)); }
};
struct Tanh {
  float operator()(float x) const { return std::tanh(x); }
};

// 65536 / (1 + exp(-i / 24)). The roundings are those of the table that
// TensorFlow Lite's reference kernels use (sigmoid_table_uint16), which no
// rounding rule yields.
constexpr uint16_t kLogisticTable[256] = {
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498,
    40149, 40794, 41432, 42064, 42688, 43304, 43912, 44511, 45102, 45683, 46255,
    46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464, 50942, 51409, 51865,
    52311, 52745, 53169, 53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174,
    56503, 56823, 57133, 57433, 57724, 58007, 58280, 58544, 58800, 59048, 59288,
    59519, 59743, 59959, 60168, 60370, 60565, 60753, 60935, 61110, 61279, 61441,
    61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666, 62778, 62886,
    62990, 63090, 63186, 63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835,
    63903, 63968, 64030, 64090, 64148, 64204, 64257, 64308, 64357, 64405, 64450,
    64494, 64536, 64576, 64614, 64652, 64687, 64721, 64754, 64786, 64816, 64845,
    64873, 64900, 64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079, 65097,
    65115, 65132, 65149, 65164, 65179, 65194, 65208, 65221, 65234, 65246, 65258,
    65269, 65280, 65291, 65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360,
    65367, 65374, 65381, 65387, 65393, 65399, 65404, 65410, 65415, 65420, 65425,
    65429, 65433, 65438, 65442, 65445, 65449, 65453, 65456, 65459, 65462, 65465,
    65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491,
    65493, 65495, 65497, 65498, 65500, 65501, 65503, 65504, 65505, 65507, 65508,
    65509, 65510, 65511, 65512, 65513, 65514, 65515, 65516, 65517, 65517, 65518,
    65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524, 65525,
    65525, 65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529,
    65529, 65529, 65530, 65530, 65530, 65530, 65531, 65531, 65531, 65531, 65531,
    65532, 65532, 65532, 65532, 65532, 65532, 65533, 65533, 65533, 65533, 65533,
    65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534,
    65534, 65534, 65535,
};

// Interpolates the table at x >= 0, where 2^kFraction steps make one entry.
// The result has 16 + kFraction fraction bits.
template <int kFraction>
int32_t InterpolateLogistic(int64_t x) {
  const int64_t index = x >> kFraction;
  if (index >= 255) return -1;
  const int32_t low = kLogisticTable[index];
  const int32_t high = kLogisticTable[index + 1];
  const auto fraction = static_cast<int32_t>(x & ((1 << kFraction) - 1));
  return (low << kFraction) + fraction * (high - low);
}

// Takes INT16 values to steps of 1 / (24 * 512): real 10.7 becomes 2^17.
struct TableInput {
  int32_t multiplier;
  int shift;

  int64_t operator()(int16_t x) const {
    const int64_t round = shift > 0 ? int64_t{1} << (shift - 1) : 0;
    return (int64_t{x} * multiplier + round) >> shift;
  }
};

struct Int16Logistic {
  TableInput scale;

  int16_t operator()(int16_t x) const {
    const int64_t scaled = scale(x);
    int32_t result = InterpolateLogistic<9>(std::abs(scaled));
    if (result < 0) result = 0x7FFF << 10;
    result =
        scaled >= 0 ? result + (1 << 9) : (1 << 25) - result + (1 << 9) - 1;
    return static_cast<int16_t>(result >> 10);
  }
};

// tanh(x) = 2 * logistic(2 * x) - 1.
struct Int16Tanh {
  TableInput scale;

  int16_t operator()(int16_t x) const {
    const int64_t scaled = scale(x);
    int32_t result = InterpolateLogistic<8>(std::abs(scaled));
    if (result < 0) result = 0xFFFF << 8;
    result = scaled >= 0 ? result - (1 << 23) + (1 << 7)
                         : -result + (1 << 23) + (1 << 7) - 1;
    return static_cast<int16_t>(result >> 8);
  }
};

// The exponent of a scale that is a power of two within a tenth of a percent,
// else something that no caller asks for.
int ScaleExponent(float scale) {
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(log2);
  return std::fabs(log2 - rounded) < 1e-3f ? static_cast<int>(rounded)
                                           : INT_MAX;
}

// Scales of 2^-12 (and 2^-11 for TANH) are exact shifts; others take a
// multiplier of 15 bits.
Result<TableInput> MakeTableInput(const OpContext& context,
                                  int largest_exponent) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  ARENALITE_RETURN_IF_ERROR(CheckSymmetric(context));
  const float output_scale = context.output(0).quantization.scale();
  if (ScaleExponent(output_scale) != -15) {
    return InvalidModelError("output 0 has scale ", output_scale,
                             ", allowed 1/32768");
  }
  const float scale = context.input(0).quantization.scale();
  const int exponent = ScaleExponent(scale);
  if (exponent >= -12 && exponent <= largest_exponent) {
    return TableInput{3 << (exponent + 12), 0};
  }
  double multiplier = static_cast<double>(scale) * 4096.0 * 3.0;
  int shift = 0;
  while (multiplier <= 32767.0 / 2.0 && shift <= 30) {
    ++shift;
    multiplier *= 2.0;
  }
  return TableInput{
      static_cast<int32_t>(std::min<double>(multiplier, INT32_MAX)), shift};
}

template <class T, class F>
Status PrepareBytes(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckUnaryQuantization(context));
  return SetByteMap<T, T>(
      context,
      QuantizedFunction<T, F>(F(), context.input(0), context.output(0)));
}

Status PrepareLogistic(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  const TensorType type = context.input(0).type;
  const float output_scale = context.output(0).quantization.scale();
  if ((type == TensorType::kUInt8 || type == TensorType::kInt8) &&
      output_scale != 1.0f / 256) {
    return InvalidModelError("output 0 has scale ", output_scale,
                             ", allowed 1/256");
  }
  switch (type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Logistic());
    case TensorType::kFloat16:
      return SetMap<Float16, Float16>(context, Logistic());
    case TensorType::kBFloat16:
      return SetMap<BFloat16, BFloat16>(context, Logistic());
    case TensorType::kUInt8:
      return PrepareBytes<uint8_t, UnclampedLogistic>(context);
    case TensorType::kInt8:
      return PrepareBytes<int8_t, UnclampedLogistic>(context);
    case TensorType::kInt16: {
      ARENALITE_ASSIGN_OR_RETURN(TableInput scale,
                                 MakeTableInput(context, -12));
      return SetMap<int16_t, int16_t>(context, Int16Logistic{scale});
    }
    default:
      return UnsupportedInput(context, kAllowed);
  }
}

Status PrepareTanh(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return SetMap<float, float>(context, Tanh());
    case TensorType::kFloat16:
      return SetMap<Float16, Float16>(context, Tanh());
    case TensorType::kBFloat16:
      return SetMap<BFloat16, BFloat16>(context, Tanh());
    case TensorType::kUInt8:
      return PrepareBytes<uint8_t, Tanh>(context);
    case TensorType::kInt8:
      return PrepareBytes<int8_t, Tanh>(context);
    case TensorType::kInt16: {
      ARENALITE_ASSIGN_OR_RETURN(TableInput scale,
                                 MakeTableInput(context, -11));
      return SetMap<int16_t, int16_t>(context, Int16Tanh{scale});
    }
    default:
      return UnsupportedInput(context, kAllowed);
  }
}

}  // namespace

namespace ops {

const OpDefinition kLogistic = {
    "LOGISTIC",
    schema::BuiltinOperator_LOGISTIC,
    3,
    kOpDefault,
    0,
    nullptr,
    PrepareLogistic,
    nullptr,
    MapOverlap,
};
const OpDefinition kTanh = {
    "TANH",      schema::BuiltinOperator_TANH,
    3,           kOpDefault,
    0,           nullptr,
    PrepareTanh, nullptr,
    MapOverlap,
};

const OpDefinition kStablehloLogistic = {
    "STABLEHLO_LOGISTIC",
    schema::BuiltinOperator_STABLEHLO_LOGISTIC,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareLogistic,
    nullptr,
    MapOverlap,
};
const OpDefinition kStablehloTanh = {
    "STABLEHLO_TANH",
    schema::BuiltinOperator_STABLEHLO_TANH,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareTanh,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
