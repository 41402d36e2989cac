#include <gtest/gtest.h>

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::Bytes;
using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

void SetAxis(OpRunner& runner, int axis, int batch_dims) {
  runner.SetOptions(schema::BuiltinOptions_GatherOptions, [=](auto& b) {
    return schema::CreateGatherOptions(b, axis, batch_dims);
  });
}

TEST(Gather, PicksAlongAnAxisOfEachBatch) {
  OpRunner runner(ops::kGather);
  runner.AddInput<float>({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  runner.AddInput<int16_t>({2, 2}, {2, 0, 1, 1});
  runner.AddOutput(TensorType::kFloat32);
  SetAxis(runner, -1, 1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 2, 2}));
  EXPECT_EQ(runner.output<float>(0),
            (std::vector<float>{2, 0, 5, 3, 7, 7, 10, 10}));
}

TEST(Gather, PicksHalfBytes) {
  OpRunner runner(ops::kGather);
  runner.AddInputBytes(TensorType::kInt4, {3}, {0x21, 0x03}, {}, {}, 0, false);
  runner.AddInput<int32_t>({3}, {2, 2, 0});
  runner.AddOutput(TensorType::kInt4);
  SetAxis(runner, 0, 0);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0), (Bytes{0x33, 0x01}));
}

TEST(Gather, PicksStrings) {
  // "a", "bc".
  const Bytes packed = {2, 0, 0,  0, 16, 0, 0,   0,   17, 0,
                        0, 0, 19, 0, 0,  0, 'a', 'b', 'c'};
  OpRunner runner(ops::kGather);
  runner.AddInputBytes(TensorType::kString, {2}, packed, {}, {}, 0, false);
  runner.AddInput<int64_t>({1}, {1});
  runner.AddOutput(TensorType::kString);
  SetAxis(runner, 0, 0);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0),
            (Bytes{1, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 'b', 'c'}));
}

TEST(Gather, RefusesStringsThatLeaveTheirTensor) {
  const Bytes packed = {1, 0, 0, 0, 12, 0, 0, 0, 99, 0, 0, 0, 'a'};
  OpRunner runner(ops::kGather);
  runner.AddInputBytes(TensorType::kString, {1}, packed, {}, {}, 0, false);
  runner.AddInput<int64_t>({1}, {0});
  runner.AddOutput(TensorType::kString);
  SetAxis(runner, 0, 0);
  EXPECT_THAT(runner.PrepareAndRun(),
              HasStatus(StatusCode::kOutOfRange, "at byte 99, allowed 12..13"));
}

TEST(Gather, RefusesIndicesOutOfBounds) {
  for (int32_t index : {-1, 2}) {
    OpRunner runner(ops::kGather);
    runner.AddInput<float>({2}, {1, 2});
    runner.AddInput<int32_t>({1}, {index});
    runner.AddOutput(TensorType::kFloat32);
    SetAxis(runner, 0, 0);
    EXPECT_THAT(runner.PrepareAndRun(),
                HasStatus(StatusCode::kOutOfRange, "allowed 0..1"));
  }
}

TEST(Gather, KeepsTheOverlapContract) {
  std::mt19937 random(9);
  int caught = 0;
  const auto dim = [&] { return static_cast<int32_t>(1 + random() % 4); };
  for (int round = 0; round < 300; ++round) {
    OpRunner runner(ops::kGather);
    const int axis = static_cast<int>(random() % 3);
    const Shape input = {dim(), dim(), dim()};
    const int32_t picked = dim();
    std::vector<int32_t> indices;
    for (int32_t i = 0; i < picked; ++i) {
      indices.push_back(static_cast<int32_t>(
          random() % static_cast<uint32_t>(input.dim(axis))));
    }
    if (round % 2) std::sort(indices.begin(), indices.end());
    runner.AddRandomInput(TensorType::kInt16, input, random);
    runner.AddInput<int32_t>({picked}, indices, {}, {}, 0, round % 4 != 0);
    runner.AddOutput(TensorType::kInt16);
    SetAxis(runner, axis, 0);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 2, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

TEST(GatherNd, PicksSlices) {
  OpRunner runner(ops::kGatherNd);
  runner.AddInput<int32_t>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  runner.AddInput<int64_t>({2, 2}, {0, 1, 1, 0});
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 2}));
  EXPECT_EQ(runner.output<int32_t>(0), (std::vector<int32_t>{2, 3, 4, 5}));
}

TEST(GatherNd, RefusesIndicesOutOfBounds) {
  OpRunner runner(ops::kGatherNd);
  runner.AddInput<float>({2, 2}, {1, 2, 3, 4});
  runner.AddConstant<int32_t>({1, 2}, {0, 2});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kOutOfRange, "is 2 at [0,1]"));
}

TEST(GatherNd, KeepsTheOverlapContract) {
  std::mt19937 random(10);
  int caught = 0;
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kGatherNd);
    const int32_t rows = static_cast<int32_t>(1 + random() % 5);
    std::vector<int32_t> indices;
    for (int32_t i = 0; i < 2 * rows; ++i) {
      indices.push_back(static_cast<int32_t>(random() % 3));
    }
    runner.AddRandomInput(TensorType::kFloat32, {3, 3, 3}, random);
    runner.AddInput<int32_t>({rows, 2}, indices, {}, {}, 0, round % 2 == 0);
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 2, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
