// Every operator with an overlap number keeps the contract of DESIGN section 4:
// at the distance it states, its output over its input is that of separate
// buffers, and one element more is too much.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/builtin_table.h"
#include "kernels/overlap_rows.h"
#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::Draw;
using testing::IsOk;
using testing::OpRunner;
using testing::OverlapRow;
using testing::OverlapRows;

// Inputs that no distance is stated for are skipped by the check.
int CheckRow(const OverlapRow& row, std::mt19937& random) {
  constexpr int kRounds = 150;
  int caught = 0;
  for (int i = 0; i < kRounds; ++i) {
    OpRunner runner(*row.op, row.op->max_version);
    Draw draw(random);
    row.build(runner, draw);
    const Status status = runner.PrepareAndRun();
    EXPECT_THAT(status, IsOk());
    if (!status.ok()) break;
    CheckOverlapContract(runner, runner.num_inputs(), runner.num_outputs(),
                         random, &caught);
  }
  return caught;
}

class OverlapContract : public ::testing::TestWithParam<OverlapRows (*)()> {};

TEST_P(OverlapContract, HoldsAndIsTight) {
  std::mt19937 random(1);
  for (const OverlapRow& row : GetParam()()) {
    SCOPED_TRACE(row.op->name);
    const int caught = CheckRow(row, random);
    EXPECT_EQ(caught > 3, !row.anywhere) << caught << " caught";
  }
}

INSTANTIATE_TEST_SUITE_P(AllOps, OverlapContract,
                         ::testing::Values(testing::ElementwiseRows,
                                           testing::MoveRows,
                                           testing::WindowRows,
                                           testing::StateRows));

TEST(OverlapContractRows, CoverEveryOperatorWithANumber) {
  std::map<std::string, int> rows;
  for (const auto list : {testing::ElementwiseRows, testing::MoveRows,
                          testing::WindowRows, testing::StateRows}) {
    for (const OverlapRow& row : list()) ++rows[row.op->name];
  }
  for (const OpDefinition* definition : BuiltinOps()) {
    EXPECT_EQ(rows[definition->name], definition->overlap != nullptr ? 1 : 0)
        << definition->name;
  }
}

}  // namespace
}  // namespace arenalite
