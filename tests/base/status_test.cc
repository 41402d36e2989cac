#include "arenalite/status.h"

#include <gtest/gtest.h>

#include <cmath>

#include "arenalite/array.h"

namespace arenalite {
namespace {

TEST(Status, SuccessHasNoMessage) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_STREQ(status.message(), "");
  EXPECT_EQ(status.code(), StatusCode::kOk);
}

TEST(Status, JoinsPartsOfAllKinds) {
  const int32_t dims[] = {1, -2, 3};
  Status status = InvalidModelError("tensor ", 7, " '", "conv",
                                    "': ", Span<const int32_t>(dims), " ",
                                    int64_t{-5000000000}, " ", true);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_STREQ(status.message(), "tensor 7 'conv': [1,-2,3] -5000000000 true");
}

TEST(Status, PrintsFloatsWithSixDigits) {
  const auto text = [](double value) {
    return std::string(TextPiece(value).view());
  };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(1), "1");
  EXPECT_EQ(text(-1.5), "-1.5");
  EXPECT_EQ(text(0.0039215686), "0.00392157");
  EXPECT_EQ(text(123456), "123456");
  EXPECT_EQ(text(1200000), "1200000");
  EXPECT_EQ(text(9.9999999), "10");
  EXPECT_EQ(text(1e-12), "1e-12");
  EXPECT_EQ(text(1.25e30), "1.25e+30");
  EXPECT_EQ(text(HUGE_VAL), "inf");
}

TEST(Status, PrefixAndCloneKeepTheCode) {
  Status status = NotFoundError("b").WithPrefix({"a", ": "});
  Status clone = status.Clone();
  EXPECT_STREQ(clone.message(), "a: b");
  EXPECT_EQ(clone.code(), StatusCode::kNotFound);
}

Result<Array<int>> MakeArray(bool fail) {
  if (fail) return ResourceExhaustedError("no");
  return Array<int>::Create(3);
}

Status UseArray(bool fail, size_t* size) {
  ARENALITE_ASSIGN_OR_RETURN(Array<int> array, MakeArray(fail));
  *size = array.size();
  return OkStatus();
}

TEST(Result, CarriesValueOrError) {
  size_t size = 0;
  EXPECT_TRUE(UseArray(false, &size).ok());
  EXPECT_EQ(size, 3u);
  EXPECT_EQ(UseArray(true, &size).code(), StatusCode::kResourceExhausted);
}

TEST(Array, GrowsAndMoves) {
  Array<Array<int>> outer;
  for (int i = 0; i < 100; ++i) {
    Array<int> inner;
    ASSERT_TRUE(inner.Append(i).ok());
    ASSERT_TRUE(outer.Append(std::move(inner)).ok());
  }
  ASSERT_TRUE(outer.Resize(50).ok());
  EXPECT_EQ(outer.size(), 50u);
  EXPECT_EQ(outer[49][0], 49);
}

TEST(Array, RefusesAbsurdSizes) {
  Array<int64_t> array;
  EXPECT_EQ(array.Resize(SIZE_MAX / 4).code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(array.empty());
}

}  // namespace
}  // namespace arenalite
