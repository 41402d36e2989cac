#include <gtest/gtest.h>

#include <random>

#include "arenalite/builtin_ops.h"
#include "arenalite/custom_ops.h"
#include "kernels/naive_window.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::At4;
using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

struct Config {
  int batches = 1;
  int height = 2, width = 2, channels = 1;
  int window_height = 2, window_width = 2;
  int outputs = 1;
  int stride = 2;
  int padding = schema::Padding_SAME;
  // Output sizes beyond the smallest that lead back to height and width.
  int extra_height = 0, extra_width = 0;

  int Smallest(int input, int window) const {
    return padding == schema::Padding_SAME ? (input - 1) * stride + 1
                                           : (input - 1) * stride + window;
  }
  Shape output() const {
    return {batches, Smallest(height, window_height) + extra_height,
            Smallest(width, window_width) + extra_width, outputs};
  }
};

Config RandomConfig(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low + 1));
  };
  Config c;
  c.batches = pick(1, 2);
  c.height = pick(1, 5);
  c.width = pick(1, 5);
  c.channels = pick(1, 6);
  c.window_height = pick(1, 4);
  c.window_width = pick(1, 4);
  c.outputs = pick(1, 9);
  if (pick(1, 6) == 1) c.outputs *= 100;  // Several blocks.
  c.stride = pick(1, 3);
  c.padding = pick(0, 1);
  c.extra_height = pick(0, c.stride - 1);
  c.extra_width = pick(0, c.stride - 1);
  return c;
}

void SetOptions(const Config& c, OpRunner* runner) {
  runner->SetOptions(schema::BuiltinOptions_TransposeConvOptions, [&](auto& b) {
    return schema::CreateTransposeConvOptions(
        b, static_cast<schema::Padding>(c.padding), c.stride, c.stride);
  });
}

constexpr float kInputScale = 0.5f;
constexpr float kFilterScale = 0.25f;

std::unique_ptr<OpRunner> MakeRunner(const Config& c, TensorType type,
                                     std::mt19937& random) {
  auto runner = std::make_unique<OpRunner>(ops::kTransposeConv, 3);
  SetOptions(c, runner.get());
  const Shape output = c.output();
  runner->AddConstant<int32_t>(
      {4}, {output.dim(0), output.dim(1), output.dim(2), output.dim(3)});
  const Shape filter = {c.outputs, c.window_height, c.window_width, c.channels};
  const Shape input = {c.batches, c.height, c.width, c.channels};
  if (type == TensorType::kFloat32) {
    runner->AddRandomInput(type, filter, random, {}, {}, 0, true);
    runner->AddRandomInput(type, input, random);
    runner->AddRandomInput(type, {c.outputs}, random, {}, {}, 0, true);
    runner->AddOutput(type);
    return runner;
  }
  const bool is_uint8 = type == TensorType::kUInt8;
  runner->AddRandomInput(is_uint8 ? type : TensorType::kInt8, filter, random,
                         {kFilterScale}, {is_uint8 ? 130 : 0}, 0, true);
  const int64_t zero = type == TensorType::kInt16 ? 0 : is_uint8 ? 120 : 7;
  runner->AddRandomInput(type, input, random, {kInputScale}, {zero});
  const int bias = static_cast<int>(random() % 1000);
  if (type == TensorType::kInt16) {
    runner->AddConstant<int64_t>({c.outputs},
                                 std::vector<int64_t>(c.outputs, bias));
  } else {
    runner->AddConstant<int32_t>({c.outputs},
                                 std::vector<int32_t>(c.outputs, bias),
                                 {kInputScale * kFilterScale}, {0});
  }
  runner->AddOutput(type, {type == TensorType::kInt16 ? 300.0f : 8.0f}, {zero});
  return runner;
}

// The operator's definition: every input pixel scatters its products.
std::vector<double> ScatteredSums(const Config& c, OpRunner& runner) {
  const Tensor& filter = runner.tensor_of_input(1);
  const Tensor& input = runner.tensor_of_input(2);
  const Tensor& bias = runner.tensor_of_input(3);
  const Shape& output = runner.tensor_of_output(0).shape;
  std::vector<double> sums(static_cast<size_t>(output.NumElements()));
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] = testing::RealValue(bias, static_cast<int64_t>(i) % c.outputs);
  }
  const testing::NaiveAxis axis{c.stride, 1, 0};
  const int top =
      testing::PaddingBefore(output.dim(1), c.height, c.window_height, axis);
  const int left =
      testing::PaddingBefore(output.dim(2), c.width, c.window_width, axis);
  for (int64_t i = 0; i < input.shape.NumElements(); ++i) {
    const int64_t pixel = i / c.channels;
    const int64_t batch = pixel / c.width / c.height;
    for (int64_t w = 0; w < filter.shape.NumElements(); ++w) {
      if (w % c.channels != i % c.channels) continue;
      const int64_t tap = w / c.channels;
      const int64_t x =
          pixel % c.width * c.stride - left + tap % c.window_width;
      const int64_t y = pixel / c.width % c.height * c.stride - top +
                        tap / c.window_width % c.window_height;
      if (y < 0 || y >= output.dim(1) || x < 0 || x >= output.dim(2)) continue;
      const int64_t to =
          At4(output, batch, y, x, tap / c.window_width / c.window_height);
      sums[static_cast<size_t>(to)] +=
          testing::RealValue(input, i) * testing::RealValue(filter, w);
    }
  }
  return sums;
}

