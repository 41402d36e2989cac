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

constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();

template <class T>
std::vector<T> Binary(const OpDefinition& definition, const std::vector<T>& a,
                      const std::vector<T>& b) {
  OpRunner runner(definition);
  runner.AddInput<T>({static_cast<int32_t>(a.size())}, a);
  runner.AddInput<T>({static_cast<int32_t>(b.size())}, b);
  runner.AddOutput(TensorTypeOf<T>::kValue);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<T>(0);
}

TEST(FloorDiv, RoundsDownAndWraps) {
  EXPECT_EQ(Binary<int32_t>(ops::kFloorDiv, {7, -7, 7, -7, kLowest, -6},
                            {2, 2, -2, -2, -1, 3}),
            (std::vector<int32_t>{3, -4, -4, 3, kLowest, -2}));
  EXPECT_EQ(Binary<float>(ops::kFloorDiv, {7.5f, -7.5f}, {2}),
            (std::vector<float>{3, -4}));
}

TEST(FloorMod, TakesTheDivisorsSign) {
  EXPECT_EQ(Binary<int32_t>(ops::kFloorMod, {7, -7, 7, -7, kLowest, -6},
                            {2, 2, -2, -2, -1, 3}),
            (std::vector<int32_t>{1, 1, -1, -1, 0, 0}));
  EXPECT_EQ(Binary<float>(ops::kFloorMod, {7.5f, -7.5f, 7.5f}, {2, 2, -2}),
            (std::vector<float>{1.5f, 0.5f, -0.5f}));
}

TEST(Division, RefusesIntegerZeros) {
  for (const OpDefinition* definition :
       {&ops::kDiv, &ops::kFloorDiv, &ops::kFloorMod, &ops::kStablehloDivide,
        &ops::kStablehloRemainder}) {
    OpRunner runner(*definition);
    runner.AddInput<int32_t>({3}, {1, 2, 3});
    runner.AddInput<int32_t>({3}, {1, 0, 3});
    runner.AddOutput(TensorType::kInt32);
    EXPECT_THAT(runner.PrepareAndRun(),
                HasStatus(StatusCode::kOutOfRange, "Division by 0: element 1"));
  }
}

TEST(Div, DividesQuantizedValues) {
  OpRunner runner(ops::kDiv);
  runner.AddInput<int8_t>({4}, {0, 100, -100, 12}, {0.1f}, {0});
  runner.AddInput<int8_t>({4}, {52, 12, 12, -18}, {0.1f}, {2});
  runner.AddOutput(TensorType::kInt8, {0.1f}, {-3});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // 10 / 1 and -10 / 1 in steps of 0.1, less 3; 1.2 / -2 is -6 steps.
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{-3, 97, -103, -9}));
}

TEST(Pow, MultipliesIntegersAndRefusesNegativeExponents) {
  EXPECT_EQ(Binary<int32_t>(ops::kPow, {2, -3, 0, 7}, {10, 3, 0, 1}),
            (std::vector<int32_t>{1024, -27, 1, 7}));
  OpRunner runner(ops::kPow);
  runner.AddInput<int32_t>({1}, {2});
  runner.AddInput<int32_t>({1}, {-1});
  runner.AddOutput(TensorType::kInt32);
  EXPECT_THAT(runner.PrepareAndRun(),
              HasStatus(StatusCode::kOutOfRange, "is -1"));
}

TEST(RightShift, ClampsTheCount) {
  EXPECT_EQ(Binary<int8_t>(ops::kRightShift, {-128, 64, -1, 5}, {7, -2, 99, 1}),
            (std::vector<int8_t>{-1, 64, -1, 2}));
  EXPECT_EQ(Binary<uint8_t>(ops::kRightShift, {128, 255}, {7, 200}),
            (std::vector<uint8_t>{1, 1}));
}

TEST(StablehloShiftLeft, ShiftsEverythingOut) {
  EXPECT_EQ(Binary<int8_t>(ops::kStablehloShiftLeft, {-2, 3, 1}, {1, 8, -1}),
            (std::vector<int8_t>{-4, 0, 0}));
}

TEST(Less, ComparesRealValuesOfQuantizedInputs) {
  OpRunner runner(ops::kLess);
  runner.AddInput<uint8_t>({4}, {10, 11, 12, 255}, {0.5f}, {2});
  runner.AddInput<uint8_t>({4}, {18, 18, 18, 0}, {0.25f}, {0});
  runner.AddOutput(TensorType::kBool);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  // 4, 4.5, 5 against 4.5.
  EXPECT_EQ(runner.output<uint8_t>(0), (std::vector<uint8_t>{1, 0, 0, 0}));
}

TEST(Less, ComparesLargeScales) {
  OpRunner runner(ops::kLess);
  runner.AddInput<int8_t>({3}, {1, 100, -128}, {1e30f}, {0});
  runner.AddInput<int8_t>({3}, {1, 1, 1}, {5e29f}, {0});
  runner.AddOutput(TensorType::kBool);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0), (std::vector<uint8_t>{0, 0, 1}));
}

