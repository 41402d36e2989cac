// NON_MAX_SUPPRESSION_V4 and _V5: boxes by falling score, without those that
// overlap a chosen one too much. V5 lowers scores instead (Bodla et al. 2017,
// "Soft-NMS", Gaussian weighting) when its sigma is above 0.

#include <algorithm>
#include <cmath>

#include "arenalite/builtin_ops.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// Inputs.
constexpr int kBoxes = 0;   // [n, 4]: two opposite corners, y before x.
constexpr int kScores = 1;  // [n]
constexpr int kMaxOutput = 2;
constexpr int kIouThreshold = 3;
constexpr int kScoreThreshold = 4;
constexpr int kSigma = 5;  // V5 only.

struct Candidate {
  int32_t box;
  float score;
  int32_t compared;  // Selected boxes that have already been considered.
};

struct Selected {
  int32_t box;
  float score;
};

struct NmsData {
  bool soft;
  bool fixed_size;  // The outputs keep max_output_size, filled up with 0.
  int candidates;   // Scratch.
  int selected;     // Scratch.
};

struct Box {
  float low[2];
  float high[2];
  float area;

  explicit Box(const float* corners) {
    for (int d = 0; d < 2; ++d) {
      low[d] = std::min(corners[d], corners[d + 2]);
      high[d] = std::max(corners[d], corners[d + 2]);
    }
    area = (high[0] - low[0]) * (high[1] - low[1]);
  }
};

float IntersectionOverUnion(const Box& a, const Box& b) {
  if (a.area <= 0 || b.area <= 0) return 0.0f;
  float sides[2];
  for (int d = 0; d < 2; ++d) {
    const float low = std::max(a.low[d], b.low[d]);
    const float high = std::min(a.high[d], b.high[d]);
    sides[d] = std::max(high - low, 0.0f);
  }
  const float intersection = sides[0] * sides[1];
  return intersection / (a.area + b.area - intersection);
}

bool HasLowerScore(const Candidate& a, const Candidate& b) {
  return a.score < b.score;
}

struct NmsJob {
  const float* boxes;
  float iou_threshold;
  float score_threshold;
  float sigma;
  int32_t max_output;
};

// Compares a candidate with the boxes selected since it was last considered,
// latest first; lowers its score. True when one of them suppresses it.
bool IsSuppressed(const NmsJob& job, const Selected* selected, int32_t count,
                  Candidate& candidate) {
  const float scale = job.sigma > 0 ? -0.5f / job.sigma : 0.0f;
  const Box box(job.boxes + int64_t{candidate.box} * 4);
  for (int32_t j = count - 1; j >= candidate.compared; --j) {
    const Box other(job.boxes + int64_t{selected[j].box} * 4);
    const float iou = IntersectionOverUnion(box, other);
    if (iou >= job.iou_threshold) return true;
    if (job.sigma > 0) candidate.score *= std::exp(scale * iou * iou);
    if (candidate.score <= job.score_threshold) break;
  }
  candidate.compared = count;
  return false;
}

// Fills `selected` from the heap of candidates; returns how many.
int32_t SelectBoxes(const NmsJob& job, Candidate* candidates,
                    int32_t num_candidates, Selected* selected) {
  Candidate* end = candidates + num_candidates;
  const int32_t limit = std::min(num_candidates, job.max_output);
  int32_t count = 0;
  while (count < limit && end != candidates) {
    std::pop_heap(candidates, end, HasLowerScore);
    Candidate next = *--end;
    const float score = next.score;
    if (IsSuppressed(job, selected, count, next)) continue;
    if (next.score == score) selected[count++] = {next.box, next.score};
    // A box just selected comes back as well, as in the reference: compared
    // with itself it is suppressed, unless it has no area.
    if (next.score > job.score_threshold) {
      *end++ = next;
      std::push_heap(candidates, end, HasLowerScore);
    }
  }
  return count;
}

Status WriteSelected(OpContext& context, const Selected* selected,
                     int32_t count, int32_t max_output) {
  const auto& data = context.data<NmsData>();
  const int32_t size = data.fixed_size ? max_output : count;
  const int last = data.soft ? 2 : 1;
  if (!data.fixed_size) {
    for (int o = 0; o < last; ++o) {
      ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(o, Shape({size})));
    }
  }
  int32_t* boxes = context.output(0).data_as<int32_t>();
  for (int32_t i = 0; i < size; ++i) {
    boxes[i] = i < count ? selected[i].box : 0;
  }
  if (data.soft) {
    float* scores = context.output(1).data_as<float>();
    for (int32_t i = 0; i < size; ++i) {
      scores[i] = i < count ? selected[i].score : 0.0f;
    }
  }
  *context.output(last).data_as<int32_t>() = count;
  return OkStatus();
}

Status CheckMaxOutput(int32_t max_output) {
  if (max_output >= 0) return OkStatus();
  return OutOfRangeError("input 2 (max_output_size) is ", max_output,
                         ", allowed 0..", INT32_MAX);
}

