#include <gtest/gtest.h>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

TEST(Reshape, ResolvesOneOpenDimension) {
  OpRunner runner(ops::kReshape);
  runner.AddInput<int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  runner.AddConstant<int32_t>({2}, {3, -1});
  runner.AddOutput(TensorType::kInt8);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({3, 2}));
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Reshape, RefusesAnotherElementCount) {
  OpRunner runner(ops::kReshape);
  runner.AddInput<int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  runner.AddConstant<int32_t>({2}, {4, 2});
  runner.AddOutput(TensorType::kInt8);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "[4,2] holds 8 elements"));
}

TEST(Reshape, TakesAShapeThatDataDecide) {
  OpRunner runner(ops::kReshape);
  runner.AddInput<float>({4}, {1, 2, 3, 4});
  runner.AddInput<int32_t>({2}, {2, 2});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 2}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Squeeze, DropsNamedOrAllDimensionsOfOne) {
  OpRunner all(ops::kSqueeze);
  all.AddInput<float>({1, 2, 1}, {1, 2});
  all.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(all.PrepareAndRun(), IsOk());
  EXPECT_EQ(all.tensor_of_output(0).shape, Shape({2}));

  OpRunner named(ops::kSqueeze);
  named.AddInput<float>({1, 2, 1}, {1, 2});
  named.AddOutput(TensorType::kFloat32);
  named.SetOptions(schema::BuiltinOptions_SqueezeOptions, [](auto& b) {
    return schema::CreateSqueezeOptions(b,
                                        b.CreateVector(std::vector<int>{-3}));
  });
  ASSERT_THAT(named.PrepareAndRun(), IsOk());
  EXPECT_EQ(named.tensor_of_output(0).shape, Shape({2, 1}));
}

TEST(ExpandDims, PutsTheAxisWhereItIsNamed) {
  OpRunner runner(ops::kExpandDims);
  runner.AddInput<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  runner.AddConstant<int32_t>({1}, {-1});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2, 3, 1}));
}

}  // namespace
}  // namespace arenalite
