#include "tools/text.h"

#include <gtest/gtest.h>

namespace arenalite {
namespace {

TEST(ElementText, KnowsEveryWidth) {
  const uint8_t bytes[] = {0xff, 0x80, 0x21, 0x43, 0x00, 0x00, 0x80, 0xbf};
  EXPECT_EQ(ElementText(TensorType::kInt8, bytes, 1), "-128");
  EXPECT_EQ(ElementText(TensorType::kUInt8, bytes, 1), "128");
  EXPECT_EQ(ElementText(TensorType::kBool, bytes, 4), "0");
  EXPECT_EQ(ElementText(TensorType::kInt16, bytes, 0), "-32513");
  EXPECT_EQ(ElementText(TensorType::kFloat32, bytes, 1), "-1 (0xbf800000)");
  EXPECT_EQ(ElementText(TensorType::kFloat16, bytes, 1), "0x4321");
  EXPECT_EQ(ElementText(TensorType::kInt4, bytes, 4), "0x1");
  EXPECT_EQ(ElementText(TensorType::kInt4, bytes, 5), "0x2");
  EXPECT_EQ(ElementText(TensorType::kComplex64, bytes, 0),
            "0xbf800000432180ff");
  // No element size: bytes.
  EXPECT_EQ(ElementText(TensorType::kString, bytes, 2), "0x21");
}

TEST(Format, GrowsAsNeeded) {
  const std::string long_text(5000, 'x');
  EXPECT_EQ(Format("%s%d", long_text.c_str(), 7), long_text + "7");
  EXPECT_EQ(Format("%s", ""), "");
}

}  // namespace
}  // namespace arenalite
