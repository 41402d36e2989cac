#include <gtest/gtest.h>

#include <limits>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

constexpr auto kNone = schema::ActivationFunctionType_NONE;

void SetAddOptions(OpRunner& runner, schema::ActivationFunctionType activation,
                   bool pot_scale_int16) {
  runner.SetOptions(schema::BuiltinOptions_AddOptions, [=](auto& b) {
    return schema::CreateAddOptions(b, activation, pot_scale_int16);
  });
}

TEST(Add, BroadcastsBothInputsAndClamps) {
  OpRunner runner(ops::kAdd);
  runner.AddInput<float>({2, 1}, {-10, 1});
  runner.AddInput<float>({3}, {1, 2, 20});
  runner.AddOutput(TensorType::kFloat32);
  SetAddOptions(runner, schema::ActivationFunctionType_RELU6, true);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{0, 0, 6, 2, 3, 6}));
}

TEST(Add, WrapsIntegersAround) {
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  OpRunner runner(ops::kAdd);
  runner.AddInput<int32_t>({2}, {kMax, 5});
  runner.AddInput<int32_t>({}, {1});
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int32_t>(0), (std::vector<int32_t>{-kMax - 1, 6}));
}

// Sums whose scaled halves round apart: 0.5 * 3 + 0.25 * 1 = 1.75 etc.
TEST(Add, RescalesQuantizedInputs) {
  OpRunner runner(ops::kAdd);
  runner.AddInput<int8_t>({4}, {3, -128, 127, 10}, {0.5f}, {0});
  runner.AddInput<int8_t>({4}, {5, 4, 127, -6}, {0.25f}, {4});
  runner.AddOutput(TensorType::kInt8, {0.5f}, {-1});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // (1.5 + 0.25) / 0.5 - 1 = 2.5, up to 3 as the reference rounds.
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{3, -128, 127, 4}));
}

TEST(Add, ShiftsInt16WithPowerOfTwoScales) {
  for (const bool pot : {true, false}) {
    OpRunner runner(ops::kAdd);
    runner.AddInput<int16_t>({3}, {3, -3, 32767}, {1.0f / 4}, {0});
    runner.AddInput<int16_t>({3}, {10, 10, 30000}, {1.0f / 2}, {0});
    runner.AddOutput(TensorType::kInt16, {1.0f / 2}, {0});
    SetAddOptions(runner, kNone, pot);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    // 3 / 2 rounds away from zero, before the sum or after it.
    EXPECT_EQ(runner.output<int16_t>(0),
              (pot ? std::vector<int16_t>{12, 8, 32767}
                   : std::vector<int16_t>{12, 9, 32767}));
  }
}

TEST(Add, RefusesInt16ScalesThatNoShiftMatches) {
  OpRunner runner(ops::kAdd);
  runner.AddInput<int16_t>({1}, {3}, {1.0f / 4}, {0});
  runner.AddInput<int16_t>({1}, {10}, {1.0f / 4}, {0});
  runner.AddOutput(TensorType::kInt16, {1.0f / 2}, {0});
  SetAddOptions(runner, kNone, true);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel, "2^-2"));
}

TEST(Add, RefusesQuantizedTypesWithoutScale) {
  OpRunner runner(ops::kAdd);
  runner.AddInput<int8_t>({1}, {3});
  runner.AddInput<int8_t>({1}, {10});
  runner.AddOutput(TensorType::kInt8);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "input 0 has 0 scales"));
}

TEST(Mul, SurvivesTheLargestRescaledProduct) {
  OpRunner runner(ops::kMul);
  runner.AddInput<uint8_t>({2}, {255, 0}, {1e9f}, {0});
  runner.AddInput<uint8_t>({2}, {255, 7}, {1e9f}, {0});
  runner.AddOutput(TensorType::kUInt8, {1e-9f}, {200});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0)[1], 200);
}

TEST(Mul, NarrowsInt16FractionsToInt8) {
  OpRunner runner(ops::kMul);
  runner.AddInput<int16_t>({3}, {-32768, 16384, -16384}, {1.0f / 32768}, {0});
  runner.AddInput<int16_t>({3}, {-32768, 16384, 192}, {1.0f / 32768}, {0});
  runner.AddOutput(TensorType::kInt8, {1.0f / 128}, {-1});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{127, 31, -1}));
}

TEST(Maximum, TakesTheSecondInputForNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  OpRunner runner(ops::kMaximum);
  runner.AddInput<float>({3}, {nan, 1, -2});
  runner.AddInput<float>({3}, {1, 2, -3});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{1, 2, -2}));
}

// Every op and type at its stated distance, on shapes that broadcast.
TEST(BinaryOverlap, HoldsAtTheStatedDistance) {
  const OpDefinition* definitions[] = {&ops::kAdd, &ops::kSub, &ops::kMul,
                                       &ops::kMaximum, &ops::kMinimum};
  const TensorType types[] = {TensorType::kFloat32, TensorType::kInt8,
                              TensorType::kInt16, TensorType::kInt64,
                              TensorType::kFloat16};
  std::mt19937 random(3);
  int caught = 0;
  for (int round = 0; round < 400; ++round) {
    const TensorType type = types[random() % 5];
    OpRunner runner(*definitions[random() % 5]);
    const int32_t dims[] = {1 + static_cast<int32_t>(random() % 3),
                            1 + static_cast<int32_t>(random() % 5),
                            1 + static_cast<int32_t>(random() % 150)};
    for (int i = 0; i < 2; ++i) {
      Shape shape({dims[0], dims[1], dims[2]});
      for (int d = 0; d < 3; ++d) {
        if (random() % 4 == 0) shape.set_dim(d, 1);
      }
      runner.AddRandomInput(type, shape, random, {0.5f}, {0});
    }
    runner.AddOutput(type, {0.5f}, {0});
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 2, 1, random, &caught);
  }
  EXPECT_GT(caught, 100);
}

}  // namespace
}  // namespace arenalite
