// MIRROR_PAD: the input continued beyond its edges by its mirror image.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"
#include "kernels/pad_fill.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct MirrorPadOptions {
  int64_t skipped;  // Elements at the edge that the image leaves out.
};

Status ParseMirrorPad(const OpSource& source, void* options) {
  auto* parsed = static_cast<MirrorPadOptions*>(options);
  const auto* table = OptionsTable<schema::MirrorPadOptions>(source);
  const bool symmetric =
      table != nullptr && table->mode() == schema::MirrorPadMode_SYMMETRIC;
  parsed->skipped = symmetric ? 0 : 1;
  return OkStatus();
}

// One dimension, with steps in bytes.
struct MirrorAxis {
  int64_t before, size, after;
  int64_t source_step, target_step;

  int64_t Count() const { return before + size + after; }
};

// The dimensions out to the last one with a padding; the rest is one run.
struct MirrorPlan {
  MirrorAxis axes[kMaxRank];
  int num_axes;
  int64_t run;
  int64_t skipped;

  // The source offset of index i along `axis`.
  int64_t Source(const MirrorAxis& axis, int64_t i) const {
    int64_t index = i - axis.before;
    if (index < 0) {
      index = -index - 1 + skipped;
    } else if (index >= axis.size) {
      index = 2 * axis.size - 1 - skipped - index;
    }
    return index * axis.source_step;
  }
};

struct MirrorJob {
  Shape shape;
  MirrorPlan plan;
};

struct MirrorPadData {
  bool is_planned;
  MirrorPlan plan;
};

Status CheckPadding(int64_t before, int64_t after, int64_t allowed, int axis) {
  if (std::min(before, after) >= 0 && std::max(before, after) <= allowed) {
    return OkStatus();
  }
  return InvalidModelError("input 1 (paddings) is [", before, ",", after,
                           "] for dimension ", axis, ", allowed 0..", allowed);
}

Result<MirrorJob> ResolveMirrorPad(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Tensor& paddings = context.input(1);
  const int64_t skipped = context.options<MirrorPadOptions>().skipped;
  MirrorJob job = {};
  job.shape = input.shape;
  job.plan.skipped = skipped;
  job.plan.run = TensorTypeBits(input.type) / 8;
  for (int i = 0; i < input.shape.rank(); ++i) {
    MirrorAxis& axis = job.plan.axes[i];
    axis.before = ReadInteger(paddings, 2 * i);
    axis.after = ReadInteger(paddings, 2 * i + 1);
    axis.size = input.shape.dim(i);
    ARENALITE_RETURN_IF_ERROR(CheckPadding(
        axis.before, axis.after, std::max<int64_t>(0, axis.size - skipped), i));
    if (axis.Count() > INT32_MAX) {
      return InvalidModelError("dimension ", i, " would be ", axis.Count(),
                               ", allowed up to ", INT32_MAX);
    }
    job.shape.set_dim(i, static_cast<int32_t>(axis.Count()));
    if (axis.before + axis.after > 0) job.plan.num_axes = i + 1;
  }
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes, TensorBytes(input.type, job.shape));
  if (bytes == 0) return job;
  int64_t source_step = job.plan.run;
  int64_t target_step = job.plan.run;
  for (int i = input.shape.rank(); i-- > 0;) {
    MirrorAxis& axis = job.plan.axes[i];
    if (i == job.plan.num_axes - 1) job.plan.run = target_step;
    axis.source_step = source_step;
    axis.target_step = target_step;
    source_step *= axis.size;
    target_step *= axis.Count();
  }
  if (job.plan.num_axes == 0) job.plan.run = source_step;
  return job;
}

// Writes all of `axis` i and those inside of it.
void CopyAxisOut(const MirrorPlan& plan, int i, const uint8_t* source,
                 uint8_t* target) {
  if (i == plan.num_axes) {
    MoveBytes(target, source, plan.run);
    return;
  }
  const MirrorAxis& axis = plan.axes[i];
  const bool is_last = i == plan.num_axes - 1;
  for (int64_t k = 0; k < axis.Count(); ++k) {
    const uint8_t* from = source + plan.Source(axis, k);
    uint8_t* to = target + k * axis.target_step;
    if (is_last && k == axis.before) {
      // The input itself lies in one piece.
      MoveBytes(to, from, axis.size * plan.run);
      k += axis.size - 1;
    } else {
      CopyAxisOut(plan, i + 1, from, to);
    }
  }
}

