#include "arenalite/op_definition.h"
#include "base/checked_math.h"

namespace arenalite {

Tensor* OpContext::InputOrNull(int i) const {
  if (Index(i) >= w_.inputs.size()) return nullptr;
  const int32_t tensor = w_.inputs[Index(i)];
  return tensor < 0 ? nullptr : &w_.tensors[tensor];
}

const Tensor* OpContext::intermediate(int i) const {
  if (Index(i) >= w_.intermediates.size()) return nullptr;
  const int32_t tensor = w_.intermediates[Index(i)];
  return tensor < 0 ? nullptr : &w_.tensors[tensor];
}

Status OpContext::CheckCounts(int min_inputs, int max_inputs, int min_outputs,
                              int max_outputs) const {
  if (num_inputs() < min_inputs || num_inputs() > max_inputs) {
    return InvalidModelError("has ", num_inputs(), " inputs, allowed ",
                             min_inputs, "..", max_inputs);
  }
  if (num_outputs() < min_outputs || num_outputs() > max_outputs) {
    return InvalidModelError("has ", num_outputs(), " outputs, allowed ",
                             min_outputs, "..", max_outputs);
  }
  for (int i = 0; i < min_inputs; ++i) {
    if (optional_input(i) == nullptr) {
      return InvalidModelError("input ", i, " is absent, but is not optional");
    }
  }
  return OkStatus();
}

Result<void*> OpContext::AllocateBytes(int64_t count, size_t element_bytes) {
  int64_t bytes = 0;
  if (count < 0 ||
      !CheckedMul(count, static_cast<int64_t>(element_bytes), &bytes)) {
    return ResourceExhaustedError("an array of ", count,
                                  " elements does not fit in memory");
  }
  void* memory = host_.AllocateData(static_cast<size_t>(bytes));
  if (memory == nullptr) {
    return ResourceExhaustedError("out of memory: ", bytes,
                                  " bytes of heap were refused");
  }
  return memory;
}

}  // namespace arenalite
