// Copying into a box inside of the output, and a constant around it.

#ifndef ARENALITE_KERNELS_PAD_FILL_H_
#define ARENALITE_KERNELS_PAD_FILL_H_

#include <cstdint>

#include "arenalite/tensor.h"
#include "kernels/copy_plan.h"

namespace arenalite {

// One element of any type of whole bytes.
struct PadValue {
  int bytes;
  uint8_t pattern[16];

  // The first element of `tensor`.
  static PadValue Of(const Tensor& tensor);
  // What stands for 0 in `tensor`: its zero point, if its type has one.
  static Result<PadValue> ZeroOf(const Tensor& tensor);
};

// Integers of 8 and 16 bits: 0 is their zero point.
inline bool MayBeQuantized(TensorType type) {
  return type == TensorType::kInt8 || type == TensorType::kUInt8 ||
         type == TensorType::kInt16;
}

// Fills `bytes` (a multiple of the value's) from `target` on.
void FillBytes(const PadValue& value, uint8_t* target, int64_t bytes);

// Writes all `bytes` of the target in order: what `plan` copies, and `value`
// before, between and after it.
void RunPadPlan(const CopyPlan& plan, const PadValue& value, const void* source,
                void* target, int64_t bytes);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_PAD_FILL_H_
