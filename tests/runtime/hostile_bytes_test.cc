// Whatever a file holds, planning and running it ends in a result or in an
// error that says something. Run it under sanitizers: they see what the
// assertions cannot.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

#include "testing/matchers.h"
#include "testing/model_fields.h"
#include "testing/run_bytes.h"
#include "testing/seed_models.h"
#include "writer/prng.h"

namespace arenalite {
namespace testing {
namespace {

using Bytes = std::vector<uint8_t>;

void PlanAndRun(const Bytes& file) {
  for (const RunDepth depth : {RunDepth::kPlan, RunDepth::kInvoke}) {
    const Status status = RunBytes(Span<const uint8_t>(file), depth);
    EXPECT_TRUE(status.ok() || status.message()[0] != '\0');
    EXPECT_NE(status.code(), StatusCode::kInternal) << status.message();
  }
}

class HostileBytes : public ::testing::TestWithParam<SeedModel> {};

TEST_P(HostileBytes, TheSeedItselfPlans) {
  EXPECT_THAT(RunBytes(Span<const uint8_t>(GetParam().file), RunDepth::kPlan),
              IsOk());
}

// Every aligned word of a small file, 200 of a larger one.
TEST_P(HostileBytes, WordsMayBeWrong) {
  Bytes file = GetParam().file;
  std::mt19937 random(1);
  const size_t words = file.size() / 4;
  const size_t stride = words / 200 + 1;
  for (size_t word = random() % stride; word < words; word += stride) {
    uint32_t right;
    std::memcpy(&right, &file[4 * word], 4);
    for (const uint32_t wrong : {0u, 1u, 3u, 0x7FFFFFFFu, 0xFFFFFFFFu,
                                 static_cast<uint32_t>(random()) % 64}) {
      std::memcpy(&file[4 * word], &wrong, 4);
      PlanAndRun(file);
    }
    std::memcpy(&file[4 * word], &right, 4);
  }
}

TEST_P(HostileBytes, SeveralBytesMayBeWrong) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    Bytes file = GetParam().file;
    for (unsigned k = 1 + random() % 4; k > 0; --k) {
      file[random() % file.size()] =
          static_cast<uint8_t>(random() % 2 == 0 ? random() % 12 : random());
    }
    PlanAndRun(file);
  }
}

INSTANTIATE_TEST_SUITE_P(Seed, HostileBytes, ::testing::ValuesIn(SeedModels()),
                         [](const auto& seed) { return seed.param.name; });

class HostileFields : public ::testing::TestWithParam<SeedModel> {
 protected:
  Bytes file_ = GetParam().file;
  const std::vector<ModelField> fields_ =
      ModelFields(Span<const uint8_t>(file_));
};

TEST_P(HostileFields, OneMayBeExtreme) {
  ASSERT_FALSE(fields_.empty());
  for (const ModelField& field : fields_) {
    const uint64_t right = GetField(file_, field);
    for (const uint64_t wrong : ExtremeValues(field.bytes)) {
      SCOPED_TRACE(field.path + " = " + std::to_string(wrong));
      SetField(file_, field, wrong);
      PlanAndRun(file_);
    }
    SetField(file_, field, right);
  }
}

// Lengths stay right: most others end the file at once.
TEST_P(HostileFields, SeveralMayBeExtreme) {
  std::vector<ModelField> numbers;
  std::copy_if(fields_.begin(), fields_.end(), std::back_inserter(numbers),
               [](const auto& field) {
                 return field.path.find(".size") == std::string::npos;
               });
  Prng prng(1);
  for (int round = 0; round < 3000; ++round) {
    Bytes file = file_;
    for (int k = prng.Between(2, 4); k > 0; --k) {
      const ModelField& field = prng.AnyOf(numbers);
      SetField(file, field, prng.AnyOf(ExtremeValues(field.bytes)));
    }
    PlanAndRun(file);
  }
}

INSTANTIATE_TEST_SUITE_P(Seed, HostileFields, ::testing::ValuesIn(SeedModels()),
                         [](const auto& seed) { return seed.param.name; });

}  // namespace
}  // namespace testing
}  // namespace arenalite
