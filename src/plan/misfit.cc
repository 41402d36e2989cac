#include <algorithm>

#include "arenalite/planner.h"

namespace arenalite {
namespace {

bool IsLiveAt(const BufferRequest& request, int32_t step) {
  return request.size > 0 && request.first_step <= step &&
         step <= request.last_step;
}

struct Event {
  int32_t step;
  int64_t bytes;  // That go live (> 0), or were live until then.
};

// The fullest step in the life of a buffer; of equals the first.
Result<int32_t> FullestStep(Span<const BufferRequest> requests,
                            const BufferRequest& life) {
  Array<Event> events;
  ARENALITE_RETURN_IF_ERROR(events.Reserve(2 * requests.size()));
  for (const BufferRequest& request : requests) {
    if (request.last_step < life.first_step ||
        life.last_step < request.first_step) {
      continue;
    }
    ARENALITE_RETURN_IF_ERROR(events.Append(
        {std::max(request.first_step, life.first_step), request.size}));
    if (request.last_step >= life.last_step) continue;
    ARENALITE_RETURN_IF_ERROR(
        events.Append({request.last_step + 1, -request.size}));
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.step != b.step ? a.step < b.step : a.bytes < b.bytes;
  });
  int32_t fullest = life.first_step;
  int64_t most = 0;
  int64_t sum = 0;
  for (size_t k = 0; k < events.size(); ++k) {
    sum += events[k].bytes;
    if (sum <= most) continue;
    most = sum;
    fullest = events[k].step;
  }
  return fullest;
}

}  // namespace

Result<Misfit> ExplainMisfit(Span<const BufferRequest> requests,
                             const MemoryPlan& plan, int64_t capacity) {
  if (plan.offsets.size() != requests.size()) {
    return InvalidArgumentError("the plan has ", plan.offsets.size(),
                                " offsets for ", requests.size(), " requests");
  }
  Misfit misfit;
  if (plan.total_bytes <= capacity) return misfit;
  misfit.shortfall_bytes = plan.total_bytes - capacity;
  misfit.impossible = plan.lower_bound_bytes > capacity;
  misfit.step = plan.peak_step;
  for (size_t i = 0; i < requests.size() && !misfit.impossible; ++i) {
    if (requests[i].size > 0 &&
        plan.offsets[i] + requests[i].size == plan.total_bytes) {
      ARENALITE_ASSIGN_OR_RETURN(misfit.step,
                                 FullestStep(requests, requests[i]));
      break;
    }
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!IsLiveAt(requests[i], misfit.step)) continue;
    ARENALITE_RETURN_IF_ERROR(misfit.buffers.Append(static_cast<int32_t>(i)));
  }
  std::sort(misfit.buffers.begin(), misfit.buffers.end(),
            [&](int32_t a, int32_t b) {
              return requests[a].size != requests[b].size
                         ? requests[a].size > requests[b].size
                         : a < b;
            });
  return misfit;
}

}  // namespace arenalite
