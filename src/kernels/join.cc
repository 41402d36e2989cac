#include "kernels/join.h"

#include "kernels/wrapping.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// The second of two that have no order (NaN), as the reference does.
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return a <= b ? a : b;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a >= b ? a : b;
  }
};
struct All {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != T{0} && b != T{0});
  }
};
struct Any {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != T{0} || b != T{0});
  }
};
struct Second {
  template <class T>
  T operator()(T, T b) const {
    return b;
  }
};

template <class T, class Join>
void JoinTyped(void* result, const void* elements, int64_t step,
               int64_t count) {
  T joined = *static_cast<T*>(result);
  const T* element = static_cast<const T*>(elements);
  for (int64_t i = 0; i < count; ++i) {
    joined = Join()(joined, element[i * step]);
  }
  *static_cast<T*>(result) = joined;
}

template <class T>
JoinElements ChooseJoin(JoinFunction function) {
  switch (function) {
    case JoinFunction::kAdd:
      return JoinTyped<T, WrappingAdd>;
    case JoinFunction::kMul:
      return JoinTyped<T, WrappingMul>;
    case JoinFunction::kMin:
      return JoinTyped<T, Min>;
    case JoinFunction::kMax:
      return JoinTyped<T, Max>;
    case JoinFunction::kAll:
      return JoinTyped<T, All>;
    case JoinFunction::kAny:
      return JoinTyped<T, Any>;
    case JoinFunction::kReplace:
      return JoinTyped<T, Second>;
  }
  return nullptr;
}

}  // namespace

JoinElements FindJoin(JoinFunction function, TensorType type) {
  switch (type) {
    case TensorType::kBool:
    case TensorType::kInt8:
      return ChooseJoin<int8_t>(function);
    case TensorType::kUInt8:
      return ChooseJoin<uint8_t>(function);
    case TensorType::kInt16:
      return ChooseJoin<int16_t>(function);
    case TensorType::kInt32:
      return ChooseJoin<int32_t>(function);
    case TensorType::kInt64:
      return ChooseJoin<int64_t>(function);
    case TensorType::kFloat32:
      return ChooseJoin<float>(function);
    case TensorType::kFloat64:
      return ChooseJoin<double>(function);
    default:
      return nullptr;
  }
}

Result<JoinFunction> JoinOfOperator(int32_t builtin_code) {
  switch (builtin_code) {
    case schema::BuiltinOperator_ADD:
    case schema::BuiltinOperator_STABLEHLO_ADD:
      return JoinFunction::kAdd;
    case schema::BuiltinOperator_MUL:
    case schema::BuiltinOperator_STABLEHLO_MULTIPLY:
      return JoinFunction::kMul;
    case schema::BuiltinOperator_MINIMUM:
    case schema::BuiltinOperator_STABLEHLO_MINIMUM:
      return JoinFunction::kMin;
    case schema::BuiltinOperator_MAXIMUM:
    case schema::BuiltinOperator_STABLEHLO_MAXIMUM:
      return JoinFunction::kMax;
    case schema::BuiltinOperator_LOGICAL_AND:
    case schema::BuiltinOperator_STABLEHLO_AND:
      return JoinFunction::kAll;
    case schema::BuiltinOperator_LOGICAL_OR:
    case schema::BuiltinOperator_STABLEHLO_OR:
      return JoinFunction::kAny;
    default:
      return UnimplementedError("the body is operator ", builtin_code,
                                ", allowed are sum, product, minimum, "
                                "maximum, and, or");
  }
}

}  // namespace arenalite
