// Files whose subgraphs and ops pass each other what they must not: values to
// constants, nothing where a value is read, the sparse where the dense is.

#include <gtest/gtest.h>

#include <cstring>

#include "testing/build.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::TryBuild;

constexpr auto kBool = TensorType::kBool;
constexpr auto kFloat = TensorType::kFloat32;
constexpr auto kInt = TensorType::kInt32;
constexpr auto kInt64 = TensorType::kInt64;

void AddCall(ModelBuilder& b, ModelBuilder::Indices inputs,
             ModelBuilder::Indices outputs, uint32_t callee) {
  b.AddOp(schema::BuiltinOperator_CALL, std::move(inputs), std::move(outputs),
          [=](auto& fbb) { return schema::CreateCallOptions(fbb, callee); });
}

// Allocates, fills inputs with bytes of 1, invokes twice, and reads outputs.
Status RunModel(Interpreter& interpreter) {
  ARENALITE_RETURN_IF_ERROR(interpreter.AllocateTensors());
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor& tensor = *interpreter.input_tensor(i);
    if (tensor.bytes == 0) continue;
    std::memset(tensor.data, 1, static_cast<size_t>(tensor.bytes));
  }
  for (int run = 0; run < 2; ++run) {
    ARENALITE_RETURN_IF_ERROR(interpreter.Invoke());
  }
  for (size_t i = 0; i < interpreter.outputs().size(); ++i) {
    const Tensor& tensor = *interpreter.output_tensor(i);
    EXPECT_EQ(*TensorBytes(tensor.type, tensor.shape), tensor.bytes);
    std::vector<uint8_t> copy(static_cast<size_t>(tensor.bytes));
    if (copy.empty()) continue;
    std::memcpy(copy.data(), tensor.data, copy.size());
  }
  return OkStatus();
}

Status RunModel(const ModelBuilder& b) {
  auto built = TryBuild(b);
  if (!built.ok()) return std::move(built).status();
  return RunModel(*(*built)->interpreter);
}

// x -> CALL -> y, where the callee's input is a constant of 4.
ModelBuilder ConstantInput(int32_t size) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {size});
  const int y = b.AddTensor("y", kFloat, {size});
  AddCall(b, {x}, {y}, 1);
  b.SetOutputs({y});
  b.AddSubgraph("callee");
  const int c = b.AddConstant<float>("c", {4}, {1, 2, 3, 4});
  const int r = b.AddTensor("r", kFloat, {4});
  b.subgraph().inputs = {c};
  b.AddOp(schema::BuiltinOperator_NEG, {c}, {r});
  b.SetOutputs({r});
  return b;
}

TEST(HostileCalls, AConstantTakesNoArgument) {
  for (int32_t size : {4, 1000}) {
    EXPECT_THAT(RunModel(ConstantInput(size)),
                HasStatus(StatusCode::kInvalidModel,
                          "input 0 is passed to tensor 'c' of the called "
                          "subgraph, which is a constant"));
  }
  ModelBuilder loop;
  const int x = loop.AddInput("x", kBool, {1});
  const int y = loop.AddTensor("y", kBool, {1});
  loop.AddOp(schema::BuiltinOperator_WHILE, {x}, {y},
             [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 1); });
  loop.SetOutputs({y});
  loop.AddSubgraph("callee");
  const int c = loop.AddConstantBytes("c", kBool, {1}, {0});
  loop.subgraph().inputs = {c};
  loop.SetOutputs({c});
  EXPECT_THAT(RunModel(loop),
              HasStatus(StatusCode::kInvalidModel, "which is a constant"));
}

enum class Deferred { kPlain, kAbsentArgument, kVariable };

