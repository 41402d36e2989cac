// The loop nest of every operator that computes each output element from the
// input element at the same place.

#ifndef ARENALITE_KERNELS_UNARY_H_
#define ARENALITE_KERNELS_UNARY_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "arenalite/op_definition.h"
#include "kernels/element.h"

namespace arenalite {

// Elements that are read whole before the first of them is written: the loop
// over a block then works on memory of its own and vectorises even when output
// and input share theirs. A multiple of 8 keeps packed types on byte bounds.
constexpr int64_t kUnaryBlock = 128;

template <class In, class Out, class F>
void MapElements(const Tensor& input, Tensor& output, const F& f) {
  typename Element<In>::Value gathered[kUnaryBlock];
  typename Element<Out>::Value computed[kUnaryBlock];
  const int64_t elements = input.shape.NumElements();
  for (int64_t first = 0; first < elements; first += kUnaryBlock) {
    const int64_t count = std::min(kUnaryBlock, elements - first);
    Element<In>::Load(input.data, first, count, gathered);
    for (int64_t i = 0; i < count; ++i) computed[i] = f(gathered[i]);
    Element<Out>::Store(output.data, first, count, computed);
  }
}

// What SetFunctor kept: an object without state is made on the spot, another
// is the op's data.
template <class F>
const F& FunctorOf(const OpContext& context) {
  if constexpr (std::is_empty_v<F>) {
    static constexpr F kFunctor{};
    return kFunctor;
  } else {
    return context.data<F>();
  }
}
template <class F>
Status SetFunctor(OpContext& context, const F& f) {
  if constexpr (!std::is_empty_v<F>) {
    ARENALITE_ASSIGN_OR_RETURN(F * data, context.CreateData<F>());
    *data = f;
  }
  return OkStatus();
}

template <class In, class Out, class F>
Status EvalMap(OpContext& context) {
  MapElements<In, Out>(context.input(0), context.output(0),
                       FunctorOf<F>(context));
  return OkStatus();
}

// prepare: eval is to apply `f`.
template <class In, class Out, class F>
Status SetMap(OpContext& context, const F& f) {
  context.SetEval(EvalMap<In, Out, F>);
  return SetFunctor(context, f);
}

// Any function of 8 bits, as a table.
struct ByteTable {
  uint8_t values[256];
  uint8_t operator()(uint8_t x) const { return values[x]; }
};

// prepare: eval is to apply `f` by means of a table. In and Out: int8_t or
// uint8_t.
template <class In, class Out, class F>
Status SetByteMap(OpContext& context, const F& f) {
  static_assert(sizeof(In) == 1 && sizeof(Out) == 1);
  ARENALITE_ASSIGN_OR_RETURN(ByteTable * table,
                             context.CreateData<ByteTable>());
  for (int i = 0; i < 256; ++i) {
    const Out value = f(static_cast<In>(static_cast<uint8_t>(i)));
    table->values[i] = static_cast<uint8_t>(value);
  }
  context.SetEval(EvalMap<uint8_t, uint8_t, ByteTable>);
  return OkStatus();
}

// prepare: one input, one output, both of the same shape.
Status PrepareSameShape(OpContext& context);
// The same, and of the same type.
Status PrepareSameType(OpContext& context);
// "TANH of type INT64 ..." as an error for a type without a kernel.
Status UnsupportedInput(const OpContext& context, const char* allowed);
// Refuses inputs or outputs that are not per-tensor quantized.
Status CheckUnaryQuantization(const OpContext& context);
// Refuses zero points other than 0, which INT16 kernels do not subtract.
Status CheckSymmetric(const OpContext& context);

// D when `elements` are read and written in blocks of `block` elements.
int64_t BlockOverlap(const OpContext& context, int64_t block);
// overlap of all that MapElements runs.
int64_t MapOverlap(const OpContext& context, int output, int input);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_UNARY_H_