Status EvalNms(OpContext& context) {
  const auto& data = context.data<NmsData>();
  NmsJob job = {};
  job.boxes = context.input(kBoxes).data_as<float>();
  job.iou_threshold = *context.input(kIouThreshold).data_as<float>();
  job.score_threshold = *context.input(kScoreThreshold).data_as<float>();
  job.max_output = *context.input(kMaxOutput).data_as<int32_t>();
  ARENALITE_RETURN_IF_ERROR(CheckMaxOutput(job.max_output));
  if (data.soft) {
    job.sigma = *context.input(kSigma).data_as<float>();
    if (job.sigma < 0) {
      return OutOfRangeError("input 5 (sigma) is ", job.sigma,
                             ", allowed 0 and more");
    }
  }
  const float* scores = context.input(kScores).data_as<float>();
  const int32_t num_boxes = context.input(kBoxes).shape.dim(0);
  auto* candidates = context.scratch<Candidate>(data.candidates);
  int32_t count = 0;
  for (int32_t i = 0; i < num_boxes; ++i) {
    if (!(scores[i] > job.score_threshold)) continue;
    candidates[count++] = {i, scores[i], 0};
    std::push_heap(candidates, candidates + count, HasLowerScore);
  }
  auto* selected = context.scratch<Selected>(data.selected);
  count = SelectBoxes(job, candidates, count, selected);
  return WriteSelected(context, selected, count, job.max_output);
}

Status CheckInput(const OpContext& context, int i, TensorType type, int rank) {
  const Tensor& input = context.input(i);
  if (input.type == type && input.shape.rank() == rank) return OkStatus();
  return InvalidModelError("input ", i, " is ", TensorTypeName(input.type),
                           " of shape ", input.shape.dims(), ", allowed ",
                           TensorTypeName(type), " of rank ", rank);
}

Status CheckNms(const OpContext& context, bool soft) {
  const int inputs = soft ? 6 : 5;
  const int outputs = soft ? 3 : 2;
  ARENALITE_RETURN_IF_ERROR(
      context.CheckCounts(inputs, inputs, outputs, outputs));
  for (int i = 0; i < inputs; ++i) {
    const int rank = i == kBoxes ? 2 : (i == kScores ? 1 : 0);
    const TensorType type =
        i == kMaxOutput ? TensorType::kInt32 : TensorType::kFloat32;
    ARENALITE_RETURN_IF_ERROR(CheckInput(context, i, type, rank));
  }
  for (int o = 0; o < outputs; ++o) {
    const TensorType type =
        soft && o == 1 ? TensorType::kFloat32 : TensorType::kInt32;
    if (context.output(o).type == type) continue;
    return InvalidModelError("output ", o, " is ",
                             TensorTypeName(context.output(o).type),
                             ", allowed ", TensorTypeName(type));
  }
  const Shape& boxes = context.input(kBoxes).shape;
  const Shape& scores = context.input(kScores).shape;
  if (boxes.dim(1) != 4 || boxes.dim(0) != scores.dim(0)) {
    return InvalidModelError("input 0 (boxes) has shape ", boxes.dims(),
                             ", allowed for scores of shape ", scores.dims(),
                             " is [", scores.dim(0), ",4]");
  }
  return OkStatus();
}

template <bool kSoft>
Status PrepareNms(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(CheckNms(context, kSoft));
  ARENALITE_ASSIGN_OR_RETURN(NmsData * data, context.CreateData<NmsData>());
  const int64_t num_boxes = context.input(kBoxes).shape.dim(0);
  data->soft = kSoft;
  data->fixed_size = context.HasValue(context.input(kMaxOutput));
  ARENALITE_ASSIGN_OR_RETURN(
      data->candidates,
      context.RequestScratch(num_boxes *
                             static_cast<int64_t>(sizeof(Candidate))));
  ARENALITE_ASSIGN_OR_RETURN(
      data->selected, context.RequestScratch(
                          num_boxes * static_cast<int64_t>(sizeof(Selected))));
  const int last = kSoft ? 2 : 1;
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(last, Shape()));
  if (!data->fixed_size) {
    ARENALITE_RETURN_IF_ERROR(context.SetOutputDynamic(0));
    return kSoft ? context.SetOutputDynamic(1) : OkStatus();
  }
  const int32_t size = *context.input(kMaxOutput).data_as<int32_t>();
  ARENALITE_RETURN_IF_ERROR(CheckMaxOutput(size));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, Shape({size})));
  return kSoft ? context.SetOutputShape(1, Shape({size})) : OkStatus();
}

}  // namespace

namespace ops {

const OpDefinition kNonMaxSuppressionV4 = {
    "NON_MAX_SUPPRESSION_V4",
    schema::BuiltinOperator_NON_MAX_SUPPRESSION_V4,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareNms<false>,
    EvalNms,
    nullptr,  // Inputs are read in no order.
};
const OpDefinition kNonMaxSuppressionV5 = {
    "NON_MAX_SUPPRESSION_V5",
    schema::BuiltinOperator_NON_MAX_SUPPRESSION_V5,
    1,
    kOpDefault,
    0,
    nullptr,
    PrepareNms<true>,
    EvalNms,
    nullptr,  // Inputs are read in no order.
};

}  // namespace ops
}  // namespace arenalite
