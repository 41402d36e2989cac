// What operators that are one CopyPlan from input to output have in common.

#ifndef ARENALITE_KERNELS_COPY_OP_H_
#define ARENALITE_KERNELS_COPY_OP_H_

#include "arenalite/op_definition.h"
#include "kernels/copy_plan.h"

namespace arenalite {

// What the shapes and index tensors of a node come to.
struct CopyJob {
  Shape shape;  // Of the output.
  CopyPlan plan;
};

// What is taken of one dimension: `count` elements, `stride` apart.
struct TakenAxis {
  int64_t start;
  int64_t count;
  int64_t stride;
};
// A box of the input: one entry a dimension, all of it inside.
CopyJob MakeBoxJob(const Tensor& input, const TakenAxis* taken);
// The input's dimensions in another order: output dimension i is input
// dimension order[i].
CopyJob MakePermutationJob(const Tensor& input, const int* order);

// Reads the node's index tensors.
using ResolveCopy = Result<CopyJob> (*)(const OpContext& context);

// Finishes the prepare of an op that copies input `input` to output 0.
// `resolve` runs now when `known`, else in eval. String outputs are dynamic.
Status PrepareCopy(OpContext& context, int input, bool known,
                   ResolveCopy resolve);

// Like PrepareCopy, for an output that has no more elements than the input.
Status PrepareSelection(OpContext& context, int input, bool known,
                        ResolveCopy resolve);

// Like PrepareCopy, for an output whose shape is known now, and a plan that
// depends on data.
Status PrepareLateCopy(OpContext& context, int input, const Shape& shape,
                       ResolveCopy resolve);

// OpDefinition::overlap of ops prepared by PrepareCopy.
int64_t CopyOverlap(const OpContext& context, int output, int input);

// eval of a string output: gives output 0 the strings that `plan` picks.
Status CopyStrings(OpContext& context, const Tensor& input, const CopyJob& job);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_COPY_OP_H_
