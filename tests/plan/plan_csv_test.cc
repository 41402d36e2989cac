#include "arenalite/plan_csv.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;

TEST(PlanCsvTest, ReadsColumnsInAnyOrder) {
  Result<PlanCsv> csv = ParsePlanCsv(
      "size, offset,id,upper,lower,alignment\r\n"
      "64,,a,5,2,16\r\n"
      "\n"
      "8,32,b,1,-1,\n");
  ASSERT_THAT(csv, IsOk());
  ASSERT_EQ(csv->requests.size(), 2u);
  EXPECT_EQ(csv->ids[0], "a");
  EXPECT_EQ(csv->requests[0].size, 64);
  EXPECT_EQ(csv->requests[0].first_step, 2);
  EXPECT_EQ(csv->requests[0].last_step, 4);
  EXPECT_EQ(csv->requests[0].alignment, 16);
  EXPECT_EQ(csv->requests[0].fixed_offset, -1);
  EXPECT_EQ(csv->requests[1].first_step, -1);
  EXPECT_EQ(csv->requests[1].alignment, 1);
  EXPECT_EQ(csv->requests[1].fixed_offset, 32);
}

TEST(PlanCsvTest, WritesWhatItReads) {
  const std::string text =
      "id,lower,upper,size,alignment,offset\n"
      "x,0,2,10,1,0\n"
      "y,1,2147483647,20,4,12\n";
  Result<PlanCsv> csv = ParsePlanCsv(text);
  ASSERT_THAT(csv, IsOk());
  const int64_t offsets[] = {0, 12};
  Result<Array<char>> out = WritePlanCsv(csv->ids, csv->requests, offsets);
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(std::string(out->data(), out->size()), text);
  EXPECT_THAT(WritePlanCsv(csv->ids, csv->requests, {}),
              HasStatus(StatusCode::kInvalidArgument, "0 offsets for 2"));
}

TEST(PlanCsvTest, NamesLineAndColumnOfAMistake) {
  const std::string kHeader = "id,lower,upper,size,alignment,offset\n";
  const struct {
    std::string text;
    const char* message;
  } kCases[] = {
      {"", "line 1: there is no header"},
      {"id,lower,size\n", "line 1: the column 'upper' is missing"},
      {"id,lower,upper,size,colour\n",
       "line 1, column 5: unknown column 'colour'"},
      {"id,lower,upper,size,lower\n", "line 1, column 5: a second column"},
      {kHeader + "a,0,1,8,1\n", "line 2: 5 cells, the header has 6"},
      {kHeader + "a,0,1,8,1,0,\n", "line 2: 7 cells, the header has 6"},
      {kHeader + "a,0,1,x,1,\n", "line 2, column 4 (size): 'x' is no whole"},
      {kHeader + "a,,1,8,1,\n", "line 2, column 2 (lower): '' is no whole"},
      {kHeader + "a,0,1,-8,1,\n", "line 2, column 4 (size): -8 is outside"},
      {kHeader + "a,0,1,9223372036854775808,1,\n",
       "line 2, column 4 (size): 9223372036854775808 is outside"},
      {kHeader + "a,0,1,1000000000000000000,1,\n" +
           "b,0,1,1000000000000000000,1,\n",
       "line 3, column 4 (size): with 1000000000000000000 the sum"},
      {kHeader + "a,0,2147483648,8,1,\n", "line 2, column 3 (upper)"},
      {kHeader + "a,2,2,8,1,\n",
       "line 2, column 3 (upper): 2 is not above the lower step, 2"},
      {kHeader + "a,0,1,8,12,\n",
       "line 2, column 5 (alignment): 12 is no power of two"},
      {kHeader + "a,0,1,8,0,\n", "line 2, column 5 (alignment): 0 is outside"},
      {kHeader + "a,0,1,8,2147483648,\n",
       "line 2, column 5 (alignment): 2147483648 is outside"},
      {kHeader + "a,0,1,8,1,-5\n", "line 2, column 6 (offset): -5 is outside"},
      {kHeader + "a,0,1,8,1,9223372036854775807\n",
       "line 2, column 6 (offset): 9223372036854775807 is outside"},
      {kHeader + "a,3,1,8,1,\n",
       "line 2, column 3 (upper): 1 is not above the lower step, 3"},
      {kHeader + "a,0,1,8,8,4\n",
       "line 2, column 6 (offset): 4 is no multiple"},
      {kHeader + "a,0,1,8,1,\nb,0,1,8,1,\n\na,0,1,8,1,\n",
       "line 5, column 1 (id): 'a' is the id of line 2, too"},
      {kHeader + "a,1,3,8,1,0\nb,0,2,8,1,7\n",
       "line 3, column 6 (offset): shares bytes with line 2"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ParsePlanCsv(c.text),
                HasStatus(StatusCode::kInvalidArgument, c.message));
  }
}

}  // namespace
}  // namespace arenalite
