// Broadcast: the loop nest of every element-wise op with several inputs.
//
// Dimensions of 1 are dropped and neighbours that broadcast alike are merged,
// so what remains is one contiguous innermost run and the few loops around it.

#ifndef ARENALITE_KERNELS_BROADCAST_H_
#define ARENALITE_KERNELS_BROADCAST_H_

#include <cstdint>

#include "arenalite/op_definition.h"
#include "arenalite/span.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

constexpr int kMaxBroadcastInputs = 3;

// Elements that are computed before they are stored: a block is read whole
// before its output is written, so its loop is free of aliasing.
constexpr int kBroadcastBlock = 128;

struct Broadcast {
  Shape output;
  int num_inputs = 0;
  int64_t run = 0;   // Elements of the innermost loop.
  int64_t runs = 0;  // Product of the outer loops' extents.
  int num_outer = 0;
  int64_t extent[kMaxRank] = {};  // Of the outer loops, innermost first; > 1.
  // Elements that an input advances in one step of a loop; 0: it is re-read.
  int64_t run_stride[kMaxBroadcastInputs] = {};  // 0 or 1
  int64_t stride[kMaxBroadcastInputs][kMaxRank] = {};
};

// Refuses shapes that do not broadcast together. 1..kMaxBroadcastInputs shapes.
Result<Broadcast> MakeBroadcast(Span<const Shape* const> inputs);

// D (DESIGN section 4) in bytes of an input whose elements have `input_bytes`
// for an output whose elements have `output_bytes`.
int64_t BroadcastDistance(const Broadcast& broadcast, int input,
                          int64_t input_bytes, int64_t output_bytes);

// Computes `count` <= kBroadcastBlock elements of the output from as many of
// each input. It must read its inputs before it writes: they may share bytes.
using BlockFunction = void (*)(const void* functor, const void* const* inputs,
                               void* output, int count);

// An element-wise op, prepared: the one loop for all types and operations,
// which differ by the function called for each block.
struct BroadcastLoop {
  Broadcast broadcast;
  BlockFunction block = nullptr;
  const void* functor = nullptr;                  // Passed to `block`.
  int64_t input_bytes[kMaxBroadcastInputs] = {};  // Of an element; <= 16.
  int64_t output_bytes = 0;
};

void RunBroadcast(const BroadcastLoop& loop, const void* const* inputs,
                  void* output);

// The loop of an op with a single input of `shape`.
BroadcastLoop MakeUnaryLoop(const Shape& shape, int64_t input_bytes,
                            int64_t output_bytes);

// OpDefinition::eval and ::overlap of ops whose data begin with a
// BroadcastLoop over all their inputs.
Status EvalBroadcast(OpContext& context);
int64_t BroadcastOverlap(const OpContext& context, int output, int input);

// Steps through the runs of a Broadcast in order.
class RunCursor {
 public:
  explicit RunCursor(const Broadcast& broadcast) : broadcast_(broadcast) {}

  bool done() const { return run_ == broadcast_.runs; }
  // The output element that the run starts with, and the element of input i.
  int64_t output() const { return run_ * broadcast_.run; }
  int64_t input(int i) const { return at_[i]; }
  void Next();

 private:
  const Broadcast& broadcast_;
  int64_t run_ = 0;
  int64_t index_[kMaxRank] = {};
  int64_t at_[kMaxBroadcastInputs] = {};
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_BROADCAST_H_
