#include <gtest/gtest.h>

#include <complex>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;
using Complex = std::complex<double>;

// One output by the definition, of a matrix cut or padded to the lengths.
Complex Plain(const float* in, int rows, int cols, int height, int width, int u,
              int v) {
  Complex sum = 0;
  for (int r = 0; r < std::min(rows, height); ++r) {
    for (int c = 0; c < std::min(cols, width); ++c) {
      const double turns = static_cast<double>(u * r) / height +
                           static_cast<double>(v * c) / width;
      sum += static_cast<double>(in[r * cols + c]) *
             std::polar(1.0, -2 * M_PI * turns);
    }
  }
  return sum;
}

void CheckTransform(OpRunner& runner, int height, int width) {
  const Tensor& input = runner.tensor_of_input(0);
  const Tensor& output = runner.tensor_of_output(0);
  const int rows = input.shape.dim_from_end(1);
  const int cols = input.shape.dim_from_end(0);
  const int64_t matrices = input.shape.NumElements() / (rows * cols);
  ASSERT_EQ(output.bytes, matrices * height * (width / 2 + 1) * 8);
  const auto* actual = output.data_as<float>();
  for (int64_t m = 0; m < matrices; ++m) {
    const auto* in = input.data_as<float>() + m * rows * cols;
    for (int u = 0; u < height; ++u) {
      for (int v = 0; v < width / 2 + 1; ++v, actual += 2) {
        const Complex expected = Plain(in, rows, cols, height, width, u, v);
        ASSERT_NEAR(actual[0], expected.real(), 1e-4) << m << u << v;
        ASSERT_NEAR(actual[1], expected.imag(), 1e-4) << m << u << v;
      }
    }
  }
}

// Every pair of lengths up to 32, on matrices that are cut, padded or neither.
TEST(Rfft2d, FollowsTheDefinition) {
  std::mt19937 random(1);
  for (int height = 1; height <= 32; height *= 2) {
    for (int width = 1; width <= 32; width *= 2) {
      OpRunner runner(ops::kRfft2d);
      const auto size = [&](int length) {
        const uint32_t kind = random() % 3;
        return kind == 0 ? length : static_cast<int32_t>(random() % 40u + 1u);
      };
      const Shape shape = {static_cast<int32_t>(random() % 3 + 1), size(height),
                           size(width)};
      runner.AddRandomInput(TensorType::kFloat32, shape, random);
      runner.AddConstant<int32_t>({2}, {height, width});
      runner.AddOutput(TensorType::kComplex64);
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      CheckTransform(runner, height, width);
    }
  }
}

TEST(Rfft2d, TakesLengthsOfTheRun) {
  std::mt19937 random(2);
  OpRunner runner(ops::kRfft2d);
  runner.AddRandomInput(TensorType::kFloat32, {3, 5}, random);
  runner.AddInput<int32_t>({2}, {4, 8});
  runner.AddOutput(TensorType::kComplex64);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  CheckTransform(runner, 4, 8);
  runner.tensor_of_input(1).data_as<int32_t>()[0] = 2;
  ASSERT_THAT(runner.Run(), IsOk());
  CheckTransform(runner, 2, 8);
}

// Cut, padded or neither; several matrices, whose outputs grow or shrink.
TEST(Rfft2d, OverlapHoldsAndIsTight) {
  std::mt19937 random(3);
  int caught = 0;
  for (int i = 0; i < 200; ++i) {
    const auto dim = [&] { return static_cast<int32_t>(random() % 9 + 1); };
    const Shape shape = {static_cast<int32_t>(random() % 3 + 1), dim(), dim()};
    OpRunner runner(ops::kRfft2d);
    runner.AddRandomInput(TensorType::kFloat32, shape, random);
    runner.AddConstant<int32_t>({2}, {1 << random() % 4, 1 << random() % 4});
    runner.AddOutput(TensorType::kComplex64);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 60);
}

TEST(Rfft2d, RefusesOtherLengths) {
  OpRunner runner(ops::kRfft2d);
  runner.AddInput<float>({1, 2}, {1, 2});
  runner.AddConstant<int32_t>({2}, {1, 6});
  runner.AddOutput(TensorType::kComplex64);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kUnimplemented,
                                          "[1,6], allowed powers of two"));
}

}  // namespace
}  // namespace arenalite
