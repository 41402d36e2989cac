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
  bool bilinear = true;
  bool align_corners = false;
  bool half_pixel_centers = false;
};

void SetOptions(const Config& c, OpRunner* runner) {
  if (c.bilinear) {
    runner->SetOptions(schema::BuiltinOptions_ResizeBilinearOptions,
                       [&](auto& b) {
                         return schema::CreateResizeBilinearOptions(
                             b, c.align_corners, c.half_pixel_centers);
                       });
  } else {
    runner->SetOptions(schema::BuiltinOptions_ResizeNearestNeighborOptions,
                       [&](auto& b) {
                         return schema::CreateResizeNearestNeighborOptions(
                             b, c.align_corners, c.half_pixel_centers);
                       });
  }
}

const OpDefinition& Definition(const Config& c) {
  return c.bilinear ? ops::kResizeBilinear : ops::kResizeNearestNeighbor;
}

// A row of T, stretched to `width`.
template <class T>
std::vector<T> Stretch(const Config& c, const std::vector<T>& row, int width) {
  OpRunner runner(Definition(c), 3);
  SetOptions(c, &runner);
  runner.AddInput<T>({1, 1, static_cast<int32_t>(row.size()), 1}, row);
  runner.AddConstant<int32_t>({2}, {1, width});
  runner.AddOutput(runner.tensor_of_input(0).type);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<T>(0);
}

TEST(ResizeBilinear, PlacesTheCenters) {
  const std::vector<float> row = {0, 10};
  EXPECT_EQ(Stretch(Config{}, row, 4), (std::vector<float>{0, 5, 10, 10}));
  EXPECT_EQ(Stretch(Config{true, true, false}, row, 5),
            (std::vector<float>{0, 2.5f, 5, 7.5f, 10}));
  EXPECT_EQ(Stretch(Config{true, false, true}, row, 4),
            (std::vector<float>{0, 2.5f, 7.5f, 10}));
  EXPECT_EQ(Stretch(Config{}, row, 1), (std::vector<float>{0}));
}

TEST(ResizeBilinear, RoundsIntegersToNearest) {
  EXPECT_EQ(Stretch<int8_t>(Config{true, true, false}, {-128, 127}, 3),
            (std::vector<int8_t>{-128, -1, 127}));
  EXPECT_EQ(Stretch<uint8_t>(Config{true, true, false}, {0, 255}, 3),
            (std::vector<uint8_t>{0, 128, 255}));
  EXPECT_EQ(Stretch<int16_t>(Config{true, true, false}, {-32768, 32767}, 3),
            (std::vector<int16_t>{-32768, -1, 32767}));
}

// The fixed-point scale is rounded up to twice the true one: positions run past
// the last input pixel and must stay on it.
TEST(ResizeBilinear, StaysInsideWhereTheScaleIsRoundedUp) {
  const std::vector<int8_t> stretched = Stretch<int8_t>(Config{}, {1, 2}, 4096);
  EXPECT_EQ(stretched.front(), 1);
  EXPECT_EQ(stretched.back(), 2);
}

TEST(ResizeNearestNeighbor, CopiesTheNearestPixel) {
  const std::vector<int8_t> row = {1, 2, 3};
  EXPECT_EQ(Stretch(Config{false, false, false}, row, 5),
            (std::vector<int8_t>{1, 1, 2, 2, 3}));
  EXPECT_EQ(Stretch(Config{false, true, false}, row, 5),
            (std::vector<int8_t>{1, 2, 2, 3, 3}));
  EXPECT_EQ(Stretch(Config{false, false, true}, row, 2),
            (std::vector<int8_t>{1, 3}));
}

TEST(Resize, KeepsItsOverlapContract) {
  std::mt19937 random(8);
  int caught = 0;
  for (int i = 0; i < 300; ++i) {
    Config c;
    c.bilinear = i % 2 == 0;
    c.align_corners = i % 3 == 0;
    c.half_pixel_centers = i % 3 == 1;
    OpRunner runner(Definition(c), 3);
    SetOptions(c, &runner);
    constexpr TensorType kTypes[] = {TensorType::kFloat32, TensorType::kInt8,
                                     TensorType::kUInt8, TensorType::kInt16};
    const TensorType type = kTypes[random() % 4];
    const auto dim = [&] { return 1 + static_cast<int32_t>(random() % 7); };
    const int32_t channels = random() % 4 == 0 ? 40 * dim() : dim();
    runner.AddRandomInput(
        type, {1 + static_cast<int32_t>(random() % 2), dim(), dim(), channels},
        random);
    runner.AddConstant<int32_t>({2}, {dim(), dim()});
    runner.AddOutput(type);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 100);
}

TEST(Resize, TakesASizeThatDataDecide) {
  for (bool bilinear : {true, false}) {
    Config c;
    c.bilinear = bilinear;
    OpRunner runner(Definition(c));
    SetOptions(c, &runner);
    runner.AddInput<float>({1, 1, 1, 2}, {3, 4});
    runner.AddInput<int32_t>({2}, {2, 1});
    runner.AddOutput(TensorType::kFloat32);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({1, 2, 1, 2}));
    EXPECT_EQ(runner.output<float>(0), (std::vector<float>{3, 4, 3, 4}));
  }
}

TEST(Resize, RefusesSizesBelowOne) {
  for (bool bilinear : {true, false}) {
    Config c;
    c.bilinear = bilinear;
    OpRunner runner(Definition(c));
    SetOptions(c, &runner);
    runner.AddInput<float>({1, 1, 1, 1}, {3});
    runner.AddConstant<int32_t>({2}, {2, -1});
    runner.AddOutput(TensorType::kFloat32);
    EXPECT_THAT(runner.Prepare(),
                HasStatus(StatusCode::kInvalidModel, "is [2,-1]"));
  }
}

}  // namespace
}  // namespace arenalite
