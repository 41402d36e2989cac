// Files whose control flow calls itself, never ends, or explodes.

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "testing/build.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::HasStatus;
using testing::IsOk;
using testing::TryBuild;

constexpr auto kBool = TensorType::kBool;

// Adds to the current subgraph the op `code` that calls `first` (and, where it
// names two, `second`): x -> y.
void AddCall(ModelBuilder& b, schema::BuiltinOperator code, int first,
             int second) {
  const int x = b.AddInput("x", kBool, {1});
  const int y = b.AddTensor("y", kBool, {1});
  switch (code) {
    case schema::BuiltinOperator_IF:
      b.AddOp(code, {x, x}, {y}, [=](auto& fbb) {
        return schema::CreateIfOptions(fbb, first, second);
      });
      break;
    case schema::BuiltinOperator_WHILE:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        return schema::CreateWhileOptions(fbb, first, second);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_WHILE:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        return schema::CreateStablehloWhileOptions(fbb, first, second);
      });
      break;
    case schema::BuiltinOperator_CALL_ONCE:
      b.AddOp(code, {}, {}, [=](auto& fbb) {
        return schema::CreateCallOnceOptions(fbb, first);
      });
      b.SetOutputs({x});
      return;
    case schema::BuiltinOperator_STABLEHLO_CASE:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        const std::vector<int32_t> branches = {first, second};
        return schema::CreateStablehloCaseOptionsDirect(fbb, &branches);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_COMPOSITE:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        return schema::CreateStableHLOCompositeOptionsDirect(fbb, "", first);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_SCATTER:
      b.AddOp(code, {x, x, x}, {y}, [=](auto& fbb) {
        return schema::CreateStablehloScatterOptionsDirect(
            fbb, false, nullptr, nullptr, nullptr, 0, false, first);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_REDUCE:
      b.AddOp(code, {x, x}, {y}, [=](auto& fbb) {
        return schema::CreateStablehloReduceOptionsDirect(fbb, nullptr, first);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_REDUCE_WINDOW:
      b.AddOp(code, {x, x}, {y}, [=](auto& fbb) {
        return schema::CreateStablehloReduceWindowOptionsDirect(
            fbb, nullptr, nullptr, nullptr, nullptr, nullptr, first);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_SORT:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        return schema::CreateStablehloSortOptions(fbb, 0, false, first);
      });
      break;
    case schema::BuiltinOperator_STABLEHLO_CUSTOM_CALL:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        const std::vector<int32_t> called = {first, second};
        return schema::CreateStablehloCustomCallOptionsDirect(fbb, "", false,
                                                              "", 0, &called);
      });
      break;
    default:
      b.AddOp(code, {x}, {y}, [=](auto& fbb) {
        return schema::CreateCallOptions(fbb, static_cast<uint32_t>(first));
      });
      break;
  }
  b.SetOutputs({y});
}

// x -> x.
int AddIdentity(ModelBuilder& b) {
  const int index = b.AddSubgraph("identity");
  b.SetOutputs({b.AddInput("x", kBool, {1})});
  return index;
}

struct Call {
  schema::BuiltinOperator code;
  bool names_two = false;
};
constexpr Call kCalls[] = {
    {schema::BuiltinOperator_IF, true},
    {schema::BuiltinOperator_WHILE, true},
    {schema::BuiltinOperator_CALL},
    {schema::BuiltinOperator_CALL_ONCE},
    {schema::BuiltinOperator_STABLEHLO_WHILE, true},
    {schema::BuiltinOperator_STABLEHLO_CASE, true},
    {schema::BuiltinOperator_STABLEHLO_COMPOSITE},
    {schema::BuiltinOperator_STABLEHLO_SCATTER},
    {schema::BuiltinOperator_STABLEHLO_REDUCE},
    {schema::BuiltinOperator_STABLEHLO_REDUCE_WINDOW},
    {schema::BuiltinOperator_STABLEHLO_SORT},
    {schema::BuiltinOperator_STABLEHLO_CUSTOM_CALL, true}};

// "subgraph 0 'main' op 0 IF: calls subgraph "
std::string Calls(int subgraph, const char* name,
                  schema::BuiltinOperator code) {
  return "subgraph " + std::to_string(subgraph) + " '" + name + "' op 0 " +
         schema::EnumNameBuiltinOperator(code) + ": calls subgraph ";
}

