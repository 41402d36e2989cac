// What ops with two broadcasting inputs share: data, eval and functors.

#ifndef ARENALITE_KERNELS_BINARY_H_
#define ARENALITE_KERNELS_BINARY_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "arenalite/op_definition.h"
#include "kernels/broadcast.h"
#include "kernels/element_ops.h"
#include "kernels/quantization.h"

namespace arenalite {

template <class F>
struct BinaryData {
  BroadcastLoop loop;  // First, for EvalBroadcast and BroadcastOverlap.
  F f;
};

// A BlockFunction: output = f(input 0, input 1), element by element.
template <class In, class Out, class F>
void BinaryBlock(const void* functor, const void* const* inputs, void* output,
                 int count) {
  const F f = *static_cast<const F*>(functor);
  const In* a = static_cast<const In*>(inputs[0]);
  const In* b = static_cast<const In*>(inputs[1]);
  Out block[kBroadcastBlock];
  for (int i = 0; i < count; ++i) block[i] = f(a[i], b[i]);
  std::memcpy(output, block, static_cast<size_t>(count) * sizeof(Out));
}

// Two inputs of one type, one output of `output_type`.
Status CheckBinaryOp(OpContext& context, TensorType output_type);
// The same where inputs and output have one type.
Status CheckBinaryOp(OpContext& context);

// Refuses inputs of two shapes, for ops that do not broadcast.
Status CheckEqualShapes(const OpContext& context);

// Makes the loop nest of inputs 0 and 1; sets the shape of output 0 and eval.
Status PrepareBinaryLoop(OpContext& context, BroadcastLoop& loop);

// prepare's end: output 0 = f(input 0, input 1), with elements of these types.
template <class In, class Out, class F>
Status SetBinary(OpContext& context, const F& f) {
  ARENALITE_ASSIGN_OR_RETURN(BinaryData<F> * data,
                             context.CreateData<BinaryData<F>>());
  data->f = f;
  data->loop.functor = &data->f;
  data->loop.block = BinaryBlock<In, Out, F>;
  return PrepareBinaryLoop(context, data->loop);
}

// Refuses divisors (input 1) that equal `zero`.
template <class T>
Status CheckDivisors(const OpContext& context, T zero) {
  const T* data = context.input(1).data_as<T>();
  const int64_t count = context.input(1).shape.NumElements();
  for (int64_t i = 0; i < count; ++i) {
    if (data[i] != zero) continue;
    return OutOfRangeError("Division by 0: element ", i, " of input 1");
  }
  return OkStatus();
}

// SetBinary for division: eval first refuses divisors that equal f.Zero().
template <class T, class F>
Status EvalDivision(OpContext& context) {
  const T zero = context.data<BinaryData<F>>().f.Zero();
  ARENALITE_RETURN_IF_ERROR(CheckDivisors<T>(context, zero));
  return EvalBroadcast(context);
}
template <class T, class F>
Status SetDivision(OpContext& context, const F& f) {
  ARENALITE_RETURN_IF_ERROR((SetBinary<T, T>(context, f)));
  context.SetEval(EvalDivision<T, F>);
  return OkStatus();
}

// "no kernel for inputs of type X" as a Status.
Status UnsupportedBinaryType(const OpContext& context);

// quantized + zero_point in the activation's range. Clamps before it adds: the
// rescaled value may be any 32-bit number.
struct OutputStage {
  int32_t zero_point;
  int32_t min;  // Of the range, less the zero point.
  int32_t max;

  int32_t operator()(int32_t rescaled) const {
    return std::min(max, std::max(min, rescaled)) + zero_point;
  }
};

// `activation`: a schema::ActivationFunctionType.
Result<OutputStage> MakeOutputStage(int32_t activation, const Tensor& output);

// CheckPerTensorQuantization of both inputs and the output.
Status CheckBinaryQuantization(const OpContext& context);

// Op::Apply, then the clamp of a fused activation.
template <class T, class Op>
struct Clamped {
  T min;
  T max;
  T operator()(T a, T b) const {
    return std::min(std::max(Op::Apply(a, b), min), max);
  }
};

// Op::Apply and the clamp in float, for elements of a narrower format.
template <class Narrow, class Op>
struct ClampedNarrow {
  Clamped<float, Op> wide;
  Narrow operator()(Narrow a, Narrow b) const {
    return Narrow(wide(static_cast<float>(a), static_cast<float>(b)));
  }
};

// Op::Apply alone.
template <class Op>
struct Plain {
  template <class T>
  T operator()(T a, T b) const {
    return Op::Apply(a, b);
  }
};

// prepare's end for an op that knows some types, with F{} for all of them.
template <class F, class... Types>
Status SetBinaryOfTypes(OpContext& context) {
  const TensorType type = context.input(0).type;
  Status status = OkStatus();
  const auto try_type = [&](auto element) {
    using T = decltype(element);
    if (TensorTypeOf<T>::kValue != type) return false;
    status = SetBinary<T, T>(context, F());
    return true;
  };
  return (try_type(Types()) || ...) ? std::move(status)
                                    : UnsupportedBinaryType(context);
}

// The clamp for elements of type T that are not quantized.
template <class T, class Op>
Result<Clamped<T, Op>> MakeClamped(int32_t activation) {
  ARENALITE_ASSIGN_OR_RETURN(FloatRange real, FloatActivationRange(activation));
  constexpr T kLowest = std::numeric_limits<T>::lowest();
  constexpr T kMax = std::numeric_limits<T>::max();
  Clamped<T, Op> clamped = {kLowest, kMax};
  const bool signed_low = real.min < 0.0f && !std::is_signed_v<T>;
  if (real.min > std::numeric_limits<float>::lowest() && !signed_low) {
    clamped.min = static_cast<T>(real.min);
  }
  if (real.max < std::numeric_limits<float>::max()) {
    clamped.max = static_cast<T>(real.max);
  }
  return clamped;
}

// prepare's end for a plain arithmetic op with a fused activation.
template <class T, class Op>
Status SetClamped(OpContext& context, int32_t activation) {
  ARENALITE_ASSIGN_OR_RETURN(auto f, (MakeClamped<T, Op>(activation)));
  return SetBinary<T, T>(context, f);
}
template <class T, class Op>
Status SetClampedNarrow(OpContext& context, int32_t activation) {
  ARENALITE_ASSIGN_OR_RETURN(auto f, (MakeClamped<float, Op>(activation)));
  f.min = std::max(f.min, T::kLowest);
  f.max = std::min(f.max, T::kMax);
  return SetBinary<T, T>(context, ClampedNarrow<T, Op>{f});
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_BINARY_H_
