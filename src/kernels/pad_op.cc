#include "kernels/pad_op.h"

#include <algorithm>

#include "base/checked_math.h"
#include "kernels/index_tensor.h"

namespace arenalite {
namespace {

struct PadJob {
  Shape shape;
  CopyPlan plan;
};

struct PadData {
  CopyPlan plan;
  bool is_planned;
  int value_input;
  PadValue zero;  // The value where there is no value input.
  ReadPaddings read;
};

// Far beyond any dimension, and far from overflow.
constexpr int64_t kMaxPadding = int64_t{1} << 48;

bool IsSane(const PadAxis& axis) {
  return std::max(axis.before, axis.after) <= kMaxPadding &&
         std::min(axis.before, axis.after) >= -kMaxPadding &&
         axis.between >= 0 && axis.between <= kMaxPadding;
}

Result<int32_t> PaddedSize(int64_t size, const PadAxis& axis, int i) {
  int64_t padded = 0;
  if (!IsSane(axis) ||
      !CheckedMul(std::max<int64_t>(0, size - 1), axis.between, &padded) ||
      !CheckedAdd(padded, size + axis.before + axis.after, &padded) ||
      padded > INT32_MAX) {
    return InvalidModelError("dimension ", i, " of size ", size,
                             " is padded by ", axis.before, " before, ",
                             axis.between, " between and ", axis.after,
                             " after, allowed are results up to ", INT32_MAX);
  }
  return static_cast<int32_t>(std::max<int64_t>(0, padded));
}

// Adds dimension i to the plan's axes and starts: the input indices whose
// places lie inside of the output.
CopyAxis AxisInside(const PadAxis& axis, int64_t size, int64_t padded,
                    int64_t* source_start, int64_t* target_start) {
  const int64_t step = axis.between + 1;
  const int64_t first = axis.before >= 0 ? 0 : (-axis.before - 1) / step + 1;
  const int64_t room = padded - 1 - axis.before;  // Of the last place.
  const int64_t end = room < 0 ? 0 : std::min(size, room / step + 1);
  const int64_t count = std::max<int64_t>(0, end - first);
  *source_start = count > 0 ? first : 0;
  *target_start = count > 0 ? axis.before + first * step : 0;
  return {count, 1, count > 1 ? step : 1};
}

Result<PadJob> ResolvePad(const OpContext& context, const PadSpec& spec) {
  const Tensor& input = context.input(0);
  const int rank = input.shape.rank();
  PadJob job;
  job.shape = input.shape;
  for (int i = 0; i < rank; ++i) {
    ARENALITE_ASSIGN_OR_RETURN(int32_t padded,
                               PaddedSize(input.shape.dim(i), spec.axes[i], i));
    job.shape.set_dim(i, padded);
  }
  const auto dims = job.shape.dims();
  if (spec.empties_all && std::count(dims.begin(), dims.end(), 0) > 0) {
    for (int i = 0; i < rank; ++i) job.shape.set_dim(i, 0);
  }
  // Steps of a shape whose size overflows would be nonsense.
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes, TensorBytes(input.type, job.shape));
  if (bytes == 0) return job;
  int64_t source_steps[kMaxRank];
  int64_t target_steps[kMaxRank];
  RowMajorSteps(input.shape, source_steps);
  RowMajorSteps(job.shape, target_steps);
  CopyAxis axes[kMaxRank];
  int64_t source_start = 0;
  int64_t target_start = 0;
  for (int i = 0; i < rank; ++i) {
    int64_t source_index = 0;
    int64_t target_index = 0;
    axes[i] = AxisInside(spec.axes[i], input.shape.dim(i), job.shape.dim(i),
                         &source_index, &target_index);
    axes[i].source_step *= source_steps[i];
    axes[i].target_step *= target_steps[i];
    source_start += source_index * source_steps[i];
    target_start += target_index * target_steps[i];
  }
  job.plan = MakeCopyPlan({axes, static_cast<size_t>(rank)}, input.type,
                          source_start, target_start);
  return job;
}

void FillAndCopy(OpContext& context, const CopyPlan& plan) {
  const auto& data = context.data<PadData>();
  Tensor& output = context.output(0);
  const Tensor* value = context.optional_input(data.value_input);
  RunPadPlan(plan, value ? PadValue::Of(*value) : data.zero,
             context.input(0).data, output.data, output.bytes);
}

Status EvalPad(OpContext& context) {
  FillAndCopy(context, context.data<PadData>().plan);
  return OkStatus();
}

Status EvalDynamicPad(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(PadSpec spec,
                             context.data<PadData>().read(context));
  ARENALITE_ASSIGN_OR_RETURN(PadJob job, ResolvePad(context, spec));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, job.shape));
  if (context.output(0).bytes == 0) return OkStatus();
  FillAndCopy(context, job.plan);
  return OkStatus();
}

Status CheckValueInput(const OpContext& context, const Tensor& value, int i) {
  const Tensor& output = context.output(0);
  if (value.type != output.type || value.shape.NumElements() != 1) {
    return InvalidModelError(
        "input ", i, " (value) is ", TensorTypeName(value.type), " of shape ",
        value.shape.dims(), ", allowed one element of type ",
        TensorTypeName(output.type));
  }
  const Quantization& of_value = value.quantization;
  const Quantization& of_output = output.quantization;
  if (MayBeQuantized(value.type) && context.input(0).quantization.has_scale() &&
      (of_value.scale() != of_output.scale() ||
       of_value.zero_point() != of_output.zero_point())) {
    return InvalidModelError(
        "input ", i, " (value) has scale ", of_value.scale(),
        " and zero point ", of_value.zero_point(),
        ", allowed are those of the output: ", of_output.scale(), " and ",
        of_output.zero_point());
  }
  return OkStatus();
}

}  // namespace

Status PreparePad(OpContext& context, int value_input, bool known,
                  ReadPaddings read) {
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  const TensorType type = context.input(0).type;
  if (TensorTypeBits(type) < 8) {
    return UnimplementedError("input 0 is ", TensorTypeName(type),
                              ", allowed are types of whole bytes");
  }
  ARENALITE_ASSIGN_OR_RETURN(PadData * data, context.CreateData<PadData>());
  data->value_input = value_input;
  data->read = read;
  const Tensor* value = context.optional_input(value_input);
  if (value) {
    ARENALITE_RETURN_IF_ERROR(CheckValueInput(context, *value, value_input));
  } else {
    ARENALITE_ASSIGN_OR_RETURN(data->zero, PadValue::ZeroOf(context.output(0)));
  }
  if (!known) {
    context.SetEval(EvalDynamicPad);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(EvalPad);
  ARENALITE_ASSIGN_OR_RETURN(PadSpec spec, read(context));
  ARENALITE_ASSIGN_OR_RETURN(PadJob job, ResolvePad(context, spec));
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

}  // namespace arenalite
