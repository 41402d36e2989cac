// PAD, PADV2: a constant around the input.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/pad_fill.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kValueInput = 2;

struct PadJob {
  Shape shape;
  CopyPlan plan;
};

struct PadData {
  CopyPlan plan;
  bool is_planned;
  PadValue value;  // Of ops without a value input.
};

Result<PadJob> ResolvePad(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Tensor& paddings = context.input(1);
  const int rank = input.shape.rank();
  if (paddings.shape.dim(0) != rank) {
    return InvalidModelError("input 1 (paddings) has shape ",
                             paddings.shape.dims(), ", input 0 of rank ", rank,
                             " needs [", rank, ",2]");
  }
  PadJob job;
  job.shape.set_rank(rank);
  int64_t front[kMaxRank];
  for (int i = 0; i < rank; ++i) {
    front[i] = ReadInteger(paddings, 2 * i);
    const int64_t back = ReadInteger(paddings, 2 * i + 1);
    if (std::min(front[i], back) < 0 || std::max(front[i], back) > INT32_MAX ||
        input.shape.dim(i) + front[i] + back > INT32_MAX) {
      return InvalidModelError(
          "input 1 (paddings) is [", front[i], ",", back, "] for dimension ", i,
          ", allowed are numbers >= 0 with a sum up to ", INT32_MAX);
    }
    job.shape.set_dim(
        i, static_cast<int32_t>(input.shape.dim(i) + front[i] + back));
  }
  // Steps of a shape whose size overflows would be nonsense.
  ARENALITE_RETURN_IF_ERROR(TensorBytes(input.type, job.shape).status());
  job.plan = MakePadPlan(input.shape, job.shape, front, input.type);
  return job;
}

Status FillAndCopy(OpContext& context, const CopyPlan& plan) {
  const Tensor& input = context.input(0);
  Tensor& output = context.output(0);
  const Tensor* value = context.optional_input(kValueInput);
  RunPadPlan(plan, value ? PadValue::Of(*value) : context.data<PadData>().value,
             input.data, output.data, output.bytes);
  return OkStatus();
}

Status EvalPad(OpContext& context) {
  return FillAndCopy(context, context.data<PadData>().plan);
}

Status EvalDynamicPad(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(PadJob job, ResolvePad(context));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, job.shape));
  return FillAndCopy(context, job.plan);
}

Status CheckValueInput(const OpContext& context, const Tensor& value) {
  const Tensor& output = context.output(0);
  if (value.type != output.type || value.shape.NumElements() != 1) {
    return InvalidModelError("input 2 (value) is ", TensorTypeName(value.type),
                             " of shape ", value.shape.dims(),
                             ", allowed one element of type ",
                             TensorTypeName(output.type));
  }
  const Quantization& of_value = value.quantization;
  const Quantization& of_output = output.quantization;
  if (MayBeQuantized(value.type) && context.input(0).quantization.has_scale() &&
      (of_value.scale() != of_output.scale() ||
       of_value.zero_point() != of_output.zero_point())) {
    return InvalidModelError(
        "input 2 (value) has scale ", of_value.scale(), " and zero point ",
        of_value.zero_point(),
        ", allowed are those of the output: ", of_output.scale(), " and ",
        of_output.zero_point());
  }
  return OkStatus();
}

Status PreparePad(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 1, "paddings",
      {TensorType::kInt32, TensorType::kInt64, TensorType::kInt16,
       TensorType::kInt8, TensorType::kBool}));
  const Tensor& paddings = context.input(1);
  if (paddings.shape.rank() != 2 || paddings.shape.dim(1) != 2) {
    return InvalidModelError("input 1 (paddings) has shape ",
                             paddings.shape.dims(), ", allowed [rank,2]");
  }
  const TensorType type = context.input(0).type;
  if (TensorTypeBits(type) < 8) {
    return UnimplementedError("input 0 is ", TensorTypeName(type),
                              ", allowed are types of whole bytes");
  }
  const Tensor* value = context.optional_input(kValueInput);
  if (value) ARENALITE_RETURN_IF_ERROR(CheckValueInput(context, *value));
  ARENALITE_ASSIGN_OR_RETURN(PadData * data, context.CreateData<PadData>());
  if (!value) {
    ARENALITE_ASSIGN_OR_RETURN(data->value,
                               PadValue::ZeroOf(context.output(0)));
  }
  if (!context.HasValue(paddings)) {
    context.SetEval(EvalDynamicPad);
    return context.SetOutputDynamic(0);
  }
  ARENALITE_ASSIGN_OR_RETURN(PadJob job, ResolvePad(context));
  data->plan = job.plan;
  data->is_planned = true;
  return context.SetOutputShape(0, job.shape);
}

int64_t PadOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<PadData>();
  // Paddings and value are tiny. A plan that data decide is not known yet.
  if (input != 0 || !data.is_planned) return kNoOverlap;
  return CopyDistance(data.plan, context.input(0).bytes);
}

}  // namespace

namespace ops {

const OpDefinition kPad = {
    "PAD",      schema::BuiltinOperator_PAD,
    5,          kOpDefault,
    0,          nullptr,
    PreparePad, EvalPad,
    PadOverlap,
};
const OpDefinition kPadV2 = {
    "PADV2",    schema::BuiltinOperator_PADV2,
    5,          kOpDefault,
    0,          nullptr,
    PreparePad, EvalPad,
    PadOverlap,
};

}  // namespace ops
}  // namespace arenalite
