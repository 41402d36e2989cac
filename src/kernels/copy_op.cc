#include "kernels/copy_op.h"

#include "kernels/string_tensor.h"

namespace arenalite {
namespace {

struct CopyData {
  int input;
  bool is_planned;
  CopyPlan plan;
  ResolveCopy resolve;
};

Status EvalPlanned(OpContext& context) {
  const auto& data = context.data<CopyData>();
  RunCopyPlan(data.plan, context.input(data.input).data,
              context.output(0).data);
  return OkStatus();
}

Status EvalDynamic(OpContext& context) {
  const auto& data = context.data<CopyData>();
  ARENALITE_ASSIGN_OR_RETURN(CopyJob job, data.resolve(context));
  const Tensor& input = context.input(data.input);
  if (input.type == TensorType::kString) {
    return CopyStrings(context, input, job);
  }
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, job.shape));
  if (context.output(0).bytes == 0) return OkStatus();
  RunCopyPlan(job.plan, input.data, context.output(0).data);
  return OkStatus();
}

Status EvalLate(OpContext& context) {
  const auto& data = context.data<CopyData>();
  ARENALITE_ASSIGN_OR_RETURN(CopyJob job, data.resolve(context));
  if (job.shape != context.output(0).shape) {
    return OutOfRangeError("the output's shape turned out to be ",
                           job.shape.dims(), ", prepared was ",
                           context.output(0).shape.dims());
  }
  RunCopyPlan(job.plan, context.input(data.input).data, context.output(0).data);
  return OkStatus();
}

Result<CopyData*> CreateCopyData(OpContext& context, int input,
                                 ResolveCopy resolve) {
  const TensorType type = context.input(input).type;
  if (type != TensorType::kString && TensorTypeBits(type) < 4) {
    return UnimplementedError(
        "input ", input, " is ", TensorTypeName(type),
        ", allowed are types of at least 4 bits and STRING");
  }
  ARENALITE_ASSIGN_OR_RETURN(CopyData * data, context.CreateData<CopyData>());
  data->input = input;
  data->resolve = resolve;
  return data;
}

}  // namespace

CopyJob MakeBoxJob(const Tensor& input, const TakenAxis* taken) {
  const int rank = input.shape.rank();
  int64_t steps[kMaxRank];
  RowMajorSteps(input.shape, steps);
  CopyJob job;
  job.shape = input.shape;
  CopyAxis axes[kMaxRank];
  int64_t source_start = 0;
  for (int i = 0; i < rank; ++i) {
    const TakenAxis& axis = taken[i];
    job.shape.set_dim(i, static_cast<int32_t>(axis.count));
    // The stride of a single element may be any number: it is not taken.
    axes[i] = {axis.count, axis.count > 1 ? axis.stride * steps[i] : 0, 0};
    source_start += axis.start * steps[i];
  }
  job.plan = MakeDenseCopyPlan({axes, static_cast<size_t>(rank)}, input.type,
                               source_start);
  return job;
}

CopyJob MakePermutationJob(const Tensor& input, const int* order) {
  const int rank = input.shape.rank();
  int64_t steps[kMaxRank];
  RowMajorSteps(input.shape, steps);
  CopyJob job;
  job.shape = input.shape;
  CopyAxis axes[kMaxRank];
  for (int i = 0; i < rank; ++i) {
    job.shape.set_dim(i, input.shape.dim(order[i]));
    axes[i] = {input.shape.dim(order[i]), steps[order[i]], 0};
  }
  job.plan = MakeDenseCopyPlan({axes, static_cast<size_t>(rank)}, input.type);
  return job;
}

Status PrepareCopy(OpContext& context, int input, bool known,
                   ResolveCopy resolve) {
  ARENALITE_ASSIGN_OR_RETURN(CopyData * data,
                             CreateCopyData(context, input, resolve));
  const bool is_string = context.input(input).type == TensorType::kString;
  if (known) {
    // Also for strings: what is wrong now is said now.
    ARENALITE_ASSIGN_OR_RETURN(CopyJob job, resolve(context));
    if (!is_string) {
      data->plan = job.plan;
      data->is_planned = true;
      context.SetEval(EvalPlanned);
      return context.SetOutputShape(0, job.shape);
    }
  }
  context.SetEval(EvalDynamic);
  return context.SetOutputDynamic(0);
}

Status PrepareSelection(OpContext& context, int input, bool known,
                        ResolveCopy resolve) {
  ARENALITE_RETURN_IF_ERROR(PrepareCopy(context, input, known, resolve));
  const Tensor& from = context.input(input);
  if (known || from.type == TensorType::kString) return OkStatus();
  return context.SetOutputBounded(0, from.bytes);
}

Status PrepareLateCopy(OpContext& context, int input, const Shape& shape,
                       ResolveCopy resolve) {
  ARENALITE_ASSIGN_OR_RETURN(CopyData * data,
                             CreateCopyData(context, input, resolve));
  (void)data;
  if (context.input(input).type == TensorType::kString) {
    context.SetEval(EvalDynamic);
    return context.SetOutputDynamic(0);
  }
  context.SetEval(EvalLate);
  return context.SetOutputShape(0, shape);
}

int64_t CopyOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<CopyData>();
  // Index tensors are tiny, and read when the plan is made. A plan that data
  // decide is not known to the planner of memory.
  if (input != data.input || !data.is_planned) return kNoOverlap;
  return CopyDistance(data.plan, context.input(input).bytes);
}

Status CopyStrings(OpContext& context, const Tensor& input,
                   const CopyJob& job) {
  ARENALITE_ASSIGN_OR_RETURN(StringReader strings, StringReader::Create(input));
  ARENALITE_ASSIGN_OR_RETURN(const int64_t count, CountStrings(job.shape));
  const CopyPlan& plan = job.plan;
  int64_t text_bytes = 0;
  ForEachRun(plan, [&](int64_t source, int64_t) {
    for (int64_t i = 0; i < plan.run; ++i) {
      text_bytes += static_cast<int64_t>(strings[source + i].size());
    }
  });
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes,
                             PackedStringBytes(count, text_bytes));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, job.shape, bytes));
  StringWriter writer(context.output(0).data, count);
  ForEachRun(plan, [&](int64_t source, int64_t) {
    for (int64_t i = 0; i < plan.run; ++i) writer.Append(strings[source + i]);
  });
  return OkStatus();
}

}  // namespace arenalite
