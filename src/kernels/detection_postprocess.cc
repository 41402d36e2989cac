// TFLite_Detection_PostProcess, a custom operator: decodes the boxes of an SSD
// detector and keeps those that no better box covers (non-maximum
// suppression).

// FlexBuffers can read numbers out of strings with code that is not in its
// headers. Numbers are numbers here.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "arenalite/custom_ops.h"
#include "base/checked_math.h"
#include "flatbuffers/flexbuffers.h"
#include "kernels/quantization.h"
#include "kernels/recurrent.h"

namespace arenalite {
namespace {

enum Inputs { kEncodings, kScores, kAnchors };
enum Outputs { kBoxes, kClasses, kDetectionScores, kNumDetections };

struct DetectionOptions {
  int32_t max_detections;
  int32_t max_classes_per_detection;  // Of the fast form.
  int32_t detections_per_class;       // Of the regular form.
  int32_t num_classes;
  bool regular;
  float score_threshold;
  float iou_threshold;
  float y_scale;
  float x_scale;
  float h_scale;
  float w_scale;
};

Status CheckOptions(const DetectionOptions& options) {
  if (options.max_detections < 0 || options.max_classes_per_detection < 0 ||
      options.detections_per_class < 0 || options.num_classes < 1) {
    return InvalidModelError(
        "max_detections is ", options.max_detections,
        ", max_classes_per_detection ", options.max_classes_per_detection,
        ", detections_per_class ", options.detections_per_class,
        ", num_classes ", options.num_classes,
        "; allowed >= 0, and at least one class");
  }
  if (options.regular &&
      (options.detections_per_class == 0 || options.max_detections == 0)) {
    return InvalidModelError(
        "detections_per_class or max_detections is 0, allowed > 0");
  }
  if (!options.regular && options.max_classes_per_detection == 0) {
    return InvalidModelError("max_classes_per_detection is 0, allowed > 0");
  }
  if (!(options.iou_threshold > 0.0f) || !(options.iou_threshold <= 1.0f)) {
    return InvalidModelError("nms_iou_threshold is ", options.iou_threshold,
                             ", allowed (0, 1]");
  }
  return OkStatus();
}

template <class T>
struct Named {
  const char* name;
  T* value;
};

// Options that are absent keep their value.
Status ReadInt(const flexbuffers::Map& map, const char* name, int32_t* value) {
  const flexbuffers::Reference option = map[name];
  if (option.IsNull()) return OkStatus();
  if (!option.IsIntOrUint() && !option.IsBool()) {
    return InvalidModelError("option ", name, " is no integer");
  }
  const int64_t read = option.AsInt64();
  if (read < INT32_MIN || read > INT32_MAX) {
    return InvalidModelError("option ", name, " is ", read,
                             ", allowed 32 bits");
  }
  *value = static_cast<int32_t>(read);
  return OkStatus();
}

Status ReadFloat(const flexbuffers::Map& map, const char* name, float* value) {
  const flexbuffers::Reference option = map[name];
  if (option.IsNull()) return OkStatus();
  if (!option.IsNumeric()) {
    return InvalidModelError("option ", name, " is no number");
  }
  *value = option.AsFloat();
  return OkStatus();
}

Status ParseDetection(const OpSource& source, void* options) {
  const Span<const uint8_t> bytes = source.custom_options;
  // The verifier may walk each vector as often as others name it.
  constexpr size_t kMaxOptionsBytes = 1 << 14;
  if (bytes.size() > kMaxOptionsBytes) {
    return InvalidModelError("the options have ", bytes.size(),
                             " bytes, allowed up to ", kMaxOptionsBytes);
  }
  if (bytes.empty() ||
      !flexbuffers::VerifyBuffer(bytes.data(), bytes.size(), nullptr)) {
    return InvalidModelError("the custom options, ", bytes.size(),
                             " bytes, are no valid FlexBuffer");
  }
  const flexbuffers::Reference root =
      flexbuffers::GetRoot(bytes.data(), bytes.size());
  if (!root.IsMap()) return InvalidModelError("the custom options are no map");
  const flexbuffers::Map map = root.AsMap();
  auto* parsed = static_cast<DetectionOptions*>(options);
  parsed->detections_per_class = 100;
  for (const auto& [name, value] :
       {Named<int32_t>{"max_detections", &parsed->max_detections},
        {"max_classes_per_detection", &parsed->max_classes_per_detection},
        {"detections_per_class", &parsed->detections_per_class},
        {"num_classes", &parsed->num_classes}}) {
    ARENALITE_RETURN_IF_ERROR(ReadInt(map, name, value));
  }
  for (const auto& [name, value] :
       {Named<float>{"nms_score_threshold", &parsed->score_threshold},
        {"nms_iou_threshold", &parsed->iou_threshold},
        {"y_scale", &parsed->y_scale},
        {"x_scale", &parsed->x_scale},
        {"h_scale", &parsed->h_scale},
        {"w_scale", &parsed->w_scale}}) {
    ARENALITE_RETURN_IF_ERROR(ReadFloat(map, name, value));
  }
  int32_t regular = 0;
  ARENALITE_RETURN_IF_ERROR(ReadInt(map, "use_regular_nms", &regular));
  parsed->regular = regular != 0;
  return CheckOptions(*parsed);
}

struct Box {
  float ymin;
  float xmin;
  float ymax;
  float xmax;
};

// A box and its class as a position in the score matrix.
struct Candidate {
  int32_t index;
  float score;
};

struct DetectionData {
  int32_t num_boxes;
  int32_t score_columns;  // Classes, and the background where there is one.
  int boxes;              // Scratch: Box [num_boxes].
  int order;              // Scratch: int32 [num_boxes].
  int best_scores;        // Scratch of the fast form: float [num_boxes].
  int classes;            // Scratch of the fast form: int32 [num_classes].
  int candidates;         // Scratch of the regular form.
};

// Elements of a FLOAT32 or UINT8 tensor as real numbers.
class RealView {
 public:
  explicit RealView(const Tensor& tensor)
      : floats_(tensor.type == TensorType::kFloat32 ? tensor.data_as<float>()
                                                    : nullptr),
        bytes_(tensor.data_as<uint8_t>()),
        scale_(tensor.quantization.scale()),
        zero_point_(tensor.quantization.zero_point()) {}

