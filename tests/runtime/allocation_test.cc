// Invoke allocates nothing.

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/build.h"
#include "testing/counted_heap.h"
#include "writer/zoo/zoo.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::CountHeap;
using testing::IsOk;

TEST(Allocation, InvokeAllocatesNothing) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {2, 8});
  const int c = b.AddConstant<float>("c", {8}, std::vector<float>(8, 2.0f));
  const int a = b.AddTensor("a", TensorType::kFloat32, {2, 8});
  const int shape = b.AddConstant<int32_t>("shape", {1}, {16});
  const int y = b.AddTensor("y", TensorType::kFloat32, {16});
  b.AddOp(schema::BuiltinOperator_ADD, {x, c}, {a},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
  b.AddOp(schema::BuiltinOperator_RESHAPE, {a, shape}, {y});
  b.SetOutputs({y});
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = Build(b, options);
  const int64_t at_build = CountHeap().allocations;
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_GT(CountHeap().allocations, at_build);
  std::fill_n((*built)->typed_input_tensor<float>(0), 16, 0.0f);
  const int64_t before = CountHeap().allocations;
  for (int i = 0; i < 3; ++i) {
    const bool ok = (*built)->Invoke().ok();
    ASSERT_TRUE(ok);
  }
  EXPECT_EQ(CountHeap().allocations, before);
  EXPECT_EQ(*(*built)->typed_output_tensor<float>(0), 2.0f);
}

// Every architecture of the zoo, float32 and int8.
TEST(Allocation, InvokeOfRealModelsAllocatesNothing) {
  for (const ZooModel& model : ZooModels()) {
    for (bool int8 : {false, true}) {
      ZooOptions zoo;
      zoo.name = model.name;
      zoo.int8 = int8;
      zoo.width = model.min_width;
      zoo.resolution = model.default_resolution == 0 ? 0 : 96;
      auto file = BuildZooModel(zoo);
      ASSERT_THAT(file, IsOk()) << model.name;
      auto flatbuffer =
          FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(*file));
      ASSERT_THAT(flatbuffer, IsOk());
      BuiltinOpResolver resolver;
      auto interpreter = InterpreterBuilder(**flatbuffer, resolver).Build();
      ASSERT_THAT(interpreter, IsOk());
      ASSERT_THAT((*interpreter)->AllocateTensors(), IsOk());
      const int64_t before = CountHeap().allocations;
      const bool ok = (*interpreter)->Invoke().ok();
      EXPECT_EQ(CountHeap().allocations, before) << model.name;
      EXPECT_TRUE(ok) << model.name;
    }
  }
}

}  // namespace
}  // namespace arenalite
