// What an application may ask for single tensors: checks, and notes them in
// the frame's settings.

#ifndef ARENALITE_RUNTIME_TENSOR_SETTINGS_H_
#define ARENALITE_RUNTIME_TENSOR_SETTINGS_H_

#include <cstdint>

#include "arenalite/span.h"
#include "arenalite/status.h"
#include "runtime/frame.h"

namespace arenalite {

Status CheckTensorIndex(const Frame& frame, int32_t tensor);
bool IsGraphInput(const Frame& frame, int32_t tensor);

// The shape of a graph input, within its declared maximum.
Status SetInputShape(Frame& frame, int32_t tensor, Span<const int32_t> dims);
// Refuses to change the rank, or a dimension that the file does not leave
// open.
Status CheckOnlyOpenDims(const Frame& frame, int32_t tensor,
                         Span<const int32_t> dims);
// The largest shape of a graph input; no dims: no maximum.
Status SetInputMaximum(Frame& frame, int32_t tensor, Span<const int32_t> dims);
// The caller's memory for a graph input, output or variable; null data: none.
Status SetCustomMemory(Frame& frame, int32_t tensor, Span<uint8_t> memory);
// All memory of the caller is large enough. The frame is prepared.
Status CheckCustomMemory(const Frame& frame);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_TENSOR_SETTINGS_H_
