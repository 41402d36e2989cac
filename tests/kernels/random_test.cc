// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL and
// STABLEHLO_RNG_BIT_GENERATOR.

#include <gtest/gtest.h>

#include <cmath>

#include "arenalite/builtin_ops.h"
#include "kernels/philox.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

// Known answers of the authors' Random123 library.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(Philox({0, 0, 0, 0}, {0, 0}),
            (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(Philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Threefry({0, 0}, {0, 0}), (Words2{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(Threefry({kOnes, kOnes}, {kOnes, kOnes}),
            (Words2{0x1cb996fc, 0xbb002be7}));
}

TEST(Philox, SkippingIsDrawing) {
  PhiloxStream drawn(7, 9);
  PhiloxStream skipped = drawn;
  for (int i = 0; i < 5; ++i) drawn.Next();
  skipped.Skip(5);
  EXPECT_EQ(drawn.Next(), skipped.Next());
  // A counter carries into its high half.
  PhiloxStream wrapped(7, 9);
  wrapped.Skip(UINT64_MAX);
  wrapped.Skip(1);
  EXPECT_EQ(wrapped.Next(), PhiloxStream(7, 10).Next());
}

void SetSeeds(OpRunner& runner, int64_t seed, int64_t seed2) {
  runner.SetOptions(schema::BuiltinOptions_RandomOptions, [=](auto& b) {
    return schema::CreateRandomOptions(b, seed, seed2);
  });
}

std::vector<float> Draw(const OpDefinition& op, int32_t count, int64_t seed,
                        int runs = 1) {
  OpRunner runner(op);
  runner.AddConstant<int32_t>({2}, {count, 1});
  runner.AddOutput(TensorType::kFloat32);
  SetSeeds(runner, seed, 0);
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  for (int i = 1; i < runs; ++i) EXPECT_THAT(runner.Run(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({count, 1}));
  return runner.output<float>(0);
}

TEST(Random, SeedsDecide) {
  for (const OpDefinition* op :
       {&ops::kRandomUniform, &ops::kRandomStandardNormal}) {
    EXPECT_EQ(Draw(*op, 7, 1), Draw(*op, 7, 1));
    EXPECT_NE(Draw(*op, 7, 1), Draw(*op, 7, 2));
    EXPECT_NE(Draw(*op, 7, 1, 1), Draw(*op, 7, 1, 2));
    EXPECT_TRUE(Draw(*op, 0, 1).empty());
  }
}

TEST(Random, DistributionsHaveTheirMoments) {
  const auto check = [](const std::vector<float>& x, double mean, double var) {
    double sum = 0;
    double squares = 0;
    for (const float v : x) {
      sum += v;
      squares += (v - mean) * (v - mean);
    }
    const auto n = static_cast<double>(x.size());
    EXPECT_NEAR(sum / n, mean, 0.02);
    EXPECT_NEAR(squares / n, var, 0.03);
  };
  const auto uniform = Draw(ops::kRandomUniform, 20000, 3);
  check(uniform, 0.5, 1.0 / 12);
  for (const float x : uniform) EXPECT_TRUE(x >= 0 && x < 1);
  check(Draw(ops::kRandomStandardNormal, 20000, 3), 0.0, 1.0);
}

TEST(Random, ShapesOfTheRunMakeDynamicOutputs) {
  OpRunner runner(ops::kRandomUniform);
  runner.AddInput<int32_t>({1}, {6});
  runner.AddOutput(TensorType::kFloat32);
  SetSeeds(runner, 1, 2);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.tensor_of_output(0).shape, Shape({6}));
  runner.tensor_of_input(0).data_as<int32_t>()[0] = -6;
  EXPECT_FALSE(runner.Run().ok());
}

TEST(Multinomial, FollowsTheLogits) {
  OpRunner runner(ops::kMultinomial);
  const float never = -std::numeric_limits<float>::infinity();
  runner.AddInput<float>({2, 3}, {std::log(0.2f), never, std::log(0.8f),  //
                                  500, 500, -500});
  runner.AddConstant<int32_t>({}, {8000});
  runner.AddOutput(TensorType::kInt64);
  SetSeeds(runner, 5, 6);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  const auto out = runner.output<int64_t>(0);
  ASSERT_EQ(out.size(), 16000u);
  const auto count = [&](int row, int64_t label) {
    const auto first = out.begin() + row * 8000;
    return static_cast<double>(std::count(first, first + 8000, label));
  };
  EXPECT_NEAR(count(0, 0) / 8000, 0.2, 0.02);
  EXPECT_EQ(count(0, 1), 0);
  EXPECT_NEAR(count(0, 2) / 8000, 0.8, 0.02);
  EXPECT_NEAR(count(1, 0) / 8000, 0.5, 0.02);
  EXPECT_NEAR(count(1, 1) / 8000, 0.5, 0.02);
}

TEST(Multinomial, StaysWithinTheClassesWithoutAFiniteLogit) {
  OpRunner runner(ops::kMultinomial);
  runner.AddInput<float>({1, 2}, {NAN, NAN});
  runner.AddConstant<int32_t>({}, {50});
  runner.AddOutput(TensorType::kInt32);
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  for (const int32_t label : runner.output<int32_t>(0)) {
    EXPECT_TRUE(label == 0 || label == 1);
  }
}

TEST(Multinomial, RefusesNegativeCounts) {
  OpRunner runner(ops::kMultinomial);
  runner.AddInput<float>({1, 2}, {0, 0});
  runner.AddConstant<int32_t>({}, {-1});
  runner.AddOutput(TensorType::kInt32);
  EXPECT_THAT(runner.Prepare(),
              HasStatus(StatusCode::kOutOfRange, "num_samples) is -1"));
}

std::vector<uint32_t> Words(OpRunner& runner, int count,
                            schema::RngAlgorithm algorithm) {
  runner.AddOutput(TensorType::kUInt64);
  runner.AddOutput(TensorType::kUInt32);
  runner.tensor_of_output(1).shape = Shape({count});
  runner.SetOptions2(
      schema::BuiltinOptions2_StablehloRngBitGeneratorOptions, [=](auto& b) {
        return schema::CreateStablehloRngBitGeneratorOptions(b, algorithm);
      });
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<uint32_t>(1);
}

TEST(RngBitGenerator, CountsOnFromItsState) {
  OpRunner philox(ops::kStablehloRngBitGenerator);
  philox.AddInput<uint64_t>({3}, {0, 0xffffffff, 3});
  auto words = Words(philox, 6, schema::RngAlgorithm_PHILOX);
  const Words4 first = Philox({0xffffffff, 0, 3, 0}, {0, 0});
  const Words4 second = Philox({0, 1, 3, 0}, {0, 0});
  EXPECT_EQ(words, (std::vector<uint32_t>{first[0], first[1], first[2],
                                          first[3], second[0], second[1]}));
  EXPECT_EQ(philox.output<uint64_t>(0),
            (std::vector<uint64_t>{0, 0x100000001, 3}));

  OpRunner threefry(ops::kStablehloRngBitGenerator);
  threefry.AddInput<uint64_t>({2}, {0x500000004, 7});
  words = Words(threefry, 3, schema::RngAlgorithm_THREEFRY);
  const Words2 a = Threefry({7, 0}, {4, 5});
  const Words2 b = Threefry({8, 0}, {4, 5});
  EXPECT_EQ(words, (std::vector<uint32_t>{a[0], a[1], b[0]}));
  EXPECT_EQ(threefry.output<uint64_t>(0),
            (std::vector<uint64_t>{0x500000004, 9}));
}

TEST(RngBitGenerator, RefusesStatesOfOtherSizes) {
  OpRunner runner(ops::kStablehloRngBitGenerator);
  runner.AddInput<uint64_t>({4}, {0, 0, 0, 0});
  runner.AddOutput(TensorType::kUInt64);
  runner.AddOutput(TensorType::kUInt32);
  EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kInvalidModel,
                                          "allowed UINT64 [2] or [3]"));
}

TEST(RngBitGenerator, OverlapHolds) {
  std::mt19937 random(1);
  int caught = 0;
  for (const int32_t count : {1, 2, 5, 16}) {
    OpRunner runner(ops::kStablehloRngBitGenerator);
    runner.AddInput<uint64_t>({3}, {1, 2, 3});
    ASSERT_EQ(Words(runner, count, schema::RngAlgorithm_DEFAULT).size(),
              static_cast<size_t>(count));
    testing::CheckOverlapContract(runner, 1, 2, random, &caught);
  }
}

}  // namespace
}  // namespace arenalite
