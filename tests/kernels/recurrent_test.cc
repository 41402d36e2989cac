// SVDF, RNN and their sequences.

#include <gtest/gtest.h>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

template <class T>
int AddState(OpRunner& runner, const Shape& shape,
             std::vector<float> scales = {},
             std::vector<int64_t> zero_points = {}) {
  const int i = runner.AddInput<T>(
      shape, std::vector<T>(static_cast<size_t>(shape.NumElements())),
      std::move(scales), std::move(zero_points));
  runner.tensor_of_input(i).memory = TensorMemory::kVariable;
  return i;
}

void SetSvdf(OpRunner& runner, int rank) {
  runner.SetOptions(schema::BuiltinOptions_SVDFOptions, [=](auto& b) {
    return schema::CreateSVDFOptions(b, rank);
  });
}

// Two filters of one unit remember two steps.
TEST(Svdf, WeighsTheLastSteps) {
  OpRunner runner(ops::kSvdf);
  runner.AddInput<float>({1, 1}, {3});
  runner.AddConstant<float>({2, 1}, {1, 10});
  runner.AddConstant<float>({2, 2}, {1, 2, 3, 4});
  runner.AddConstant<float>({1}, {0.5f});
  AddState<float>(runner, {1, 4});
  runner.AddOutput(TensorType::kFloat32);
  SetSvdf(runner, 2);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0),
            (std::vector<float>{2 * 3 + 4 * 30 + 0.5f}));
  *runner.tensor_of_input(0).data_as<float>() = 5;
  ASSERT_THAT(runner.Run(), IsOk());
  EXPECT_EQ(runner.output<float>(0),
            (std::vector<float>{1 * 3 + 2 * 5 + 3 * 30 + 4 * 50 + 0.5f}));
}

// Real values: input (4, -4), feature weights (1, 2), time weights (1, -3).
template <class State>
void AddIntegerSvdf(OpRunner& runner, float time_scale, float state_scale,
                    int64_t state_zero) {
  runner.AddInput<int8_t>({1, 2}, {10, -6}, {0.5f}, {2});
  runner.AddConstant<int8_t>({1, 2}, {4, 8}, {0.25f}, {0});
  const auto one = static_cast<State>(1 / time_scale);
  runner.AddConstant<State>({1, 2}, {one, static_cast<State>(-3 * one)},
                            {time_scale}, {0});
  const std::vector<int32_t> bias = {
      static_cast<int32_t>(1 / (time_scale * state_scale))};
  runner.AddConstant<int32_t>({1}, bias, {time_scale * state_scale}, {0});
  const int state =
      AddState<State>(runner, {1, 2}, {state_scale}, {state_zero});
  auto* steps = runner.tensor_of_input(state).data_as<State>();
  steps[0] = steps[1] = static_cast<State>(state_zero);
  runner.AddOutput(TensorType::kInt8, {0.5f}, {-3});
  SetSvdf(runner, 1);
}

TEST(Svdf, IntegersFollowTheFloatForm) {
  OpRunner words(ops::kSvdf, 3);
  AddIntegerSvdf<int16_t>(words, 1.0f / 128, 1.0f / 256, 0);
  OpRunner bytes(ops::kSvdf, 4);
  AddIntegerSvdf<int8_t>(bytes, 1.0f / 32, 1.0f / 8, 5);
  for (OpRunner* runner : {&words, &bytes}) {
    ASSERT_THAT(runner->PrepareAndRun(), IsOk());
    // The memory is (0, -4).
    EXPECT_EQ(runner->output<int8_t>(0)[0], (12 + 1) * 2 - 3);
    ASSERT_THAT(runner->Run(), IsOk());
    // (-4, -4)
    EXPECT_EQ(runner->output<int8_t>(0)[0], (-4 + 12 + 1) * 2 - 3);
  }
}

TEST(Svdf, RefusesAnIntegerStateWithoutAScale) {
  OpRunner runner(ops::kSvdf, 3);
  AddIntegerSvdf<int16_t>(runner, 1.0f / 128, 1.0f / 256, 0);
  runner.tensor_of_input(4).quantization = {};
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "input 4 (state)"));
}

