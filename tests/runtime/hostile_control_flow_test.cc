// Files whose control flow calls itself, never ends, or explodes.

#include <gtest/gtest.h>

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

constexpr schema::BuiltinOperator kCalls[] = {
    schema::BuiltinOperator_IF, schema::BuiltinOperator_WHILE,
    schema::BuiltinOperator_STABLEHLO_WHILE, schema::BuiltinOperator_CALL,
    schema::BuiltinOperator_CALL_ONCE};

TEST(HostileControlFlow, SubgraphsThatCallThemselvesAreRefused) {
  for (schema::BuiltinOperator code : kCalls) {
    for (int self : {0, 1}) {
      ModelBuilder direct;
      const int first = self == 0 ? 0 : 1;
      AddCall(direct, code, first, 1 - first);
      AddIdentity(direct);
      if (self == 1 && (code == schema::BuiltinOperator_CALL ||
                        code == schema::BuiltinOperator_CALL_ONCE)) {
        continue;  // Names one subgraph: calls no other.
      }
      EXPECT_THAT(TryBuild(direct), HasStatus(StatusCode::kInvalidModel, ""))
          << schema::EnumNameBuiltinOperator(code);
    }
    ModelBuilder mutual;
    AddCall(mutual, code, 1, 1);
    mutual.AddSubgraph("back");
    AddCall(mutual, code, 0, 0);
    EXPECT_THAT(TryBuild(mutual), HasStatus(StatusCode::kInvalidModel, ""))
        << schema::EnumNameBuiltinOperator(code);
  }
}

TEST(HostileControlFlow, SubgraphsThatAreNotThereAreRefused) {
  for (schema::BuiltinOperator code : kCalls) {
    for (int missing : {-1, 2, 1 << 30}) {
      ModelBuilder b;
      AddCall(b, code, missing, missing);
      AddIdentity(b);
      EXPECT_FALSE(TryBuild(b).ok()) << schema::EnumNameBuiltinOperator(code);
    }
  }
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
  EXPECT_FALSE(TryBuild(b).ok());
}

// CALL_ONCE passes nothing: a callee that wants inputs would read no value.
TEST(HostileControlFlow, CallOnceOfASubgraphWithInputsIsRefused) {
  ModelBuilder b;
  AddCall(b, schema::BuiltinOperator_CALL_ONCE, 1, 1);
  b.op(0).inputs = {0};
  b.op(0).outputs = {1};
  AddIdentity(b);
  auto built = TryBuild(b);
  if (!built.ok()) return;
  EXPECT_THAT((**built)->AllocateTensors(),
              HasStatus(StatusCode::kInvalidModel, "1 inputs"));
}

// An argument would be written over the file's bytes.
TEST(HostileControlFlow, ArgumentsForConstantsAreRefused) {
  for (schema::BuiltinOperator code :
       {schema::BuiltinOperator_IF, schema::BuiltinOperator_WHILE,
        schema::BuiltinOperator_STABLEHLO_WHILE,
        schema::BuiltinOperator_CALL}) {
    ModelBuilder b;
    AddCall(b, code, 1, 1);
    b.AddSubgraph("callee");
    const int x = b.AddConstantBytes("fixed", kBool, {1}, {1});
    b.subgraph().inputs = {x};
    b.SetOutputs({x});
    auto built = Build(b);
    EXPECT_THAT((*built)->AllocateTensors(),
                HasStatus(StatusCode::kInvalidModel,
                          "tensor 0 'fixed' of the called subgraph, which has "
                          "data of its own, allowed none"))
        << schema::EnumNameBuiltinOperator(code);
  }
}

}  // namespace
}  // namespace arenalite