TEST(TransposeConv, AllTypesGatherWhatTheDefinitionScatters) {
  std::mt19937 random(31);
  int caught = 0;
  for (TensorType type : {TensorType::kFloat32, TensorType::kInt8,
                          TensorType::kUInt8, TensorType::kInt16}) {
    for (int i = 0; i < 60; ++i) {
      const Config c = RandomConfig(random);
      auto runner = MakeRunner(c, type, random);
      ASSERT_THAT(runner->PrepareAndRun(), IsOk());
      const Tensor& output = runner->tensor_of_output(0);
      ASSERT_EQ(output.shape, c.output());
      const std::vector<double> sums = ScatteredSums(c, *runner);
      const double multiplier = double{kInputScale} * double{kFilterScale} /
                                double{output.quantization.scale()};
      for (size_t e = 0; e < sums.size(); ++e) {
        const double value =
            testing::RealValue(output, static_cast<int64_t>(e));
        if (type == TensorType::kFloat32) {
          ASSERT_NEAR(value, sums[e], 1e-5);
          continue;
        }
        ASSERT_EQ(
            static_cast<int64_t>(value) + output.quantization.zero_point(),
            testing::Requantized(sums[e], multiplier, output,
                                 type == TensorType::kInt16));
      }
      CheckOverlapContract(*runner, 3, 1, random, &caught);
    }
  }
  EXPECT_GT(caught, 50);
}

TEST(TransposeConv, HybridIsCloseToFloat) {
  OpRunner runner(ops::kTransposeConv, 3);
  Config c;
  c.stride = 1;
  c.padding = schema::Padding_VALID;
  SetOptions(c, &runner);
  runner.AddConstant<int32_t>({4}, {1, 2, 3, 1});
  runner.AddConstant<int8_t>({1, 2, 2, 1}, {1, 2, 3, 4}, {0.5f}, {0});
  runner.AddInput<float>({1, 1, 2, 1}, {1.0f, -2.0f});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const std::vector<float> expected = {0.5f, 0, -2, 1.5f, -1, -4};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(runner.output<float>(0)[i], expected[i], 0.04f);
  }
  EXPECT_TRUE(runner.EqualAtDistance(0, 2, 0));
}

TEST(TransposeConv, TakesAShapeThatDataDecide) {
  OpRunner runner(ops::kTransposeConv, 1);
  Config c;
  c.padding = schema::Padding_VALID;
  SetOptions(c, &runner);
  runner.AddInput<int32_t>({4}, {1, 2, 4, 1});
  runner.AddConstant<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  runner.AddInput<float>({1, 1, 2, 1}, {1, 10});
  runner.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<float>(0),
            (std::vector<float>{1, 2, 10, 20, 3, 4, 30, 40}));
}

TEST(TransposeConv, RefusesAShapeThatDoesNotLeadBack) {
  for (const std::vector<int32_t>& shape : {std::vector<int32_t>{1, 7, 4, 1},
                                            {1, 4, 4, 2},
                                            {2, 4, 4, 1},
                                            {1, -4, 4, 1}}) {
    OpRunner runner(ops::kTransposeConv, 1);
    SetOptions(Config{}, &runner);
    runner.AddConstant<int32_t>({4}, shape);
    runner.AddConstant<float>({1, 2, 2, 1}, {1, 2, 3, 4});
    runner.AddInput<float>({1, 2, 2, 1}, {1, 2, 3, 4});
    runner.AddOutput(TensorType::kFloat32);
    EXPECT_FALSE(runner.Prepare().ok());
  }
}

testing::Bytes CustomOptions(std::initializer_list<int32_t> fields) {
  testing::Bytes bytes(fields.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), fields.begin(), bytes.size());
  return bytes;
}

