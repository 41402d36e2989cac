#include "tools/text.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace arenalite {
namespace {

template <class T>
T Load(const uint8_t* data, int64_t i) {
  T value;
  std::memcpy(&value, data + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

// Whole bytes, and the bits of packed elements.
std::string HexText(int bits, const uint8_t* data, int64_t i) {
  if (bits < 8) {
    const int64_t bit = i * bits;
    const int value = (data[bit / 8] >> (bit % 8)) & ((1 << bits) - 1);
    return Format("0x%x", static_cast<unsigned>(value));
  }
  const int bytes = bits / 8;
  std::string text = "0x";
  for (int k = bytes - 1; k >= 0; --k) {
    text += Format("%02x", data[i * bytes + k]);
  }
  return text;
}

}  // namespace

std::string Format(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

std::string ElementText(TensorType type, const uint8_t* data, int64_t i) {
  switch (type) {
    case TensorType::kFloat32:
      return Format("%.9g (0x%08" PRIx32 ")",
                    static_cast<double>(Load<float>(data, i)),
                    Load<uint32_t>(data, i));
    case TensorType::kFloat64:
      return Format("%.17g (0x%016" PRIx64 ")", Load<double>(data, i),
                    Load<uint64_t>(data, i));
    case TensorType::kInt8:
      return std::to_string(Load<int8_t>(data, i));
    case TensorType::kUInt8:
    case TensorType::kBool:
      return std::to_string(Load<uint8_t>(data, i));
    case TensorType::kInt16:
      return std::to_string(Load<int16_t>(data, i));
    case TensorType::kUInt16:
      return std::to_string(Load<uint16_t>(data, i));
    case TensorType::kInt32:
      return std::to_string(Load<int32_t>(data, i));
    case TensorType::kUInt32:
      return std::to_string(Load<uint32_t>(data, i));
    case TensorType::kInt64:
      return std::to_string(Load<int64_t>(data, i));
    case TensorType::kUInt64:
      return std::to_string(Load<uint64_t>(data, i));
    default: {
      const int bits = TensorTypeBits(type);
      return HexText(bits > 0 ? bits : 8, data, i);
    }
  }
}

}  // namespace arenalite