// A call that data defer: f -> y -> z, where the callee reads f and writes y.
ModelBuilder DeferredCall(Deferred form) {
  ModelBuilder b;
  const int x = b.AddInput("x", kInt, {4});
  const int found = b.AddTensor("found", kInt64, {});
  const int f = b.AddInput("f", kFloat, {4});
  b.AddOp(schema::BuiltinOperator_WHERE, {x}, {found});
  const int y = b.AddTensor("y", kFloat, {4});
  const int z = b.AddTensor("z", kFloat, {4});
  AddCall(b, {found, form == Deferred::kAbsentArgument ? -1 : f}, {y}, 1);
  b.AddOp(schema::BuiltinOperator_NEG, {y}, {z});
  b.SetOutputs({z});
  b.AddSubgraph("callee");
  b.AddInput("found", kInt64, {4, 1});
  const int g = b.AddInput("g", kFloat, {4});
  const int r = b.AddTensor("r", kFloat, {4});
  const int unread = b.AddTensor("unread", kFloat, {4});
  b.tensor(g).is_variable = form == Deferred::kVariable;
  b.AddOp(schema::BuiltinOperator_ABS, {g}, {r});
  b.AddOp(schema::BuiltinOperator_NEG, {g}, {unread});
  b.SetOutputs({r});
  return b;
}

// Its value is unspecified, as where the call is planned.
TEST(HostileCalls, WhatNobodyPassesHasBytes) {
  for (Deferred form :
       {Deferred::kPlain, Deferred::kAbsentArgument, Deferred::kVariable}) {
    EXPECT_THAT(RunModel(DeferredCall(form)), IsOk());
  }
}

// The state g enters the loop without a value, and the condition reads it.
TEST(HostileCalls, AStateThatNobodyGaveHasBytes) {
  ModelBuilder b;
  const int x = b.AddInput("x", kInt, {4});
  const int found = b.AddTensor("found", kInt64, {});
  b.AddOp(schema::BuiltinOperator_WHERE, {x}, {found});
  const int y = b.AddTensor("y", kInt64, {4, 1});
  const int z = b.AddTensor("z", kFloat, {4});
  b.AddOp(schema::BuiltinOperator_WHILE, {found, -1}, {y, z},
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.SetOutputs({z});
  for (const char* name : {"condition", "body"}) {
    b.AddSubgraph(name);
    const int found_in = b.AddInput("found", kInt64, {4, 1});
    const int g = b.AddInput("g", kFloat, {4});
    b.AddOp(schema::BuiltinOperator_NEG, {g},
            {b.AddTensor("unread", kFloat, {4})});
    b.SetOutputs({found_in, g});
    if (*name == 'c') b.SetOutputs({b.AddConstantBytes("no", kBool, {1}, {0})});
  }
  EXPECT_THAT(RunModel(b), IsOk());
}

// A reshape makes [0,4] of what is stated as [4]: it must be seen.
TEST(HostileCalls, AnEmptyResultHasItsShape) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {0});
  const int n = b.AddInput("n", kInt, {0});
  const int y = b.AddTensor("y", kFloat, {4});
  const int z = b.AddTensor("z", kFloat, {4});
  const int v = b.AddTensor("v", kFloat, {});
  b.AddOp(schema::BuiltinOperator_FILL,
          {n, b.AddConstant<float>("one", {}, {1})}, {v});
  AddCall(b, {x, v}, {y}, 1);
  b.AddOp(schema::BuiltinOperator_NEG, {y}, {z});
  b.SetOutputs({z});
  b.AddSubgraph("callee");
  const int g = b.AddInput("g", kFloat, {0});
  b.AddInput("v", kFloat, {});
  const int r = b.AddTensor("r", kFloat, {4});
  const int shape = b.AddConstant<int32_t>("shape", {2}, {0, 4});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {g, shape}, {r});
  b.SetOutputs({r});
  EXPECT_THAT(RunModel(b), IsOk());
}

