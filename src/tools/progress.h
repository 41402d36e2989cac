// ProgressLine: one changing line on a terminal for work that takes long.

#ifndef ARENALITE_TOOLS_PROGRESS_H_
#define ARENALITE_TOOLS_PROGRESS_H_

#include <chrono>

#include "arenalite/planner.h"

namespace arenalite {

// Shows nothing during the first second, nor when stderr is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  // For PlanOptions::cancel; `self` is the ProgressLine. Never cancels.
  static bool Show(void* self, const PlanProgress& progress);
  // Removes the line, if there is one.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  void Print(const PlanProgress& progress);

  const bool is_terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_PROGRESS_H_
