#include "kernels/pad_fill.h"

namespace arenalite {
namespace {

template <class T>
void FillTyped(const PadValue& value, uint8_t* target, int64_t bytes) {
  T element;
  std::memcpy(&element, value.pattern, sizeof(T));
  for (int64_t i = 0; i < bytes; i += static_cast<int64_t>(sizeof(T))) {
    std::memcpy(target + i, &element, sizeof(T));
  }
}

bool IsOneByteRepeated(const PadValue& value) {
  for (int i = 1; i < value.bytes; ++i) {
    if (value.pattern[i] != value.pattern[0]) return false;
  }
  return true;
}

}  // namespace

PadValue PadValue::Of(const Tensor& tensor) {
  PadValue value = {};
  value.bytes = TensorTypeBits(tensor.type) / 8;
  std::memcpy(value.pattern, tensor.data, static_cast<size_t>(value.bytes));
  return value;
}

Result<PadValue> PadValue::ZeroOf(const Tensor& tensor) {
  PadValue value = {};
  const int bits = TensorTypeBits(tensor.type);
  value.bytes = bits / 8;
  if (!MayBeQuantized(tensor.type)) return value;
  const int64_t zero_point = tensor.quantization.zero_point();
  const int64_t low =
      tensor.type == TensorType::kUInt8 ? 0 : -(int64_t{1} << (bits - 1));
  const int64_t high = low + (int64_t{1} << bits) - 1;
  if (zero_point < low || zero_point > high) {
    return InvalidModelError("the output has zero point ", zero_point,
                             ", allowed ", low, "..", high);
  }
  const auto narrow = static_cast<uint16_t>(zero_point);
  std::memcpy(value.pattern, &narrow, static_cast<size_t>(value.bytes));
  return value;
}

void FillBytes(const PadValue& value, uint8_t* target, int64_t bytes) {
  if (bytes <= 0) return;
  if (IsOneByteRepeated(value)) {
    std::memset(target, value.pattern[0], static_cast<size_t>(bytes));
  } else if (value.bytes == 2) {
    FillTyped<uint16_t>(value, target, bytes);
  } else if (value.bytes == 4) {
    FillTyped<uint32_t>(value, target, bytes);
  } else {
    for (int64_t i = 0; i < bytes; i += value.bytes) {
      std::memcpy(target + i, value.pattern, static_cast<size_t>(value.bytes));
    }
  }
}

void RunPadPlan(const CopyPlan& plan, const PadValue& value, const void* source,
                void* target, int64_t bytes) {
  const auto* from = static_cast<const uint8_t*>(source);
  auto* to = static_cast<uint8_t*>(target);
  int64_t written = 0;
  ForEachRun(plan, [&](int64_t source_offset, int64_t target_offset) {
    FillBytes(value, to + written, target_offset - written);
    MoveBytes(to + target_offset, from + source_offset, plan.run);
    written = target_offset + plan.run;
  });
  FillBytes(value, to + written, bytes - written);
}

}  // namespace arenalite
