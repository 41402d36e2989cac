#include "conformance/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace arenalite {
namespace conformance {
namespace {

template <class T>
CaseTensor Make(const std::vector<T>& values) {
  CaseTensor tensor;
  tensor.type = TensorTypeOf<T>::kValue;
  tensor.dims = {static_cast<int32_t>(values.size())};
  tensor.data.resize(values.size() * sizeof(T));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

RunResult Done(const CaseTensor& output) {
  RunResult result;
  result.stage = RunStage::kDone;
  result.outputs = {output};
  return result;
}

TEST(Compare, AllowsFloatsAPartOfTheRange) {
  const CaseTensor expected = Make<float>({100.0f, 0.0f, NAN, INFINITY});
  const auto with = [](float value) {
    return Make<float>({100.0f, value, NAN, INFINITY});
  };
  EXPECT_EQ(Compare(expected, with(0.0009f), {}), "");
  EXPECT_NE(Compare(expected, with(0.0011f), {}), "");
  EXPECT_NE(Compare(expected, with(NAN), {}), "");
  EXPECT_NE(Compare(expected, Make<float>({100.0f, 0.0f, 1.0f, INFINITY}), {}),
            "");
  EXPECT_NE(Compare(expected, Make<float>({100.0f, 0.0f, NAN, 1.0f}), {}), "");
  Tolerance loose;
  loose.absolute = 0.01;
  EXPECT_EQ(Compare(expected, with(0.0099f), loose), "");
}

TEST(Compare, WantsIntegersExactUnlessToldOtherwise) {
  const CaseTensor expected = Make<int8_t>({1, 2});
  EXPECT_NE(Compare(expected, Make<int8_t>({1, 3}), {}), "");
  Tolerance step;
  step.steps = 1;
  EXPECT_EQ(Compare(expected, Make<int8_t>({2, 1}), step), "");
  EXPECT_NE(Compare(expected, Make<int8_t>({3, 2}), step), "");
  EXPECT_NE(
      Compare(Make<int64_t>({INT64_MIN}), Make<int64_t>({INT64_MAX}), step),
      "");
}

TEST(Compare, WantsTypeAndShape) {
  EXPECT_NE(Compare(Make<int8_t>({1}), Make<uint8_t>({1}), {}), "");
  CaseTensor flat = Make<int8_t>({1});
  flat.dims = {1, 1};
  EXPECT_NE(Compare(Make<int8_t>({1}), flat, {}), "");
}

TEST(JudgeCase, WantsARefusalWhereTheReferenceRefuses) {
  Case c;
  c.status = CaseStatus::kInvokeError;
  EXPECT_EQ(JudgeCase(c, "index out of bounds", Done(Make<float>({1}))).verdict,
            Verdict::kWrong);
  EXPECT_EQ(
      JudgeCase(c, "Type INT8 is unsupported by op Add", Done(Make<float>({1})))
          .verdict,
      Verdict::kPass);
  RunResult refused;
  refused.stage = RunStage::kAllocate;
  refused.code = StatusCode::kInvalidModel;
  EXPECT_EQ(JudgeCase(c, "index out of bounds", refused).verdict,
            Verdict::kPass);
}

TEST(JudgeCase, TellsUnsupportedFromError) {
  Case c;
  RunResult result;
  result.code = StatusCode::kUnimplemented;
  EXPECT_EQ(JudgeCase(c, "", result).verdict, Verdict::kUnsupported);
  result.code = StatusCode::kInternal;
  EXPECT_EQ(JudgeCase(c, "", result).verdict, Verdict::kError);
}

TEST(JudgeCase, HonoursFlagsAndAlternatives) {
  Case c;
  c.outputs = {Make<float>({1.0f})};
  const RunResult other = Done(Make<float>({1.25f}));
  EXPECT_EQ(JudgeCase(c, "", other).verdict, Verdict::kWrong);
  c.alternative = {Make<float>({1.5f})};
  EXPECT_EQ(JudgeCase(c, "", other).verdict, Verdict::kPass);
  c.alternative.clear();
  c.flags = kCaseOnlyShapes;
  EXPECT_EQ(JudgeCase(c, "", other).verdict, Verdict::kPass);
}

TEST(ReadCases, RefusesACutFile) {
  const std::string path = ::testing::TempDir() + "cut.cases";
  std::ofstream(path, std::ios::binary) << "OPCASES1" << '\1' << '\0' << "xx";
  std::string error;
  EXPECT_TRUE(ReadCases(path, &error).empty());
  EXPECT_NE(error, "");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace conformance
}  // namespace arenalite
