#include "kernels/quantization.h"

#include <cmath>

#include "model_generated.h"

namespace arenalite {
namespace {

// The quantized value of `real`, refused where it does not fit 32 bits.
Result<int32_t> QuantizeValue(float real, const Tensor& tensor) {
  const float scaled = std::round(real / tensor.quantization.scale());
  if (!(std::fabs(scaled) < 1e9f)) {
    return InvalidModelError("the fused activation's bound ", real,
                             " does not fit a scale of ",
                             tensor.quantization.scale());
  }
  return tensor.quantization.zero_point() + static_cast<int32_t>(scaled);
}

}  // namespace

QuantizedMultiplier QuantizeMultiplier(double real_multiplier) {
  if (real_multiplier == 0.0 || !std::isfinite(real_multiplier)) return {};
  QuantizedMultiplier result;
  const double fraction = std::frexp(real_multiplier, &result.shift);
  int64_t fixed =
      std::llround(fraction * static_cast<double>(int64_t{1} << 31));
  if (fixed == (int64_t{1} << 31)) {
    fixed /= 2;
    ++result.shift;
  }
  if (result.shift < -31) return {};
  if (result.shift > 30) {
    result.shift = 30;
    fixed = (int64_t{1} << 31) - 1;
  }
  result.multiplier = static_cast<int32_t>(fixed);
  return result;
}

Result<ActivationRange> TypeRange(TensorType type) {
  switch (type) {
    case TensorType::kInt8:
      return ActivationRange{-128, 127};
    case TensorType::kUInt8:
      return ActivationRange{0, 255};
    case TensorType::kInt16:
      return ActivationRange{-32768, 32767};
    case TensorType::kInt32:
      return ActivationRange{};
    default:
      return UnimplementedError("no quantized range for type ",
                                TensorTypeName(type),
                                ", allowed INT8, UINT8, INT16, INT32");
  }
}

Result<ActivationRange> QuantizedActivationRange(int32_t activation,
                                                 const Tensor& output) {
  ARENALITE_ASSIGN_OR_RETURN(ActivationRange range, TypeRange(output.type));
  if (activation == schema::ActivationFunctionType_NONE) return range;
  ARENALITE_ASSIGN_OR_RETURN(FloatRange real, FloatActivationRange(activation));
  ARENALITE_ASSIGN_OR_RETURN(int32_t low, QuantizeValue(real.min, output));
  range.min = std::max(range.min, low);
  if (real.max < std::numeric_limits<float>::max()) {
    ARENALITE_ASSIGN_OR_RETURN(int32_t high, QuantizeValue(real.max, output));
    range.max = std::min(range.max, high);
  }
  return range;
}

Result<FloatRange> FloatActivationRange(int32_t activation) {
  constexpr float kMax = std::numeric_limits<float>::max();
  switch (activation) {
    case schema::ActivationFunctionType_NONE:
      return FloatRange{};
    case schema::ActivationFunctionType_RELU:
      return FloatRange{0.0f, kMax};
    case schema::ActivationFunctionType_RELU_N1_TO_1:
      return FloatRange{-1.0f, 1.0f};
    case schema::ActivationFunctionType_RELU6:
      return FloatRange{0.0f, 6.0f};
    default:
      return UnimplementedError(
          "fused_activation_function is ",
          schema::EnumNameActivationFunctionType(
              static_cast<schema::ActivationFunctionType>(activation)),
          ", allowed NONE, RELU, RELU_N1_TO_1, RELU6");
  }
}

Status CheckPerTensorQuantization(const Tensor& tensor, const char* what) {
  const Quantization& q = tensor.quantization;
  if (q.scales.size() != 1 || q.zero_points.size() > 1) {
    return InvalidModelError(what, " has ", q.scales.size(), " scales and ",
                             q.zero_points.size(),
                             " zero points, allowed one of each");
  }
  if (!(q.scale() > 0.0f) || !std::isfinite(q.scale())) {
    return InvalidModelError(what, " has scale ", q.scale(),
                             ", allowed finite values > 0");
  }
  ARENALITE_ASSIGN_OR_RETURN(ActivationRange range, TypeRange(tensor.type));
  const int64_t zero_point = q.zero_points.empty() ? 0 : q.zero_points[0];
  if (zero_point < range.min || zero_point > range.max) {
    return InvalidModelError(what, " has zero point ", zero_point, ", allowed ",
                             range.min, "..", range.max);
  }
  return OkStatus();
}

}  // namespace arenalite
