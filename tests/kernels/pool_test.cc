#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "arenalite/builtin_ops.h"
#include "kernels/naive_window.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::NaiveAxis;
using testing::OpRunner;

struct Config {
  Shape input = {1, 1, 1, 1};
  int height = 1, width = 1, stride = 1;
  int padding = schema::Padding_VALID;
  int activation = schema::ActivationFunctionType_NONE;
};

void SetOptions(const Config& c, OpRunner* runner) {
  runner->SetOptions(schema::BuiltinOptions_Pool2DOptions, [&](auto& b) {
    return schema::CreatePool2DOptions(
        b, static_cast<schema::Padding>(c.padding), c.stride, c.stride, c.width,
        c.height, static_cast<schema::ActivationFunctionType>(c.activation));
  });
}

Config RandomConfig(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low + 1));
  };
  Config c;
  c.input = {pick(1, 2), pick(3, 8), pick(3, 8), pick(1, 6)};
  if (pick(1, 4) == 1) c.input.set_dim(3, pick(120, 300));  // Several blocks.
  c.height = pick(1, 3);
  c.width = pick(1, 3);
  c.stride = pick(1, 3);
  c.padding = pick(0, 1);
  return c;
}

enum class Kind { kAverage, kMax, kL2 };

const OpDefinition& Definition(Kind kind) {
  return kind == Kind::kAverage ? ops::kAveragePool2d
         : kind == Kind::kMax   ? ops::kMaxPool2d
                                : ops::kL2Pool2d;
}

double Finish(Kind kind, double sum, double count, bool integer) {
  if (kind == Kind::kMax) return sum;
  if (kind == Kind::kL2) return std::sqrt(sum / count);
  return integer ? std::round(sum / count) : sum / count;
}

void ExpectNaive(Kind kind, const Config& c, OpRunner& runner) {
  const Tensor& input = runner.tensor_of_input(0);
  const Tensor& output = runner.tensor_of_output(0);
  const bool integer = input.type != TensorType::kFloat32;
  const auto size = static_cast<size_t>(output.shape.NumElements());
  std::vector<double> sums(
      size, kind == Kind::kMax ? std::numeric_limits<double>::lowest() : 0.0);
  std::vector<double> counts(size, 0.0);
  NaiveAxis y{c.stride, 1, 0}, x{c.stride, 1, 0};
  y.before = testing::PaddingBefore(input.shape.dim(1), output.shape.dim(1),
                                    c.height, y);
  x.before = testing::PaddingBefore(input.shape.dim(2), output.shape.dim(2),
                                    c.width, x);
  testing::VisitTaps(input.shape, output.shape, c.height, c.width, y, x,
                     [&](int64_t out, int, int, int64_t in) {
                       for (int i = 0; i < input.shape.dim(3); ++i) {
                         const double value = testing::RealValue(input, in + i);
                         double& sum = sums[static_cast<size_t>(out + i)];
                         sum = kind == Kind::kMax  ? std::max(sum, value)
                               : kind == Kind::kL2 ? sum + value * value
                                                   : sum + value;
                         counts[static_cast<size_t>(out + i)] += 1;
                       }
                     });
  for (size_t i = 0; i < size; ++i) {
    ASSERT_NEAR(testing::RealValue(output, static_cast<int64_t>(i)),
                Finish(kind, sums[i], counts[i], integer), integer ? 0 : 1e-5);
  }
}

TEST(Pool, AllKindsMatchTheSpelledOutWindow) {
  std::mt19937 random(21);
  for (Kind kind : {Kind::kAverage, Kind::kMax, Kind::kL2}) {
    for (TensorType type : {TensorType::kFloat32, TensorType::kInt8,
                            TensorType::kUInt8, TensorType::kInt16}) {
      if (kind == Kind::kL2 && type != TensorType::kFloat32) continue;
      int caught = 0;
      for (int i = 0; i < 60; ++i) {
        const Config c = RandomConfig(random);
        OpRunner runner(Definition(kind));
        SetOptions(c, &runner);
        runner.AddRandomInput(type, c.input, random);
        runner.AddOutput(type);
        ASSERT_THAT(runner.PrepareAndRun(), IsOk());
        ExpectNaive(kind, c, runner);
        CheckOverlapContract(runner, 1, 1, random, &caught);
      }
      EXPECT_GT(caught, 10);
    }
  }
}

TEST(AveragePool2d, ClampsToTheFusedActivation) {
  OpRunner runner(ops::kAveragePool2d, 2);
  Config c;
  c.activation = schema::ActivationFunctionType_RELU6;
  SetOptions(c, &runner);
  runner.AddInput<int8_t>({1, 1, 3, 1}, {-128, 5, 127}, {0.1f}, {-10});
  runner.AddOutput(TensorType::kInt8, {0.1f}, {-10});
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<int8_t>(0), (std::vector<int8_t>{-10, 5, 50}));
}

// MobileNet's last pool: one step for each block, in place of its own input.
TEST(AveragePool2d, GlobalPoolOverlapsWhole) {
  std::mt19937 random(4);
  OpRunner runner(ops::kAveragePool2d, 2);
  Config c;
  c.input = {1, 7, 7, 256};
  c.height = c.width = 7;
  SetOptions(c, &runner);
  runner.AddRandomInput(TensorType::kInt8, c.input, random);
  runner.AddOutput(TensorType::kInt8);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.Overlap(0, 0), 0);
}

TEST(MaxPool2d, RefusesStrideAndFilterOfZero) {
  for (bool stride : {true, false}) {
    OpRunner runner(ops::kMaxPool2d);
    Config c;
    (stride ? c.stride : c.height) = 0;
    SetOptions(c, &runner);
    runner.AddInput<float>({1, 1, 1, 1}, {1});
    runner.AddOutput(TensorType::kFloat32);
    EXPECT_THAT(runner.Prepare(),
                HasStatus(StatusCode::kInvalidModel, "allowed > 0"));
  }
}

}  // namespace
}  // namespace arenalite
