#include "conformance/judge.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace arenalite {
namespace conformance {
namespace {

enum class ElementClass { kFloat, kInteger, kExact };

ElementClass ClassOf(TensorType type) {
  switch (type) {
    case TensorType::kFloat32:
    case TensorType::kFloat64:
    case TensorType::kFloat16:
    case TensorType::kBFloat16:
    case TensorType::kComplex64:
    case TensorType::kComplex128:
      return ElementClass::kFloat;
    case TensorType::kInt8:
    case TensorType::kUInt8:
    case TensorType::kInt16:
    case TensorType::kInt32:
    case TensorType::kInt64:
      return ElementClass::kInteger;
    default:
      return ElementClass::kExact;
  }
}

template <class T>
T Load(const Bytes& data, size_t i) {
  T value;
  std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
  return value;
}

double HalfToDouble(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const double fraction = bits & 0x3FF;
  double value = std::ldexp(exponent == 0 ? fraction : fraction + 1024,
                            std::max(exponent, 1) - 25);
  if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
  return (bits & 0x8000) != 0 ? -value : value;
}

double BFloat16ToDouble(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

// Complex elements count as two numbers.
std::vector<double> FloatValues(const CaseTensor& tensor) {
  std::vector<double> values;
  const bool wide = tensor.type == TensorType::kFloat64 ||
                    tensor.type == TensorType::kComplex128;
  const bool narrow = tensor.type == TensorType::kFloat16 ||
                      tensor.type == TensorType::kBFloat16;
  const size_t size = wide ? 8 : narrow ? 2 : 4;
  for (size_t i = 0; i < tensor.data.size() / size; ++i) {
    if (wide) {
      values.push_back(Load<double>(tensor.data, i));
    } else if (!narrow) {
      values.push_back(double{Load<float>(tensor.data, i)});
    } else {
      const auto bits = Load<uint16_t>(tensor.data, i);
      values.push_back(tensor.type == TensorType::kFloat16
                           ? HalfToDouble(bits)
                           : BFloat16ToDouble(bits));
    }
  }
  return values;
}

std::vector<int64_t> IntegerValues(const CaseTensor& tensor) {
  std::vector<int64_t> values;
  const auto size = static_cast<size_t>(TensorTypeBits(tensor.type) / 8);
  for (size_t i = 0; i < tensor.data.size() / size; ++i) {
    switch (tensor.type) {
      case TensorType::kInt8:
        values.push_back(Load<int8_t>(tensor.data, i));
        break;
      case TensorType::kUInt8:
        values.push_back(Load<uint8_t>(tensor.data, i));
        break;
      case TensorType::kInt16:
        values.push_back(Load<int16_t>(tensor.data, i));
        break;
      case TensorType::kInt32:
        values.push_back(Load<int32_t>(tensor.data, i));
        break;
      default:
        values.push_back(Load<int64_t>(tensor.data, i));
    }
  }
  return values;
}

std::string DimsText(const std::vector<int32_t>& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  }
  return text + "]";
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

// How far apart two floats are; NaN matches NaN, infinity itself.
double Distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double distance = std::abs(a - b);
  return std::isnan(distance) ? INFINITY : distance;
}

std::string CompareFloats(const CaseTensor& expected, const CaseTensor& actual,
                          const Tolerance& tolerance) {
  const std::vector<double> want = FloatValues(expected);
  const std::vector<double> have = FloatValues(actual);
  double range = 0.0;
  double worst = 0.0;
  size_t at = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    if (std::isfinite(want[i])) range = std::max(range, std::abs(want[i]));
    const double distance = Distance(want[i], have[i]);
    if (distance > worst) {
      worst = distance;
      at = i;
    }
  }
  const double allowed =
      std::max(tolerance.relative * range, tolerance.absolute);
  if (worst <= allowed) return "";
  return "element " + std::to_string(at) + " is " + Number(have[at]) +
         ", expected " + Number(want[at]) + " (off by " + Number(worst) +
         ", allowed " + Number(allowed) + ")";
}

std::string CompareIntegers(const CaseTensor& expected,
                            const CaseTensor& actual, int steps) {
  const std::vector<int64_t> want = IntegerValues(expected);
  const std::vector<int64_t> have = IntegerValues(actual);
  size_t differing = 0;
  size_t at = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    const int64_t low = std::min(want[i], have[i]);
    const int64_t high = std::max(want[i], have[i]);
    const uint64_t distance =
        static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    if (distance <= static_cast<uint64_t>(steps)) continue;
    if (differing++ == 0) at = i;
  }
  if (differing == 0) return "";
  return std::to_string(differing) + " of " + std::to_string(want.size()) +
         " elements differ, first element " + std::to_string(at) + " is " +
         std::to_string(have[at]) + ", expected " + std::to_string(want[at]);
}

