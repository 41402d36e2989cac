#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

template <class Out, class In>
std::vector<Out> Cast(const std::vector<In>& in) {
  OpRunner runner(ops::kCast);
  runner.AddInput<In>({static_cast<int32_t>(in.size())}, in);
  runner.AddOutput(TensorTypeOf<Out>::kValue);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<Out>(0);
}

constexpr float kInf = std::numeric_limits<float>::infinity();

template <class T>
void ExpectSaturates() {
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(Cast<T>(std::vector<float>{kInf, -kInf, NAN, 1e30f, -1e30f}),
            (std::vector<T>{Limits::max(), Limits::min(), Limits::max(),
                            Limits::max(), Limits::min()}));
  EXPECT_EQ(
      Cast<T>(std::vector<double>{1e300, -1e300, NAN, 2.9, 100.5}),
      (std::vector<T>{Limits::max(), Limits::min(), Limits::max(), 2, 100}));
}

TEST(Cast, RealsSaturateAndTruncate) {
  ExpectSaturates<int8_t>();
  ExpectSaturates<uint8_t>();
  ExpectSaturates<int16_t>();
  ExpectSaturates<uint16_t>();
  ExpectSaturates<int32_t>();
  ExpectSaturates<uint32_t>();
  ExpectSaturates<int64_t>();
  EXPECT_EQ(Cast<int32_t>(std::vector<float>{-2.9f, -0.5f, 2147483520.0f}),
            (std::vector<int32_t>{-2, 0, 2147483520}));
  EXPECT_EQ(Cast<int32_t>(std::vector<double>{2147483646.7, -2147483648.5}),
            (std::vector<int32_t>{2147483646, INT32_MIN}));
}

TEST(Cast, IntegersWrap) {
  EXPECT_EQ(Cast<uint8_t>(std::vector<int32_t>{256, -1, 300}),
            (std::vector<uint8_t>{0, 255, 44}));
  EXPECT_EQ(Cast<int32_t>(std::vector<uint32_t>{0xFFFFFFFFu, 7}),
            (std::vector<int32_t>{-1, 7}));
  EXPECT_EQ(Cast<float>(std::vector<int64_t>{(int64_t{1} << 24) + 1, -3}),
            (std::vector<float>{16777216.0f, -3.0f}));
}

TEST(Cast, KnowsTruth) {
  EXPECT_EQ(Cast<int8_t>(std::vector<float>{0.25f, -0.0f, NAN}),
            (std::vector<int8_t>{0, 0, 127}));
  OpRunner runner(ops::kCast);
  runner.AddInput<float>({4}, {0.25f, -0.0f, NAN, 0.0f});
  runner.AddOutput(TensorType::kBool);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0), (std::vector<uint8_t>{1, 0, 1, 0}));
}

TEST(Cast, PacksAndUnpacksSubByteTypes) {
  OpRunner pack(ops::kCast);
  pack.AddInput<float>({5}, {-9.5f, 1.9f, -1.9f, 7.0f, NAN});
  pack.AddOutput(TensorType::kInt4);
  ASSERT_THAT(pack.PrepareAndRun(), IsOk());
  EXPECT_EQ(pack.output<uint8_t>(0), (std::vector<uint8_t>{0x18, 0x7F, 0x07}));

  OpRunner unpack(ops::kCast);
  unpack.AddInputBytes(TensorType::kInt4, {5}, {0x18, 0x7F, 0x07}, {}, {}, 0,
                       false);
  unpack.AddOutput(TensorType::kInt16);
  ASSERT_THAT(unpack.PrepareAndRun(), IsOk());
  EXPECT_EQ(unpack.output<int16_t>(0), (std::vector<int16_t>{-8, 1, -1, 7, 7}));
}

TEST(Cast, RefusesTypesWithoutNumbers) {
  OpRunner runner(ops::kCast);
  runner.AddInput<float>({1}, {1});
  runner.AddOutput(TensorType::kResource);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kUnimplemented,
                                          "casts FLOAT32 to RESOURCE"));
}

TEST(Cast, OverlapHoldsAndIsTight) {
  constexpr TensorType kTypes[] = {
      TensorType::kBool,    TensorType::kInt8,    TensorType::kInt16,
      TensorType::kInt32,   TensorType::kInt64,   TensorType::kFloat16,
      TensorType::kFloat32, TensorType::kFloat64, TensorType::kComplex64};
  std::mt19937 random(11);
  int caught = 0;
  for (const TensorType in : kTypes) {
    for (const TensorType out : kTypes) {
      OpRunner runner(ops::kCast);
      runner.AddRandomInput(in, {static_cast<int32_t>(random() % 900 + 1)},
                            random);
      runner.AddOutput(out);
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      CheckOverlapContract(runner, 1, 1, random, &caught);
    }
  }
  EXPECT_GT(caught, 40);
}

}  // namespace
}  // namespace arenalite
