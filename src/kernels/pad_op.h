// What PAD, PADV2, DILATE and STABLEHLO_PAD have in common: elements of the
// input at even distances in the output, one value everywhere else.

#ifndef ARENALITE_KERNELS_PAD_OP_H_
#define ARENALITE_KERNELS_PAD_OP_H_

#include "arenalite/op_definition.h"
#include "kernels/pad_fill.h"

namespace arenalite {

// Elements before the first, between neighbours, and after the last. Before
// and after may be negative: that many elements are cut off.
struct PadAxis {
  int64_t before;
  int64_t between;
  int64_t after;
};

// The paddings of all dimensions of the input.
struct PadSpec {
  PadAxis axes[kMaxRank];
  // One dimension that comes out empty empties all of them.
  bool empties_all;
};

// Reads the paddings from options or input tensors.
using ReadPaddings = Result<PadSpec> (*)(const OpContext& context);

// Finishes the prepare of an op that pads input 0 to output 0 with the value
// of input `value_input`, or with 0 where that is absent. `read` runs now when
// `known`, else in eval.
Status PreparePad(OpContext& context, int value_input, bool known,
                  ReadPaddings read);

// OpDefinition::overlap of ops prepared by PreparePad.
int64_t PadOverlap(const OpContext& context, int output, int input);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_PAD_OP_H_