TEST(HostileControlFlow, SubgraphsThatCallThemselvesAreRefused) {
  const std::string back = "0, which leads back here: recursion";
  for (const auto& [code, names_two] : kCalls) {
    for (int self : {0, 1}) {
      if (self == 1 && !names_two) continue;
      ModelBuilder direct;
      AddCall(direct, code, self, 1 - self);
      AddIdentity(direct);
      EXPECT_THAT(TryBuild(direct), HasStatus(StatusCode::kInvalidModel,
                                              Calls(0, "main", code) + back));
    }
    ModelBuilder mutual;
    AddCall(mutual, code, 1, 1);
    mutual.AddSubgraph("back");
    AddCall(mutual, code, 0, 0);
    EXPECT_THAT(TryBuild(mutual), HasStatus(StatusCode::kInvalidModel,
                                            Calls(1, "back", code) + back));
  }
}

TEST(HostileControlFlow, SubgraphsThatAreNotThereAreRefused) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  for (const auto& [code, names_two] : kCalls) {
    for (int missing : {-1, 2, 1 << 30, kMin}) {
      const int64_t found = code == schema::BuiltinOperator_CALL
                                ? int64_t{static_cast<uint32_t>(missing)}
                                : int64_t{missing};
      const std::string error =
          Calls(0, "main", code) + std::to_string(found) + ", allowed 0..1";
      for (bool second : {false, true}) {
        if (second && !names_two) continue;
        ModelBuilder b;
        AddCall(b, code, second ? 1 : missing, missing);
        AddIdentity(b);
        EXPECT_THAT(TryBuild(b), HasStatus(StatusCode::kInvalidModel, error));
      }
    }
  }
}

// Also what is called only from a subgraph that runs in dynamic memory.
TEST(HostileControlFlow, CalleesOfOtherCountsAreRefusedWhereverTheyAre) {
  for (const bool has_result : {false, true}) {
    ModelBuilder b;
    const int x = b.AddInput("x", kBool, {4});
    const int sizes = b.AddInput("sizes", TensorType::kInt32, {2});
    const int any = b.AddTensor("any", kBool, {2, 2});
    const int y = b.AddTensor("y", kBool, {2, 2});
    const auto call = [](int subgraph) {
      return [=](auto& fbb) {
        return schema::CreateCallOptions(fbb, static_cast<uint32_t>(subgraph));
      };
    };
    b.AddOp(schema::BuiltinOperator_RESHAPE, {x, sizes}, {any});
    b.AddOp(schema::BuiltinOperator_CALL, {any}, {y}, call(1));
    b.SetOutputs({y});
    b.AddSubgraph("outer");
    const int u = b.AddInput("u", kBool, {2, 2});
    const int v = b.AddTensor("v", kBool, {2, 2});
    b.AddOp(schema::BuiltinOperator_CALL, {u}, {v}, call(2));
    b.SetOutputs({v});
    b.AddSubgraph("inner");
    if (has_result) b.SetOutputs({b.AddConstantBytes("c", kBool, {1}, {1})});
    auto built = Build(b);
    EXPECT_THAT((*built)->AllocateTensors(),
                HasStatus(StatusCode::kInvalidModel, "has 1 inputs"));
  }
}

