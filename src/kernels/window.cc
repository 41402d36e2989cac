#include "kernels/window.h"

#include "model_generated.h"

namespace arenalite {
namespace {

Status CheckOptions(const char* axis, const WindowOptions& options) {
  if (options.stride <= 0) {
    return InvalidModelError("stride of the ", axis, " is ", options.stride,
                             ", allowed > 0");
  }
  if (options.dilation <= 0) {
    return InvalidModelError("dilation of the ", axis, " is ", options.dilation,
                             ", allowed > 0");
  }
  if (options.window <= 0) {
    return InvalidModelError("filter ", axis, " is ", options.window,
                             ", allowed > 0");
  }
  if (options.padding != schema::Padding_SAME &&
      options.padding != schema::Padding_VALID) {
    return InvalidModelError("padding is ", options.padding,
                             ", allowed SAME (0) or VALID (1)");
  }
  return OkStatus();
}

}  // namespace

Result<WindowAxis> MakeWindowAxis(const char* axis, int32_t input,
                                  const WindowOptions& options) {
  ARENALITE_RETURN_IF_ERROR(CheckOptions(axis, options));
  const int64_t reach = (int64_t{options.window} - 1) * options.dilation + 1;
  const int64_t span = options.padding == schema::Padding_SAME
                           ? int64_t{input} + options.stride - 1
                           : int64_t{input} + options.stride - reach;
  if (input > 0 && span < options.stride) {
    return InvalidModelError("the filter spans ", reach, " of an input ", axis,
                             " of ", input, " without padding");
  }
  const int64_t output = input == 0 ? 0 : span / options.stride;
  const int64_t padding =
      std::max<int64_t>(0, (output - 1) * options.stride + reach - input);
  if (output > INT32_MAX || padding / 2 > INT32_MAX) {
    return InvalidModelError("the padding of the ", axis, ", ", padding,
                             ", does not fit 32 bits");
  }
  WindowAxis result;
  result.input = input;
  result.output = static_cast<int32_t>(output);
  result.window = options.window;
  result.stride = options.stride;
  result.dilation = options.dilation;
  result.before = static_cast<int32_t>(padding / 2);
  return result;
}

Result<TransposedAxis> MakeTransposedAxis(const char* axis, int32_t input,
                                          int32_t output,
                                          const WindowOptions& options) {
  ARENALITE_ASSIGN_OR_RETURN(WindowAxis forward,
                             MakeWindowAxis(axis, output, options));
  if (forward.output != input) {
    return InvalidModelError("an output ", axis, " of ", output,
                             " asks for an input ", axis, " of ",
                             forward.output, ", found ", input);
  }
  TransposedAxis result;
  result.input = input;
  result.output = output;
  result.window = options.window;
  result.stride = options.stride;
  result.dilation = options.dilation;
  result.before = forward.before;
  return result;
}

}  // namespace arenalite
