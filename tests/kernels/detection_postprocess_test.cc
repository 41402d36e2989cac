#include <gtest/gtest.h>

#include "arenalite/custom_ops.h"
#include "flatbuffers/flexbuffers.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::Bytes;
using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

struct Options {
  int max_detections = 3;
  int max_classes = 1;
  int per_class = 2;
  int num_classes = 2;
  bool regular = false;
  float score_threshold = 0.25f;
  float iou_threshold = 0.5f;
};

void SetOptions(OpRunner& runner, const Options& options) {
  flexbuffers::Builder builder;
  builder.Map([&] {
    builder.Int("max_detections", options.max_detections);
    builder.Int("max_classes_per_detection", options.max_classes);
    builder.Int("detections_per_class", options.per_class);
    builder.Int("num_classes", options.num_classes);
    builder.Bool("use_regular_nms", options.regular);
    builder.Float("nms_score_threshold", options.score_threshold);
    builder.Float("nms_iou_threshold", options.iou_threshold);
    builder.Float("y_scale", 10.0f);
    builder.Float("x_scale", 10.0f);
    builder.Float("h_scale", 5.0f);
    builder.Float("w_scale", 5.0f);
  });
  builder.Finish();
  runner.SetCustomOptions(builder.GetBuffer());
}

void AddOutputs(OpRunner& runner) {
  for (int i = 0; i < 4; ++i) runner.AddOutput(TensorType::kFloat32);
}

// Anchors of side 1, in a row: the second lies on the first, the third nearly,
// the fourth apart. The first column of scores is the background.
const std::vector<float> kAnchors = {0.5f, 0.5f, 1, 1, 0.5f, 0.5f,  1, 1,
                                     0.5f, 0.6f, 1, 1, 0.5f, 10.5f, 1, 1};
const std::vector<float> kScores = {0, 0.9f, 0.8f,  0, 0.75f, 0.72f,
                                    0, 0.6f, 0.85f, 0, 0.3f,  0.2f};

void AddTensors(OpRunner& runner) {
  // The last box has moved by 0.1 of its width.
  runner.AddInput<float>({1, 4, 4},
                         {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0});
  runner.AddInput<float>({1, 4, 3}, kScores);
  runner.AddConstant<float>({4, 4}, kAnchors);
  AddOutputs(runner);
}

using Floats = std::vector<float>;

void ExpectNear(const Floats& actual, const Floats& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 1e-6f) << i;
  }
}

TEST(DetectionPostprocess, FastFormKeepsTheBestClassesOfEachBox) {
  OpRunner runner(ops::kDetectionPostProcess);
  AddTensors(runner);
  Options options;
  options.max_classes = 2;
  SetOptions(runner, options);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(3), Floats{2});
  EXPECT_EQ(runner.output<float>(1), (Floats{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(runner.output<float>(2), (Floats{0.9f, 0.8f, 0.3f, 0.2f, 0, 0}));
  ExpectNear(runner.output<float>(0),
             {0, 0,     1, 1,     0, 0, 1, 1, 0, 10.1f, 1, 11.1f,
              0, 10.1f, 1, 11.1f, 0, 0, 0, 0, 0, 0,     0, 0});
}

TEST(DetectionPostprocess, RegularFormSuppressesWithinAClass) {
  OpRunner runner(ops::kDetectionPostProcess);
  AddTensors(runner);
  Options options;
  options.regular = true;
  SetOptions(runner, options);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(3), Floats{3});
  EXPECT_EQ(runner.output<float>(1), (Floats{0, 1, 0}));
  EXPECT_EQ(runner.output<float>(2), (Floats{0.9f, 0.85f, 0.3f}));
  ExpectNear(runner.output<float>(0),
             {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 0, 10.1f, 1, 11.1f});
}

// As with std::partial_sort of the reference: the heap it makes of three equal
// scores gives them out in another order than theirs.
TEST(DetectionPostprocess, EqualScoresComeInTheOrderOfTheReference) {
  OpRunner runner(ops::kDetectionPostProcess);
  runner.AddInput<float>({1, 3, 4}, Floats(12));
  runner.AddInput<float>({1, 3, 1}, Floats{0.5f, 0.5f, 0.5f});
  runner.AddConstant<float>({3, 4}, {1, 1, 1, 1, 5, 5, 1, 1, 9, 9, 1, 1});
  AddOutputs(runner);
  Options options;
  options.regular = true;
  options.num_classes = 1;
  options.max_detections = 2;
  options.per_class = 3;
  SetOptions(runner, options);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  std::vector<int> order = {0, 1, 2};
  std::partial_sort(order.begin(), order.begin() + 2, order.end(),
                    [](int, int) { return false; });
  const auto boxes = runner.output<float>(0);
  EXPECT_EQ(boxes[0], 4 * order[0] + 0.5f);
  EXPECT_EQ(boxes[4], 4 * order[1] + 0.5f);
}

TEST(DetectionPostprocess, NanIsTheWorstClass) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  OpRunner runner(ops::kDetectionPostProcess);
  runner.AddInput<float>({1, 1, 4}, Floats(4));
  runner.AddInput<float>({1, 1, 3}, Floats{0.5f, kNan, 0.75f});
  runner.AddConstant<float>({1, 4}, {1, 1, 1, 1});
  AddOutputs(runner);
  Options options;
  options.num_classes = options.max_classes = 3;
  SetOptions(runner, options);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const auto classes = runner.output<float>(1);
  EXPECT_EQ(Floats(classes.begin(), classes.begin() + 3), (Floats{2, 0, 1}));
}

