// What ops with two broadcasting inputs share: data, eval and functors.

#ifndef ARENALITE_KERNELS_BINARY_H_
#define ARENALITE_KERNELS_BINARY_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "arenalite/op_definition.h"
#include "kernels/broadcast.h"
#include "kernels/quantization.h"

namespace arenalite {

// Begins with the Broadcast, for BroadcastOverlap.
template <class F>
struct BinaryData {
  Broadcast broadcast;
  F f;
};

template <class In, class Out, class F>
Status EvalBinary(OpContext& context) {
  const auto& data = context.data<BinaryData<F>>();
  BroadcastBinary(data.broadcast, context.input(0).data_as<In>(),
                  context.input(1).data_as<In>(),
                  context.output(0).data_as<Out>(), data.f);
  return OkStatus();
}

// Two inputs of one type, one output of `output_type`.
Status CheckBinaryOp(OpContext& context, TensorType output_type);
// The same where inputs and output have one type.
Status CheckBinaryOp(OpContext& context);

// The loop nest of inputs 0 and 1; sets the shape of output 0.
Result<Broadcast> PrepareBroadcast(OpContext& context);

// prepare's end: output 0 = f(input 0, input 1), with elements of these types.
template <class In, class Out, class F>
Status SetBinary(OpContext& context, const F& f) {
  ARENALITE_ASSIGN_OR_RETURN(BinaryData<F> * data,
                             context.CreateData<BinaryData<F>>());
  ARENALITE_ASSIGN_OR_RETURN(data->broadcast, PrepareBroadcast(context));
  data->f = f;
  context.SetEval(EvalBinary<In, Out, F>);
  return OkStatus();
}

// "no kernel for inputs of type X" as a Status.
Status UnsupportedBinaryType(const OpContext& context);

// The type in which integers are added and multiplied modulo 2^n, as the
// reference's hardware does; floats stay what they are.
template <class T>
using Modular = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<(sizeof(T) <= 4), uint32_t, uint64_t>>;

struct Plus {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) +
                          static_cast<Modular<T>>(b));
  }
};
struct Minus {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) -
                          static_cast<Modular<T>>(b));
  }
};
struct Times {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) *
                          static_cast<Modular<T>>(b));
  }
};

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
