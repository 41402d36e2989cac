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

void SetPackOptions(OpRunner& runner, int count, int axis) {
  runner.SetOptions(schema::BuiltinOptions_PackOptions, [=](auto& b) {
    return schema::CreatePackOptions(b, count, axis);
  });
}

void SetUnpackOptions(OpRunner& runner, int count, int axis) {
  runner.SetOptions(schema::BuiltinOptions_UnpackOptions, [=](auto& b) {
    return schema::CreateUnpackOptions(b, count, axis);
  });
}

TEST(Pack, PutsTheNewAxisWhereItIsNamed) {
  OpRunner runner(ops::kPack);
  runner.AddInput<int16_t>({3}, {1, 2, 3});
  runner.AddInput<int16_t>({3}, {4, 5, 6});
  runner.AddOutput(TensorType::kInt16);
  SetPackOptions(runner, 2, -1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({3, 2}));
  EXPECT_EQ(runner.output<int16_t>(0),
            (std::vector<int16_t>{1, 4, 2, 5, 3, 6}));
}

TEST(Pack, RefusesToChangeTheScale) {
  OpRunner runner(ops::kPack);
  runner.AddInput<int8_t>({1}, {1}, {0.5f}, {0});
  runner.AddInput<int8_t>({1}, {1}, {0.25f}, {0});
  runner.AddOutput(TensorType::kInt8, {0.5f}, {0});
  SetPackOptions(runner, 2, 0);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "input 1 has scale 0.25"));
}

TEST(Unpack, CutsAlongTheAxis) {
  OpRunner runner(ops::kUnpack);
  runner.AddInput<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  for (int i = 0; i < 3; ++i) runner.AddOutput(TensorType::kFloat32);
  SetUnpackOptions(runner, 3, 1);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(1), (std::vector<float>{2, 5}));
}

TEST(PackUnpackOverlap, HoldsAtTheStatedDistance) {
  std::mt19937 random(6);
  int caught = 0;
  for (int round = 0; round < 300; ++round) {
    const bool packs = random() % 2 == 0;
    OpRunner runner(packs ? ops::kPack : ops::kUnpack);
    const int count = 1 + static_cast<int>(random() % 4);
    const int axis = static_cast<int>(random() % 3);
    Shape shape({1 + static_cast<int32_t>(random() % 4),
                 1 + static_cast<int32_t>(random() % 4)});
    if (packs) {
      for (int i = 0; i < count; ++i) {
        runner.AddRandomInput(TensorType::kInt16, shape, random);
      }
      runner.AddOutput(TensorType::kInt16);
      SetPackOptions(runner, count, axis);
    } else {
      shape = Shape({shape.dim(0), shape.dim(1), shape.dim(0)});
      shape.set_dim(axis, count);
      runner.AddRandomInput(TensorType::kInt16, shape, random);
      for (int i = 0; i < count; ++i) runner.AddOutput(TensorType::kInt16);
      SetUnpackOptions(runner, count, axis);
    }
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, packs ? count : 1, packs ? 1 : count, random,
                         &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