// A state of 1 byte an element that comes round with 4.
TEST(HostileControlFlow, LoopsThatChangeTheTypeOfTheirStateAreRefused) {
  ModelBuilder b;
  const int x = b.AddInput("x", kBool, {64});
  const int y = b.AddTensor("y", TensorType::kFloat32, {64});
  b.AddOp(schema::BuiltinOperator_WHILE, {x}, {y},
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.SetOutputs({y});
  b.AddSubgraph("condition");
  b.AddInput("u", kBool, {64});
  b.SetOutputs({b.AddConstantBytes("no", kBool, {}, {0})});
  b.AddSubgraph("body");
  const int s = b.AddInput("s", kBool, {64});
  const int t = b.AddTensor("t", TensorType::kFloat32, {64});
  b.AddOp(schema::BuiltinOperator_CAST, {s}, {t});
  b.SetOutputs({t});
  auto built = Build(b);
  EXPECT_THAT((*built)->AllocateTensors(),
              HasStatus(StatusCode::kInvalidModel, "output 0 is FLOAT32"));
}

// One subgraph is condition and body: legal, and endless when x is true.
TEST(HostileControlFlow, AConditionThatIsItsOwnBodyEndsAtTheLimit) {
  ModelBuilder b;
  AddCall(b, schema::BuiltinOperator_WHILE, 1, 1);
  AddIdentity(b);
  InterpreterOptions options;
  options.max_loop_iterations = 1000;
  auto built = Build(b, options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  *(*built)->typed_input_tensor<bool>(0) = true;
  EXPECT_THAT((*built)->Invoke(), HasStatus(StatusCode::kResourceExhausted,
                                            "max_loop_iterations, 1000"));
  *(*built)->typed_input_tensor<bool>(0) = false;
  EXPECT_THAT((*built)->Invoke(), IsOk());
  EXPECT_FALSE(*(*built)->typed_output_tensor<bool>(0));
}

TEST(HostileControlFlow, AnEndlessLoopCanBeCancelled) {
  ModelBuilder b;
  AddCall(b, schema::BuiltinOperator_WHILE, 1, 2);
  AddIdentity(b);
  b.AddSubgraph("body");
  const int x = b.AddInput("x", kBool, {1});
  const int y = b.AddTensor("y", kBool, {1});
  b.AddOp(schema::BuiltinOperator_LOGICAL_OR, {x, x}, {y});
  b.SetOutputs({y});
  int asked = 0;
  InterpreterOptions options;
  options.should_cancel = [](void* data) {
    return ++*static_cast<int*>(data) > 5000;
  };
  options.cancel_user_data = &asked;
  auto built = Build(b, options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  *(*built)->typed_input_tensor<bool>(0) = true;
  EXPECT_THAT((*built)->Invoke(), HasStatus(StatusCode::kCancelled, ""));
}

// Each subgraph calls the next one twice: 2^30 call sites in a small file.
TEST(HostileControlFlow, ExplodingCallsAreRefused) {
  ModelBuilder b;
  for (int level = 0; level < 30; ++level) {
    if (level > 0) b.AddSubgraph("level");
    AddCall(b, schema::BuiltinOperator_IF, level + 1, level + 1);
  }
  AddIdentity(b);
  EXPECT_THAT(TryBuild(b),
              HasStatus(StatusCode::kInvalidModel, "IF: calls unfold to "));
}

// CALL_ONCE passes nothing: a callee that wants inputs would read no value.
TEST(HostileControlFlow, CallOnceOfASubgraphWithInputsIsRefused) {
  ModelBuilder b;
  AddCall(b, schema::BuiltinOperator_CALL_ONCE, 1, 1);
  b.op(0).inputs = {0};
  b.op(0).outputs = {1};
  AddIdentity(b);
  EXPECT_THAT((*Build(b))->AllocateTensors(),
              HasStatus(StatusCode::kInvalidModel,
                        "subgraph 0 'main' op 0 CALL_ONCE, output tensor 1 "
                        "'y': calls a subgraph with 1 inputs and 1 outputs, "
                        "allowed none"));
}

// in -> float -> doubled, in a tensor that the file calls INT8: the operator
// makes it FLOAT32, four times as large.
void AddGrowing(ModelBuilder& b) {
  b.AddSubgraph("growing");
  const int in = b.AddInput("in", TensorType::kInt8, {1000});
  const int wide = b.AddTensor("wide", TensorType::kFloat32, {1000});
  const int out = b.AddTensor("out", TensorType::kInt8, {1000});
  b.AddOp(schema::BuiltinOperator_CAST, {in}, {wide});
  b.AddOp(schema::BuiltinOperator_ADD, {wide, wide}, {out});
  b.SetOutputs({out});
}

TEST(HostileControlFlow, ResultsOfAnotherTypeThanTheFileSaysAreRefused) {
  for (const auto code :
       {schema::BuiltinOperator_CALL, schema::BuiltinOperator_WHILE}) {
    for (const bool dynamic : {false, true}) {
      ModelBuilder b;
      int x = b.AddInput("x", TensorType::kInt8, {1000});
      const int y = b.AddTensor("y", TensorType::kInt8, {1000});
      if (dynamic) {
        const int shape = b.AddInput("shape", TensorType::kInt32, {1});
        const int shaped = b.AddTensor("shaped", TensorType::kInt8, {1000});
        b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {shaped});
        x = shaped;
      }
      b.AddOp(code, {x}, {y});
      OpSpec& op = b.op(dynamic ? 1 : 0);
      if (code == schema::BuiltinOperator_CALL) {
        ModelBuilder::SetOptions(op, [](flatbuffers::FlatBufferBuilder& fbb) {
          return schema::CreateCallOptions(fbb, 1);
        });
      } else {
        ModelBuilder::SetOptions(op, [](flatbuffers::FlatBufferBuilder& fbb) {
          return schema::CreateWhileOptions(fbb, 2, 1);
        });
      }
      b.SetOutputs({y});
      AddGrowing(b);
      b.AddSubgraph("condition");
      b.AddInput("state", TensorType::kInt8, {1000});
      b.SetOutputs({b.AddConstantBytes("always", kBool, {1}, {1})});
      InterpreterOptions options;
      options.max_loop_iterations = 10;
      auto built = Build(b, options);
      Status status = (*built)->AllocateTensors();
      if (dynamic) {
        ASSERT_THAT(status, IsOk());
        *(*built)->typed_input_tensor<int32_t>(1) = 1000;
        status = (*built)->Invoke();
      }
      EXPECT_THAT(status,
                  HasStatus(StatusCode::kInvalidModel,
                            "result 0 is FLOAT32, allowed INT8 as the file "
                            "says"));
    }
  }
}

// The condition is as long as its state, which data decide.
TEST(HostileControlFlow, ConditionsOfSeveralElementsAreRefusedInsideOfInvoke) {
  ModelBuilder b;
  const int x = b.AddInput("x", kBool, {2});
  const int shape = b.AddInput("shape", TensorType::kInt32, {1});
  const int shaped = b.AddTensor("shaped", kBool, {1});
  const int y = b.AddTensor("y", kBool, {1});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {shaped});
  b.AddOp(schema::BuiltinOperator_WHILE, {shaped}, {y},
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 1); });
  b.SetOutputs({y});
  AddIdentity(b);
  auto built = Build(b);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  *(*built)->typed_input_tensor<int32_t>(1) = 2;
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kInvalidModel,
                        "chooses by tensor 'x' of shape [2], allowed one "
                        "element"));
}

