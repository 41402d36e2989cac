// Ops that find elements by index or value.

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

TEST(ScatterNd, AddsUpAndRefusesEachIndexOutsideOfItsDimension) {
  OpRunner runner(ops::kScatterNd);
  runner.AddInput<int32_t>({2, 1}, {1, 1});
  runner.AddInput<float>({2, 2}, {1, 2, 10, 20});
  runner.AddConstant<int32_t>({2}, {3, 2});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{0, 0, 11, 22, 0, 0}));

  // Flat position 1 * 2 - 1 is inside of the output, the index is not.
  OpRunner outside(ops::kScatterNd);
  outside.AddInput<int32_t>({1, 2}, {1, -1});
  outside.AddInput<int8_t>({1}, {1});
  outside.AddConstant<int32_t>({2}, {2, 2});
  outside.AddOutput(TensorType::kInt8);
  EXPECT_THAT(outside.PrepareAndRun(),
              HasStatus(StatusCode::kOutOfRange, "index -1"));
}

TEST(SparseToDense, RefusesIndicesOutsideOfTheShape) {
  OpRunner runner(ops::kSparseToDense);
  runner.AddInput<int32_t>({2}, {0, 3});
  runner.AddConstant<int32_t>({1}, {3});
  runner.AddInput<float>({2}, {1, 2});
  runner.AddInput<float>({}, {9});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.PrepareAndRun(),
              HasStatus(StatusCode::kOutOfRange, "index 3 of value 1"));
}

TEST(Unique, NumbersValuesByTheirFirstAppearance) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  OpRunner runner(ops::kUnique);
  runner.AddInput<float>({8}, {3, -1, nan, 3, 0.0f, -0.0f, nan, -1});
  runner.AddOutput(TensorType::kFloat32);
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int32_t>(1),
            (std::vector<int32_t>{0, 1, 2, 0, 3, 3, 2, 1}));
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({4}));
  EXPECT_EQ(runner.output<float>(0)[1], -1);
}

TEST(Where, ListsCoordinates) {
  OpRunner runner(ops::kWhere);
  runner.AddInput<float>({2, 2}, {0, 5, -0.0f, 1});
  runner.AddOutput(TensorType::kInt64);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int64_t>(0), (std::vector<int64_t>{0, 1, 1, 1}));
}

TEST(Range, RefusesWhatNeverEndsOrNeverFits) {
  const int64_t low = std::numeric_limits<int64_t>::min();
  const int64_t high = std::numeric_limits<int64_t>::max();
  const std::vector<int64_t> bad[] = {{0, 5, 0}, {0, 5, -1}, {low, high, 1}};
  for (const auto& values : bad) {
    OpRunner runner(ops::kRange);
    for (int64_t value : values) runner.AddConstant<int64_t>({}, {value});
    runner.AddOutput(TensorType::kInt64);
    EXPECT_FALSE(runner.Prepare().ok());
  }
  OpRunner runner(ops::kRange);
  for (int64_t value : {high, low, low}) runner.AddInput<int64_t>({}, {value});
  runner.AddOutput(TensorType::kInt64);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int64_t>(0), (std::vector<int64_t>{high, -1}));
}

TEST(HashtableLookup, GivesZerosForUnknownKeys) {
  OpRunner runner(ops::kHashtableLookup);
  runner.AddInput<int32_t>({3}, {7, std::numeric_limits<int32_t>::min(), 1});
  runner.AddInput<int32_t>({2}, {1, 7});
  runner.AddInput<int16_t>({2, 2}, {1, 2, 3, 4});
  runner.AddOutput(TensorType::kInt16);
  runner.AddOutput(TensorType::kUInt8);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int16_t>(0),
            (std::vector<int16_t>{3, 4, 0, 0, 1, 2}));
  EXPECT_EQ(runner.output<uint8_t>(1), (std::vector<uint8_t>{1, 0, 1}));
}

TEST(EmbeddingLookup, ReadsPackedRowsThatBeginInsideOfABytes) {
  OpRunner runner(ops::kEmbeddingLookup);
  runner.AddInput<int32_t>({2}, {1, 0});
  // Rows {1, -2, 3} and {-4, 5, -6}, low nibble first.
  runner.AddInputBytes(TensorType::kInt4, {2, 3}, {0xE1, 0xC3, 0xA5},
                       {0.5f, 2.0f}, {0, 0}, 0, true);
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0),
            (std::vector<float>{-8, 10, -12, 0.5f, -1, 1.5f}));
}

TEST(DynamicUpdateSlice, KeepsTheOtherHalfBytes) {
  OpRunner runner(ops::kDynamicUpdateSlice);
  runner.AddInputBytes(TensorType::kInt4, {2, 3}, {0x21, 0x43, 0x65}, {}, {}, 0,
                       false);
  runner.AddInputBytes(TensorType::kInt4, {2, 1}, {0xFE}, {}, {}, 0, false);
  runner.AddInput<int32_t>({2}, {-5, 1});
  runner.AddOutput(TensorType::kInt4);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0),
            (std::vector<uint8_t>{0xE1, 0x43, 0x6F}));
}

// Moves inputs and outputs of ops that find places by index.
TEST(IndexingOverlap, HoldsAtTheStatedDistance) {
  std::mt19937 random(8);
  int caught = 0;
  for (int round = 0; round < 300; ++round) {
    const auto draw = [&random](int32_t count) {
      return 1 + static_cast<int32_t>(random() % static_cast<uint32_t>(count));
    };
    const int32_t rows = draw(5);
    const int32_t columns = draw(5);
    switch (random() % 4) {
      case 0: {
        OpRunner runner(ops::kMatrixDiag);
        runner.AddRandomInput(TensorType::kInt16, {rows, columns}, random);
        runner.AddOutput(TensorType::kInt16);
        ASSERT_THAT(runner.PrepareAndRun(), IsOk());
        CheckOverlapContract(runner, 1, 1, random, &caught);
        break;
      }
      case 1: {
        OpRunner runner(ops::kMatrixSetDiag);
        const int32_t batches = draw(3);
        runner.AddRandomInput(TensorType::kInt16, {batches, rows, columns},
                              random);
        runner.AddRandomInput(TensorType::kInt16,
                              {batches, std::min(rows, columns)}, random);
        runner.AddOutput(TensorType::kInt16);
        ASSERT_THAT(runner.PrepareAndRun(), IsOk());
        CheckOverlapContract(runner, 2, 1, random, &caught);
        break;
      }
      case 2: {
        OpRunner runner(ops::kEmbeddingLookup);
        std::vector<int32_t> ids(static_cast<size_t>(draw(6)));
        for (int32_t& id : ids) id = draw(rows) - 1;
        runner.AddInput<int32_t>({static_cast<int32_t>(ids.size())}, ids);
        runner.AddRandomInput(TensorType::kInt8, {rows, columns}, random);
        runner.AddOutput(TensorType::kInt8);
        ASSERT_THAT(runner.PrepareAndRun(), IsOk());
        CheckOverlapContract(runner, 2, 1, random, &caught);
        break;
      }
      default: {
        OpRunner runner(ops::kDynamicUpdateSlice);
        runner.AddRandomInput(TensorType::kInt16, {rows, columns}, random);
        runner.AddRandomInput(TensorType::kInt16, {draw(rows), draw(columns)},
                              random);
        runner.AddInput<int32_t>({2}, {draw(5) - 2, draw(5) - 2});
        runner.AddOutput(TensorType::kInt16);
        ASSERT_THAT(runner.PrepareAndRun(), IsOk());
        CheckOverlapContract(runner, 3, 1, random, &caught);
      }
    }
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
