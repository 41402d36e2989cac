// What sliding a window over a tensor may cost.

#ifndef ARENALITE_KERNELS_WINDOW_WORK_H_
#define ARENALITE_KERNELS_WINDOW_WORK_H_

#include <algorithm>
#include <cstdint>

#include "arenalite/status.h"
#include "base/checked_math.h"

namespace arenalite {

// Some 20 minutes: far beyond any model.
constexpr int64_t kMaxWindowSteps = int64_t{1} << 40;

// Refuses `outputs` windows of `window` elements that would take longer. No
// weights back such windows: a few numbers in a file could ask for years.
inline Status CheckWindowWork(int64_t outputs, int64_t window) {
  int64_t steps = 0;
  if (CheckedMul(outputs, window, &steps) && steps <= kMaxWindowSteps) {
    return OkStatus();
  }
  return ResourceExhaustedError(outputs, " windows hold ", window,
                                " elements each, allowed up to ",
                                kMaxWindowSteps, " in all");
}

// The most taps of a window along data.y and data.x that lie inside of the
// input.
template <class Data>
int64_t MostTaps(const Data& data) {
  return int64_t{std::min(data.y.window, data.y.input)} *
         std::min(data.x.window, data.x.input);
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_WINDOW_WORK_H_
