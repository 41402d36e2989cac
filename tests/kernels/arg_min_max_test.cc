#include <gtest/gtest.h>

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

void SetOutputType(OpRunner& runner, const OpDefinition& op, TensorType type) {
  const auto output = static_cast<schema::TensorType>(type);
  if (&op == &ops::kArgMax) {
    runner.SetOptions(schema::BuiltinOptions_ArgMaxOptions, [&](auto& b) {
      return schema::CreateArgMaxOptions(b, output);
    });
  } else {
    runner.SetOptions(schema::BuiltinOptions_ArgMinOptions, [&](auto& b) {
      return schema::CreateArgMinOptions(b, output);
    });
  }
}
template <class T>
std::vector<int32_t> Arg(const OpDefinition& op, const Shape& shape,
                         const std::vector<T>& values, int32_t axis) {
  OpRunner runner(op);
  runner.AddInput<T>(shape, values);
  runner.AddConstant<int32_t>({}, {axis});
  runner.AddOutput(TensorType::kInt32);
  SetOutputType(runner, op, TensorType::kInt32);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<int32_t>(0);
}

TEST(ArgMax, TakesTheFirstAlongAnyAxis) {
  using V = std::vector<int32_t>;
  const std::vector<int8_t> values = {1, 9, 9, 4, 9, 6};
  EXPECT_EQ(Arg(ops::kArgMax, {2, 3}, values, -1), (V{1, 1}));
  EXPECT_EQ(Arg(ops::kArgMax, {2, 3}, values, 0), (V{1, 0, 0}));
  EXPECT_EQ(Arg(ops::kArgMin, {2, 3}, values, 1), (V{0, 0}));
  EXPECT_EQ(Arg(ops::kArgMin, {2, 3}, values, -2), (V{0, 0, 1}));
}

TEST(ArgMax, PrefersNumbersToNan) {
  using V = std::vector<int32_t>;
  const std::vector<float> values = {NAN, 7, NAN, 8};
  EXPECT_EQ(Arg(ops::kArgMax, {4}, values, 0), V{3});
  EXPECT_EQ(Arg(ops::kArgMin, {4}, values, 0), V{1});
  EXPECT_EQ(Arg(ops::kArgMin, {2, 2}, values, 0), (V{0, 0}));
  EXPECT_EQ(Arg<float>(ops::kArgMax, {2}, {NAN, NAN}, 0), V{0});
}

TEST(ArgMax, TakesAnAxisThatIsData) {
  OpRunner runner(ops::kArgMax);
  runner.AddInput<float>({2, 2}, {1, 2, 4, 3});
  runner.AddInput<int64_t>({1}, {0});
  runner.AddOutput(TensorType::kInt64);
  SetOutputType(runner, ops::kArgMax, TensorType::kInt64);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2}));
  EXPECT_EQ(runner.output<int64_t>(0), (std::vector<int64_t>{1, 1}));
}

TEST(ArgMax, RefusesAnEmptyAxisAndAnotherOutputType) {
  OpRunner empty(ops::kArgMax);
  empty.AddInput<float>({2, 0}, {});
  empty.AddConstant<int32_t>({1}, {1});
  empty.AddOutput(TensorType::kInt32);
  SetOutputType(empty, ops::kArgMax, TensorType::kInt32);
  EXPECT_THAT(empty.Prepare(), HasStatus(StatusCode::kInvalidModel, "[2,0]"));

  OpRunner type(ops::kArgMax);
  type.AddInput<float>({2}, {1, 2});
  type.AddConstant<int32_t>({1}, {0});
  type.AddOutput(TensorType::kInt64);
  SetOutputType(type, ops::kArgMax, TensorType::kInt32);
  EXPECT_THAT(type.Prepare(), HasStatus(StatusCode::kInvalidModel, "INT64"));
}

TEST(ArgMax, KeepsItsOverlapContract) {
  std::mt19937 random(3);
  int caught = 0;
  for (int round = 0; round < 100; ++round) {
    const auto size = [&random](uint32_t limit) {
      return static_cast<int32_t>(1 + random() % limit);
    };
    const TensorType output =
        round % 2 == 0 ? TensorType::kInt32 : TensorType::kInt64;
    OpRunner runner(ops::kArgMax);
    runner.AddRandomInput(
        round % 3 == 0 ? TensorType::kInt8 : TensorType::kFloat32,
        {size(5), size(20), round % 5 == 0 ? 1 : size(400)}, random);
    runner.AddConstant<int32_t>({1}, {1});
    runner.AddOutput(output);
    SetOutputType(runner, ops::kArgMax, output);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 2, 1, random, &caught);
  }
  EXPECT_GT(caught, 0);
}

}  // namespace
}  // namespace arenalite