// main: a call that data defer -> "a": `add_op` from g to r -> "b": h -> h.
template <class AddOp>
Status RunNested(AddOp add_op, TensorType inner_type = kInt64) {
  ModelBuilder b;
  const int x = b.AddInput("x", kInt, {4});
  const int found = b.AddTensor("found", kInt64, {});
  const int y = b.AddTensor("y", kInt64, {4, 1});
  b.AddOp(schema::BuiltinOperator_WHERE, {x}, {found});
  AddCall(b, {found}, {y}, 1);
  b.SetOutputs({y});
  b.AddSubgraph("a");
  const int g = b.AddInput("g", kInt64, {4, 1});
  const int r = b.AddTensor("r", kInt64, {4, 1});
  add_op(b, g, r);
  b.SetOutputs({r});
  b.AddSubgraph("b");
  b.SetOutputs({b.AddInput("h", inner_type, {4, 1})});
  return RunModel(b);
}

TEST(HostileCalls, InsideOfADeferredCallAreChecked) {
  const auto inner = HasStatus(StatusCode::kInvalidModel, "subgraph 1 'a' op");
  const auto call = [](ModelBuilder& b, int g, int r) {
    AddCall(b, {g}, {r}, 2);
  };
  EXPECT_THAT(RunNested(call), IsOk());
  EXPECT_THAT(RunNested(call, kFloat), inner);
  EXPECT_THAT(RunNested([](ModelBuilder& b, int g, int r) {
                AddCall(b, {g, g, g}, {r}, 2);
              }),
              inner);
  EXPECT_THAT(
      RunNested([](ModelBuilder& b, int, int r) { AddCall(b, {}, {r}, 2); }),
      inner);
  EXPECT_THAT(RunNested([](ModelBuilder& b, int, int r) {
                b.AddOp(schema::BuiltinOperator_IF, {}, {r}, [](auto& fbb) {
                  return schema::CreateIfOptions(fbb, 2, 2);
                });
              }),
              inner);
  EXPECT_THAT(RunNested([](ModelBuilder& b, int g, int r) {
                b.AddOp(schema::BuiltinOperator_WHILE, {g}, {r}, [](auto& fbb) {
                  return schema::CreateWhileOptions(fbb, 2, 2);
                });
              }),
              inner);
}

// Of an op that is not prepared, the inputs may be anything.
TEST(HostileCalls, AnAssignmentMayLackItsHandle) {
  for (bool deferred : {false, true}) {
    ModelBuilder b;
    const int x = b.AddInput("x", kInt, {4});
    const int handle = b.AddTensor("handle", TensorType::kResource, {1});
    const int found = b.AddTensor("found", kInt64, {});
    const int v = b.AddTensor("v", kInt, {4});
    const int u = b.AddTensor("u", kInt, {4});
    b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {handle}, [](auto& fbb) {
      return schema::CreateVarHandleOptionsDirect(fbb, "", "v");
    });
    b.AddOp(schema::BuiltinOperator_READ_VARIABLE, {handle}, {v});
    b.AddOp(schema::BuiltinOperator_ABS, {v}, {u});
    b.AddOp(schema::BuiltinOperator_WHERE, {x}, {found});
    b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {-1, found}, {});
    if (!deferred) {
      const int c = b.AddConstantBytes("c", TensorType::kUInt8, {5}, {1, 2, 3});
      b.spec().buffers[b.tensor(c).buffer] = {1, 2, 3, 4, 5};
      b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {}, {}, 99);
      b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {c, x}, {}, 99);
    }
    b.SetOutputs({u});
    InterpreterOptions options;
    options.allow_missing_kernels = true;
    auto built = TryBuild(b, options);
    ASSERT_THAT(built, IsOk());
    EXPECT_THAT((*built)->interpreter->ReportMemory(), IsOk());
    EXPECT_THAT(
        (*built)->interpreter->AllocateTensors(),
        HasStatus(deferred ? StatusCode::kOk : StatusCode::kUnimplemented, ""));
    if (deferred) {
      EXPECT_FALSE((*built)->interpreter->Invoke().ok());
    }
  }
}

