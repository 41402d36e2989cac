#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::IsOk;
using testing::OpRunner;

float Overlap(const float* a, const float* b) {
  const auto side = [](const float* p, const float* q, int d) {
    const float low =
        std::max(std::min(p[d], p[d + 2]), std::min(q[d], q[d + 2]));
    const float high =
        std::min(std::max(p[d], p[d + 2]), std::max(q[d], q[d + 2]));
    return std::max(high - low, 0.0f);
  };
  const float common = side(a, b, 0) * side(a, b, 1);
  const float all =
      side(a, a, 0) * side(a, a, 1) + side(b, b, 0) * side(b, b, 1) - common;
  return all > 0 ? common / all : 0.0f;
}

// By falling score, each box that overlaps no chosen one too much.
std::vector<int32_t> Greedy(const std::vector<float>& boxes,
                            const std::vector<float>& scores, float iou,
                            float score, size_t limit) {
  std::vector<int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
  });
  std::vector<int32_t> chosen;
  for (int32_t box : order) {
    if (chosen.size() == limit) break;
    if (scores[static_cast<size_t>(box)] <= score) break;
    const bool clear =
        std::none_of(chosen.begin(), chosen.end(), [&](int32_t other) {
          return Overlap(&boxes[static_cast<size_t>(box) * 4],
                         &boxes[static_cast<size_t>(other) * 4]) >= iou;
        });
    if (clear) chosen.push_back(box);
  }
  return chosen;
}

TEST(NonMaxSuppressionV4, ChoosesGreedily) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  for (int round = 0; round < 100; ++round) {
    const auto count = static_cast<int32_t>(random() % 40);
    std::vector<float> scores(static_cast<size_t>(count));
    std::vector<float> boxes(static_cast<size_t>(count) * 4);
    for (float& value : scores) value = uniform(random);
    for (float& value : boxes) value = uniform(random);
    const auto limit = static_cast<int32_t>(random() % 20);
    OpRunner runner(ops::kNonMaxSuppressionV4);
    runner.AddInput<float>({count, 4}, boxes);
    runner.AddInput<float>({count}, scores);
    runner.AddInput<int32_t>({}, {limit});
    runner.AddInput<float>({}, {0.3f});
    runner.AddInput<float>({}, {0.2f});
    runner.AddOutput(TensorType::kInt32);
    runner.AddOutput(TensorType::kInt32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<int32_t>(0),
              Greedy(boxes, scores, 0.3f, 0.2f, static_cast<size_t>(limit)));
  }
}

TEST(NonMaxSuppressionV5, LowersScoresAndFillsUpWithZeros) {
  OpRunner runner(ops::kNonMaxSuppressionV5);
  runner.AddInput<float>({3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.5f, 2, 2, 3, 3});
  runner.AddInput<float>({3}, {0.9f, 0.8f, 0.1f});
  runner.AddConstant<int32_t>({}, {4});
  runner.AddInput<float>({}, {1.0f});
  runner.AddInput<float>({}, {0.2f});
  runner.AddInput<float>({}, {0.5f});
  runner.AddOutput(TensorType::kInt32);
  runner.AddOutput(TensorType::kFloat32);
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int32_t>(0), (std::vector<int32_t>{0, 1, 0, 0}));
  EXPECT_EQ(runner.output<int32_t>(2), (std::vector<int32_t>{2}));
  const std::vector<float> scores = runner.output<float>(1);
  EXPECT_EQ(scores[0], 0.9f);
  EXPECT_FLOAT_EQ(scores[1], 0.8f * std::exp(-0.25f));
  EXPECT_EQ(scores[2], 0.0f);
}

}  // namespace
}  // namespace arenalite
