// CAST: elements of one type as elements of another.
//
// Every pair goes through one of four wide types, so that T types need 5 * T
// conversions instead of T * T: INT32, INT64, FLOAT32, FLOAT64, whichever holds
// all values of the input type.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "arenalite/builtin_ops.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

using Complex64 = Complex<float>;
struct Bool {};  // Any byte but 0 is true.

// Moves a block from a tensor to wide values, or back.
using LoadFunction = void (*)(const Tensor& tensor, int64_t first,
                              int64_t count, void* wide);
using StoreFunction = void (*)(Tensor& tensor, int64_t first, int64_t count,
                               const void* wide);

struct CastData {
  LoadFunction load;
  StoreFunction store;
};

template <class In, class Wide>
void Load(const Tensor& tensor, int64_t first, int64_t count, void* wide) {
  Wide* to = static_cast<Wide*>(wide);
  if constexpr (std::is_same_v<In, Bool>) {
    const uint8_t* bytes = tensor.data_as<uint8_t>() + first;
    for (int64_t i = 0; i < count; ++i) to[i] = bytes[i] != 0;
  } else {
    typename Element<In>::Value block[kUnaryBlock];
    Element<In>::Load(tensor.data, first, count, block);
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<In, Complex64>) {
        to[i] = block[i].real;
      } else {
        to[i] = static_cast<Wide>(block[i]);
      }
    }
  }
}

// Towards zero; what is out of range becomes its nearest end, NaN the upper
// one.
template <class T, class Real>
T Truncate(Real x, T low, T high) {
  // 2^n for the largest value 2^n - 1, exactly.
  const Real end = static_cast<Real>(high / 2 + 1) * 2;
  if (!(x < end)) return high;
  return x < static_cast<Real>(low) ? low : static_cast<T>(x);
}

template <class Out, class Wide>
Out Convert(Wide x) {
  if constexpr (std::is_same_v<Out, Complex64>) {
    return {static_cast<float>(x), 0.0f};
  } else if constexpr (std::is_integral_v<Out> &&
                       std::is_floating_point_v<Wide>) {
    return Truncate<Out>(x, std::numeric_limits<Out>::min(),
                         std::numeric_limits<Out>::max());
  } else {
    return static_cast<Out>(x);
  }
}

template <class Wide, class Out>
void Store(Tensor& tensor, int64_t first, int64_t count, const void* wide) {
  const Wide* from = static_cast<const Wide*>(wide);
  typename Element<Out>::Value block[kUnaryBlock];
  for (int64_t i = 0; i < count; ++i) {
    block[i] = Convert<typename Element<Out>::Value>(from[i]);
  }
  Element<Out>::Store(tensor.data, first, count, block);
}

template <class Wide>
void StoreBool(Tensor& tensor, int64_t first, int64_t count, const void* wide) {
  const Wide* from = static_cast<const Wide*>(wide);
  uint8_t* bytes = tensor.data_as<uint8_t>() + first;
  for (int64_t i = 0; i < count; ++i) bytes[i] = from[i] != Wide(0);
}

template <int kBits, bool kSigned>
void StorePacked(Tensor& tensor, int64_t first, int64_t count,
                 const void* wide) {
  constexpr int8_t kLow = kSigned ? -(1 << (kBits - 1)) : 0;
  constexpr int8_t kHigh = static_cast<int8_t>(kLow + (1 << kBits) - 1);
  const float* from = static_cast<const float*>(wide);
  int8_t block[kUnaryBlock];
  for (int64_t i = 0; i < count; ++i) {
    block[i] = Truncate<int8_t>(from[i], kLow, kHigh);
  }
  Element<Packed<kBits, kSigned>>::Store(tensor.data, first, count, block);
}

