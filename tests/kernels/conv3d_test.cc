#include <gtest/gtest.h>

#include <random>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

struct Config {
  int input[5] = {1, 1, 1, 1, 1};
  int window[3] = {1, 1, 1};
  int stride[3] = {1, 1, 1};
  int dilation[3] = {1, 1, 1};
  int outputs = 1;
  int padding = schema::Padding_SAME;

  int Reach(int axis) const { return (window[axis] - 1) * dilation[axis] + 1; }
  // Of a forward window over `size` positions.
  int Output(int size, int axis) const {
    if (padding == schema::Padding_SAME) {
      return (size + stride[axis] - 1) / stride[axis];
    }
    return (size + stride[axis] - Reach(axis)) / stride[axis];
  }
  int Before(int large, int small, int axis) const {
    return std::max(0, (small - 1) * stride[axis] + Reach(axis) - large) / 2;
  }
};

Config RandomConfig(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low + 1));
  };
  Config c;
  c.padding = pick(0, 1);
  for (int i = 0; i < 3; ++i) {
    c.window[i] = pick(1, 3);
    c.stride[i] = pick(1, 2);
    c.dilation[i] = pick(1, 3) == 1 ? 2 : 1;
    c.input[i + 1] = pick(c.Reach(i), 6);
  }
  c.input[0] = pick(1, 2);
  c.input[4] = pick(1, 4);
  c.outputs = pick(1, 5) == 1 ? 200 : pick(1, 5);
  return c;
}

void SetOptions(const Config& c, OpRunner* runner) {
  runner->SetOptions(schema::BuiltinOptions_Conv3DOptions, [&](auto& b) {
    return schema::CreateConv3DOptions(
        b, static_cast<schema::Padding>(c.padding), c.stride[0], c.stride[2],
        c.stride[1], schema::ActivationFunctionType_NONE, c.dilation[0],
        c.dilation[2], c.dilation[1]);
  });
}

// Calls visit(large, small, tap) for the pixels of the large and the small
// tensor that a window of the small one joins by a tap; all indices flat.
template <class Visit>
void VisitTaps(const Config& c, const int (&large)[3], const int (&small)[3],
               Visit visit) {
  const int taps = c.window[0] * c.window[1] * c.window[2];
  const int count = small[0] * small[1] * small[2];
  for (int batch = 0; batch < c.input[0]; ++batch) {
    for (int s = 0; s < count; ++s) {
      for (int tap = 0; tap < taps; ++tap) {
        const int at[3] = {s / small[2] / small[1], s / small[2] % small[1],
                           s % small[2]};
        const int t[3] = {tap / c.window[2] / c.window[1],
                          tap / c.window[2] % c.window[1], tap % c.window[2]};
        int64_t pixel = batch;
        bool inside = true;
        for (int i = 0; i < 3; ++i) {
          const int p = at[i] * c.stride[i] - c.Before(large[i], small[i], i) +
                        t[i] * c.dilation[i];
          inside = inside && p >= 0 && p < large[i];
          pixel = pixel * large[i] + p;
        }
        if (inside) visit(pixel, int64_t{batch} * count + s, tap);
      }
    }
  }
}

void ExpectNear(const std::vector<float>& output,
                const std::vector<double>& sums) {
  ASSERT_EQ(output.size(), sums.size());
  for (size_t i = 0; i < sums.size(); ++i)
    ASSERT_NEAR(output[i], sums[i], 1e-5);
}

TEST(Conv3d, MatchesTheSpelledOutSum) {
  std::mt19937 random(41);
  int caught = 0;
  for (int i = 0; i < 80; ++i) {
    const Config c = RandomConfig(random);
    OpRunner runner(ops::kConv3d);
    SetOptions(c, &runner);
    const int channels = c.input[4];
    runner.AddRandomInput(
        TensorType::kFloat32,
        {c.input[0], c.input[1], c.input[2], c.input[3], channels}, random);
    runner.AddRandomInput(
        TensorType::kFloat32,
        {c.window[0], c.window[1], c.window[2], channels, c.outputs}, random,
        {}, {}, 0, true);
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    const Shape& output = runner.tensor_of_output(0).shape;
    std::vector<double> sums(static_cast<size_t>(output.NumElements()));
    const auto* in = runner.tensor_of_input(0).data_as<float>();
    const auto* filter = runner.tensor_of_input(1).data_as<float>();
    VisitTaps(c, {c.input[1], c.input[2], c.input[3]},
              {output.dim(1), output.dim(2), output.dim(3)},
              [&](int64_t from, int64_t to, int tap) {
                for (int n = 0; n < channels * c.outputs; ++n) {
                  sums[static_cast<size_t>(to * c.outputs + n % c.outputs)] +=
                      double{in[from * channels + n / c.outputs]} *
                      double{filter[tap * channels * c.outputs + n]};
                }
              });
    ExpectNear(runner.output<float>(0), sums);
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 20);
}

TEST(Conv3dTranspose, GathersWhatTheDefinitionScatters) {
  std::mt19937 random(42);
  int caught = 0;
  for (int i = 0; i < 80; ++i) {
    // c.input is the output's size here: a forward window leads back to
    // `small`.
    const Config c = RandomConfig(random);
    const int small[3] = {c.Output(c.input[1], 0), c.Output(c.input[2], 1),
                          c.Output(c.input[3], 2)};
    const int channels = c.input[4];
    OpRunner runner(ops::kConv3dTranspose);
    SetOptions(c, &runner);
    runner.AddConstant<int32_t>(
        {5}, {c.input[0], c.input[1], c.input[2], c.input[3], c.outputs});
    runner.AddRandomInput(
        TensorType::kFloat32,
        {c.window[0], c.window[1], c.window[2], c.outputs, channels}, random,
        {}, {}, 0, true);
    runner.AddRandomInput(TensorType::kFloat32,
                          {c.input[0], small[0], small[1], small[2], channels},
                          random);
    runner.AddRandomInput(TensorType::kFloat32, {c.outputs}, random, {}, {}, 0,
                          true);
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    const auto* filter = runner.tensor_of_input(1).data_as<float>();
    const auto* in = runner.tensor_of_input(2).data_as<float>();
    const auto* bias = runner.tensor_of_input(3).data_as<float>();
    std::vector<double> sums;
    const int64_t size = runner.tensor_of_output(0).shape.NumElements();
    for (int64_t e = 0; e < size; ++e) {
      sums.push_back(double{bias[e % c.outputs]});
    }
    VisitTaps(c, {c.input[1], c.input[2], c.input[3]}, small,
              [&](int64_t to, int64_t from, int tap) {
                for (int n = 0; n < channels * c.outputs; ++n) {
                  sums[static_cast<size_t>(to * c.outputs + n / channels)] +=
                      double{in[from * channels + n % channels]} *
                      double{filter[tap * channels * c.outputs + n]};
                }
              });
    ExpectNear(runner.output<float>(0), sums);
    CheckOverlapContract(runner, 3, 1, random, &caught);
  }
  EXPECT_GT(caught, 10);
}

TEST(Conv3d, RefusesWhatContradictsItself) {
  Config c;
  c.stride[1] = 0;
  OpRunner runner(ops::kConv3d);
  SetOptions(c, &runner);
  runner.AddInput<float>({1, 1, 1, 1, 1}, {1});
  runner.AddConstant<float>({1, 1, 1, 1, 1}, {1});
  runner.AddOutput(TensorType::kFloat32);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                          "stride of the height is 0"));
}

}  // namespace
}  // namespace arenalite
