#include "runtime/poison.h"

#include <algorithm>
#include <cstring>

namespace arenalite {
namespace {

constexpr int kPattern = 0xCD;

}  // namespace

Result<PoisonSchedule> PoisonSchedule::Create(const ProgramPlan& plan) {
  PoisonSchedule schedule;
  ARENALITE_RETURN_IF_ERROR(
      schedule.AddDead(plan, -1, {0, plan.plan.total_bytes}));
  ARENALITE_RETURN_IF_ERROR(schedule.CloseList());
  const auto& requests = plan.lifetimes.requests;
  for (int step = 0; step < plan.timeline.num_steps(); ++step) {
    for (size_t i = 0; i < requests.size(); ++i) {
      if (requests[i].last_step != step) continue;
      const int64_t offset = plan.plan.offsets[i];
      ARENALITE_RETURN_IF_ERROR(
          schedule.AddDead(plan, step, {offset, offset + requests[i].size}));
    }
    ARENALITE_RETURN_IF_ERROR(schedule.CloseList());
  }
  return schedule;
}

Status PoisonSchedule::AddDead(const ProgramPlan& plan, int32_t step,
                               Range dead) {
  const auto& requests = plan.lifetimes.requests;
  const size_t first = ranges_.size();
  ARENALITE_RETURN_IF_ERROR(ranges_.Append(dead));
  for (size_t i = 0; i < requests.size(); ++i) {
    // Live before the first step: the graph inputs, which begin at step 0
    // though no step writes them.
    const bool live = step < 0 ? plan.is_input_storage(i)
                               : requests[i].first_step <= step &&
                                     requests[i].last_step > step;
    if (!live) continue;
    const Range keep = {plan.plan.offsets[i],
                        plan.plan.offsets[i] + requests[i].size};
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