// Null for a type that has no conversion.
template <class Wide>
StoreFunction StoreFor(TensorType type) {
  constexpr bool kFloat = std::is_same_v<Wide, float>;
  switch (type) {
    case TensorType::kBool:
      return StoreBool<Wide>;
    case TensorType::kInt8:
      return Store<Wide, int8_t>;
    case TensorType::kUInt8:
      return Store<Wide, uint8_t>;
    case TensorType::kInt16:
      return Store<Wide, int16_t>;
    case TensorType::kUInt16:
      return Store<Wide, uint16_t>;
    case TensorType::kInt32:
      return Store<Wide, int32_t>;
    case TensorType::kUInt32:
      return Store<Wide, uint32_t>;
    case TensorType::kInt64:
      return Store<Wide, int64_t>;
    case TensorType::kFloat16:
      return Store<Wide, Float16>;
    case TensorType::kBFloat16:
      return Store<Wide, BFloat16>;
    case TensorType::kFloat32:
      return Store<Wide, float>;
    case TensorType::kFloat64:
      return Store<Wide, double>;
    case TensorType::kComplex64:
      return Store<Wide, Complex64>;
    case TensorType::kInt4:
      return kFloat ? StorePacked<4, true> : nullptr;
    case TensorType::kUInt4:
      return kFloat ? StorePacked<4, false> : nullptr;
    case TensorType::kInt2:
      return kFloat ? StorePacked<2, true> : nullptr;
    default:
      return nullptr;
  }
}

template <class In, class Wide>
CastData CastFrom(TensorType output) {
  return {Load<In, Wide>, StoreFor<Wide>(output)};
}

CastData CastBetween(TensorType input, TensorType output) {
  switch (input) {
    case TensorType::kBool:
      return CastFrom<Bool, int32_t>(output);
    case TensorType::kInt8:
      return CastFrom<int8_t, int32_t>(output);
    case TensorType::kUInt8:
      return CastFrom<uint8_t, int32_t>(output);
    case TensorType::kInt16:
      return CastFrom<int16_t, int32_t>(output);
    case TensorType::kUInt16:
      return CastFrom<uint16_t, int32_t>(output);
    case TensorType::kInt32:
      return CastFrom<int32_t, int32_t>(output);
    case TensorType::kUInt32:
      return CastFrom<uint32_t, int64_t>(output);
    case TensorType::kInt64:
      return CastFrom<int64_t, int64_t>(output);
    case TensorType::kFloat16:
      return CastFrom<Float16, float>(output);
    case TensorType::kBFloat16:
      return CastFrom<BFloat16, float>(output);
    case TensorType::kFloat32:
      return CastFrom<float, float>(output);
    case TensorType::kFloat64:
      return CastFrom<double, double>(output);
    case TensorType::kComplex64:
      return CastFrom<Complex64, float>(output);
    case TensorType::kInt4:
      return CastFrom<Int4, int32_t>(output);
    case TensorType::kUInt4:
      return CastFrom<UInt4, int32_t>(output);
    case TensorType::kInt2:
      return CastFrom<Int2, int32_t>(output);
    default:
      return {};
  }
}

Status EvalCast(OpContext& context) {
  const auto& data = context.data<CastData>();
  const Tensor& input = context.input(0);
  const int64_t elements = input.shape.NumElements();
  double wide[kUnaryBlock];  // Room for a block of any of the wide types.
  for (int64_t first = 0; first < elements; first += kUnaryBlock) {
    const int64_t count = std::min(kUnaryBlock, elements - first);
    data.load(input, first, count, wide);
    data.store(context.output(0), first, count, wide);
  }
  return OkStatus();
}

Status EvalCopy(OpContext& context) {
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  if (output.data != input.data && input.bytes > 0) {
    std::memmove(output.data, input.data, static_cast<size_t>(input.bytes));
  }
  return OkStatus();
}

Status PrepareCast(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameShape(context));
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  ARENALITE_ASSIGN_OR_RETURN(CastData * data, context.CreateData<CastData>());
  *data = CastBetween(input, output);
  if (data->load == nullptr || data->store == nullptr) {
    return UnimplementedError("casts ", TensorTypeName(input), " to ",
                              TensorTypeName(output),
                              ", which has no conversion");
  }
  // Only complex values lose something on their way through a wide type.
  context.SetEval(input == output ? EvalCopy : EvalCast);
  return OkStatus();
}

}  // namespace

namespace ops {

const OpDefinition kCast = {
    "CAST",      schema::BuiltinOperator_CAST,
    8,           kOpDefault,
    0,           nullptr,
    PrepareCast, nullptr,
    MapOverlap,
};
const OpDefinition kStablehloConvert = {
    "STABLEHLO_CONVERT",
    schema::BuiltinOperator_STABLEHLO_CONVERT,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareCast,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
