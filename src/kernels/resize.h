// What RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR share: the output size, and
// how one axis is stretched.

#ifndef ARENALITE_KERNELS_RESIZE_H_
#define ARENALITE_KERNELS_RESIZE_H_

#include <cstdint>

#include "arenalite/op_definition.h"

namespace arenalite {

struct ResizeOptions {
  bool align_corners;
  bool half_pixel_centers;
};

// One axis, from `input` to `output` positions.
struct ResizeAxis {
  int32_t input = 1;
  int32_t output = 1;
  bool align_corners = false;
  bool half_pixel_centers = false;

  // Input steps per output step: input / output, or from the first to the last
  // center where corners are aligned.
  float Scale() const;
};

ResizeAxis MakeResizeAxis(const OpContext& context, int dimension);

// Checks the tensors and sets the output's shape from input 1 (height, width),
// or makes the output dynamic where its value is not known yet.
Status PrepareResize(OpContext& context);

// eval: gives a dynamic output its shape.
Status ResizeDynamicOutput(OpContext& context);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_RESIZE_H_