  float operator[](int64_t i) const {
    if (floats_ != nullptr) return floats_[i];
    return static_cast<float>(int32_t{bytes_[i]} - zero_point_) * scale_;
  }

 private:
  const float* floats_;
  const uint8_t* bytes_;
  float scale_;
  int32_t zero_point_;
};

// Refuses boxes whose corners have changed places.
Status DecodeBoxes(const OpContext& context, Box* boxes) {
  const auto& options = context.options<DetectionOptions>();
  const RealView encodings(context.input(kEncodings));
  const RealView anchors(context.input(kAnchors));
  const int64_t stride = context.input(kEncodings).shape.dim(2);
  const int32_t count = context.data<DetectionData>().num_boxes;
  const auto real = [](float x) { return static_cast<double>(x); };
  for (int64_t i = 0; i < count; ++i) {
    const int64_t e = i * stride;
    const double anchor_y = real(anchors[i * 4]);
    const double anchor_x = real(anchors[i * 4 + 1]);
    const double anchor_h = real(anchors[i * 4 + 2]);
    const double anchor_w = real(anchors[i * 4 + 3]);
    const auto y = static_cast<float>(
        real(encodings[e]) / real(options.y_scale) * anchor_h + anchor_y);
    const auto x = static_cast<float>(
        real(encodings[e + 1]) / real(options.x_scale) * anchor_w + anchor_x);
    const auto half_h = static_cast<float>(
        0.5 * std::exp(real(encodings[e + 2]) / real(options.h_scale)) *
        anchor_h);
    const auto half_w = static_cast<float>(
        0.5 * std::exp(real(encodings[e + 3]) / real(options.w_scale)) *
        anchor_w);
    boxes[i] = {y - half_h, x - half_w, y + half_h, x + half_w};
    if (boxes[i].ymin > boxes[i].ymax || boxes[i].xmin > boxes[i].xmax) {
      return OutOfRangeError("box ", i, " of inputs 0 and 2 reaches from [",
                             boxes[i].ymin, ",", boxes[i].xmin, "] to [",
                             boxes[i].ymax, ",", boxes[i].xmax,
                             "], allowed are sizes >= 0");
    }
  }
  return OkStatus();
}

float IntersectionOverUnion(const Box& a, const Box& b) {
  const float area_a = (a.ymax - a.ymin) * (a.xmax - a.xmin);
  const float area_b = (b.ymax - b.ymin) * (b.xmax - b.xmin);
  if (area_a <= 0.0f || area_b <= 0.0f) return 0.0f;
  const float height = std::min(a.ymax, b.ymax) - std::max(a.ymin, b.ymin);
  const float width = std::min(a.xmax, b.xmax) - std::max(a.xmin, b.xmin);
  const float common = std::max(height, 0.0f) * std::max(width, 0.0f);
  return common / (area_a + area_b - common);
}

class Suppression {
 public:
  explicit Suppression(const OpContext& context)
      : options_(context.options<DetectionOptions>()),
        data_(context.data<DetectionData>()),
        boxes_(context.scratch<Box>(data_.boxes)),
        order_(context.scratch<int32_t>(data_.order)) {}

