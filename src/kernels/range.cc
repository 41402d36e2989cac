// RANGE: start, start + delta, ... up to a limit that is left out.

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "base/float16.h"
#include "kernels/element_ops.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

template <class T>
Status BadRange(T start, T limit, T delta) {
  return OutOfRangeError("input 2 (delta) is ", delta,
                         ", which does not lead from start, ", start,
                         ", to limit, ", limit);
}

Result<Shape> RangeShape(uint64_t count) {
  if (count > INT32_MAX) {
    return ResourceExhaustedError("a range of ", count,
                                  " elements, allowed 0..", INT32_MAX);
  }
  return Shape({static_cast<int32_t>(count)});
}

Result<Shape> IntegerRangeShape(int64_t start, int64_t limit, int64_t delta) {
  const bool rises = start <= limit && delta > 0;
  const bool falls = start >= limit && delta < 0;
  if (!rises && !falls) return BadRange(start, limit, delta);
  // Unsigned differences of signed numbers do not overflow.
  const auto distance =
      rises ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
            : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
  const auto step =
      rises ? static_cast<uint64_t>(delta) : 0 - static_cast<uint64_t>(delta);
  return RangeShape(distance / step + (distance % step != 0 ? 1 : 0));
}

Result<Shape> FloatRangeShape(float start, float limit, float delta) {
  const bool rises = start <= limit && delta > 0;
  const bool falls = start >= limit && delta < 0;
  if (!rises && !falls) return BadRange(start, limit, delta);
  const float count = std::ceil(std::fabs((limit - start) / delta));
  if (!(count < 2147483648.0f)) {
    return ResourceExhaustedError("a range of ", count,
                                  " elements, allowed 0..", INT32_MAX);
  }
  return RangeShape(static_cast<uint64_t>(count));
}

template <class T>
T Scalar(const OpContext& context, int i) {
  return *context.input(i).data_as<T>();
}

template <class T>
Result<Shape> ReadRangeShape(const OpContext& context) {
  const T start = Scalar<T>(context, 0);
  const T limit = Scalar<T>(context, 1);
  const T delta = Scalar<T>(context, 2);
  if constexpr (std::is_integral_v<T>) {
    return IntegerRangeShape(start, limit, delta);
  } else {
    return FloatRangeShape(static_cast<float>(start), static_cast<float>(limit),
                           static_cast<float>(delta));
  }
}

template <class T>
T Next(T value, T delta) {
  if constexpr (std::is_arithmetic_v<T>) {
    return Plus::Apply(value, delta);
  } else {
    return T(static_cast<float>(value) + static_cast<float>(delta));
  }
}

// Sums up, as the reference does, rather than multiplies.
template <class T>
Status EvalRange(OpContext& context) {
  T value = Scalar<T>(context, 0);
  const T delta = Scalar<T>(context, 2);
  T* output = context.output(0).data_as<T>();
  const int64_t count = context.output(0).shape.NumElements();
  for (int64_t i = 0; i < count; ++i) {
    output[i] = value;
    value = Next(value, delta);
  }
  return OkStatus();
}

template <class T>
Status EvalDynamicRange(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadRangeShape<T>(context));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape));
  return EvalRange<T>(context);
}

template <class T>
Status FinishRange(OpContext& context) {
  for (int i = 0; i < 3; ++i) {
    if (context.HasValue(context.input(i))) continue;
    context.SetEval(EvalDynamicRange<T>);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(EvalRange<T>);
  ARENALITE_ASSIGN_OR_RETURN(Shape shape, ReadRangeShape<T>(context));
  return context.SetOutputShape(0, shape);
}

Status PrepareRange(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  for (int i = 0; i < 3; ++i) {
    ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, i));
    if (context.input(i).shape.rank() != 0) {
      return InvalidModelError("input ", i, " has shape ",
                               context.input(i).shape.dims(),
                               ", allowed is a scalar");
    }
  }
  switch (context.input(0).type) {
    case TensorType::kFloat32:
      return FinishRange<float>(context);
    case TensorType::kFloat16:
      return FinishRange<Float16>(context);
    case TensorType::kBFloat16:
      return FinishRange<BFloat16>(context);
    case TensorType::kInt32:
      return FinishRange<int32_t>(context);
    case TensorType::kInt64:
      return FinishRange<int64_t>(context);
    default:
      return UnimplementedError("no kernel for inputs of type ",
                                TensorTypeName(context.input(0).type));
  }
}

}  // namespace

namespace ops {

const OpDefinition kRange = {
    "RANGE",
    schema::BuiltinOperator_RANGE,
    2,
    kOpDefault,
    0,
    nullptr,
    PrepareRange,
    nullptr,
    nullptr,  // The inputs are scalars.
};

}  // namespace ops
}  // namespace arenalite