TEST(Svdf, RefusesFiltersThatRankDoesNotDivide) {
  OpRunner runner(ops::kSvdf);
  runner.AddInput<float>({1, 1}, {3});
  runner.AddConstant<float>({3, 1}, {1, 2, 3});
  runner.AddConstant<float>({3, 1}, {1, 2, 3});
  runner.AddAbsentInput();
  AddState<float>(runner, {1, 3});
  runner.AddOutput(TensorType::kFloat32);
  SetSvdf(runner, 2);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "multiple of the rank, 2"));
}

void SetSequence(OpRunner& runner, bool time_major) {
  runner.SetOptions(schema::BuiltinOptions_SequenceRNNOptions, [=](auto& b) {
    return schema::CreateSequenceRNNOptions(b, time_major);
  });
}

// state = x + 2 * state: two sequences of three steps.
TEST(SequenceRnn, WalksBothLayoutsAlike) {
  const std::vector<float> batch_major = {1, 0, 0, 10, 1, 0};
  const std::vector<float> time_major = {1, 10, 0, 1, 0, 0};
  for (const bool by_time : {false, true}) {
    OpRunner runner(ops::kUnidirectionalSequenceRnn);
    runner.AddInput<float>(by_time ? Shape({3, 2, 1}) : Shape({2, 3, 1}),
                           by_time ? time_major : batch_major);
    runner.AddConstant<float>({1, 1}, {1});
    runner.AddConstant<float>({1, 1}, {2});
    runner.AddConstant<float>({1}, {0});
    AddState<float>(runner, {2, 1});
    runner.AddOutput(TensorType::kFloat32);
    SetSequence(runner, by_time);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.output<float>(0),
              by_time ? (std::vector<float>{1, 10, 2, 21, 4, 42})
                      : (std::vector<float>{1, 2, 4, 10, 21, 42}));
  }
}

// The backward cell, with weight 10, begins at the end; both write into one
// output.
TEST(BidirectionalRnn, MergesBothDirections) {
  OpRunner runner(ops::kBidirectionalSequenceRnn);
  runner.AddInput<float>({1, 2, 1}, {1, 2});
  for (const float weight : {1.0f, 10.0f}) {
    runner.AddConstant<float>({1, 1}, {weight});
    runner.AddConstant<float>({1, 1}, {1});
    runner.AddConstant<float>({1}, {0});
    AddState<float>(runner, {1, 1});
  }
  for (int i = 0; i < 3; ++i) runner.AddAbsentInput();
  runner.AddOutput(TensorType::kFloat32);
  runner.SetOptions(schema::BuiltinOptions_BidirectionalSequenceRNNOptions,
                    [](auto& b) {
                      return schema::CreateBidirectionalSequenceRNNOptions(
                          b, false, schema::ActivationFunctionType_NONE, true);
                    });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, 2, 2}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{1, 30, 3, 20}));
}

TEST(RecurrentOverlap, HoldsAndIsTight) {
  std::mt19937 random(9);
  int caught = 0;
  for (int i = 0; i < 60; ++i) {
    const auto batch = static_cast<int32_t>(random() % 3 + 1);
    const auto time = static_cast<int32_t>(random() % 5 + 1);
    const auto size = static_cast<int32_t>(random() % 6 + 1);
    const auto units = static_cast<int32_t>(random() % 6 + 1);
    const bool hybrid = i % 2 == 1;
    OpRunner runner(ops::kUnidirectionalSequenceRnn);
    runner.AddRandomInput(TensorType::kFloat32, {batch, time, size}, random);
    const TensorType type = hybrid ? TensorType::kInt8 : TensorType::kFloat32;
    const std::vector<float> scale(hybrid ? 1 : 0, 0.01f);
    runner.AddRandomInput(type, {units, size}, random, scale, {}, 0, true);
    // Without a way back the state does not matter.
    runner.AddInputBytes(
        type, {units, units},
        testing::Bytes(static_cast<size_t>(units * units * (hybrid ? 1 : 4))),
        scale, {}, 0, true);
    runner.AddRandomInput(TensorType::kFloat32, {units}, random, {}, {}, 0,
                          true);
    AddState<float>(runner, {batch, units});
    runner.AddOutput(TensorType::kFloat32);
    SetSequence(runner, false);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 15);
}

}  // namespace
}  // namespace arenalite
