// Tensors whose shape data decide, and loops whose shapes change: memory from
// the allocator, held no longer than needed.

#include <gtest/gtest.h>

#include <numeric>

#include "testing/build.h"
#include "testing/counted_heap.h"

namespace arenalite {
namespace {

using testing::Build;
using testing::BuiltModel;
using testing::CountingAllocator;
using testing::FailHeapAfter;
using testing::HasStatus;
using testing::IsOk;

constexpr auto kFloat = TensorType::kFloat32;
constexpr auto kInt = TensorType::kInt32;

void Add(ModelBuilder& b, int x, int y, int sum) {
  b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {sum},
          [](auto& fbb) { return schema::CreateAddOptions(fbb); });
}

// x of 1000 floats, reshaped as `shape` says, then doubled five times.
ModelBuilder DoublingModel() {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {1000});
  const int shape = b.AddInput("shape", kInt, {2});
  int v = b.AddTensor("v", kFloat, {});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {v});
  for (int i = 0; i < 5; ++i) {
    const int next = b.AddTensor("next", kFloat, {});
    Add(b, v, v, next);
    v = next;
  }
  const int unread = b.AddTensor("unread", kFloat, {});
  Add(b, v, v, unread);
  b.SetOutputs({v});
  return b;
}

TEST(Dynamic, TensorsAreReleasedAfterTheirLastReader) {
  for (bool preserve : {false, true}) {
    CountingAllocator memory;
    InterpreterOptions options;
    options.allocator = &memory;
    options.preserve_all_tensors = preserve;
    auto built = Build(DoublingModel(), options);
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    const int64_t arena = memory.live_bytes;
    for (int run = 0; run < 3; ++run) {
      (*built)->typed_input_tensor<int32_t>(1)[0] = run + 1;
      (*built)->typed_input_tensor<int32_t>(1)[1] =
          run == 2 ? -1 : 1000 / (run + 1);
      if (run == 2) (*built)->typed_input_tensor<int32_t>(1)[0] = 8;
      std::fill_n((*built)->typed_input_tensor<float>(0), 1000, 1.0f);
      ASSERT_THAT((*built)->Invoke(), IsOk());
      EXPECT_EQ((*built)->typed_output_tensor<float>(0)[999], 32);
      const MemoryUsage usage = *(*built)->QueryMemory();
      EXPECT_EQ(usage.dynamic_bytes, memory.live_bytes - arena);
      EXPECT_EQ(usage.dynamic_bytes, preserve ? 6 * 4000 : 4000);
      // What an op reads and what it writes; in later runs the output waits
      // for its new value as well.
      EXPECT_LE(usage.peak_dynamic_bytes, preserve ? 6 * 4000 : 3 * 4000);
      EXPECT_EQ(memory.peak_bytes, arena + usage.peak_dynamic_bytes);
    }
    ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
    EXPECT_EQ(memory.live_bytes, 0);
  }
}

// WHERE of 100 elements, and what it found, doubled.
ModelBuilder WhereModel() {
  ModelBuilder b;
  const int x = b.AddInput("x", kInt, {10, 10});
  const int where = b.AddTensor("where", TensorType::kInt64, {0, 2});
  const int twice = b.AddTensor("twice", TensorType::kInt64, {0, 2});
  b.AddOp(schema::BuiltinOperator_WHERE, {x}, {where});
  Add(b, where, where, twice);
  b.SetOutputs({where, twice});
  return b;
}

TEST(Dynamic, WhatHasAMaximumIsPlannedForIt) {
  for (bool plan : {true, false}) {
    CountingAllocator memory;
    InterpreterOptions options;
    options.allocator = &memory;
    options.plan_bounded_tensors = plan;
    options.poison_memory = true;
    auto built = Build(WhereModel(), options);
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    EXPECT_EQ((*built)->arena_used_bytes(), plan ? 400u + 1600u : 400u);
    EXPECT_EQ((*built)->output_tensor(0)->memory,
              plan ? TensorMemory::kBounded : TensorMemory::kDynamic);
    for (int64_t count : {0, 3, 100, 1}) {
      int32_t* x = (*built)->typed_input_tensor<int32_t>(0);
      for (int i = 0; i < 100; ++i) x[i] = i < count ? 1 : 0;
      ASSERT_THAT((*built)->Invoke(), IsOk());
      const Tensor* where = (*built)->output_tensor(0);
      EXPECT_EQ(where->shape, Shape({static_cast<int32_t>(count), 2}));
      EXPECT_EQ(where->bytes, count * 16);
      for (int64_t i = 0; i < count; ++i) {
        EXPECT_EQ(where->data_as<int64_t>()[2 * i], i / 10);
        EXPECT_EQ((*built)->typed_output_tensor<int64_t>(1)[2 * i + 1],
                  i % 10 * 2);
      }
    }
    // Of what follows no maximum is derived.
    EXPECT_EQ((*built)->QueryMemory()->dynamic_bytes, plan ? 1600 : 3200);
  }
}

