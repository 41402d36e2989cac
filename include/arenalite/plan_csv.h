// Planning problems and plans as CSV, in the format of the public minimalloc
// instances:
//
//     id,lower,upper,size
//     0,3,7,4096
//
// One buffer a line, live in the steps [lower, upper): upper is exclusive.
// Columns may come in any order; the optional ones are `alignment` and
// `offset`. A problem's offsets are fixed ones; a plan has them all.

#ifndef ARENALITE_PLAN_CSV_H_
#define ARENALITE_PLAN_CSV_H_

#include <string_view>

#include "arenalite/planner.h"

namespace arenalite {

struct PlanCsv {
  Array<std::string_view> ids;  // Parts of the parsed text.
  Array<BufferRequest> requests;
};

// Errors name the line and the column: unknown, missing and repeated columns,
// repeated ids, numbers that are none or do not fit, negative sizes, upper not
// above lower, an alignment that is no power of two, fixed offsets that
// collide. An empty alignment stands for 1, an empty offset for none.
Result<PlanCsv> ParsePlanCsv(std::string_view text);

// The problem with the offsets of a plan, one for each request. The column
// `alignment` is left out when all are 1.
Result<Array<char>> WritePlanCsv(Span<const std::string_view> ids,
                                 Span<const BufferRequest> requests,
                                 Span<const int64_t> offsets);

}  // namespace arenalite

#endif  // ARENALITE_PLAN_CSV_H_
