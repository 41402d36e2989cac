// A heap that fails at the n-th request, for every n, through building,
// allocating, running and resizing: an error each time, no leak, and an
// interpreter that works afterwards.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "arenalite/arena_group.h"
#include "arenalite/interpreter.h"
#include "arenalite/plan_csv.h"
#include "arenalite/plan_file.h"
#include "testing/counted_heap.h"
#include "testing/matchers.h"
#include "testing/random_graph.h"
#include "testing/seed_models.h"
#include "writer/model_builder.h"

namespace arenalite {
namespace testing {
namespace {

enum Stage { kBuild, kAllocate, kInvoke, kReport, kResize, kInvokeAgain, kEnd };

// One model on its way through the stages.
class Journey {
 public:
  // kResize gives the first input `first_dim` as its first dimension.
  Journey(const std::vector<uint8_t>& file, const OpResolver& resolver,
          int32_t first_dim)
      : file_(file), resolver_(resolver), first_dim_(first_dim) {}

  // Only the library's requests fail, never the test's own.
  Status Do(Stage stage, int64_t requests = -1) {
    if (stage == kInvoke || stage == kInvokeAgain) Fill();
    FailHeapAfter(requests);
    Status status = Call(stage);
    FailHeapAfter(-1);
    return status;
  }

  std::vector<uint8_t> Outputs() {
    std::vector<uint8_t> all;
    for (size_t i = 0; i < interpreter_->outputs().size(); ++i) {
      const Tensor* tensor = interpreter_->output_tensor(i);
      const auto* bytes = tensor->data_as<uint8_t>();
      all.insert(all.end(), bytes, bytes + tensor->bytes);
    }
    return all;
  }

 private:
  Status Call(Stage stage) {
    switch (stage) {
      case kBuild:
        return Build();
      case kReport:
        return interpreter_->ReportMemory().status();
      case kResize:
        ARENALITE_RETURN_IF_ERROR(Grow());
        [[fallthrough]];
      case kAllocate:
        return interpreter_->AllocateTensors();
      default:
        return interpreter_->Invoke();
    }
  }
  Status Build() {
    ARENALITE_ASSIGN_OR_RETURN(
        model_, FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file_)));
    ARENALITE_ASSIGN_OR_RETURN(interpreter_,
                               InterpreterBuilder(*model_, resolver_).Build());
    return OkStatus();
  }
  Status Grow() {
    const Tensor* tensor = interpreter_->input_tensor(0);
    int32_t dims[8] = {};
    const size_t rank = tensor->shape.dims().size();
    for (size_t i = 0; i < rank; ++i) dims[i] = tensor->shape.dims()[i];
    dims[0] = first_dim_;
    return interpreter_->ResizeInputTensor(interpreter_->inputs()[0],
                                           Span<const int32_t>(dims, rank));
  }
  void Fill() {
    Prng prng(1);
    for (size_t i = 0; i < interpreter_->inputs().size(); ++i) {
      Tensor* tensor = interpreter_->input_tensor(i);
      if (tensor == nullptr || tensor->is_constant()) continue;
      if (tensor->type == TensorType::kInt32) {
        for (int k = 0; k < tensor->bytes / 4; ++k) {
          tensor->data_as<int32_t>()[k] = 2 + k;
        }
      } else {
        FillRandom(prng, *tensor);
      }
    }
  }

