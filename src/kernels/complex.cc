// REAL, IMAG, COMPLEX_ABS.

#include <cmath>
#include <cstdint>

#include "arenalite/builtin_ops.h"
#include "kernels/unary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct Real {
  template <class T>
  T operator()(const Complex<T>& x) const {
    return x.real;
  }
};
struct Imag {
  template <class T>
  T operator()(const Complex<T>& x) const {
    return x.imag;
  }
};
// hypot() does not overflow where the squares would.
struct ComplexAbs {
  template <class T>
  T operator()(const Complex<T>& x) const {
    return std::hypot(x.real, x.imag);
  }
};

template <class T, class F>
Status SetPart(OpContext& context) {
  const TensorType output = context.output(0).type;
  constexpr TensorType kPart = TensorTypeOf<T>::kValue;
  if (output != kPart) {
    return InvalidModelError("output 0 is ", TensorTypeName(output), " for ",
                             TensorTypeName(context.input(0).type),
                             ", allowed ", TensorTypeName(kPart));
  }
  return SetMap<Complex<T>, T>(context, F());
}

template <class F>
Status PrepareComplex(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameShape(context));
  switch (context.input(0).type) {
    case TensorType::kComplex64:
      return SetPart<float, F>(context);
    case TensorType::kComplex128:
      return SetPart<double, F>(context);
    default:
      return UnsupportedInput(context, "COMPLEX64 or COMPLEX128");
  }
}

// The first half of an element, its real part, does not matter.
int64_t ImagOverlap(const OpContext& context, int output, int input) {
  return MapOverlap(context, output, input) +
         TensorTypeBits(context.output(0).type) / 8;
}

}  // namespace

namespace ops {

const OpDefinition kReal = {
    "REAL",  schema::BuiltinOperator_REAL, 1,       kOpDefault, 0,
    nullptr, PrepareComplex<Real>,         nullptr, MapOverlap,
};
const OpDefinition kImag = {
    "IMAG",  schema::BuiltinOperator_IMAG, 1,       kOpDefault,  0,
    nullptr, PrepareComplex<Imag>,         nullptr, ImagOverlap,
};
const OpDefinition kComplexAbs = {
    "COMPLEX_ABS", schema::BuiltinOperator_COMPLEX_ABS, 1,       kOpDefault, 0,
    nullptr,       PrepareComplex<ComplexAbs>,          nullptr, MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
