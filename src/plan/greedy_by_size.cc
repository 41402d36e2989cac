// The order of TensorFlow Lite's arena planner: large buffers first, so that
// the small ones fill the gaps between them.

#include "plan/buffer_order.h"
#include "plan/strategies.h"

namespace arenalite {

Result<Array<int32_t>> OrderBySize(const Problem& problem) {
  return OrderByLargest(problem,
                        [&](int32_t i) { return problem.buffer(i).size; });
}

}  // namespace arenalite