// A 3x3 window at stride 2: SAME drops one row and column of what VALID gives,
// none of them in front.
TEST(Convolution2dTransposeBias, ImpliesItsOutputShape) {
  for (const auto& [padding, size] : {std::pair{1, 4}, std::pair{2, 5}}) {
    OpRunner runner(ops::kConvolution2dTransposeBias);
    runner.SetCustomOptions(CustomOptions({padding, 2, 2}));
    runner.AddInput<float>({1, 2, 2, 1}, {1, 10, 100, 1000});
    runner.AddConstant<float>({1, 3, 3, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1});
    runner.AddConstant<float>({1}, {0.5f});
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, size, size, 1}));
    const std::vector<float> output = runner.output<float>(0);
    EXPECT_EQ(std::vector<float>(output.begin(), output.begin() + 4),
              (std::vector<float>{1.5f, 1.5f, 11.5f, 10.5f}));
    EXPECT_EQ(output[static_cast<size_t>(2 * size + 2)], 1111.5f);
  }
}

TEST(Convolution2dTransposeBias, RefusesShortOptions) {
  OpRunner runner(ops::kConvolution2dTransposeBias);
  runner.SetCustomOptions(CustomOptions({1, 2}));
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "8 bytes"));
}

// Pooling keeps where each maximum was; unpooling puts it back there.
TEST(MaxUnpooling2d, UndoesMaxPoolingWithArgmax2d) {
  const std::vector<float> image = {1, 5, 2, 0,  //
                                    3, 4, 9, 8};
  OpRunner pool(ops::kMaxPoolingWithArgmax2d);
  pool.SetCustomOptions(CustomOptions({2, 2, 2, 2, 2, 0}));
  pool.AddInput<float>({1, 2, 4, 1}, image);
  pool.AddOutput(TensorType::kFloat32);
  pool.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(pool.PrepareAndRun(), IsOk());
  EXPECT_EQ(pool.output<float>(0), (std::vector<float>{5, 9}));
  EXPECT_EQ(pool.output<float>(1), (std::vector<float>{1.1f, 2.1f}));

  OpRunner unpool(ops::kMaxUnpooling2d);
  unpool.SetCustomOptions(CustomOptions({2, 2, 2, 2, 2, 0}));
  unpool.AddInput<float>({1, 1, 2, 1}, pool.output<float>(0));
  unpool.AddInput<float>({1, 1, 2, 1}, pool.output<float>(1));
  unpool.AddOutput(TensorType::kFloat32);
  ASSERT_THAT(unpool.PrepareAndRun(), IsOk());
  EXPECT_EQ(unpool.output<float>(0),
            (std::vector<float>{0, 5, 0, 0, 0, 0, 9, 0}));
}

TEST(MaxPoolingWithArgmax2d, KeepsItsOverlapContract) {
  std::mt19937 random(6);
  int caught = 0;
  for (int i = 0; i < 100; ++i) {
    const auto pick = [&](int low, int high) {
      return low + static_cast<int>(random() % (high - low + 1));
    };
    OpRunner pool(ops::kMaxPoolingWithArgmax2d);
    pool.SetCustomOptions(
        CustomOptions({1, pick(1, 3), pick(1, 3), pick(1, 3), pick(1, 3), 0}));
    pool.AddRandomInput(TensorType::kFloat32,
                        {pick(1, 2), pick(1, 6), pick(1, 6),
                         pick(1, 5) == 1 ? 150 : pick(1, 4)},
                        random);
    pool.AddOutput(TensorType::kFloat32);
    pool.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(pool.PrepareAndRun(), IsOk());
    CheckOverlapContract(pool, 1, 2, random, &caught);
  }
  EXPECT_GT(caught, 20);
}

TEST(MaxUnpooling2d, ChecksPositionsThatDataGive) {
  const auto run = [](std::vector<int32_t> indices) {
    OpRunner unpool(ops::kLiteRtMaxUnpooling2d);
    unpool.SetCustomOptions(CustomOptions({1, 2, 2, 2, 2, 0}));
    unpool.AddInput<float>({1, 1, 2, 1}, {7, 8});
    unpool.AddInput<int32_t>({1, 1, 2, 1}, indices);
    unpool.AddOutput(TensorType::kFloat32);
    EXPECT_THAT(unpool.Prepare(), IsOk());
    EXPECT_EQ(unpool.tensor_of_output(0).shape, Shape({1, 2, 4, 1}));
    return unpool.Run();
  };
  EXPECT_THAT(run({0, 7}), IsOk());
  EXPECT_THAT(run({0, 8}), HasStatus(StatusCode::kOutOfRange, "holds 8"));
  EXPECT_THAT(run({-1, 0}), HasStatus(StatusCode::kOutOfRange, "holds -1"));
}

}  // namespace
}  // namespace arenalite
