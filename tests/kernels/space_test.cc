// MIRROR_PAD, SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND.

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

void SetMode(OpRunner& runner, schema::MirrorPadMode mode) {
  runner.SetOptions(schema::BuiltinOptions_MirrorPadOptions, [=](auto& b) {
    return schema::CreateMirrorPadOptions(b, mode);
  });
}

std::vector<int32_t> MirrorRow(schema::MirrorPadMode mode, bool constant) {
  OpRunner runner(ops::kMirrorPad);
  runner.AddInput<int32_t>({1, 3}, {1, 2, 3});
  runner.AddInput<int64_t>({2, 2}, {0, 0, 2, 2}, {}, {}, 0, constant);
  runner.AddOutput(TensorType::kInt32);
  SetMode(runner, mode);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<int32_t>(0);
}

TEST(MirrorPad, LeavesTheEdgeOutOrNot) {
  for (bool constant : {true, false}) {
    EXPECT_EQ(MirrorRow(schema::MirrorPadMode_REFLECT, constant),
              (std::vector<int32_t>{3, 2, 1, 2, 3, 2, 1}));
    EXPECT_EQ(MirrorRow(schema::MirrorPadMode_SYMMETRIC, constant),
              (std::vector<int32_t>{2, 1, 1, 2, 3, 3, 2}));
  }
}

TEST(MirrorPad, RefusesMoreThanTheImage) {
  OpRunner runner(ops::kMirrorPad);
  runner.AddInput<int32_t>({3}, {1, 2, 3});
  runner.AddConstant<int32_t>({1, 2}, {3, 0});
  runner.AddOutput(TensorType::kInt32);
  SetMode(runner, schema::MirrorPadMode_REFLECT);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "allowed 0..2"));
}

TEST(MirrorPad, KeepsTheOverlapContract) {
  std::mt19937 random(11);
  int caught = 0;
  const auto dim = [&] { return static_cast<int32_t>(3 + random() % 3); };
  const auto pad = [&] { return static_cast<int32_t>(random() % 3); };
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kMirrorPad);
    runner.AddRandomInput(TensorType::kInt8, {dim(), dim(), dim()}, random);
    runner.AddConstant<int32_t>({3, 2},
                                {pad(), pad(), pad(), pad(), pad(), pad()});
    runner.AddOutput(TensorType::kInt8);
    SetMode(runner, round % 2 ? schema::MirrorPadMode_REFLECT
                              : schema::MirrorPadMode_SYMMETRIC);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

TEST(SpaceToBatch, PadsAndTakesEachOffset) {
  for (bool constant : {true, false}) {
    OpRunner runner(ops::kSpaceToBatchNd);
    runner.AddInput<int8_t>({1, 3, 1}, {1, 2, 3}, {1.0f}, {-5});
    runner.AddInput<int32_t>({1}, {2}, {}, {}, 0, constant);
    runner.AddInput<int32_t>({1, 2}, {2, 1}, {}, {}, 0, constant);
    runner.AddOutput(TensorType::kInt8, {1.0f}, {-5});
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3, 1}));
    EXPECT_EQ(runner.output<int8_t>(0),
              (std::vector<int8_t>{-5, 1, 3, -5, 2, -5}));
  }
}

TEST(BatchToSpace, InterleavesAndCrops) {
  for (bool constant : {true, false}) {
    OpRunner runner(ops::kBatchToSpaceNd);
    runner.AddInput<float>({4, 1, 2, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
    runner.AddInput<int32_t>({2}, {2, 2}, {}, {}, 0, constant);
    runner.AddInput<int32_t>({2, 2}, {0, 0, 1, 0}, {}, {}, 0, constant);
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, 2, 3, 1}));
    EXPECT_EQ(runner.output<float>(0), (std::vector<float>{2, 1, 3, 6, 5, 7}));
  }
}

TEST(SpaceBatch, KeepTheOverlapContract) {
  std::mt19937 random(12);
  int caught = 0;
  const auto number = [&] { return static_cast<int32_t>(1 + random() % 3); };
  for (int round = 0; round < 200; ++round) {
    const int32_t block[] = {number(), number()};
    const int32_t batch = number();
    const int32_t rows = number();
    const int32_t columns = number();
    const std::vector<int32_t> margins = {number() - 1, number() - 1,
                                          number() - 1, number() - 1};
    const Shape small = {batch * block[0] * block[1], rows, columns, number()};
    const int32_t height = rows * block[0] - margins[0] - margins[1];
    const int32_t width = columns * block[1] - margins[2] - margins[3];
    if (height < 1 || width < 1) continue;
    const Shape large = {batch, height, width, small.dim(3)};
    for (bool to_batch : {true, false}) {
      OpRunner runner(to_batch ? ops::kSpaceToBatchNd : ops::kBatchToSpaceNd);
      runner.AddRandomInput(TensorType::kInt16, to_batch ? large : small,
                            random);
      runner.AddConstant<int32_t>({2}, {block[0], block[1]});
      runner.AddConstant<int32_t>({2, 2}, margins);
      runner.AddOutput(TensorType::kInt16);
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      EXPECT_EQ(runner.tensor_of_output(0).shape, to_batch ? small : large);
      CheckOverlapContract(runner, 1, 1, random, &caught);
    }
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
