// Planning a CSV problem: `arenalite plan problem.csv`.

#ifndef ARENALITE_TOOLS_COMMANDS_PLAN_PROBLEM_H_
#define ARENALITE_TOOLS_COMMANDS_PLAN_PROBLEM_H_

#include <cstdint>
#include <string>

#include "arenalite/planner.h"

namespace arenalite {

struct ProblemArguments {
  std::string path;
  std::string output_path;     // Empty: no file.
  bool csv_to_stdout = false;  // The plan, instead of a summary.
  PlanOptions options;
};

bool IsProblemPath(const std::string& path);

// Prints the summary (or the plan) on stdout and writes the plan. Throws
// CommandError, also when the plan exceeds the capacity.
void PlanProblem(const ProblemArguments& arguments);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_COMMANDS_PLAN_PROBLEM_H_