TEST(Equal, TakesAnyBoolButZeroForTrue) {
  OpRunner runner(ops::kEqual);
  runner.AddInputBytes(TensorType::kBool, {4}, {0, 1, 2, 7}, {}, {}, 0, false);
  runner.AddInputBytes(TensorType::kBool, {}, {1}, {}, {}, 0, false);
  runner.AddOutput(TensorType::kBool);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0), (std::vector<uint8_t>{0, 1, 1, 1}));
}

TEST(Select, TakesSlicesByAConditionOfRankOne) {
  OpRunner runner(ops::kSelect);
  runner.AddInputBytes(TensorType::kBool, {2}, {1, 0}, {}, {}, 0, false);
  runner.AddInput<int16_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  runner.AddInput<int16_t>({2, 3}, {-1, -2, -3, -4, -5, -6});
  runner.AddOutput(TensorType::kInt16);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int16_t>(0),
            (std::vector<int16_t>{1, 2, 3, -4, -5, -6}));
}

TEST(SelectV2, BroadcastsAllThree) {
  OpRunner runner(ops::kSelectV2);
  runner.AddInputBytes(TensorType::kBool, {2, 1}, {1, 0}, {}, {}, 0, false);
  runner.AddInput<int32_t>({3}, {1, 2, 3});
  runner.AddInput<int32_t>({}, {9});
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3}));
  EXPECT_EQ(runner.output<int32_t>(0),
            (std::vector<int32_t>{1, 2, 3, 9, 9, 9}));
}

TEST(BroadcastTo, RepeatsAnInputToAShapeThatDataDecide) {
  OpRunner runner(ops::kBroadcastTo);
  runner.AddInput<float>({2, 1}, {1, 2});
  runner.AddInput<int64_t>({3}, {2, 2, 2});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0),
            (std::vector<float>{1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST(BroadcastTo, RefusesToShrink) {
  OpRunner runner(ops::kBroadcastTo);
  runner.AddInput<float>({2, 1}, {1, 2});
  runner.AddConstant<int32_t>({2}, {1, 4});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "to [1,4]"));
}

TEST(BroadcastArgs, AlignsShapesAtTheirEnd) {
  OpRunner runner(ops::kBroadcastArgs);
  runner.AddInput<int32_t>({3}, {4, 1, 3});
  runner.AddInput<int32_t>({2}, {2, 1});
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int32_t>(0), (std::vector<int32_t>{4, 2, 3}));
}

Shape RandomShape(std::mt19937& random, const Shape& full) {
  Shape shape = full;
  for (int d = 0; d < shape.rank(); ++d) {
    if (random() % 4 == 0) shape.set_dim(d, 1);
  }
  return shape;
}

// Ops that write elements of another width, that choose, or that repeat.
TEST(ElementwiseOverlap, HoldsAtTheStatedDistance) {
  std::mt19937 random(4);
  int caught = 0;
  for (int round = 0; round < 600; ++round) {
    const Shape full({1 + static_cast<int32_t>(random() % 3),
                      1 + static_cast<int32_t>(random() % 5),
                      1 + static_cast<int32_t>(random() % 300)});
    const TensorType types[] = {TensorType::kFloat32, TensorType::kInt8,
                                TensorType::kInt64, TensorType::kFloat16};
    const TensorType type = types[random() % 4];
    const OpDefinition* definitions[] = {&ops::kLess, &ops::kSelectV2,
                                         &ops::kBroadcastTo, &ops::kAddN};
    const size_t which = random() % 4;
    OpRunner runner(*definitions[which]);
    int inputs = 2;
    if (which == 0) {
      runner.AddRandomInput(type, RandomShape(random, full), random);
      runner.AddRandomInput(type, RandomShape(random, full), random);
      runner.AddOutput(TensorType::kBool);
    } else if (which == 1) {
      inputs = 3;
      runner.AddRandomInput(TensorType::kBool, RandomShape(random, full),
                            random);
      runner.AddRandomInput(type, RandomShape(random, full), random);
      runner.AddRandomInput(type, RandomShape(random, full), random);
      runner.AddOutput(type);
    } else if (which == 2) {
      inputs = 1;
      runner.AddRandomInput(type, RandomShape(random, full), random);
      runner.AddConstant<int32_t>({3}, {full.dim(0), full.dim(1), full.dim(2)});
      runner.AddOutput(type);
    } else {
      runner.AddRandomInput(TensorType::kInt32, full, random);
      runner.AddRandomInput(TensorType::kInt32, full, random);
      runner.AddOutput(TensorType::kInt32);
    }
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, inputs, 1, random, &caught);
  }
  EXPECT_GT(caught, 100);
}

}  // namespace
}  // namespace arenalite