  const std::vector<uint8_t>& file_;
  const OpResolver& resolver_;
  const int32_t first_dim_;
  std::unique_ptr<FlatBufferModel> model_;
  std::unique_ptr<Interpreter> interpreter_;
};

struct Trip {
  const char* seed;
  int32_t first_dim;
};

class OutOfMemoryIn : public ::testing::TestWithParam<Trip> {};

TEST_P(OutOfMemoryIn, IsAnErrorWhereverItStrikes) {
  std::vector<uint8_t> file;
  for (SeedModel& seed : SeedModels()) {
    if (seed.name == GetParam().seed) file = std::move(seed.file);
  }
  ASSERT_FALSE(file.empty());
  BuiltinOpResolver resolver;
  for (const OpDefinition* custom : RandomGraphCustomOps()) {
    ASSERT_THAT(resolver.AddCustom(*custom), IsOk());
  }
  std::vector<uint8_t> expected;
  {
    Journey smooth(file, resolver, GetParam().first_dim);
    for (int stage = kBuild; stage < kEnd; ++stage) {
      ASSERT_THAT(smooth.Do(static_cast<Stage>(stage)), IsOk()) << stage;
    }
    expected = smooth.Outputs();
  }
  int failures = 0;
  for (int failing = kBuild; failing < kEnd; ++failing) {
    bool failed = true;
    for (int64_t requests = 0; failed; ++requests) {
      SCOPED_TRACE("stage " + std::to_string(failing) + ", request " +
                   std::to_string(requests));
      const int64_t before = CountHeap().live_bytes;
      {
        Journey journey(file, resolver, GetParam().first_dim);
        for (int stage = kBuild; stage < failing; ++stage) {
          ASSERT_THAT(journey.Do(static_cast<Stage>(stage)), IsOk());
        }
        const auto stage = static_cast<Stage>(failing);
        const Status status = journey.Do(stage, requests);
        failed = !status.ok();
        failures += failed ? 1 : 0;
        if (failed) {
          ASSERT_EQ(status.code(), StatusCode::kResourceExhausted)
              << status.message();
          ASSERT_THAT(journey.Do(stage), IsOk());
        }
        for (int rest = failing + 1; rest < kEnd; ++rest) {
          ASSERT_THAT(journey.Do(static_cast<Stage>(rest)), IsOk()) << rest;
        }
        ASSERT_EQ(journey.Outputs(), expected);
      }
      ASSERT_EQ(CountHeap().live_bytes, before);
    }
  }
  EXPECT_GT(failures, 50);
}

INSTANTIATE_TEST_SUITE_P(
    Model, OutOfMemoryIn,
    ::testing::Values(Trip{"conv_int8", 2}, Trip{"control_flow", 2},
                      Trip{"svdf", 1}, Trip{"fill", 3}, Trip{"tile_by_data", 2},
                      Trip{"random_2", 1}, Trip{"random_3", 1}),
    [](const auto& one) { return std::string(one.param.seed); });

// y = x + v, then v = v + 1, for the variable v that a CALL_ONCE sets to 0.
std::vector<uint8_t> CounterModel() {
  ModelBuilder b;
  const auto handle = [&b] {
    const int tensor = b.AddTensor("handle", TensorType::kResource, {1});
    b.AddOp(schema::BuiltinOperator_VAR_HANDLE, {}, {tensor}, [](auto& fbb) {
      return schema::CreateVarHandleOptionsDirect(fbb, "", "v");
    });
    return tensor;
  };
  const auto add = [&b](int x, int y, int sum) {
    b.AddOp(schema::BuiltinOperator_ADD, {x, y}, {sum},
            [](auto& fbb) { return schema::CreateAddOptions(fbb); });
  };
  const int x = b.AddInput("x", TensorType::kFloat32, {4});
  b.AddOp(schema::BuiltinOperator_CALL_ONCE, {}, {},
          [](auto& fbb) { return schema::CreateCallOnceOptions(fbb, 1); });
  const int v = handle();
  const int value = b.AddTensor("value", TensorType::kFloat32, {1});
  b.AddOp(schema::BuiltinOperator_READ_VARIABLE, {v}, {value});
  const int y = b.AddTensor("y", TensorType::kFloat32, {4});
  add(x, value, y);
  const int next = b.AddTensor("next", TensorType::kFloat32, {1});
  add(value, b.AddConstant<float>("one", {1}, {1}), next);
  b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE, {v, next}, {});
  b.SetOutputs({y});
  b.AddSignature("count", {{"x", static_cast<uint32_t>(x)}},
                 {{"y", static_cast<uint32_t>(y)}});
  b.AddSubgraph("init");
  const int again = handle();
  b.AddOp(schema::BuiltinOperator_ASSIGN_VARIABLE,
          {again, b.AddConstant<float>("zero", {1}, {0})}, {});
  return b.Finish();
}