  // Puts the best boxes into selected()[0 .. result): the highest score first,
  // without those that a better one covers. score(i): of box i.
  template <class Score>
  int32_t Select(int32_t most, Score score) {
    int32_t kept = 0;
    for (int32_t i = 0; i < data_.num_boxes; ++i) {
      if (score(i) >= options_.score_threshold) order_[kept++] = i;
    }
    // Equal scores stay in the order of boxes.
    std::sort(order_, order_ + kept, [&](int32_t a, int32_t b) {
      const float score_a = score(a);
      const float score_b = score(b);
      return score_a > score_b || (score_a == score_b && a < b);
    });
    constexpr int32_t kCovered = -1;
    int32_t selected = 0;
    for (int32_t i = 0; i < kept && selected < most; ++i) {
      const int32_t best = order_[i];
      if (best == kCovered) continue;
      // What lies before i has been looked at: its place is free.
      order_[selected++] = best;
      for (int32_t j = i + 1; j < kept; ++j) {
        if (order_[j] != kCovered &&
            IntersectionOverUnion(boxes_[best], boxes_[order_[j]]) >
                options_.iou_threshold) {
          order_[j] = kCovered;
        }
      }
    }
    return selected;
  }

  const int32_t* selected() const { return order_; }
  const Box* boxes() const { return boxes_; }

