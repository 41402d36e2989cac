#include "base/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace arenalite {
namespace {

// The value by the definition of the format.
double Binary16(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  const double value = exponent == 0
                           ? std::ldexp(fraction, -24)
                           : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

TEST(Float16, EveryFiniteValueWidensExactlyAndComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7C00) == 0x7C00) continue;
    Float16 half;
    half.bits = static_cast<uint16_t>(bits);
    const float value = static_cast<float>(half);
    ASSERT_EQ(value, Binary16(bits)) << bits;
    ASSERT_EQ(Float16(value).bits, bits);
  }
}

TEST(Float16, RoundsToNearestWithTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const auto middle =
        static_cast<float>((Binary16(bits) + Binary16(bits + 1)) / 2);
    const uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(Float16(middle).bits, even);
    ASSERT_EQ(Float16(std::nextafter(middle, 0.0f)).bits, bits);
    ASSERT_EQ(Float16(std::nextafter(middle, 1e9f)).bits, bits + 1);
    ASSERT_EQ(Float16(-middle).bits, even | 0x8000);
  }
}

TEST(Float16, LeavesTheRangeAsInfinity) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Float16(65519.0f).bits, 0x7BFF);
  EXPECT_EQ(Float16(65520.0f).bits, 0x7C00);
  EXPECT_EQ(Float16(-kInfinity).bits, 0xFC00);
  EXPECT_EQ(static_cast<float>(Float16(kInfinity)), kInfinity);
  EXPECT_TRUE(std::isnan(static_cast<float>(Float16(std::nanf("")))));
}

TEST(BFloat16, RoundsToNearestWithTiesToEven) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3F80);
  EXPECT_EQ(BFloat16(FloatFromBits(0x3F808000)).bits, 0x3F80);
  EXPECT_EQ(BFloat16(FloatFromBits(0x3F808001)).bits, 0x3F81);
  EXPECT_EQ(BFloat16(FloatFromBits(0x3F818000)).bits, 0x3F82);
  EXPECT_EQ(static_cast<float>(BFloat16(-2.5f)), -2.5f);
  EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
}

}  // namespace
}  // namespace arenalite
