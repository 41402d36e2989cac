#include "runtime/variables.h"

#include <algorithm>
#include <cstring>

namespace arenalite {
namespace {

void ResetValue(Tensor& tensor) {
  const bool byte_wide = TensorTypeBits(tensor.type) == 8;
  const int value = byte_wide ? tensor.quantization.zero_point() : 0;
  if (tensor.bytes > 0 && tensor.data != nullptr) {
    std::memset(tensor.data, value, static_cast<size_t>(tensor.bytes));
  }
}

// A variable with bytes of its own, rather than one that shows a named one.
bool IsOwn(const Frame& frame, size_t i) {
  return frame.tensors[i].memory == TensorMemory::kVariable &&
         frame.resource_of[i] < 0;
}

}  // namespace

Status Variables::Place(const Program& program, Array<VariableSlot>& slots) {
  size_t count = 0;
  for (const Frame& frame : program.frames) count += frame.tensors.size();
  ARENALITE_RETURN_IF_ERROR(slots.Resize(count));
  ARENALITE_RETURN_IF_ERROR(named_.Resize(resources_.all().size()));
  size_t number = 0;
  for (const Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      if (!IsOwn(frame, i)) continue;
      const Tensor& tensor = frame.tensors[i];
      ARENALITE_RETURN_IF_ERROR(
          store_.Place(slots[number], tensor.bytes,
                       std::max(alignment_, TensorTypeAlignment(tensor.type))));
    }
  }
  for (size_t i = 0; i < named_.size(); ++i) {
    const Tensor& value = resources_.all()[i].value;
    ARENALITE_RETURN_IF_ERROR(
        store_.Place(named_[i], value.bytes,
                     std::max(alignment_, TensorTypeAlignment(value.type))));
  }
  return OkStatus();
}

void Variables::Bind(Program& program, const Array<VariableSlot>& slots,
                     uint8_t* persistent) {
  for (size_t i = 0; i < named_.size(); ++i) {
    ResourceVariable& variable = resources_.all()[i];
    variable.value.data = persistent + named_[i].offset;
    variable.placed_bytes = named_[i].bytes;
    if (named_[i].fresh) variable.initialized = false;
    named_[i].fresh = false;
  }
  size_t number = 0;
  for (Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      Tensor& tensor = frame.tensors[i];
      if (tensor.memory != TensorMemory::kVariable) continue;
      const ResourceVariable* named = resources_.Find(frame.resource_of[i]);
      tensor.data =
          named ? named->value.data : persistent + slots[number].offset;
    }
  }
}

void Variables::Reset(Program& program, Array<VariableSlot>& slots,
                      bool only_fresh) {
  size_t number = 0;
  for (Frame& frame : program.frames) {
    for (size_t i = 0; i < frame.tensors.size(); ++i, ++number) {
      if (!IsOwn(frame, i)) continue;
      if (slots[number].fresh || !only_fresh) ResetValue(frame.tensors[i]);
      slots[number].fresh = false;
    }
  }
}

}  // namespace arenalite
