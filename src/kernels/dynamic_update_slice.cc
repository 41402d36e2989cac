// DYNAMIC_UPDATE_SLICE: the operand with a block of it replaced. In place,
// only the block is written.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct UpdateData {
  CopyPlan plan;  // Places the update at the output's origin.
  int64_t steps[kMaxRank];
};

// The element where the block begins: a start that would lead it out of the
// operand is moved back in.
int64_t BlockOrigin(const OpContext& context) {
  const auto& data = context.data<UpdateData>();
  const Shape& operand = context.input(0).shape;
  const Shape& update = context.input(1).shape;
  int64_t origin = 0;
  for (int d = 0; d < operand.rank(); ++d) {
    const int64_t last = operand.dim(d) - update.dim(d);
    const int64_t start = ReadInteger(context.input(2), d);
    origin += std::clamp<int64_t>(start, 0, last) * data.steps[d];
  }
  return origin;
}

void CopyOperand(OpContext& context) {
  const Tensor& operand = context.input(0);
  void* output = context.output(0).data;
  if (output == operand.data || operand.bytes == 0) return;
  std::memmove(output, operand.data, static_cast<size_t>(operand.bytes));
}

Status EvalUpdate(OpContext& context) {
  const auto& data = context.data<UpdateData>();
  const int64_t origin = BlockOrigin(context);
  CopyOperand(context);
  if (context.input(1).bytes == 0) return OkStatus();
  const int64_t bytes = TensorTypeBits(context.output(0).type) / 8;
  RunCopyPlan(data.plan, context.input(1).data,
              context.output(0).data_as<uint8_t>() + origin * bytes);
  return OkStatus();
}

// One half byte of `to`, the other one kept.
void SetNibble(uint8_t* to, int64_t at, int value) {
  const int shift = static_cast<int>(at % 2) * 4;
  const int kept = to[at / 2] & (0xF0 >> shift);
  to[at / 2] = static_cast<uint8_t>(kept | value << shift);
}

Status EvalUpdateInt4(OpContext& context) {
  const auto& data = context.data<UpdateData>();
  const Shape& update = context.input(1).shape;
  const int64_t origin = BlockOrigin(context);
  CopyOperand(context);
  const uint8_t* from = context.input(1).data_as<uint8_t>();
  uint8_t* to = context.output(0).data_as<uint8_t>();
  int32_t index[kMaxRank] = {};
  int64_t at = origin;
  const int64_t count = update.NumElements();
  for (int64_t i = 0; i < count; ++i) {
    SetNibble(to, at, from[i / 2] >> (i % 2 * 4) & 15);
    for (int d = update.rank() - 1; d >= 0; --d) {
      at += data.steps[d];
      if (++index[d] < update.dim(d)) break;
      at -= data.steps[d] * update.dim(d);
      index[d] = 0;
    }
  }
  return OkStatus();
}

Status CheckShapes(const OpContext& context) {
  const Shape& operand = context.input(0).shape;
  const Shape& update = context.input(1).shape;
  const Shape& starts = context.input(2).shape;
  if (starts.rank() != 1 || starts.dim(0) != operand.rank()) {
    return InvalidModelError("input 2 (start indices) has shape ",
                             starts.dims(), ", allowed [", operand.rank(), "]");
  }
  bool fits = update.rank() == operand.rank();
  for (int d = 0; fits && d < operand.rank(); ++d) {
    fits = update.dim(d) <= operand.dim(d);
  }
  if (fits) return OkStatus();
  return InvalidModelError("input 1 (update) of shape ", update.dims(),
                           " does not fit into the operand of shape ",
                           operand.dims());
}

Status PrepareDynamicUpdateSlice(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 1));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 2, "start indices", {TensorType::kInt32, TensorType::kInt64}));
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  const TensorType type = context.input(0).type;
  if (TensorTypeBits(type) < 8 && type != TensorType::kInt4) {
    return UnimplementedError("no kernel for input 0 of type ",
                              TensorTypeName(type));
  }
  const Shape& operand = context.input(0).shape;
  const Shape& update = context.input(1).shape;
  ARENALITE_ASSIGN_OR_RETURN(UpdateData * data,
                             context.CreateData<UpdateData>());
  RowMajorSteps(operand, data->steps);
  if (type == TensorType::kInt4) {
    context.SetEval(EvalUpdateInt4);
    return context.SetOutputShape(0, operand);
  }
  int64_t update_steps[kMaxRank];
  RowMajorSteps(update, update_steps);
  CopyAxis axes[kMaxRank];
  for (int d = 0; d < operand.rank(); ++d) {
    axes[d] = {update.dim(d), update_steps[d], data->steps[d]};
  }
  const auto rank = static_cast<size_t>(operand.rank());
  data->plan = MakeCopyPlan(Span<const CopyAxis>(axes, rank), type);
  return context.SetOutputShape(0, operand);
}

int64_t UpdateOverlap(const OpContext& context, int, int input) {
  // The update and its place are read after the operand has been copied.
  if (input != 0) return kNoOverlap;
  // The operand is moved as a whole, from wherever it lies.
  return context.input(0).bytes;
}

}  // namespace

namespace ops {

const OpDefinition kDynamicUpdateSlice = {
    "DYNAMIC_UPDATE_SLICE",
    schema::BuiltinOperator_DYNAMIC_UPDATE_SLICE,
    6,
    kOpDefault,
    0,
    nullptr,
    PrepareDynamicUpdateSlice,
    EvalUpdate,
    UpdateOverlap,
};

}  // namespace ops
}  // namespace arenalite