// All that one walk through the API needs.
struct World {
  const std::vector<uint8_t>& file;
  BuiltinOpResolver resolver;
  std::unique_ptr<ArenaGroup> group;
  std::unique_ptr<FlatBufferModel> model;
  std::unique_ptr<Interpreter> interpreter;
  std::unique_ptr<Interpreter> planned;  // By `plan`.
  Array<uint8_t> plan;
  alignas(16) float memory[8] = {};

  // The sum of `runs` outputs, for inputs of 0.
  Status Invoke(int runs, float expected) {
    for (int i = 0; i < runs; ++i) {
      Tensor& x = *interpreter->input_tensor(0);
      std::memset(x.data, 0, static_cast<size_t>(x.bytes));
      ARENALITE_RETURN_IF_ERROR(interpreter->Invoke());
    }
    EXPECT_EQ(interpreter->typed_output_tensor<float>(0)[0], expected);
    return OkStatus();
  }
};

constexpr int32_t kTwo[] = {2};
constexpr int32_t kEight[] = {8};

Status BuildPlanned(World& w) {
  InterpreterOptions options;
  options.plan_file = Span<const uint8_t>(w.plan);
  ARENALITE_ASSIGN_OR_RETURN(
      w.planned, InterpreterBuilder(*w.model, w.resolver, options).Build());
  return w.planned->AllocateTensors();
}

Status PlanAlone(World&) {
  // Seven buffers whose lives cross, two of which may overlap.
  const BufferRequest requests[] = {{32, 0, 2}, {48, 1, 3}, {16, 2, 5},
                                    {64, 3, 4}, {32, 4, 6}, {80, 5, 7},
                                    {48, 6, 8}};
  const AllowedOverlap overlaps[] = {{3, 1, 48}};
  for (PlanStrategy strategy :
       {PlanStrategy::kAuto, PlanStrategy::kGreedyBySize,
        PlanStrategy::kGreedyByBreadth, PlanStrategy::kExhaustive}) {
    PlanOptions options;
    options.strategy = strategy;
    ARENALITE_ASSIGN_OR_RETURN(const MemoryPlan plan,
                               PlanMemory(requests, overlaps, options));
    ARENALITE_RETURN_IF_ERROR(CheckPlan(requests, overlaps, plan));
    ARENALITE_RETURN_IF_ERROR(ExplainMisfit(requests, plan, 100).status());
    ARENALITE_ASSIGN_OR_RETURN(const Array<uint8_t> saved,
                               SavePlan(requests, overlaps, plan));
    ARENALITE_RETURN_IF_ERROR(
        LoadPlan(Span<const uint8_t>(saved), requests, overlaps).status());
  }
  ARENALITE_ASSIGN_OR_RETURN(
      const PlanCsv csv,
      ParsePlanCsv("id,lower,upper,size,offset\na,0,2,16,0\nb,1,3,16,16\n"));
  const int64_t offsets[] = {0, 16};
  return WritePlanCsv(Span<const std::string_view>(csv.ids),
                      Span<const BufferRequest>(csv.requests), offsets)
      .status();
}

