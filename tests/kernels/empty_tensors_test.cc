// Tensors without bytes whose other dimensions are huge: no memory bounds the
// loops over those, so that a kernel must notice.

#include <gtest/gtest.h>

#include <functional>

#include "arenalite/builtin_ops.h"
#include "arenalite/custom_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::Bytes;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

constexpr int32_t kHuge = INT32_MAX;
constexpr TensorType kFloat = TensorType::kFloat32;

void AddEmpty(OpRunner& runner, const Shape& shape, bool is_state = false) {
  const int i = runner.AddInput<float>(shape, {});
  if (is_state) runner.tensor_of_input(i).memory = TensorMemory::kVariable;
}

void BuildPool(OpRunner& runner) {
  AddEmpty(runner, {1, kHuge, kHuge, 0});
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_Pool2DOptions, [](auto& b) {
    return schema::CreatePool2DOptions(b, schema::Padding_SAME, 1, 1, 2, 2);
  });
}

// Padding SAME, strides, a window of 2 x 2.
void SetPoolParams(OpRunner& runner, int32_t stride) {
  const int32_t options[] = {1, stride, stride, 2, 2, 0};
  Bytes bytes(sizeof(options));
  std::memcpy(bytes.data(), options, sizeof(options));
  runner.SetCustomOptions(bytes);
}

void BuildArgmaxPool(OpRunner& runner) {
  AddEmpty(runner, {1, kHuge, kHuge, 0});
  runner.AddOutput(kFloat);
  runner.AddOutput(kFloat);
  SetPoolParams(runner, 1);
}

void BuildUnpool(OpRunner& runner) {
  AddEmpty(runner, {1, kHuge / 2, kHuge / 2, 0});
  AddEmpty(runner, {1, kHuge / 2, kHuge / 2, 0});
  runner.AddOutput(kFloat);
  SetPoolParams(runner, 2);
}

void BuildResize(OpRunner& runner) {
  AddEmpty(runner, {1, 2, 2, 0});
  runner.AddConstant<int32_t>({2}, {kHuge, kHuge});
  runner.AddOutput(kFloat);
}

void BuildArgMax(OpRunner& runner) {
  AddEmpty(runner, {kHuge, 2, 0});
  runner.AddConstant<int32_t>({}, {1});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions(schema::BuiltinOptions_ArgMaxOptions, [](auto& b) {
    return schema::CreateArgMaxOptions(b, schema::TensorType_INT32);
  });
}

void BuildOneHot(OpRunner& runner) {
  runner.AddInput<int32_t>({kHuge, 0}, {});
  runner.AddConstant<int32_t>({}, {kHuge});
  runner.AddConstant<float>({}, {1});
  runner.AddConstant<float>({}, {0});
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_OneHotOptions,
                    [](auto& b) { return schema::CreateOneHotOptions(b, 1); });
}

void BuildScatterNd(OpRunner& runner) {
  runner.AddInput<int32_t>({kHuge, kHuge, 0}, {});
  AddEmpty(runner, {kHuge, kHuge, 0});
  runner.AddConstant<int32_t>({1}, {0});
  runner.AddOutput(kFloat);
}

void BuildGatherNd(OpRunner& runner) {
  AddEmpty(runner, {0});
  runner.AddConstant<int32_t>({kHuge, kHuge, 0}, {});
  runner.AddOutput(kFloat);
}

// Neither inputs nor cells.
void BuildLstm(OpRunner& runner) {
  AddEmpty(runner, {kHuge, kHuge, 0});
  for (int matrix = 0; matrix < 8; ++matrix) AddEmpty(runner, {0, 0});
  for (int peephole = 0; peephole < 3; ++peephole) runner.AddAbsentInput();
  for (int bias = 0; bias < 4; ++bias) AddEmpty(runner, {0});
  for (int projection = 0; projection < 2; ++projection) {
    runner.AddAbsentInput();
  }
  for (int state = 0; state < 2; ++state) AddEmpty(runner, {kHuge, 0}, true);
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_UnidirectionalSequenceLSTMOptions,
                    [](auto& b) {
                      return schema::CreateUnidirectionalSequenceLSTMOptions(b);
                    });
}

TEST(EmptyTensors, TakeNoTime) {
  const struct {
    const OpDefinition& op;
    std::function<void(OpRunner&)> build;
  } kCases[] = {
      {ops::kMaxPool2d, BuildPool},
      {ops::kMaxPoolingWithArgmax2d, BuildArgmaxPool},
      {ops::kMaxUnpooling2d, BuildUnpool},
      {ops::kResizeBilinear, BuildResize},
      {ops::kArgMax, BuildArgMax},
      {ops::kOneHot, BuildOneHot},
      {ops::kScatterNd, BuildScatterNd},
      {ops::kGatherNd, BuildGatherNd},
      {ops::kUnidirectionalSequenceLstm, BuildLstm},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.op.name);
    OpRunner runner(c.op, c.op.max_version);
    c.build(runner);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).bytes, 0);
    (void)runner.Overlap(0, 0);
  }
}

// Without a memory there is nothing to weigh, but there is an output.
TEST(EmptyTensors, SvdfWithoutMemoryGivesItsBias) {
  OpRunner runner(ops::kSvdf);
  runner.AddInput<float>({2, 1}, {3, 4});
  runner.AddConstant<float>({1, 1}, {1});
  runner.AddConstant<float>({1, 0}, {});
  runner.AddConstant<float>({1}, {0.5f});
  AddEmpty(runner, {2, 0}, true);
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_SVDFOptions,
                    [](auto& b) { return schema::CreateSVDFOptions(b, 1); });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0), (std::vector<float>{0.5f, 0.5f}));
}

TEST(EmptyTensors, LshProjectionRefusesItemsOfNothing) {
  OpRunner runner(ops::kLshProjection);
  runner.AddInput<float>({1, 1}, {1});
  runner.AddInput<int32_t>({kHuge, 0}, {});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions(schema::BuiltinOptions_LSHProjectionOptions, [](auto& b) {
    return schema::CreateLSHProjectionOptions(b,
                                              schema::LSHProjectionType_DENSE);
  });
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kUnimplemented, "items of 0 bytes"));
}

}  // namespace
}  // namespace arenalite
