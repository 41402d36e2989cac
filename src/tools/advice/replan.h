// Plans what a report tells of, with changes that no interpreter can make.

#ifndef ARENALITE_TOOLS_ADVICE_REPLAN_H_
#define ARENALITE_TOOLS_ADVICE_REPLAN_H_

#include <vector>

#include "arenalite/memory_report.h"

namespace arenalite {

// The planner's input, as the report tells it.
struct PlanProblem {
  std::vector<BufferRequest> requests;
  std::vector<AllowedOverlap> overlaps;
};
PlanProblem ProblemOf(const MemoryReport& report);

// Every FLOAT32 activation takes one byte an element. Storages with members of
// other types, and scratch, stay; so do distances D between storages that
// both shrink, at a quarter. Returns false when nothing shrinks.
bool ShrinkFloats(const MemoryReport& report, PlanProblem& problem);

// Tensor `tensor` (a position in the report), a graph output, is none: its
// storage ends with its last use. No new overlaps. Returns false when that is
// the end of the program anyway, or cannot be told.
bool DropOutput(const MemoryReport& report, size_t tensor,
                PlanProblem& problem);

// The arena with the problem's plan in place of the report's. Throws
// CommandError.
int64_t ArenaBytesOf(const MemoryReport& report, const PlanProblem& problem,
                     PlanStrategy strategy);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_REPLAN_H_