// The value of a RESHAPE by data is the input's: a view like any other.
TEST(Dynamic, AReshapeByDataMovesNoByte) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {1000});
  const int shape = b.AddInput("shape", kInt, {2});
  const int sum = b.AddTensor("sum", kFloat, {1000});
  const int v = b.AddTensor("v", kFloat, {});
  Add(b, x, x, sum);
  b.AddOp(schema::BuiltinOperator_RESHAPE, {sum, shape}, {v});
  b.SetOutputs({v});
  auto built = Build(b);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  EXPECT_EQ((*built)->tensor(sum)->data, (*built)->tensor(v)->data);
  for (int32_t rows : {10, 4}) {
    (*built)->typed_input_tensor<int32_t>(1)[0] = rows;
    (*built)->typed_input_tensor<int32_t>(1)[1] = -1;
    std::fill_n((*built)->typed_input_tensor<float>(0), 1000, 2.0f);
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({rows, 1000 / rows}));
    EXPECT_EQ((*built)->typed_output_tensor<float>(0)[999], 4);
  }
  EXPECT_EQ((*built)->QueryMemory()->peak_dynamic_bytes, 0);
}

// while i < n: rows = concat(rows, row), and two tags change places.
ModelBuilder GrowingLoop() {
  ModelBuilder b;
  const int n = b.AddInput("n", kInt, {1});
  const int row = b.AddInput("row", kFloat, {1, 100});
  const int a = b.AddInput("a", kInt, {1});
  const int c = b.AddInput("c", kInt, {1});
  const int zero = b.AddConstant<int32_t>("zero", {1}, {0});
  std::vector<int> out;
  out.push_back(b.AddTensor("i_out", kInt, {1}));
  out.push_back(b.AddTensor("n_out", kInt, {1}));
  out.push_back(b.AddTensor("row_out", kFloat, {1, 100}));
  out.push_back(b.AddTensor("rows_out", kFloat, {1, 100}));
  out.push_back(b.AddTensor("a_out", kInt, {1}));
  out.push_back(b.AddTensor("c_out", kInt, {1}));
  b.AddOp(schema::BuiltinOperator_WHILE, {zero, n, row, row, a, c}, out,
          [](auto& fbb) { return schema::CreateWhileOptions(fbb, 1, 2); });
  b.SetOutputs({out[3], out[4], out[5]});
  for (const char* name : {"cond", "body"}) {
    b.AddSubgraph(name);
    const int i = b.AddInput("i", kInt, {1});
    const int limit = b.AddInput("n", kInt, {1});
    const int one_row = b.AddInput("row", kFloat, {1, 100});
    const int rows = b.AddInput("rows", kFloat, {1, 100});
    const int left = b.AddInput("a", kInt, {1});
    const int right = b.AddInput("c", kInt, {1});
    if (name[0] == 'c') {
      const int less = b.AddTensor("less", TensorType::kBool, {1});
      b.AddOp(schema::BuiltinOperator_LESS, {i, limit}, {less});
      b.SetOutputs({less});
    } else {
      const int one = b.AddConstant<int32_t>("one", {1}, {1});
      const int next = b.AddTensor("next", kInt, {1});
      const int more = b.AddTensor("more", kFloat, {2, 100});
      Add(b, i, one, next);
      b.AddOp(
          schema::BuiltinOperator_CONCATENATION, {rows, one_row}, {more},
          [](auto& fbb) { return schema::CreateConcatenationOptions(fbb, 0); });
      b.SetOutputs({next, limit, one_row, more, right, left});
    }
  }
  return b;
}

