#include "arenalite/arena_group.h"

#include <gtest/gtest.h>

#include <cstring>

#include "testing/build.h"
#include "testing/counted_heap.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::CountHeap;
using testing::CountingAllocator;
using testing::FailHeapAfter;
using testing::HasStatus;
using testing::IsOk;
using testing::TryBuild;

// "Sum": adds the first element of its input to a variable; every element of
// the output is the sum. May call somebody in the middle of Invoke.
void (*in_the_middle)(void* data) = nullptr;
void* in_the_middle_data = nullptr;

Status PrepareSum(OpContext& context) {
  return context.SetOutputShape(0, context.input(0).shape);
}
Status EvalSum(OpContext& context) {
  if (in_the_middle) in_the_middle(in_the_middle_data);
  float* sum = context.variable(1)->data_as<float>();
  *sum += *context.input(0).data_as<float>();
  for (int64_t i = 0; i < context.output(0).shape.NumElements(); ++i) {
    context.output(0).data_as<float>()[i] = *sum;
  }
  return OkStatus();
}
constexpr OpDefinition kSum = {"Sum",   kCustomOpCode, 1,       kOpHasState, 0,
                               nullptr, PrepareSum,    EvalSum, nullptr};

ModelBuilder SumModel(int elements) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {elements});
  const int state = b.AddVariable("state", TensorType::kFloat32, {1});
  const int y = b.AddTensor("y", TensorType::kFloat32, {elements});
  b.AddCustomOp("Sum", {x, state}, {y});
  b.SetOutputs({y});
  return b;
}

std::unique_ptr<BuiltModel> BuildMember(ArenaGroup& group, int elements,
                                        InterpreterOptions options = {}) {
  options.arena_group = &group;
  return Build(SumModel(elements), options, {&kSum});
}

float RunOnce(BuiltModel& built, float x) {
  EXPECT_THAT(built->AllocateTensors(), IsOk());
  *built->typed_input_tensor<float>(0) = x;
  EXPECT_THAT(built->Invoke(), IsOk());
  const Tensor* output = built->output_tensor(0);
  return output->data_as<float>()[output->shape.NumElements() - 1];
}

TEST(ArenaGroup, HasTheSizeOfItsLargestMemberAndKeepsStateApart) {
  CountingAllocator arena;
  CountingAllocator variables;
  ArenaGroupOptions group_options;
  group_options.allocator = &arena;
  auto group = ArenaGroup::Create(group_options);
  ASSERT_THAT(group, IsOk());
  InterpreterOptions options;
  options.allocator = &variables;
  auto small = BuildMember(**group, 4, options);
  auto large = BuildMember(**group, 400, options);
  EXPECT_EQ((*group)->arena_used_bytes(), 0u);
  // Both are known before the first byte is taken.
  ASSERT_THAT((*small)->QueryMemory(), IsOk());
  ASSERT_THAT((*large)->QueryMemory(), IsOk());
  EXPECT_EQ((*group)->arena_used_bytes(), 2u * 1600);
  EXPECT_EQ(arena.allocations, 0);
  EXPECT_EQ(RunOnce(*small, 1), 1);
  EXPECT_EQ(RunOnce(*large, 10), 10);
  for (int i = 2; i < 5; ++i) {
    for (BuiltModel* built : {small.get(), large.get()}) {
      const int64_t heap = CountHeap().allocations;
      const bool ok = (*built)->AllocateTensors().ok();
      EXPECT_EQ(CountHeap().allocations, heap);
      EXPECT_TRUE(ok);
    }
    EXPECT_EQ(RunOnce(*small, 1), static_cast<float>(i));
    EXPECT_EQ(RunOnce(*large, 10), static_cast<float>(10 * i));
  }
  EXPECT_EQ(arena.allocations, 1);
  EXPECT_EQ(arena.peak_bytes, 2 * 1600);
  EXPECT_EQ(variables.live_bytes, 2 * 16);
  large.reset();
  EXPECT_EQ((*group)->arena_used_bytes(), 2u * 16);
}

TEST(ArenaGroup, RefusesTheMemberThatLostTheArena) {
  auto group = ArenaGroup::Create({});
  auto a = BuildMember(**group, 4);
  auto b = BuildMember(**group, 8);
  RunOnce(*a, 1);
  EXPECT_EQ(RunOnce(*b, 5), 5);
  EXPECT_EQ((*a)->input_tensor(0)->data, nullptr);
  EXPECT_EQ((*a)->output_tensor(0)->data, nullptr);
  EXPECT_THAT((*a)->Invoke(),
              HasStatus(StatusCode::kFailedPrecondition, "taken the arena"));
  // Nor does it reach the arena in any other way.
  ASSERT_THAT((*a)->ReleaseNonPersistentMemory(), IsOk());
  ASSERT_THAT((*a)->ResetVariableTensors(), IsOk());
  *(*b)->typed_input_tensor<float>(0) = 1;
  ASSERT_THAT((*b)->Invoke(), IsOk());
  EXPECT_EQ((*b)->typed_output_tensor<float>(0)[7], 6);
  EXPECT_EQ(RunOnce(*a, 2), 2);
  EXPECT_THAT((*b)->Invoke(), HasStatus(StatusCode::kFailedPrecondition, ""));
  // A resize makes the holder give nothing up but its own validity.
  const int32_t more[] = {1000};
  ASSERT_THAT((*b)->ResizeInputTensor(0, more), IsOk());
  EXPECT_EQ(RunOnce(*b, 1), 7);
  EXPECT_EQ((*group)->arena_used_bytes(), 2u * 4000);
  EXPECT_EQ(RunOnce(*a, 2), 4);
  // The holder goes: nobody holds the arena.
  a.reset();
  EXPECT_EQ(RunOnce(*b, 1), 8);
}