// True where the reference's message says only that it has no kernel for a
// type or a form: an implementation that runs the case is then not wrong.
bool LacksAKernel(const std::string& message) {
  std::string lower;
  for (char c : message) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto has = [&lower](const char* text) {
    return lower.find(text) != std::string::npos;
  };
  return has("no kernel") || has("only supports") ||
         has("only currently supports") || (has("support") && has("type"));
}

Judgement JudgeRefusal(const std::string& reference_message,
                       const RunResult& result) {
  if (result.stage == RunStage::kBuild &&
      result.code == StatusCode::kUnimplemented) {
    return {Verdict::kUnsupported, result.message};
  }
  if (!result.ok()) return {};
  if (LacksAKernel(reference_message)) return {};
  return {Verdict::kWrong, "ran, but must be refused: " + reference_message};
}

}  // namespace

std::string Compare(const CaseTensor& expected, const CaseTensor& actual,
                    const Tolerance& tolerance) {
  if (!expected.typed) {
    CaseTensor typed = actual;
    typed.data = expected.data;
    return Compare(typed, actual, tolerance);
  }
  if (expected.type != actual.type) {
    return std::string("type ") + TensorTypeName(actual.type) + ", expected " +
           TensorTypeName(expected.type);
  }
  if (expected.dims != actual.dims) {
    return "shape " + DimsText(actual.dims) + ", expected " +
           DimsText(expected.dims);
  }
  if (expected.data == actual.data) return "";
  // Even a string tensor without strings has 4 bytes: the reference's dump of
  // a forwarded one holds no value to compare.
  if (expected.type == TensorType::kString && expected.data.empty()) return "";
  if (expected.data.size() != actual.data.size()) {
    return std::to_string(actual.data.size()) + " bytes, expected " +
           std::to_string(expected.data.size());
  }
  switch (ClassOf(expected.type)) {
    case ElementClass::kFloat:
      return CompareFloats(expected, actual, tolerance);
    case ElementClass::kInteger:
      return CompareIntegers(expected, actual, tolerance.steps);
    default:
      return "bytes differ";
  }
}

double LargestDifference(const CaseTensor& a, const CaseTensor& b) {
  if (a.type != b.type || a.data.size() != b.data.size() ||
      ClassOf(a.type) != ElementClass::kFloat) {
    return 0.0;
  }
  const std::vector<double> left = FloatValues(a);
  const std::vector<double> right = FloatValues(b);
  double largest = 0.0;
  for (size_t i = 0; i < left.size(); ++i) {
    largest = std::max(largest, Distance(left[i], right[i]));
  }
  return largest;
}

Judgement JudgeFailure(const RunResult& result) {
  const Verdict verdict = result.code == StatusCode::kUnimplemented
                              ? Verdict::kUnsupported
                              : Verdict::kError;
  return {verdict, result.message};
}

Judgement JudgeCase(const Case& c, const std::string& reference_message,
                    const RunResult& result) {
  if (c.status != CaseStatus::kOk) {
    return JudgeRefusal(reference_message, result);
  }
  if (!result.ok()) {
    // The reference reads outside of the input here: refusing is better.
    if (c.op == "STRIDED_SLICE" && (c.flags & kCaseOnlyShapes) != 0) return {};
    return JudgeFailure(result);
  }
  if (result.outputs.size() != c.outputs.size()) {
    return {Verdict::kWrong, "another number of outputs"};
  }
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    const CaseTensor& expected = c.outputs[i];
    CaseTensor actual = result.outputs[i];
    // An output that no operator writes has dimensions, but no bytes.
    if ((c.flags & kCaseOnlyShapes) != 0 || expected.data.empty()) {
      actual.data = expected.data;
    }
    Tolerance tolerance;
    if ((c.flags & kCaseNeedsTolerance) != 0) tolerance.steps = 1;
    if (i < c.alternative.size()) {
      tolerance.absolute = LargestDifference(expected, c.alternative[i]);
    }
    const std::string reason = Compare(expected, actual, tolerance);
    if (!reason.empty()) {
      return {Verdict::kWrong, "output " + std::to_string(i) + ": " + reason};
    }
  }
  return {};
}

}  // namespace conformance
}  // namespace arenalite
