#include "runtime/poison.h"

#include <algorithm>
#include <cstring>

namespace arenalite {
namespace {

constexpr int kPattern = 0xCD;

}  // namespace

Result<PoisonSchedule> PoisonSchedule::Create(const ProgramPlan& plan) {
  const auto& requests = plan.lifetimes.requests;
  PoisonSchedule schedule;
  Array<size_t> live;
  // Before the first step: the graph inputs, which begin at step 0 though no
  // step writes them.
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!plan.is_input_storage(i)) continue;
    ARENALITE_RETURN_IF_ERROR(live.Append(i));
  }
  ARENALITE_RETURN_IF_ERROR(
      schedule.AddDead(plan, live, {0, plan.plan.total_bytes}));
  ARENALITE_RETURN_IF_ERROR(schedule.CloseList());
  live.Clear();
  Array<size_t> order;
  ARENALITE_RETURN_IF_ERROR(order.Resize(requests.size()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const int32_t first_a = requests[a].first_step;
    const int32_t first_b = requests[b].first_step;
    return first_a != first_b ? first_a < first_b : a < b;
  });
  size_t begun = 0;
  for (int step = 0; step < plan.timeline.num_steps(); ++step) {
    for (; begun < order.size() && requests[order[begun]].first_step <= step;
         ++begun) {
      ARENALITE_RETURN_IF_ERROR(live.Append(order[begun]));
    }
    size_t* const ended =
        std::partition(live.begin(), live.end(),
                       [&](size_t i) { return requests[i].last_step > step; });
    const Span<const size_t> dead(ended,
                                  static_cast<size_t>(live.end() - ended));
    const Span<const size_t> kept(live.begin(), live.size() - dead.size());
    for (size_t i : dead) {
      const int64_t offset = plan.plan.offsets[i];
      ARENALITE_RETURN_IF_ERROR(
          schedule.AddDead(plan, kept, {offset, offset + requests[i].size}));
    }
    ARENALITE_RETURN_IF_ERROR(schedule.CloseList());
    ARENALITE_RETURN_IF_ERROR(live.Resize(kept.size()));
  }
  return schedule;
}

Status PoisonSchedule::AddDead(const ProgramPlan& plan, Span<const size_t> live,
                               Range dead) {
  const size_t first = ranges_.size();
  ARENALITE_RETURN_IF_ERROR(ranges_.Append(dead));
  for (size_t i : live) {
    const Range keep = {plan.plan.offsets[i],
                        plan.plan.offsets[i] + plan.lifetimes.requests[i].size};
    const size_t count = ranges_.size();
    for (size_t r = first; r < count; ++r) {
      const Range range = ranges_[r];
      if (keep.begin >= range.end || keep.end <= range.begin) continue;
      ranges_[r].end = std::max(range.begin, keep.begin);
      if (keep.end < range.end) {
        ARENALITE_RETURN_IF_ERROR(ranges_.Append({keep.end, range.end}));
      }
    }
  }
  return OkStatus();
}

Status PoisonSchedule::CloseList() { return ends_.Append(ranges_.size()); }

void PoisonSchedule::Fill(uint8_t* planned, size_t list) const {
  for (size_t i = list == 0 ? 0 : ends_[list - 1]; i < ends_[list]; ++i) {
    const Range range = ranges_[i];
    if (range.begin == range.end) continue;  // `planned` may be null.
    std::memset(planned + range.begin, kPattern,
                static_cast<size_t>(range.end - range.begin));
  }
}

}  // namespace arenalite
