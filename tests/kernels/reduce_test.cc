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

void KeepDims(OpRunner& runner) {
  runner.SetOptions(schema::BuiltinOptions_ReducerOptions, [](auto& b) {
    return schema::CreateReducerOptions(b, true);
  });
}

template <class T>
std::vector<T> Reduced(const OpDefinition& op, const Shape& shape,
                       const std::vector<T>& values,
                       const std::vector<int32_t>& axes) {
  OpRunner runner(op);
  runner.AddInput<T>(shape, values);
  runner.AddConstant<int32_t>({static_cast<int32_t>(axes.size())}, axes);
  runner.AddOutput(TensorTypeOf<T>::kValue);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<T>(0);
}

TEST(Reduce, TakesAnyAxesNegativeAndTwice) {
  const std::vector<int32_t> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  using V = std::vector<int32_t>;
  EXPECT_EQ(Reduced(ops::kSum, {2, 3, 2}, values, {0, 2}), (V{18, 26, 34}));
  EXPECT_EQ(Reduced(ops::kSum, {2, 3, 2}, values, {1}), (V{9, 12, 27, 30}));
  EXPECT_EQ(Reduced(ops::kReduceMax, {2, 3, 2}, values, {-1, 2}),
            (V{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(Reduced(ops::kReduceMin, {2, 3, 2}, values, {0, 1, 2}), (V{1}));
  EXPECT_EQ(Reduced(ops::kReduceProd, {2, 3, 2}, values, {-3}),
            (V{7, 16, 27, 40, 55, 72}));
  EXPECT_EQ(Reduced(ops::kReduceProd, {2, 3, 2}, values, {}), values);
}

TEST(Reduce, KeepsDimensionsOfOne) {
  OpRunner runner(ops::kMean);
  runner.AddInput<float>({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 9});
  runner.AddConstant<int32_t>({2}, {2, 1});
  runner.AddOutput(TensorType::kFloat32);
  KeepDims(runner);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, 1, 1, 2}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{4, 5.25f}));
}

TEST(Reduce, TakesAxesThatAreData) {
  OpRunner runner(ops::kSum);
  runner.AddInput<float>({2, 2}, {1, 2, 3, 4});
  runner.AddInput<int32_t>({1}, {-1});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({2}));
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{3, 7}));
}

TEST(Reduce, GivesNeutralValuesForNothing) {
  EXPECT_EQ(Reduced<int32_t>(ops::kSum, {2, 0}, {}, {1}),
            (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(Reduced<int32_t>(ops::kReduceMax, {0}, {}, {0}),
            std::vector<int32_t>{INT32_MIN});
  EXPECT_TRUE(std::isnan(Reduced<float>(ops::kMean, {0}, {}, {0})[0]));
}

TEST(Reduce, WrapsIntegersAround) {
  EXPECT_EQ(Reduced<int32_t>(ops::kSum, {2}, {INT32_MAX, 1}, {0}),
            std::vector<int32_t>{INT32_MIN});
  EXPECT_EQ(Reduced<int64_t>(ops::kMean, {2}, {INT64_MAX, 1}, {0}),
            std::vector<int64_t>{INT64_MIN / 2});
  // 64 bits add up the mean of 32-bit values, and division truncates.
  EXPECT_EQ(Reduced<int32_t>(ops::kMean, {2}, {INT32_MIN, INT32_MIN + 1}, {0}),
            std::vector<int32_t>{INT32_MIN + 1});
}

// 1.5 and -1.5 become 2 and -1: ties of the reference's fixed-point product go
// up.
TEST(Mean, RoundsQuantizedAsFixedPointAndRescales) {
  OpRunner runner(ops::kMean);
  runner.AddInput<int8_t>({2, 2}, {1, 2, -1, -2}, {1.0f}, {0});
  runner.AddConstant<int32_t>({1}, {1});
  runner.AddOutput(TensorType::kInt8, {1.0f}, {10});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{12, 9}));

  OpRunner rescaled(ops::kMean);
  rescaled.AddInput<uint8_t>({3}, {128, 138, 148}, {0.5f}, {128});
  rescaled.AddConstant<int32_t>({1}, {0});
  rescaled.AddOutput(TensorType::kUInt8, {0.25f}, {250});
  ASSERT_THAT(rescaled.PrepareAndRun(), IsOk());
  EXPECT_EQ(rescaled.output<uint8_t>(0), std::vector<uint8_t>{255});
}

TEST(ReduceAny, TakesEveryByteButZeroAsTrue) {
  for (const OpDefinition* op : {&ops::kReduceAny, &ops::kReduceAll}) {
    OpRunner runner(*op);
    runner.AddInputBytes(TensorType::kBool, {3, 2}, {0, 0, 2, 0, 1, 2}, {}, {},
                         0, false);
    runner.AddConstant<int32_t>({1}, {1});
    runner.AddOutput(TensorType::kBool);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    const uint8_t mixed = op == &ops::kReduceAny ? 1 : 0;
    EXPECT_EQ(runner.output<uint8_t>(0), (std::vector<uint8_t>{0, mixed, 1}));
  }
}

TEST(Reduce, RefusesContradictions) {
  OpRunner axis(ops::kSum);
  axis.AddInput<float>({2}, {1, 2});
  axis.AddConstant<int32_t>({1}, {INT32_MIN});
  axis.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(axis.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "allowed -1..0"));

  OpRunner scale(ops::kReduceMax);
  scale.AddInput<int8_t>({2}, {1, 2}, {0.5f});
  scale.AddConstant<int32_t>({1}, {0});
  scale.AddOutput(TensorType::kInt8, {0.25f});
  EXPECT_THAT(scale.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "scale 0.25"));

  OpRunner none(ops::kMean);
  none.AddInput<int8_t>({2}, {1, 2});
  none.AddConstant<int32_t>({1}, {0});
  none.AddOutput(TensorType::kInt8);
  EXPECT_THAT(none.Prepare(), HasStatus(StatusCode::kInvalidModel, "0 scales"));
}

TEST(Reduce, KeepsItsOverlapContract) {
  std::mt19937 random(2);
  int caught = 0;
  const OpDefinition* const all[] = {&ops::kMean, &ops::kSum, &ops::kReduceMax,
                                     &ops::kReduceProd};
  const TensorType types[] = {TensorType::kFloat32, TensorType::kInt8,
                              TensorType::kInt64};
  for (int round = 0; round < 120; ++round) {
    Shape shape;
    std::vector<int32_t> axes;
    shape.set_rank(static_cast<int>(1 + random() % 4));
    for (int i = 0; i < shape.rank(); ++i) {
      const bool innermost = i == shape.rank() - 1;
      shape.set_dim(i,
                    static_cast<int32_t>(1 + random() % (innermost ? 300 : 4)));
      if (random() % 2 == 0) axes.push_back(i);
    }
    OpRunner runner(*all[round % 4]);
    runner.AddRandomInput(types[round % 3], shape, random, {0.5f});
    runner.AddConstant<int32_t>({static_cast<int32_t>(axes.size())}, axes);
    runner.AddOutput(types[round % 3], {0.5f});
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 2, 1, random, &caught);
  }
  EXPECT_GT(caught, 0);
}

}  // namespace
}  // namespace arenalite
