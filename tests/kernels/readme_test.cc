// The README's operator table names every operator there is.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "kernels/builtin_table.h"

namespace arenalite {
namespace {

TEST(Readme, NamesEveryOperator) {
  std::ifstream file(ARENALITE_SOURCE_FOLDER "/README.md");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_GT(text.str().size(), 0u);
  for (const OpDefinition* definition : BuiltinOps()) {
    const std::regex name("[ :]" + std::string(definition->name) + "[, ]");
    EXPECT_TRUE(std::regex_search(text.str(), name)) << definition->name;
  }
}

}  // namespace
}  // namespace arenalite