TEST(DetectionPostprocess, BytesFollowTheFloatForm) {
  OpRunner runner(ops::kDetectionPostProcess);
  runner.AddInput<uint8_t>({1, 2, 4}, {100, 101, 100, 100, 100, 100, 100, 100},
                           {1.0f}, {100});
  runner.AddInput<uint8_t>({1, 2, 2}, {64, 128, 32, 16}, {1.0f / 256}, {0});
  runner.AddConstant<uint8_t>({2, 4}, {1, 1, 2, 2, 9, 9, 2, 2}, {0.5f}, {0});
  AddOutputs(runner);
  SetOptions(runner, {});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(3), Floats{1});
  EXPECT_EQ(runner.output<float>(1)[0], 1);
  EXPECT_EQ(runner.output<float>(2)[0], 0.5f);
  ExpectNear(runner.output<float>(0),
             {0, 0.1f, 1, 1.1f, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST(DetectionPostprocess, RefusesBoxesOfNegativeSize) {
  OpRunner runner(ops::kDetectionPostProcess);
  AddTensors(runner);
  SetOptions(runner, {});
  ASSERT_THAT(runner.Prepare(), IsOk());
  runner.tensor_of_input(2).data_as<float>()[6] = -1;
  EXPECT_THAT(runner.Run(), HasStatus(StatusCode::kOutOfRange,
                                      "box 1 of inputs 0 and 2 reaches from"));
}

Status PrepareWith(const Options& options) {
  OpRunner runner(ops::kDetectionPostProcess);
  AddTensors(runner);
  SetOptions(runner, options);
  return runner.Prepare();
}

TEST(DetectionPostprocess, RefusesBadOptions) {
  Options options;
  options.num_classes = 0;
  EXPECT_THAT(PrepareWith(options),
              HasStatus(StatusCode::kInvalidModel, "num_classes 0"));
  options = {};
  options.num_classes = 5;
  EXPECT_THAT(PrepareWith(options),
              HasStatus(StatusCode::kInvalidModel, "[1,n,5 or 6]"));
  options = {};
  options.max_classes = 0;
  EXPECT_FALSE(PrepareWith(options).ok());
  options = {};
  options.iou_threshold = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(PrepareWith(options),
              HasStatus(StatusCode::kInvalidModel, "nms_iou_threshold"));
  options = {};
  options.max_detections = options.max_classes = 1 << 20;
  EXPECT_THAT(PrepareWith(options),
              HasStatus(StatusCode::kInvalidModel, "overflows a dimension"));
}

TEST(DetectionPostprocess, RefusesOptionsThatAreNoMap) {
  const struct {
    Bytes options;
    const char* error;
  } kCases[] = {
      {{}, "the custom options, 0 bytes, are no valid FlexBuffer"},
      {{1, 2, 3}, "the custom options, 3 bytes, are no valid FlexBuffer"},
      {{5, 4, 1}, "the custom options are no map"},
      {Bytes((1 << 14) + 1),
       "the options have 16385 bytes, allowed up to 16384"},
  };
  for (const auto& c : kCases) {
    OpRunner runner(ops::kDetectionPostProcess);
    AddTensors(runner);
    runner.SetCustomOptions(c.options);
    EXPECT_THAT(runner.Prepare(),
                HasStatus(StatusCode::kInvalidModel, c.error));
  }
}

TEST(DetectionPostprocess, RefusesOptionsOfOtherTypes) {
  OpRunner runner(ops::kDetectionPostProcess);
  AddTensors(runner);
  flexbuffers::Builder builder;
  builder.Map([&] { builder.String("max_detections", "3"); });
  builder.Finish();
  runner.SetCustomOptions(builder.GetBuffer());
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel,
                        "option max_detections is no integer"));
}

TEST(DetectionPostprocess, OverlapHolds) {
  std::mt19937 random(4);
  int caught = 0;
  for (int i = 0; i < 20; ++i) {
    OpRunner runner(ops::kDetectionPostProcess);
    const auto boxes = static_cast<int32_t>(random() % 20 + 1);
    runner.AddRandomInput(TensorType::kFloat32, {1, boxes, 4}, random);
    runner.AddRandomInput(TensorType::kFloat32, {1, boxes, 2}, random);
    std::vector<float> anchors(static_cast<size_t>(boxes) * 4);
    for (float& x : anchors) x = static_cast<float>(random() % 100 + 1);
    runner.AddInput<float>({boxes, 4}, anchors);
    AddOutputs(runner);
    Options options;
    options.regular = i % 2 == 1;
    options.max_detections = 5;
    SetOptions(runner, options);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 3, 4, random, &caught);
  }
}

}  // namespace
}  // namespace arenalite