TEST(Dynamic, LoopsWhoseShapesChangeFallBackAndSaySo) {
  CountingAllocator memory;
  InterpreterOptions options;
  options.allocator = &memory;
  auto built = Build(GrowingLoop(), options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  const Result<MemoryReport> report = (*built)->ReportMemory();
  ASSERT_THAT(report, IsOk());
  ASSERT_EQ(report->steps.size(), 1u);
  EXPECT_TRUE(report->steps[0].is_dynamic);
  for (const TensorReport& tensor : report->tensors) {
    const bool inside = tensor.subgraph != 0;
    if (tensor.memory == TensorMemory::kConstant) continue;
    EXPECT_EQ(
        tensor.memory == TensorMemory::kDynamic,
        inside || std::string(tensor.name).find("_out") != std::string::npos)
        << tensor.name;
  }
  for (int32_t n : {0, 3, 20, 1}) {
    *(*built)->typed_input_tensor<int32_t>(0) = n;
    float* row = (*built)->typed_input_tensor<float>(1);
    std::iota(row, row + 100, 1.0f);
    *(*built)->typed_input_tensor<int32_t>(2) = 7;
    *(*built)->typed_input_tensor<int32_t>(3) = 9;
    ASSERT_THAT((*built)->Invoke(), IsOk());
    EXPECT_EQ((*built)->output_tensor(0)->shape, Shape({n + 1, 100}));
    EXPECT_EQ((*built)->typed_output_tensor<float>(0)[100 * n + 99], 100);
    EXPECT_EQ(*(*built)->typed_output_tensor<int32_t>(1), n % 2 ? 9 : 7);
    EXPECT_EQ(*(*built)->typed_output_tensor<int32_t>(2), n % 2 ? 7 : 9);
  }
  // The rows before and after the longest run's last iteration, the row, and
  // a few scalars: no iteration's tensors outlive it, no argument is copied.
  EXPECT_LE((*built)->QueryMemory()->peak_dynamic_bytes,
            (20 + 21 + 1) * 400 + 100);
  ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
  EXPECT_EQ(memory.live_bytes, 0);
}

TEST(Dynamic, LimitsHoldInLoopsThatFellBack) {
  InterpreterOptions options;
  options.max_loop_iterations = 50;
  options.max_dynamic_bytes = 50000;
  auto built = Build(GrowingLoop(), options);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  const auto run = [&](int32_t n) {
    *(*built)->typed_input_tensor<int32_t>(0) = n;
    return (*built)->Invoke();
  };
  EXPECT_THAT(run(51), HasStatus(StatusCode::kResourceExhausted,
                                 "max_loop_iterations, 50"));
  EXPECT_THAT(run(10), IsOk());
  options.max_dynamic_bytes = 20000;
  auto less = Build(GrowingLoop(), options);
  ASSERT_THAT((*less)->AllocateTensors(), IsOk());
  *(*less)->typed_input_tensor<int32_t>(0) = 40;
  EXPECT_THAT((*less)->Invoke(), HasStatus(StatusCode::kResourceExhausted,
                                           "max_dynamic_bytes, 20000"));
  *(*less)->typed_input_tensor<int32_t>(0) = 5;
  EXPECT_THAT((*less)->Invoke(), IsOk());
}

// Wherever the heap or the allocator fails, the next run works.
TEST(Dynamic, WorksAgainAfterMemoryWasRefused) {
  bool failed = true;
  for (int64_t n = 0; failed; ++n) {
    ASSERT_LT(n, 10000);
    CountingAllocator memory;
    InterpreterOptions options;
    options.allocator = &memory;
    auto built = Build(GrowingLoop(), options);
    ASSERT_THAT((*built)->AllocateTensors(), IsOk());
    *(*built)->typed_input_tensor<int32_t>(0) = 2;
    std::fill_n((*built)->typed_input_tensor<float>(1), 100, 1.5f);
    memory.fails = n % 2 == 1;
    FailHeapAfter(n / 2);
    const StatusCode code = (*built)->Invoke().code();
    FailHeapAfter(-1);
    failed = code != StatusCode::kOk || memory.fails;
    if (code != StatusCode::kOk) {
      ASSERT_EQ(code, StatusCode::kResourceExhausted);
    }
    memory.fails = false;
    ASSERT_THAT((*built)->Invoke(), IsOk()) << "allocation " << n;
    ASSERT_EQ((*built)->output_tensor(0)->shape, Shape({3, 100}));
    ASSERT_EQ((*built)->typed_output_tensor<float>(0)[299], 1.5f);
    ASSERT_THAT((*built)->ReleaseNonPersistentMemory(), IsOk());
    ASSERT_EQ(memory.live_bytes, 0);
  }
}

// A variable's bytes are given before Invoke: data cannot decide their number.
TEST(Dynamic, AVariableOfUnknownShapeIsRefused) {
  ModelBuilder b;
  const int x = b.AddInput("x", kFloat, {1000});
  const int shape = b.AddInput("shape", kInt, {2});
  const int v = b.AddTensor("v", kFloat, {});
  const int handle = b.AddTensor("handle", TensorType::kResource, {1});
  b.AddOp(schema::BuiltinOperator_RESHAPE, {x, shape}, {v});
  b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {handle}, [](auto& fbb) {
    return schema::CreateVarHandleOptions(fbb, fbb.CreateString(""),
                                          fbb.CreateString("v"));
  });
  b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {handle, v}, {});
  b.SetOutputs({v});
  auto built = Build(b);
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  (*built)->typed_input_tensor<int32_t>(1)[0] = 10;
  (*built)->typed_input_tensor<int32_t>(1)[1] = 100;
  EXPECT_THAT((*built)->Invoke(),
              HasStatus(StatusCode::kUnimplemented,
                        "'v' has 0 bytes and is used with 4000"));
}

}  // namespace
}  // namespace arenalite
