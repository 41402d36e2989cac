#include "tools/progress.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>

namespace arenalite {

ProgressLine::ProgressLine()
    : is_terminal_(isatty(STDERR_FILENO) != 0),
      next_(Clock::now() + std::chrono::seconds(1)) {}

bool ProgressLine::Show(void* self, const PlanProgress& progress) {
  static_cast<ProgressLine*>(self)->Print(progress);
  return false;
}

void ProgressLine::Print(const PlanProgress& progress) {
  if (!is_terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  std::fprintf(stderr,
               "\rsearching: %" PRId64 " of %" PRId64 " nodes, best %" PRId64
               " bytes, bound %" PRId64 " ",
               progress.nodes, progress.node_budget, progress.total_bytes,
               progress.lower_bound_bytes);
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace arenalite
