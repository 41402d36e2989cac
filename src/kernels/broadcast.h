// Broadcast: the loop nest of every element-wise op with several inputs.
//
// Dimensions of 1 are dropped and neighbours that broadcast alike are merged,
// so what remains is one contiguous innermost run and the few loops around it.

#ifndef ARENALITE_KERNELS_BROADCAST_H_
#define ARENALITE_KERNELS_BROADCAST_H_

#include <cstdint>
#include <cstring>

#include "arenalite/op_definition.h"
#include "arenalite/span.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

constexpr int kMaxBroadcastInputs = 3;

// Elements that are computed before they are stored: a block is read whole
// before its output is written, so its loop is free of aliasing.
constexpr int kBroadcastBlock = 64;

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

// OpDefinition::overlap of ops whose data begin with a Broadcast of all their
// inputs.
int64_t BroadcastOverlap(const OpContext& context, int output, int input);

// Calls body(first, at) for each run in order: `first` is the output element
// it starts with, at[i] the element of input i.
template <class Body>
void ForEachRun(const Broadcast& broadcast, Body body) {
  int64_t index[kMaxRank] = {};
  int64_t at[kMaxBroadcastInputs] = {};
  for (int64_t run = 0; run < broadcast.runs; ++run) {
    body(run * broadcast.run, at);
    for (int d = 0; d < broadcast.num_outer; ++d) {
      const bool wraps = ++index[d] == broadcast.extent[d];
      for (int i = 0; i < broadcast.num_inputs; ++i) {
        const int64_t stride = broadcast.stride[i][d];
        at[i] += wraps ? stride * (1 - broadcast.extent[d]) : stride;
      }
      if (!wraps) break;
      index[d] = 0;
    }
  }
}

// output[i] = element(i), block by block.
template <class Out, class Element>
void StoreRun(int64_t count, Out* output, Element element) {
  Out block[kBroadcastBlock];
  int64_t i = 0;
  for (; i + kBroadcastBlock <= count; i += kBroadcastBlock) {
    for (int j = 0; j < kBroadcastBlock; ++j) block[j] = element(i + j);
    std::memcpy(output + i, block, sizeof(block));
  }
  const int rest = static_cast<int>(count - i);
  for (int j = 0; j < rest; ++j) block[j] = element(i + j);
  std::memcpy(output + i, block, static_cast<size_t>(rest) * sizeof(Out));
}

// output = f(a, b), element by element.
template <class In, class Out, class F>
void BroadcastBinary(const Broadcast& broadcast, const In* a, const In* b,
                     Out* output, const F& f) {
  const int64_t run = broadcast.run;
  const bool a_varies = broadcast.run_stride[0] != 0;
  const bool b_varies = broadcast.run_stride[1] != 0;
  ForEachRun(broadcast, [=, &f](int64_t first, const int64_t* at) {
    const In* x = a + at[0];
    const In* y = b + at[1];
    Out* out = output + first;
    if (a_varies && b_varies) {
      StoreRun(run, out, [=, &f](int64_t i) { return f(x[i], y[i]); });
    } else if (a_varies) {
      const In scalar = *y;
      StoreRun(run, out, [=, &f](int64_t i) { return f(x[i], scalar); });
    } else {
      const In scalar = *x;
      StoreRun(run, out, [=, &f](int64_t i) { return f(scalar, y[i]); });
    }
  });
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_BROADCAST_H_
