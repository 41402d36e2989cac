// LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT on BOOL; BITWISE_XOR and RIGHT_SHIFT on
// integers. Element-wise; those of two inputs broadcast.

#include "arenalite/builtin_ops.h"
#include "kernels/binary.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// BOOL is read as bytes: any but 0 is true.
struct LogicalAnd {
  bool operator()(uint8_t a, uint8_t b) const { return a != 0 && b != 0; }
};
struct LogicalOr {
  bool operator()(uint8_t a, uint8_t b) const { return a != 0 || b != 0; }
};

template <class F>
Status PrepareLogical(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  if (context.input(0).type != TensorType::kBool) {
    return UnsupportedBinaryType(context);
  }
  return SetBinary<uint8_t, bool>(context, F());
}

void NotBlock(const void*, const void* const* inputs, void* output, int count) {
  const uint8_t* input = static_cast<const uint8_t*>(inputs[0]);
  uint8_t block[kBroadcastBlock];
  for (int i = 0; i < count; ++i) block[i] = input[i] == 0 ? 1 : 0;
  std::memcpy(output, block, static_cast<size_t>(count));
}

Status PrepareLogicalNot(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const TensorType input = context.input(0).type;
  const TensorType output = context.output(0).type;
  if (input != TensorType::kBool || output != TensorType::kBool) {
    return InvalidModelError("input and output are ", TensorTypeName(input),
                             " and ", TensorTypeName(output), ", allowed BOOL");
  }
  const Shape& shape = context.input(0).shape;
  ARENALITE_ASSIGN_OR_RETURN(BroadcastLoop * loop,
                             context.CreateData<BroadcastLoop>());
  *loop = MakeUnaryLoop(shape, 1, 1);
  loop->block = NotBlock;
  return context.SetOutputShape(0, shape);
}

struct BitwiseXor {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

// Shifts by less than 0 count as 0, by too much as the most there is.
struct RightShift {
  template <class T>
  static T Apply(T a, T b) {
    constexpr int kMost = static_cast<int>(sizeof(T)) * 8 - 1;
    const int shift = b < 0 ? 0 : (b > T{kMost} ? kMost : static_cast<int>(b));
    return static_cast<T>(a >> shift);
  }
};

template <class Op>
Status PrepareBits(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckBinaryOp(context));
  return SetBinaryOfTypes<Plain<Op>, int8_t, uint8_t, int16_t, uint16_t,
                          int32_t, uint32_t>(context);
}

}  // namespace

namespace ops {

const OpDefinition kLogicalAnd = {
    "LOGICAL_AND",
    schema::BuiltinOperator_LOGICAL_AND,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareLogical<LogicalAnd>,
    nullptr,
    BroadcastOverlap,
};
const OpDefinition kLogicalOr = {
    "LOGICAL_OR",
    schema::BuiltinOperator_LOGICAL_OR,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareLogical<LogicalOr>,
    nullptr,
    BroadcastOverlap,
};
const OpDefinition kLogicalNot = {
    "LOGICAL_NOT",
    schema::BuiltinOperator_LOGICAL_NOT,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareLogicalNot,
    EvalBroadcast,
    BroadcastOverlap,
};
const OpDefinition kBitwiseXor = {
    "BITWISE_XOR",
    schema::BuiltinOperator_BITWISE_XOR,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareBits<BitwiseXor>,
    nullptr,
    BroadcastOverlap,
};
const OpDefinition kRightShift = {
    "RIGHT_SHIFT",
    schema::BuiltinOperator_RIGHT_SHIFT,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareBits<RightShift>,
    nullptr,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
