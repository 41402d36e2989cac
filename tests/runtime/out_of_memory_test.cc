// A heap that fails at the n-th request, for every n, through building,
// allocating, running and resizing: an error each time, no leak, and an
// interpreter that works afterwards.

#include <gtest/gtest.h>

#include <string>

#include "arenalite/interpreter.h"
#include "testing/counted_heap.h"
#include "testing/matchers.h"
#include "testing/random_graph.h"
#include "testing/seed_models.h"

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

class OutOfMemory : public ::testing::TestWithParam<Trip> {};

TEST_P(OutOfMemory, IsAnErrorWhereverItStrikes) {
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
    Model, OutOfMemory,
    ::testing::Values(Trip{"conv_int8", 2}, Trip{"control_flow", 2},
                      Trip{"svdf", 1}, Trip{"fill", 3}, Trip{"tile_by_data", 2},
                      Trip{"random_2", 1}, Trip{"random_3", 1}),
    [](const auto& one) { return std::string(one.param.seed); });

}  // namespace
}  // namespace testing
}  // namespace arenalite
