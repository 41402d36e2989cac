#include "kernels/pool_params.h"

#include <cstring>

namespace arenalite {

Status ParsePoolParams(const OpSource& source, void* options) {
  if (source.custom_options.size() < sizeof(PoolParams)) {
    return InvalidModelError("the options have ", source.custom_options.size(),
                             " bytes, allowed at least ", sizeof(PoolParams));
  }
  auto* parsed = static_cast<PoolParams*>(options);
  std::memcpy(parsed, source.custom_options.data(), sizeof(PoolParams));
  // TensorFlow Lite's enum counts from unknown (0), SAME (1), VALID (2).
  if (parsed->padding != 1 && parsed->padding != 2) {
    return InvalidModelError("padding is ", parsed->padding,
                             ", allowed SAME (1) or VALID (2)");
  }
  parsed->padding -= 1;
  const struct {
    const char* name;
    int32_t value;
  } sizes[] = {{"stride_width", parsed->stride_width},
               {"stride_height", parsed->stride_height},
               {"filter_width", parsed->filter_width},
               {"filter_height", parsed->filter_height}};
  for (const auto& size : sizes) {
    if (size.value > 0) continue;
    return InvalidModelError(size.name, " is ", size.value, ", allowed > 0");
  }
  return OkStatus();
}

Status CheckFloat(const Tensor& tensor, const char* name) {
  if (tensor.type == TensorType::kFloat32) return OkStatus();
  return UnimplementedError(name, " is ", TensorTypeName(tensor.type),
                            ", allowed FLOAT32");
}

Status CheckImage(const Tensor& tensor, const char* name) {
  if (tensor.shape.rank() == 4) return OkStatus();
  return InvalidModelError(name, " has shape ", tensor.shape.dims(),
                           ", allowed rank 4");
}

}  // namespace arenalite
