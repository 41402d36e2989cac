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

void SetAxis(OpRunner& runner, int axis) {
  runner.SetOptions(
      schema::BuiltinOptions_ConcatenationOptions,
      [axis](auto& b) { return schema::CreateConcatenationOptions(b, axis); });
}

TEST(Concatenation, JoinsInnerAxis) {
  OpRunner runner(ops::kConcatenation);
  runner.AddInput<int16_t>({2, 2}, {1, 2, 3, 4});
  runner.AddInput<int16_t>({2, 1}, {5, 6});
  runner.AddOutput(TensorType::kInt16);
  SetAxis(runner, -1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3}));
  EXPECT_EQ(runner.output<int16_t>(0),
            (std::vector<int16_t>{1, 2, 5, 3, 4, 6}));
}

TEST(Concatenation, MakesAVectorOfScalars) {
  OpRunner runner(ops::kConcatenation);
  runner.AddInput<float>({}, {1});
  runner.AddInput<float>({}, {2});
  runner.AddOutput(TensorType::kFloat32);
  SetAxis(runner, 0);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{1, 2}));
}

TEST(Concatenation, RequantizesInputsOfAnotherScale) {
  OpRunner runner(ops::kConcatenation);
  runner.AddInput<uint8_t>({3}, {0, 127, 255}, {0.5f}, {127});
  runner.AddInput<uint8_t>({2}, {9, 10}, {1.0f}, {100});
  runner.AddOutput(TensorType::kUInt8, {1.0f}, {100});
  SetAxis(runner, 0);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // -63.5 rounds away from zero to -64.
  EXPECT_EQ(runner.output<uint8_t>(0),
            (std::vector<uint8_t>{36, 100, 164, 9, 10}));
}

TEST(Concatenation, JoinsHalfBytes) {
  OpRunner runner(ops::kConcatenation);
  runner.AddInputBytes(TensorType::kInt4, {2, 1}, {0x21}, {}, {}, 0, false);
  runner.AddInputBytes(TensorType::kInt4, {2, 2}, {0x43, 0x65}, {}, {}, 0,
                       false);
  runner.AddOutput(TensorType::kInt4);
  SetAxis(runner, 1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0),
            (std::vector<uint8_t>{0x31, 0x24, 0x65}));
}

TEST(Concatenation, RefusesShapesThatDifferBesideTheAxis) {
  OpRunner runner(ops::kConcatenation);
  runner.AddInput<float>({1, 2}, {1, 2});
  runner.AddInput<float>({1, 3}, {1, 2, 3});
  runner.AddOutput(TensorType::kFloat32);
  SetAxis(runner, 0);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "input 1 has shape [1,3]"));
}

TEST(Concatenation, LaidEndToEndIsFree) {
  OpRunner runner(ops::kConcatenation);
  std::mt19937 random(1);
  runner.AddRandomInput(TensorType::kInt8, {1, 3, 5}, random);
  runner.AddRandomInput(TensorType::kInt8, {1, 4, 5}, random);
  runner.AddOutput(TensorType::kInt8);
  SetAxis(runner, 1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.Overlap(0, 0), 15);  // Anywhere: it is read first, whole.
  EXPECT_EQ(runner.Overlap(0, 1), -15);
}

TEST(Concatenation, KeepsTheOverlapContract) {
  std::mt19937 random(2);
  int caught = 0;
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kConcatenation);
    const bool scaled = round % 2 == 0;
    const TensorType type = scaled ? TensorType::kUInt8 : TensorType::kFloat32;
    const int axis = static_cast<int>(random() % 3);
    const auto dim = [&] { return static_cast<int32_t>(1 + random() % 5); };
    Shape shape = {dim(), dim(), dim()};
    const int inputs = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < inputs; ++i) {
      shape.set_dim(axis, dim());
      const float scale = random() % 2 ? 0.5f : 0.25f;
      runner.AddRandomInput(type, shape, random, {scale}, {3});
    }
    runner.AddOutput(type, {0.5f}, {3});
    SetAxis(runner, axis);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, inputs, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