// Each may be repeated after a failure.
using Call = Status (*)(World&);
constexpr Call kCalls[] = {
    [](World& w) {
      ARENALITE_ASSIGN_OR_RETURN(w.group, ArenaGroup::Create({}));
      return OkStatus();
    },
    [](World& w) {
      ARENALITE_ASSIGN_OR_RETURN(w.model, FlatBufferModel::BuildFromBuffer(
                                              Span<const uint8_t>(w.file)));
      InterpreterOptions options;
      options.arena_group = w.group.get();
      options.poison_memory = true;
      ARENALITE_ASSIGN_OR_RETURN(
          w.interpreter,
          InterpreterBuilder(*w.model, w.resolver, options).Build());
      return OkStatus();
    },
    [](World& w) { return w.interpreter->SavePlan().status(); },
    [](World& w) { return w.interpreter->AllocateTensors(); },
    [](World& w) { return w.Invoke(2, 1); },
    [](World& w) {
      ARENALITE_ASSIGN_OR_RETURN(w.plan, w.interpreter->SavePlan());
      return OkStatus();
    },
    BuildPlanned,
    [](World& w) {
      ARENALITE_RETURN_IF_ERROR(w.interpreter->SetMaximumInputShape(0, kEight));
      return w.interpreter->AllocateTensors();
    },
    [](World& w) { return w.Invoke(1, 2); },
    [](World& w) {
      ARENALITE_RETURN_IF_ERROR(w.interpreter->ResizeInputTensor(0, kTwo));
      return w.interpreter->AllocateTensors();
    },
    [](World& w) { return w.Invoke(1, 3); },
    [](World& w) {
      ARENALITE_RETURN_IF_ERROR(w.interpreter->PreserveTensor(2));
      return w.interpreter->AllocateTensors();
    },
    [](World& w) {
      const int32_t order[] = {1, 0, 2, 3, 4, 5};
      ARENALITE_RETURN_IF_ERROR(w.interpreter->SetExecutionPlan(order));
      return w.interpreter->AllocateTensors();
    },
    [](World& w) {
      const Span<uint8_t> memory(reinterpret_cast<uint8_t*>(w.memory),
                                 sizeof(w.memory));
      ARENALITE_RETURN_IF_ERROR(
          w.interpreter->SetCustomAllocationForTensor(0, memory));
      return w.interpreter->AllocateTensors();
    },
    [](World& w) { return w.interpreter->ReportMemory().status(); },
    [](World& w) {
      ARENALITE_RETURN_IF_ERROR(w.interpreter->ResetVariableTensors());
      return w.interpreter->ReleaseNonPersistentMemory();
    },
    [](World& w) {
      ARENALITE_ASSIGN_OR_RETURN(SignatureRunner runner,
                                 w.interpreter->GetSignatureRunner("count"));
      ARENALITE_RETURN_IF_ERROR(runner.ResizeInputTensor("x", kEight));
      return runner.AllocateTensors();
    },
    [](World& w) { return w.Invoke(3, 2); },
    PlanAlone,
};

TEST(OutOfMemory, IsAnErrorInEveryCall) {
  const std::vector<uint8_t> file = CounterModel();
  constexpr size_t kCount = sizeof(kCalls) / sizeof(kCalls[0]);
  int failures = 0;
  for (size_t failing = 0; failing < kCount; ++failing) {
    bool failed = true;
    for (int64_t requests = 0; failed; ++requests) {
      SCOPED_TRACE("call " + std::to_string(failing) + ", request " +
                   std::to_string(requests));
      const int64_t before = CountHeap().live_bytes;
      {
        World world = {file, {}, {}, {}, {}, {}, {}};
        for (size_t i = 0; i < failing; ++i) {
          ASSERT_THAT(kCalls[i](world), IsOk()) << i;
        }
        FailHeapAfter(requests);
        const Status status = kCalls[failing](world);
        FailHeapAfter(-1);
        failed = !status.ok();
        failures += failed ? 1 : 0;
        if (failed) {
          ASSERT_EQ(status.code(), StatusCode::kResourceExhausted)
              << status.message();
          ASSERT_THAT(kCalls[failing](world), IsOk());
        }
        for (size_t i = failing + 1; i < kCount; ++i) {
          ASSERT_THAT(kCalls[i](world), IsOk()) << i;
        }
      }
      ASSERT_EQ(CountHeap().live_bytes, before);
    }
  }
  EXPECT_GT(failures, 300);
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
