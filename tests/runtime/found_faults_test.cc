// Faults that fuzzing found, each by the smallest model that shows it.

#include <gtest/gtest.h>

#include "testing/build.h"
#include "testing/one_op.h"

namespace arenalite {
namespace {

using namespace testing;
using Fbb = flatbuffers::FlatBufferBuilder;

constexpr auto kFloat = TensorType::kFloat32;
constexpr auto kInt = TensorType::kInt32;
constexpr auto kInvalid = StatusCode::kInvalidModel;

// Its start was clamped to the operand's end, and a number read there.
TEST(FoundFaults, StablehloGatherOfAnEmptySliceThatIsCollapsed) {
  ModelBuilder b;
  const int operand = b.AddInput("operand", kFloat, {3, 2});
  const int indices = b.AddInput("indices", kInt, {4, 1});
  const int y = b.AddTensor("y", kFloat, {4, 2});
  b.AddOp(schema::BuiltinOperator_STABLEHLO_GATHER, {operand, indices}, {y},
          [](Fbb& fbb) {
            const std::vector<int64_t> offset_dims = {1};
            const std::vector<int64_t> collapsed = {0};
            const std::vector<int64_t> map = {0};
            const std::vector<int64_t> sizes = {0, 2};
            return schema::CreateStablehloGatherOptionsDirect(
                fbb, &offset_dims, &collapsed, &map, 1, &sizes);
          });
  b.SetOutputs({y});
  EXPECT_THAT((*Build(b))->AllocateTensors(),
              HasStatus(kInvalid,
                        "slice_sizes is 0 for collapsed dimension 0, allowed "
                        "1"));
}

// ADD gives its output the type of its inputs, whatever number type the file
// says it has; where that was STRING, nothing planned its bytes.
TEST(FoundFaults, AddIntoStrings) {
  const Operand x({2});
  const Operand y({2}, TensorType::kString);
  const ModelBuilder b =
      OneOp(schema::BuiltinOperator_ADD, {x, x}, {y},
            [](Fbb& fbb) { return schema::CreateAddOptions(fbb); });
  EXPECT_THAT((*Build(b))->AllocateTensors(),
              HasStatus(kInvalid, "allowed for inputs of FLOAT32"));
}

// A tensor of fives, as many as input 0 says. What a subgraph that takes it
// holds is in dynamic memory.
int AddDynamicTensor(ModelBuilder& b) {
  const int size = b.AddInput("size", kInt, {1});
  const int value = b.AddConstant<float>("value", {}, {5});
  const int x = b.AddTensor("x", kFloat, {1});
  b.AddOp(schema::BuiltinOperator_FILL, {size, value}, {x});
  return x;
}

Status RunWithSize(Interpreter& interpreter, int32_t size) {
  ARENALITE_RETURN_IF_ERROR(interpreter.AllocateTensors());
  *interpreter.typed_input_tensor<int32_t>(0) = size;
  return interpreter.Invoke();
}

// A variable has its place, and cannot be resized.
TEST(FoundFaults, DynamicArgumentForAVariable) {
  ModelBuilder b;
  const int x = AddDynamicTensor(b);
  const int y = b.AddTensor("y", kFloat, {1});
  b.AddOp(schema::BuiltinOperator_CALL, {x}, {y},
          [](Fbb& fbb) { return schema::CreateCallOptions(fbb, 1); });
  b.SetOutputs({y});
  b.AddSubgraph("callee");
  const int state = b.AddVariable("state", kFloat, {3});
  b.subgraph().inputs = {state};
  const int sum = b.AddTensor("sum", kFloat, {3});
  b.AddOp(schema::BuiltinOperator_ADD, {state, state}, {sum},
          [](Fbb& fbb) { return schema::CreateAddOptions(fbb); });
  b.SetOutputs({sum});
  auto built = Build(b);
  Interpreter& interpreter = *built->interpreter;
  ASSERT_THAT(RunWithSize(interpreter, 3), IsOk());
  EXPECT_EQ(interpreter.typed_output_tensor<float>(0)[2], 10);
  EXPECT_THAT(RunWithSize(interpreter, 4),
              HasStatus(kInvalid,
                        "variable 'state' has shape [3], cannot take one of "
                        "[4]"));
}

// The caller took a tensor of one element and no byte.
TEST(FoundFaults, ResultThatNothingWrites) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {1});
  const int y = b.AddTensor("y", kFloat, {1});
  b.AddOp(schema::BuiltinOperator_CALL, {x}, {y},
          [](Fbb& fbb) { return schema::CreateCallOptions(fbb, 1); });
  b.SetOutputs({y});
  b.AddSubgraph("callee");
  b.AddInput("in", kFloat, {1});
  b.SetOutputs({b.AddTensor("never", kFloat, {1})});
  const std::vector<uint8_t> file = b.Finish();
  EXPECT_THAT(
      FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file)),
      HasStatus(kInvalid,
                "graph output 0 is tensor 1 'never', which nothing writes"));
}

}  // namespace
}  // namespace arenalite