// Tensor 0 is a constant of 100,000 elements, of which one is stored. The last
// op, of code `code`, reads `inputs` and writes 1; before it, input 2 takes the
// shape that input 3 says, as 4. A subgraph 1 has the same tensors, and gives
// `results` of its input 2.
std::vector<uint8_t> SparseModel(schema::BuiltinOperator code,
                                 std::vector<int32_t> inputs,
                                 std::vector<int32_t> results) {
  namespace s = schema;
  flatbuffers::FlatBufferBuilder fbb;
  const std::vector<int32_t> shape = {100000}, order = {0}, none;
  const std::vector<int32_t> segments = {0, 1}, indices = {5};
  const auto bounds = s::CreateInt32VectorDirect(fbb, &segments).Union();
  const auto places = s::CreateInt32VectorDirect(fbb, &indices).Union();
  const std::vector<flatbuffers::Offset<s::DimensionMetadata>> levels = {
      s::CreateDimensionMetadata(fbb, s::DimensionType_SPARSE_CSR, 0,
                                 s::SparseIndexVector_Int32Vector, bounds,
                                 s::SparseIndexVector_Int32Vector, places)};
  const auto sparsity =
      s::CreateSparsityParametersDirect(fbb, &order, &none, &levels);
  const auto dims = fbb.CreateVector(shape);
  s::TensorBuilder sparse(fbb);
  sparse.add_shape(dims);
  sparse.add_buffer(1);
  sparse.add_sparsity(sparsity);
  std::vector<flatbuffers::Offset<s::Tensor>> tensors = {sparse.Finish()};
  const std::vector<int32_t> one = {1}, in = {2}, out = {1};
  for (int i = 1; i < 5; ++i) {
    tensors.push_back(
        i == 3 ? s::CreateTensorDirect(fbb, &one, s::TensorType_INT32)
               : s::CreateTensorDirect(fbb, &shape));
  }
  const std::vector<int32_t> main_in = {2, 3}, shaped = {4};
  const auto options = s::CreateCallOptions(fbb, 1).Union();
  const std::vector<flatbuffers::Offset<s::Operator>> ops = {
      s::CreateOperatorDirect(fbb, 1, &main_in, &shaped),
      s::CreateOperatorDirect(fbb, 0, &inputs, &out,
                              s::BuiltinOptions_CallOptions, options)};
  const std::vector<flatbuffers::Offset<s::Operator>> no_ops;
  const std::vector<flatbuffers::Offset<s::SubGraph>> subgraphs = {
      s::CreateSubGraphDirect(fbb, &tensors, &main_in, &out, &ops),
      s::CreateSubGraphDirect(fbb, &tensors, &in, &results, &no_ops)};
  const std::vector<flatbuffers::Offset<s::OperatorCode>> codes = {
      s::CreateOperatorCodeDirect(fbb, static_cast<int8_t>(code)),
      s::CreateOperatorCodeDirect(
          fbb, static_cast<int8_t>(s::BuiltinOperator_RESHAPE))};
  const std::vector<uint8_t> data(sizeof(float), 1);
  const std::vector<flatbuffers::Offset<s::Buffer>> buffers = {
      s::CreateBuffer(fbb), s::CreateBufferDirect(fbb, &data)};
  s::FinishModelBuffer(
      fbb, s::CreateModelDirect(fbb, 3, &codes, &subgraphs, nullptr, &buffers));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

Status RunSparse(schema::BuiltinOperator code, std::vector<int32_t> inputs,
                 std::vector<int32_t> results = {2}) {
  const std::vector<uint8_t> file = SparseModel(code, inputs, results);
  auto model = FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file));
  if (!model.ok()) return std::move(model).status();
  BuiltinOpResolver resolver;
  auto built = InterpreterBuilder(**model, resolver).Build();
  if (!built.ok()) return std::move(built).status();
  ARENALITE_RETURN_IF_ERROR((**built).AllocateTensors());
  *(**built).typed_input_tensor<int32_t>(1) = 100000;
  return (**built).Invoke();
}

