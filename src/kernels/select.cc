// SELECT and SELECT_V2: element by element, from one of two inputs.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/broadcast.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// A BlockFunction. Moves elements by their size, whatever they mean; the
// condition is BOOL read as bytes.
template <class T>
void SelectBlock(const void*, const void* const* inputs, void* output,
                 int count) {
  const uint8_t* condition = static_cast<const uint8_t*>(inputs[0]);
  const T* x = static_cast<const T*>(inputs[1]);
  const T* y = static_cast<const T*>(inputs[2]);
  T block[kBroadcastBlock];
  for (int i = 0; i < count; ++i) {
    // Both are loaded, which the compiler may not decide by itself.
    const T xi = x[i];
    const T yi = y[i];
    block[i] = condition[i] != 0 ? xi : yi;
  }
  std::memcpy(output, block, static_cast<size_t>(count) * sizeof(T));
}

// Null for elements of a size that is not supported.
BlockFunction FindSelectBlock(TensorType type) {
  switch (TensorTypeBits(type)) {
    case 8:
      return SelectBlock<uint8_t>;
    case 16:
      return SelectBlock<uint16_t>;
    case 32:
      return SelectBlock<uint32_t>;
    case 64:
      return SelectBlock<uint64_t>;
    default:
      return nullptr;
  }
}

Status CheckSelect(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  if (context.input(0).type != TensorType::kBool) {
    return InvalidModelError("input 0 (condition) is ",
                             TensorTypeName(context.input(0).type),
                             ", allowed BOOL");
  }
  const TensorType x = context.input(1).type;
  const TensorType y = context.input(2).type;
  const TensorType output = context.output(0).type;
  if (x != y || x != output) {
    return InvalidModelError("inputs 1 and 2 and output 0 are ",
                             TensorTypeName(x), ", ", TensorTypeName(y),
                             " and ", TensorTypeName(output),
                             ", allowed one type");
  }
  return OkStatus();
}

// prepare's end, for a condition taken to have shape `condition`.
Status FinishSelect(OpContext& context, const Shape& condition) {
  const Shape file_shape = context.output(0).shape;
  const Shape* shapes[] = {&condition, &context.input(1).shape,
                           &context.input(2).shape};
  ARENALITE_ASSIGN_OR_RETURN(BroadcastLoop * loop,
                             context.CreateData<BroadcastLoop>());
  ARENALITE_ASSIGN_OR_RETURN(loop->broadcast,
                             MakeBroadcast(Span<const Shape* const>(shapes)));
  const TensorType type = context.output(0).type;
  loop->block = FindSelectBlock(type);
  if (loop->block == nullptr) {
    return UnimplementedError("no kernel for inputs 1 and 2 of type ",
                              TensorTypeName(type));
  }
  loop->output_bytes = TensorTypeBits(type) / 8;
  loop->input_bytes[0] = 1;
  loop->input_bytes[1] = loop->output_bytes;
  loop->input_bytes[2] = loop->output_bytes;
  // One element keeps the rank that the file gives the output.
  const bool one = loop->broadcast.output.NumElements() == 1;
  return context.SetOutputShape(0, one && file_shape.NumElements() == 1
                                       ? file_shape
                                       : loop->broadcast.output);
}

Status PrepareSelectV2(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckSelect(context));
  return FinishSelect(context, context.input(0).shape);
}

// Here the condition is a scalar, one for each outermost slice, or complete.
Status PrepareSelect(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckSelect(context));
  const Shape& given = context.input(0).shape;
  const Shape& x = context.input(1).shape;
  const Shape& y = context.input(2).shape;
  if (given.NumElements() == 1 && x.NumElements() == 1 &&
      y.NumElements() == 1) {
    return FinishSelect(context, given);
  }
  Shape condition = given;
  if (given.rank() == 1 && x.rank() > 1 && given.dim(0) == x.dim(0)) {
    condition.set_rank(x.rank());
    for (int i = 1; i < x.rank(); ++i) condition.set_dim(i, 1);
  } else if (given.rank() != 0 && given != x) {
    return InvalidModelError("input 0 (condition) has shape ", given.dims(),
                             ", allowed [], [", x.rank() > 0 ? x.dim(0) : 1,
                             "] or ", x.dims());
  }
  if (x != y) {
    return InvalidModelError("inputs 1 and 2 have shapes ", x.dims(), " and ",
                             y.dims(), ", allowed are equal ones");
  }
  return FinishSelect(context, condition);
}

// StableHLO: a scalar or complete condition.
Status PrepareStablehloSelect(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckSelect(context));
  const Shape& condition = context.input(0).shape;
  const Shape& x = context.input(1).shape;
  if (x != context.input(2).shape ||
      (condition.rank() != 0 && condition != x)) {
    return InvalidModelError("inputs have shapes ", condition.dims(), ", ",
                             x.dims(), " and ", context.input(2).shape.dims(),
                             ", allowed are equal ones or a scalar input 0");
  }
  return FinishSelect(context, condition);
}

constexpr OpDefinition Selection(const char* name, int32_t code,
                                 int32_t max_version,
                                 Status (*prepare)(OpContext&)) {
  return {name,    code,    max_version,   kOpDefault,      0,
          nullptr, prepare, EvalBroadcast, BroadcastOverlap};
}

}  // namespace

namespace ops {

const OpDefinition kSelect =
    Selection("SELECT", schema::BuiltinOperator_SELECT, 4, PrepareSelect);
const OpDefinition kSelectV2 = Selection(
    "SELECT_V2", schema::BuiltinOperator_SELECT_V2, 2, PrepareSelectV2);
const OpDefinition kStablehloSelect =
    Selection("STABLEHLO_SELECT", schema::BuiltinOperator_STABLEHLO_SELECT, 1,
              PrepareStablehloSelect);

}  // namespace ops
}  // namespace arenalite