TEST(ArenaGroup, RefusesEveryChangeWhileAMemberRuns) {
  auto group = ArenaGroup::Create({});
  struct Members {
    std::unique_ptr<BuiltModel> a;
    std::unique_ptr<BuiltModel> b;
    std::vector<Status> seen;
  } members;
  members.a = BuildMember(**group, 4);
  members.b = BuildMember(**group, 8);
  RunOnce(*members.b, 1);
  ASSERT_THAT((*members.a)->AllocateTensors(), IsOk());
  in_the_middle_data = &members;
  in_the_middle = [](void* data) {
    auto& m = *static_cast<Members*>(data);
    const int32_t dims[] = {2};
    m.seen.push_back((*m.b)->AllocateTensors());
    m.seen.push_back((*m.b)->Invoke());
    m.seen.push_back((*m.a)->Invoke());
    m.seen.push_back((*m.a)->AllocateTensors());
    m.seen.push_back((*m.a)->ResizeInputTensor(0, dims));
    m.seen.push_back((*m.a)->SetMaximumInputShape(0, dims));
    m.seen.push_back((*m.a)->ResetVariableTensors());
    m.seen.push_back((*m.a)->ReleaseNonPersistentMemory());
    m.seen.push_back((*m.a)->PreserveTensor(0));
  };
  *(*members.a)->typed_input_tensor<float>(0) = 3;
  const Status status = (*members.a)->Invoke();
  in_the_middle = nullptr;
  ASSERT_THAT(status, IsOk());
  EXPECT_EQ((*members.a)->typed_output_tensor<float>(0)[3], 3);
  EXPECT_EQ(members.seen.size(), 9u);
  for (const Status& seen : members.seen) {
    EXPECT_THAT(seen, HasStatus(StatusCode::kFailedPrecondition, ""));
  }
  EXPECT_THAT(members.seen[0],
              HasStatus(StatusCode::kFailedPrecondition, "group is running"));
  EXPECT_EQ(RunOnce(*members.b, 1), 2);
}

TEST(ArenaGroup, LivesInTheCallersMemory) {
  alignas(16) static uint8_t memory[64];
  alignas(16) static uint8_t state_a[16];
  alignas(16) static uint8_t state_b[16];
  ArenaGroupOptions group_options;
  group_options.buffer = Span<uint8_t>(memory);
  auto group = ArenaGroup::Create(group_options);
  InterpreterOptions options;
  options.arena_buffer = Span<uint8_t>(state_a);
  auto a = BuildMember(**group, 8, options);
  options.arena_buffer = Span<uint8_t>(state_b);
  auto b = BuildMember(**group, 9, options);
  EXPECT_EQ(RunOnce(*a, 1), 1);
  EXPECT_THAT((*b)->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted, "needs 96 bytes"));
  EXPECT_FALSE((*a)->Invoke().ok());  // It has lost the arena.
  b.reset();
  EXPECT_EQ(RunOnce(*a, 1), 2);
  EXPECT_EQ(*reinterpret_cast<float*>(state_a), 2);
}

TEST(ArenaGroup, WorksAgainAfterTheAllocatorRefused) {
  CountingAllocator arena;
  ArenaGroupOptions group_options;
  group_options.allocator = &arena;
  auto group = ArenaGroup::Create(group_options);
  auto a = BuildMember(**group, 4);
  auto b = BuildMember(**group, 400);
  EXPECT_EQ(RunOnce(*a, 1), 1);
  arena.fails = true;
  EXPECT_THAT((*b)->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted, "3200 bytes"));
  EXPECT_FALSE((*a)->Invoke().ok());
  EXPECT_FALSE((*a)->AllocateTensors().ok());  // For the largest member.
  arena.fails = false;
  EXPECT_EQ(RunOnce(*b, 3), 3);
  EXPECT_EQ(RunOnce(*a, 1), 2);
}

TEST(ArenaGroup, ForgetsMembersThatCouldNotBeBuilt) {
  auto group = ArenaGroup::Create({});
  auto other = BuildMember(**group, 4);
  auto maker = Build(SumModel(8), {}, {&kSum});
  InterpreterOptions options;
  options.arena_group = group->get();
  const InterpreterBuilder builder(*maker->model, maker->resolver, options);
  bool failed = true;
  for (int64_t n = 0; failed; ++n) {
    ASSERT_LT(n, 1000);
    FailHeapAfter(n);
    auto built = builder.Build();
    const bool planned = built.ok() && (*built)->QueryMemory().ok();
    FailHeapAfter(-1);
    failed = !planned;
    built = ResourceExhaustedError("goes");
    // Nothing of it is left in the group.
    ASSERT_EQ(RunOnce(*other, 1), static_cast<float>(n + 1));
    ASSERT_EQ((*group)->arena_used_bytes(), 2u * 16);
  }
}

TEST(ArenaGroup, RefusesAlignmentsThatDoNotFit) {
  ArenaGroupOptions group_options;
  group_options.alignment = 24;
  EXPECT_THAT(ArenaGroup::Create(group_options),
              HasStatus(StatusCode::kInvalidArgument, "24"));
  auto group = ArenaGroup::Create({});
  InterpreterOptions options;
  options.alignment = 64;
  options.arena_group = group->get();
  EXPECT_THAT(TryBuild(SumModel(4), options, {&kSum}),
              HasStatus(StatusCode::kInvalidArgument,
                        "alignment is 64, the arena group's is 16"));
}

}  // namespace
}  // namespace arenalite