 private:
  const DetectionOptions& options_;
  const DetectionData& data_;
  Box* boxes_;
  int32_t* order_;
};

struct Detections {
  explicit Detections(const OpContext& context)
      : boxes(context.output(kBoxes).data_as<Box>()),
        classes(context.output(kClasses).data_as<float>()),
        scores(context.output(kDetectionScores).data_as<float>()),
        count(context.output(kNumDetections).data_as<float>()) {
    for (const int i : {kBoxes, kClasses, kDetectionScores}) {
      const Tensor& output = context.output(i);
      if (output.bytes == 0) continue;
      std::memset(output.data, 0, static_cast<size_t>(output.bytes));
    }
  }
  void Set(int64_t i, const Box& box, int64_t label, float score) {
    boxes[i] = box;
    classes[i] = static_cast<float>(label);
    scores[i] = score;
  }
  Box* boxes;
  float* classes;
  float* scores;
  float* count;
};

// Moves the first `most` in the order of `better` to the front. The same
// algorithms as in the reference: they decide between equals.
template <class T, class Better>
void MoveBestToFront(T* values, int32_t count, int32_t most, Better better) {
  if (most == 1 && count > 0) {
    values[0] = *std::min_element(values, values + count, better);
  } else {
    std::partial_sort(values, values + most, values + count, better);
  }
}

// A NaN is the worst score: it must not upset an order.
float Ranked(float score) {
  return std::isnan(score) ? -std::numeric_limits<float>::infinity() : score;
}

// Fast: each box takes part once, with its best class.
void RunFast(const OpContext& context) {
  const auto& options = context.options<DetectionOptions>();
  const auto& data = context.data<DetectionData>();
  const RealView scores(context.input(kScores));
  const int64_t columns = data.score_columns;
  const int64_t first = columns - options.num_classes;
  auto* best = context.scratch<float>(data.best_scores);
  for (int32_t i = 0; i < data.num_boxes; ++i) {
    best[i] = Ranked(scores[i * columns + first]);
    for (int32_t c = 1; c < options.num_classes; ++c) {
      best[i] = std::max(best[i], Ranked(scores[i * columns + first + c]));
    }
  }
  Suppression suppression(context);
  const int32_t count = suppression.Select(options.max_detections,
                                           [=](int32_t i) { return best[i]; });
  Detections detections(context);
  auto* classes = context.scratch<int32_t>(data.classes);
  const int32_t labels =
      std::min(options.max_classes_per_detection, options.num_classes);
  for (int32_t d = 0; d < count; ++d) {
    const int32_t box = suppression.selected()[d];
    const int64_t row = box * columns + first;
    const auto score = [&](int32_t label) {
      return Ranked(scores[row + label]);
    };
    std::iota(classes, classes + options.num_classes, 0);
    MoveBestToFront(classes, options.num_classes, labels,
                    [&](int32_t a, int32_t b) { return score(a) > score(b); });
    for (int32_t l = 0; l < labels; ++l) {
      detections.Set(int64_t{d} * options.max_classes_per_detection + l,
                     suppression.boxes()[box], classes[l],
                     scores[row + classes[l]]);
    }
  }
  *detections.count = static_cast<float>(count);
}

// Regular: suppression within each class, then the best of all classes.
void RunRegular(const OpContext& context) {
  const auto& options = context.options<DetectionOptions>();
  const auto& data = context.data<DetectionData>();
  const RealView scores(context.input(kScores));
  const int32_t columns = data.score_columns;
  const int32_t first = columns - options.num_classes;
  auto* candidates = context.scratch<Candidate>(data.candidates);
  Suppression suppression(context);
  int32_t count = 0;
  for (int32_t c = first; c < columns; ++c) {
    const auto score = [&](int32_t box) {
      return scores[int64_t{box} * columns + c];
    };
    const int32_t added =
        suppression.Select(options.detections_per_class, score);
    for (int32_t i = 0; i < added; ++i) {
      const int32_t box = suppression.selected()[i];
      candidates[count + i] = {box * columns + c, score(box)};
    }
    const int32_t most = std::min(count + added, options.max_detections);
    MoveBestToFront(candidates, count + added, most,
                    [](const Candidate& a, const Candidate& b) {
                      return a.score > b.score;
                    });
    count = most;
  }
  Detections detections(context);
  for (int32_t d = 0; d < count; ++d) {
    const Candidate& candidate = candidates[d];
    detections.Set(d, suppression.boxes()[candidate.index / columns],
                   candidate.index % columns - first, candidate.score);
  }
  *detections.count = static_cast<float>(count);
}

Status EvalDetection(OpContext& context) {
  const auto& data = context.data<DetectionData>();
  ARENALITE_RETURN_IF_ERROR(
      DecodeBoxes(context, context.scratch<Box>(data.boxes)));
  if (context.options<DetectionOptions>().regular) {
    RunRegular(context);
  } else {
    RunFast(context);
  }
  return OkStatus();
}

Status CheckReal(const OpContext& context, int i, const char* what) {
  const Tensor& tensor = context.input(i);
  if (tensor.type == TensorType::kUInt8) {
    return CheckPerTensorQuantization(tensor, what);
  }
  return CheckTensor(tensor, what, TensorType::kFloat32, tensor.shape);
}

Status CheckShapes(const OpContext& context) {
  const Shape& encodings = context.input(kEncodings).shape;
  const Shape& scores = context.input(kScores).shape;
  const Shape& anchors = context.input(kAnchors).shape;
  const int32_t classes = context.options<DetectionOptions>().num_classes;
  if (encodings.rank() != 3 || encodings.dim(0) != 1 || encodings.dim(2) < 4 ||
      scores.rank() != 3 || scores.dim(0) != 1 ||
      scores.dim(1) != encodings.dim(1) || scores.dim(2) < classes ||
      scores.dim(2) - classes > 1 || scores.NumElements() > INT32_MAX ||
      anchors.rank() != 2 || anchors.dim(0) < encodings.dim(1) ||
      anchors.dim(1) != 4) {
    return InvalidModelError("input 0 (box encodings) has shape ",
                             encodings.dims(), ", input 1 (scores) ",
                             scores.dims(), ", input 2 (anchors) ",
                             anchors.dims(), "; allowed [1,n,>=4], [1,n,",
                             classes, " or ", int64_t{classes} + 1, "], [n,4]");
  }
  return OkStatus();
}

Status SetOutputs(OpContext& context) {
  const auto& options = context.options<DetectionOptions>();
  int64_t boxes = 0;
  if (!CheckedMul(options.max_detections, options.max_classes_per_detection,
                  &boxes) ||
      boxes > INT32_MAX) {
    return InvalidModelError("max_detections ", options.max_detections,
                             " times max_classes_per_detection ",
                             options.max_classes_per_detection,
                             " overflows a dimension");
  }
  // The regular form gives one class to each.
  if (options.regular) boxes = std::max<int64_t>(boxes, options.max_detections);
  const auto count = static_cast<int32_t>(boxes);
  for (int i = 0; i < 4; ++i) {
    if (context.output(i).type != TensorType::kFloat32) {
      return InvalidModelError("output ", i, " is ",
                               TensorTypeName(context.output(i).type),
                               ", allowed FLOAT32");
    }
  }
  ARENALITE_RETURN_IF_ERROR(
      context.SetOutputShape(kBoxes, Shape({1, count, 4})));
  ARENALITE_RETURN_IF_ERROR(
      context.SetOutputShape(kClasses, Shape({1, count})));
  ARENALITE_RETURN_IF_ERROR(
      context.SetOutputShape(kDetectionScores, Shape({1, count})));
  return context.SetOutputShape(kNumDetections, Shape({1}));
}

Status RequestAll(OpContext& context, DetectionData& data) {
  const auto& options = context.options<DetectionOptions>();
  const int64_t n = data.num_boxes;
  ARENALITE_ASSIGN_OR_RETURN(data.boxes,
                             context.RequestScratch(n * int64_t{sizeof(Box)}));
  ARENALITE_ASSIGN_OR_RETURN(data.order, context.RequestScratch(n * 4));
  if (options.regular) {
    // The best of the classes so far, and those of one more class.
    const int64_t classes = options.num_classes;
    const int64_t per_class =
        std::min<int64_t>(options.detections_per_class, n);
    const int64_t candidates =
        std::min<int64_t>(options.max_detections, classes * per_class) +
        per_class;
    ARENALITE_ASSIGN_OR_RETURN(
        data.candidates,
        context.RequestScratch(candidates * int64_t{sizeof(Candidate)}));
    return OkStatus();
  }
  ARENALITE_ASSIGN_OR_RETURN(data.best_scores, context.RequestScratch(n * 4));
  ARENALITE_ASSIGN_OR_RETURN(
      data.classes, context.RequestScratch(int64_t{options.num_classes} * 4));
  return OkStatus();
}

Status PrepareDetection(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(3, 3, 4, 4));
  ARENALITE_RETURN_IF_ERROR(
      CheckReal(context, kEncodings, "input 0 (box encodings)"));
  ARENALITE_RETURN_IF_ERROR(CheckReal(context, kScores, "input 1 (scores)"));
  ARENALITE_RETURN_IF_ERROR(CheckReal(context, kAnchors, "input 2 (anchors)"));
  ARENALITE_RETURN_IF_ERROR(CheckShapes(context));
  ARENALITE_ASSIGN_OR_RETURN(DetectionData * data,
                             context.CreateData<DetectionData>());
  data->num_boxes = context.input(kEncodings).shape.dim(1);
  data->score_columns = context.input(kScores).shape.dim(2);
  ARENALITE_RETURN_IF_ERROR(RequestAll(context, *data));
  return SetOutputs(context);
}

// Encodings and anchors are decoded before any output is written; scores are
// read to the end.
int64_t DetectionOverlap(const OpContext& context, int, int input) {
  return input == kScores ? kNoOverlap : context.input(input).bytes;
}

}  // namespace

namespace ops {

const OpDefinition kDetectionPostProcess = {
    "TFLite_Detection_PostProcess",
    kCustomOpCode,
    1,
    kOpDefault,
    sizeof(DetectionOptions),
    ParseDetection,
    PrepareDetection,
    EvalDetection,
    DetectionOverlap,
};

}  // namespace ops
}  // namespace arenalite
