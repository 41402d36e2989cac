// Matchers for Status and Result.

#ifndef ARENALITE_TESTS_TESTING_MATCHERS_H_
#define ARENALITE_TESTS_TESTING_MATCHERS_H_

#include <gmock/gmock.h>

#include "arenalite/status.h"

namespace arenalite {
namespace testing {

// EXPECT_THAT(StatusOrResult, IsOk())
MATCHER(IsOk, "") {
  if (arg.ok()) return true;
  *result_listener << StatusCodeName(arg.code()) << ": " << arg.message();
  return false;
}

// EXPECT_THAT(StatusOrResult, HasStatus(StatusCode::kNotFound, "part of text"))
MATCHER_P2(HasStatus, code, text, "") {
  *result_listener << StatusCodeName(arg.code()) << ": " << arg.message();
  return arg.code() == code &&
         std::string(arg.message()).find(text) != std::string::npos;
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_MATCHERS_H_
