// The loop nest of reductions: one pass, outputs in order, any set of axes.

#ifndef ARENALITE_KERNELS_REDUCE_LOOPS_H_
#define ARENALITE_KERNELS_REDUCE_LOOPS_H_

#include <algorithm>
#include <cstdint>

#include "arenalite/tensor.h"
#include "kernels/strided_walk.h"

namespace arenalite {

// The input's dimensions with neighbours of one kind merged and those of 1
// dropped. The innermost one, contiguous, is kept apart.
struct ReducePlan {
  StridedDims kept;
  StridedDims reduced;
  int64_t inner = 1;
  bool inner_is_kept = true;
  int64_t outputs = 1;
  int64_t count = 1;  // Elements behind each output.
};

inline ReducePlan MakeReducePlan(const Shape& input, uint32_t reduced_axes) {
  ReducePlan plan;
  int64_t stride = 1;
  bool first = true;
  for (int axis = input.rank() - 1; axis >= 0; --axis) {
    const bool kept = (reduced_axes >> axis & 1) == 0;
    const int64_t size = input.dim(axis);
    (kept ? plan.outputs : plan.count) *= size;
    StridedDims& dims = kept ? plan.kept : plan.reduced;
    if (size == 1) continue;
    if (first) {
      plan.inner_is_kept = kept;
      first = false;
    }
    // Filled innermost first; turned around below.
    const int last = dims.rank - 1;
    if (last >= 0 && dims.size[last] * dims.stride[last] == stride) {
      dims.size[last] *= size;
    } else {
      dims.size[dims.rank] = size;
      dims.stride[dims.rank++] = stride;
    }
    stride *= size;
  }
  StridedDims& innermost = plan.inner_is_kept ? plan.kept : plan.reduced;
  if (innermost.rank > 0) {
    plan.inner = innermost.size[0];
    --innermost.rank;
    std::copy_n(innermost.size + 1, innermost.rank, innermost.size);
    std::copy_n(innermost.stride + 1, innermost.rank, innermost.stride);
  }
  for (StridedDims* dims : {&plan.kept, &plan.reduced}) {
    std::reverse(dims->size, dims->size + dims->rank);
    std::reverse(dims->stride, dims->stride + dims->rank);
  }
  return plan;
}

// Outputs that are accumulated side by side, on the stack, when the innermost
// dimension is kept.
constexpr int64_t kReduceBlock = 128;

// A Reducer has First(value) -> Sum, Step(Sum, value) -> Sum, and
// Finish(Sum) -> value. Elements are taken in the input's order.
template <class Reducer>
void ReduceKeptBlock(const ReducePlan& plan, const Reducer& reducer,
                     const typename Reducer::Value* input, int64_t count,
                     typename Reducer::Value* output) {
  typename Reducer::Sum sums[kReduceBlock];
  for (int64_t i = 0; i < count; ++i) sums[i] = reducer.First(input[i]);
  StridedWalk walk(plan.reduced);
  while (walk.Next()) {
    const typename Reducer::Value* row = input + walk.offset();
    for (int64_t i = 0; i < count; ++i) {
      sums[i] = reducer.Step(sums[i], row[i]);
    }
  }
  for (int64_t i = 0; i < count; ++i) output[i] = reducer.Finish(sums[i]);
}

template <class Reducer>
typename Reducer::Value ReduceOne(const ReducePlan& plan,
                                  const Reducer& reducer,
                                  const typename Reducer::Value* input) {
  typename Reducer::Sum sum = reducer.First(input[0]);
  int64_t start = 1;
  StridedWalk walk(plan.reduced);
  do {
    const typename Reducer::Value* row = input + walk.offset();
    for (int64_t i = start; i < plan.inner; ++i) {
      sum = reducer.Step(sum, row[i]);
    }
    start = 0;
  } while (walk.Next());
  return reducer.Finish(sum);
}

// Neither the outputs nor the elements behind each may be none.
template <class Reducer>
void Reduce(const ReducePlan& plan, const Reducer& reducer,
            const typename Reducer::Value* input,
            typename Reducer::Value* output) {
  StridedWalk walk(plan.kept);
  do {
    const typename Reducer::Value* base = input + walk.offset();
    if (!plan.inner_is_kept) {
      *output++ = ReduceOne(plan, reducer, base);
      continue;
    }
    for (int64_t first = 0; first < plan.inner; first += kReduceBlock) {
      const int64_t count = std::min(kReduceBlock, plan.inner - first);
      ReduceKeptBlock(plan, reducer, base + first, count, output);
      output += count;
    }
  } while (walk.Next());
}

// The distance D (DESIGN: overlap) of Reduce for one element type of
// `element` bytes. Outputs are written densely, and the lowest place that a
// later output still reads moves at least as fast, so the first step decides.
inline int64_t ReduceOverlap(const ReducePlan& plan, int64_t element,
                             int64_t input_bytes) {
  const int64_t step =
      plan.inner_is_kept ? std::min(kReduceBlock, plan.inner) : 1;
  if (step >= plan.outputs) return input_bytes;
  const bool within_row = plan.inner_is_kept && step < plan.inner;
  const int64_t next = within_row ? step : plan.kept.stride[plan.kept.rank - 1];
  return (next - step) * element;
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_REDUCE_LOOPS_H_
