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

void SetParts(OpRunner& runner, int outputs) {
  for (int o = 0; o < outputs; ++o) runner.AddOutput(TensorType::kInt8);
  runner.SetOptions(schema::BuiltinOptions_SplitVOptions, [=](auto& b) {
    return schema::CreateSplitVOptions(b, outputs);
  });
}

TEST(Split, CutsEqualParts) {
  for (bool constant : {true, false}) {
    OpRunner runner(ops::kSplit);
    runner.AddInput<int32_t>({}, {-1}, {}, {}, 0, constant);
    runner.AddInput<int8_t>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    runner.AddOutput(TensorType::kInt8);
    runner.AddOutput(TensorType::kInt8);
    runner.SetOptions(schema::BuiltinOptions_SplitOptions,
                      [](auto& b) { return schema::CreateSplitOptions(b, 2); });
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 2}));
    EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{1, 2, 5, 6}));
    EXPECT_EQ(runner.output<int8_t>(1), (std::vector<int8_t>{3, 4, 7, 8}));
  }
}

TEST(SplitV, GivesTheRestToMinusOne) {
  OpRunner runner(ops::kSplitV);
  runner.AddInput<int8_t>({5}, {1, 2, 3, 4, 5});
  runner.AddConstant<int64_t>({3}, {1, -1, 2});
  runner.AddConstant<int32_t>({1}, {0});
  SetParts(runner, 3);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(1), (std::vector<int8_t>{2, 3}));
  // Outputs that lie on their parts of the input are in place.
  EXPECT_EQ(runner.Overlap(0, 0), 0);
  EXPECT_EQ(runner.Overlap(1, 0), 1);
  EXPECT_EQ(runner.Overlap(2, 0), 5);  // Read last: anywhere.
}

TEST(SplitV, RefusesSizesThatDoNotAddUp) {
  for (const std::vector<int32_t>& sizes :
       {std::vector<int32_t>{1, 1}, {-1, -1}, {4, -1}, {-2, 5}}) {
    OpRunner runner(ops::kSplitV);
    runner.AddInput<int8_t>({3}, {1, 2, 3});
    runner.AddConstant<int32_t>({2}, sizes);
    runner.AddConstant<int32_t>({1}, {0});
    SetParts(runner, 2);
    EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel, ""));
  }
}

TEST(SplitV, KeepsTheOverlapContract) {
  std::mt19937 random(8);
  int caught = 0;
  const auto dim = [&] { return static_cast<int32_t>(1 + random() % 5); };
  for (int round = 0; round < 200; ++round) {
    OpRunner runner(ops::kSplitV);
    Shape shape = {dim(), dim(), dim()};
    const int axis = static_cast<int>(random() % 3);
    const std::vector<int32_t> sizes = {dim() - 1, dim(), dim() - 1};
    shape.set_dim(axis, sizes[0] + sizes[1] + sizes[2]);
    runner.AddRandomInput(TensorType::kInt8, shape, random);
    runner.AddConstant<int32_t>({3}, sizes);
    runner.AddConstant<int32_t>({1}, {axis});
    SetParts(runner, 3);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 3, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