void RunMirrorPlan(OpContext& context, const MirrorPlan& plan) {
  if (context.output(0).bytes == 0) return;
  CopyAxisOut(plan, 0, context.input(0).data_as<uint8_t>(),
              context.output(0).data_as<uint8_t>());
}

Status EvalMirrorPad(OpContext& context) {
  RunMirrorPlan(context, context.data<MirrorPadData>().plan);
  return OkStatus();
}

Status EvalDynamicMirrorPad(OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(MirrorJob job, ResolveMirrorPad(context));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, job.shape));
  if (context.output(0).bytes == 0) return OkStatus();
  RunMirrorPlan(context, job.plan);
  return OkStatus();
}

Status CheckQuantization(const OpContext& context) {
  const Tensor& input = context.input(0);
  const Quantization& to = context.output(0).quantization;
  if (!MayBeQuantized(input.type) ||
      (input.quantization.scale() == to.scale() &&
       input.quantization.zero_point() == to.zero_point())) {
    return OkStatus();
  }
  return InvalidModelError(
      "output 0 has scale ", to.scale(), " and zero point ", to.zero_point(),
      ", allowed are those of the input: ", input.quantization.scale(), " and ",
      input.quantization.zero_point());
}

Status PrepareMirrorPad(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 1, "paddings", {TensorType::kInt32, TensorType::kInt64}));
  ARENALITE_RETURN_IF_ERROR(CheckQuantization(context));
  const Tensor& input = context.input(0);
  const Tensor& paddings = context.input(1);
  if (paddings.shape != Shape({input.shape.rank(), 2})) {
    return InvalidModelError("input 1 (paddings) has shape ",
                             paddings.shape.dims(), ", allowed [",
                             input.shape.rank(), ",2]");
  }
  if (TensorTypeBits(input.type) < 8) {
    return UnimplementedError("input 0 is ", TensorTypeName(input.type),
                              ", allowed are types of whole bytes");
  }
  ARENALITE_ASSIGN_OR_RETURN(MirrorPadData * data,
                             context.CreateData<MirrorPadData>());
  if (!context.HasValue(paddings)) {
    context.SetEval(EvalDynamicMirrorPad);
    return context.SetOutputDynamic(0);
  }
  ARENALITE_ASSIGN_OR_RETURN(MirrorJob job, ResolveMirrorPad(context));
  data->plan = job.plan;
  data->is_planned = true;
  return context.SetOutputShape(0, job.shape);
}

int64_t MirrorPadOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<MirrorPadData>();
  // Paddings are tiny.
  if (input != 0 || !data.is_planned) return kNoOverlap;
  if (context.output(0).bytes == 0) return context.input(0).bytes;
  // The smallest source - target offset of all runs: a sum of one term for
  // each dimension, each of which is linear between the folds. The first run,
  // which nothing was written before, counts too: a bit too strict.
  int64_t distance = 0;
  for (int i = 0; i < data.plan.num_axes; ++i) {
    const MirrorAxis& axis = data.plan.axes[i];
    const int64_t edge = axis.before + axis.size;
    int64_t lowest = INT64_MAX;
    for (int64_t k : {int64_t{0}, axis.before - 1, axis.before, edge - 1, edge,
                      axis.Count() - 1}) {
      if (k < 0 || k >= axis.Count()) continue;
      lowest =
          std::min(lowest, data.plan.Source(axis, k) - k * axis.target_step);
    }
    distance += lowest;
  }
  return distance;
}

}  // namespace

namespace ops {

const OpDefinition kMirrorPad = {
    "MIRROR_PAD",
    schema::BuiltinOperator_MIRROR_PAD,
    3,
    kOpDefault,
    sizeof(MirrorPadOptions),
    ParseMirrorPad,
    PrepareMirrorPad,
    EvalMirrorPad,
    MirrorPadOverlap,
};

}  // namespace ops
}  // namespace arenalite
