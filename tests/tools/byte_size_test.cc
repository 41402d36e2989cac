#include "tools/byte_size.h"

#include <gtest/gtest.h>

#include "tools/command_error.h"

namespace arenalite {
namespace {

TEST(ParseByteSize, KnowsTheUnits) {
  const struct {
    const char* text;
    int64_t bytes;
  } kCases[] = {{"0", 0},          {"65536", 65536},     {"65536B", 65536},
                {"64K", 65536},    {"64k", 65536},       {"64Ki", 65536},
                {"64KiB", 65536},  {"64kB", 64000},      {"64KB", 64000},
                {"1M", 1048576},   {"1MiB", 1048576},    {"1MB", 1000000},
                {"2G", 1LL << 31}, {"2GB", 2000000000LL}};
  for (const auto& test : kCases) {
    EXPECT_EQ(ParseByteSize(test.text), test.bytes) << test.text;
  }
}

TEST(ParseByteSize, RefusesEverythingElse) {
  for (const char* text :
       {"", "K", "-1", "64 K", "64X", "64KiBs", "1.5M", "0x10", "64KK",
        "9223372036854775808", "9007199254740992K", "Inf"}) {
    EXPECT_THROW(ParseByteSize(text), CommandError) << text;
  }
  EXPECT_EQ(ParseByteSize("9007199254740991K"), 9007199254740991LL * 1024);
}

}  // namespace
}  // namespace arenalite
