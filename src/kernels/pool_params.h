// The options of the custom pooling operators, and their checks.

#ifndef ARENALITE_KERNELS_POOL_PARAMS_H_
#define ARENALITE_KERNELS_POOL_PARAMS_H_

#include <cstdint>

#include "arenalite/op_definition.h"

namespace arenalite {

struct PoolParams {
  int32_t padding;  // schema::Padding
  int32_t stride_width, stride_height;
  int32_t filter_width, filter_height;
  int32_t activation;  // schema::ActivationFunctionType
};

// Parses the bytes of a TfLitePoolParams, in which these operators carry
// their options.
Status ParsePoolParams(const OpSource& source, void* options);

Status CheckFloat(const Tensor& tensor, const char* name);
// Refuses a tensor that is not [batch, height, width, channels].
Status CheckImage(const Tensor& tensor, const char* name);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_POOL_PARAMS_H_