TEST(HostileCalls, TheSparseIsNotReadAsTheDense) {
  for (schema::BuiltinOperator code :
       {schema::BuiltinOperator_ADD, schema::BuiltinOperator_MUL,
        schema::BuiltinOperator_CONCATENATION, schema::BuiltinOperator_RESHAPE,
        schema::BuiltinOperator_PRELU, schema::BuiltinOperator_MAXIMUM,
        schema::BuiltinOperator_FULLY_CONNECTED}) {
    EXPECT_THAT(RunSparse(code, {0, 2}),
                HasStatus(StatusCode::kUnimplemented, "input 0 is sparse"))
        << schema::EnumNameBuiltinOperator(code);
  }
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_ADD, {2, 0}),
              HasStatus(StatusCode::kUnimplemented, "input 1 is sparse"));
  // Prepared inside of Invoke.
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_ADD, {4, 0}),
              HasStatus(StatusCode::kUnimplemented, "input 1 is sparse"));
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_ADD, {4, 4}), IsOk());
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_FULLY_CONNECTED, {2, 2, 0}),
              HasStatus(StatusCode::kUnimplemented, "input 2 is sparse"));
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_CALL, {0}),
              HasStatus(StatusCode::kUnimplemented, "input 0 is sparse"));
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_CALL, {2}, {0}),
              HasStatus(StatusCode::kUnimplemented, "output 0 is sparse"));
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_CALL, {2}), IsOk());
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_ZEROS_LIKE, {0}), IsOk());
  EXPECT_THAT(RunSparse(schema::BuiltinOperator_DENSIFY, {0}), IsOk());
}

// Bytes without data would be read.
TEST(HostileCalls, TextThatWasRefusedIsGone) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kString, {2});
  const int y = b.AddTensor("y", TensorType::kString, {2});
  const int shape = b.AddConstant<int32_t>("shape", {1}, {2});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {y});
  b.SetOutputs({y});
  InterpreterOptions options;
  options.max_dynamic_bytes = 100;
  auto built = TryBuild(b, options);
  ASSERT_THAT(built, IsOk());
  Interpreter& interpreter = *(*built)->interpreter;
  ASSERT_THAT(interpreter.AllocateTensors(), IsOk());
  const std::vector<uint8_t> bytes(101);
  EXPECT_THAT(interpreter.SetDynamicInput(x, Span<const uint8_t>(bytes)),
              HasStatus(StatusCode::kResourceExhausted, "101 bytes"));
  EXPECT_EQ(interpreter.tensor(x)->bytes, 0);
  EXPECT_THAT(interpreter.Invoke(), IsOk());
  EXPECT_EQ(interpreter.tensor(y)->bytes, 0);
}

TEST(HostileCalls, ALoopWithoutOpsCanBeCancelled) {
  ModelBuilder b;
  const int x = b.AddInput("x", kBool, {1});
  const int y = b.AddTensor("y", kBool, {1});
  b.AddOp(schema::BuiltinOperator_WHILE, {x}, {y},
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 1); });
  b.SetOutputs({y});
  b.AddSubgraph("identity");
  b.SetOutputs({b.AddInput("x", kBool, {1})});
  int asked = 0;
  InterpreterOptions options;
  options.should_cancel = [](void* data) {
    return ++*static_cast<int*>(data) > 5;
  };
  options.cancel_user_data = &asked;
  auto built = TryBuild(b, options);
  ASSERT_THAT(built, IsOk());
  Interpreter& interpreter = *(*built)->interpreter;
  ASSERT_THAT(interpreter.AllocateTensors(), IsOk());
  *interpreter.typed_input_tensor<bool>(0) = true;
  EXPECT_THAT(interpreter.Invoke(), HasStatus(StatusCode::kCancelled, ""));
  EXPECT_EQ(asked, 6);
}

}  // namespace
}  // namespace arenalite
