#include <gtest/gtest.h>

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

TEST(Transpose, ReordersElementsOfEveryWidth) {
  for (TensorType type :
       {TensorType::kInt8, TensorType::kFloat16, TensorType::kFloat32,
        TensorType::kInt64, TensorType::kComplex128}) {
    SCOPED_TRACE(TensorTypeName(type));
    const auto bytes = static_cast<size_t>(TensorTypeBits(type) / 8);
    testing::Bytes input;
    testing::Bytes expected;
    for (int value : {1, 2, 3, 4, 5, 6}) {
      input.insert(input.end(), bytes, static_cast<uint8_t>(value));
    }
    for (int value : {1, 4, 2, 5, 3, 6}) {
      expected.insert(expected.end(), bytes, static_cast<uint8_t>(value));
    }
    OpRunner runner(ops::kTranspose);
    runner.AddInputBytes(type, {2, 3}, input, {}, {}, 0, false);
    runner.AddConstant<int32_t>({2}, {1, -2});
    runner.AddOutput(type);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({3, 2}));
    EXPECT_EQ(runner.output<uint8_t>(0), expected);
  }
}

TEST(Transpose, ReordersHalfBytes) {
  OpRunner runner(ops::kTranspose);
  runner.AddInputBytes(TensorType::kInt4, {3, 3},
                       {0x21, 0x43, 0x65, 0x87, 0x09}, {}, {}, 0, false);
  runner.AddConstant<int32_t>({2}, {1, 0});
  runner.AddOutput(TensorType::kInt4);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0),
            (testing::Bytes{0x41, 0x27, 0x85, 0x63, 0x09}));
}

TEST(Transpose, OfDimensionsOfOneMovesNothing) {
  OpRunner runner(ops::kTranspose);
  std::mt19937 random(5);
  runner.AddRandomInput(TensorType::kFloat32, {4, 1, 3}, random);
  runner.AddConstant<int32_t>({3}, {1, 0, 2});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_GE(runner.Overlap(0, 0), 0);
  EXPECT_TRUE(runner.EqualAtDistance(0, 0, 0));
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  for (const std::vector<int32_t>& order :
       {std::vector<int32_t>{0, 0}, {0, 2}, {-3, 0}, {0}}) {
    OpRunner runner(ops::kTranspose);
    runner.AddInput<float>({1, 2}, {1, 2});
    runner.AddConstant<int32_t>({static_cast<int32_t>(order.size())}, order);
    runner.AddOutput(TensorType::kFloat32);
    EXPECT_THAT(runner.Prepare(),
                HasStatus(StatusCode::kInvalidModel, "input 1 (perm)"));
  }
}

TEST(Transpose, KeepsTheOverlapContract) {
  std::mt19937 random(6);
  int caught = 0;
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kTranspose);
    const auto dim = [&] { return static_cast<int32_t>(1 + random() % 4); };
    const TensorType type = round % 2 ? TensorType::kInt8 : TensorType::kInt32;
    runner.AddRandomInput(type, {dim(), dim(), dim(), dim()}, random);
    std::vector<int32_t> order = {0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), random);
    runner.AddConstant<int32_t>({4}, order);
    runner.AddOutput(type);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
