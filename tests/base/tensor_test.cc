#include "arenalite/tensor.h"

#include <gtest/gtest.h>

#include "base/checked_math.h"

namespace arenalite {
namespace {

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape().NumElements(), 1);
  EXPECT_EQ(Shape({2, 3, 4}).NumElements(), 24);
  EXPECT_EQ(Shape({2, 0, 4}).NumElements(), 0);
  EXPECT_EQ(Shape({2, 3, 4}).NumElements(1, 3), 12);
}

TEST(Shape, RefusesWhatNoTensorCanHave) {
  const int32_t negative[] = {2, -1};
  EXPECT_FALSE(Shape::Create(negative).ok());
  const int32_t deep[9] = {};
  EXPECT_EQ(Shape::Create(deep).code(), StatusCode::kUnimplemented);
  const int32_t huge[] = {INT32_MAX, INT32_MAX, INT32_MAX};
  EXPECT_FALSE(Shape::Create(huge).ok());
  const int32_t hidden[] = {INT32_MAX, INT32_MAX, INT32_MAX, 0};
  EXPECT_FALSE(Shape::Create(hidden).ok());
}

TEST(TensorBytes, KnowsTypesAndOverflow) {
  EXPECT_EQ(*TensorBytes(TensorType::kFloat32, Shape({2, 3})), 24);
  EXPECT_EQ(*TensorBytes(TensorType::kInt4, Shape({3})), 2);
  EXPECT_EQ(*TensorBytes(TensorType::kInt2, Shape({5})), 2);
  EXPECT_EQ(*TensorBytes(TensorType::kComplex64, Shape()), 8);
  EXPECT_FALSE(TensorBytes(TensorType::kString, Shape()).ok());
  EXPECT_FALSE(
      TensorBytes(TensorType::kInt64, Shape({INT32_MAX, INT32_MAX})).ok());
  EXPECT_EQ(*TensorBytes(TensorType::kInt64, Shape({0, INT32_MAX, INT32_MAX})),
            0);
  EXPECT_FALSE(TensorBytes(TensorType::kInt64,
                           Shape({0, INT32_MAX, INT32_MAX, INT32_MAX}))
                   .ok());
}

TEST(CheckedMath, AlignsUp) {
  EXPECT_EQ(AlignUp(100, 16), 112);
  int64_t result = 0;
  EXPECT_FALSE(CheckedAlignUp(INT64_MAX - 3, 16, &result));
}

}  // namespace
}  // namespace arenalite