// One byte, which the file calls BOOL or INT32, chooses a branch.
TEST(HostileControlFlow, ChoicesOfAnotherTypeThanTheFileSaysAreRefused) {
  for (const bool dynamic : {false, true}) {
    ModelBuilder b;
    int x = b.AddInput("x", TensorType::kInt8, {1}, Quant{1, 0});
    const int choice = b.AddTensor("choice", kBool, {1}, Quant{1, 0});
    const int y = b.AddTensor("y", kBool, {1});
    const int flag = b.AddInput("flag", kBool, {1});
    if (dynamic) {
      const int shape = b.AddInput("shape", TensorType::kInt32, {1});
      const int shaped =
          b.AddTensor("shaped", TensorType::kInt8, {1}, Quant{1, 0});
      b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {shaped});
      x = shaped;
    }
    b.AddOp(schema::BuiltinOperator_ADD, {x, x}, {choice}, 2);
    b.AddOp(schema::BuiltinOperator_IF, {choice, flag}, {y},
            [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 1); });
    b.SetOutputs({y});
    AddIdentity(b);
    auto built = Build(b);
    Status status = (*built)->AllocateTensors();
    if (dynamic) {
      ASSERT_THAT(status, IsOk());
      *(*built)->typed_input_tensor<int32_t>(2) = 1;
      status = (*built)->Invoke();
    }
    EXPECT_THAT(status, HasStatus(StatusCode::kInvalidModel, "INT8"));
    EXPECT_THAT(status, HasStatus(StatusCode::kInvalidModel, " IF, output"));
    EXPECT_THAT(status,
                HasStatus(StatusCode::kInvalidModel, "as the file says"));
  }
}

// The same for what the application brings for it.
TEST(HostileControlFlow, CustomMemoryIsHeldToTheTypeThatAnOperatorGives) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {1000});
  const int y = b.AddTensor("y", TensorType::kInt8, {1000});
  b.AddOp(schema::BuiltinOperator_ADD, {x, x}, {y});
  b.SetOutputs({y});
  auto built = Build(b);
  std::vector<uint8_t> memory(1000);
  Status status =
      (*built)->SetCustomAllocationForTensor(y, Span<uint8_t>(memory));
  if (status.ok()) status = (*built)->AllocateTensors();
  EXPECT_THAT(status, HasStatus(StatusCode::kInvalidArgument,
                                "the caller's memory for tensor 1 'y' has "
                                "1000 bytes, 4000 are needed"));
}

}  // namespace
}  // namespace arenalite
