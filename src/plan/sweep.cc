#include "plan/sweep.h"

#include <algorithm>

#include "base/checked_math.h"

namespace arenalite {
namespace {

class Sweep {
 public:
  explicit Sweep(const Problem& problem) : problem_(problem) {}

  Result<Placement> Run() {
    const auto count = static_cast<size_t>(problem_.size());
    ARENALITE_RETURN_IF_ERROR(result_.offsets.Resize(count));
    ARENALITE_RETURN_IF_ERROR(SortByEnd(count));
    ARENALITE_RETURN_IF_ERROR(free_.Reserve(count));
    ARENALITE_RETURN_IF_ERROR(PlaceFixed());
    for (int32_t i = 0; i < problem_.size(); ++i) {
      const Buffer& buffer = problem_.buffer(i);
      if (buffer.fixed_offset >= 0) continue;
      ARENALITE_RETURN_IF_ERROR(FreeBefore(buffer.first));
      result_.offsets[i] = Take(buffer.size, buffer.alignment);
    }
    result_.total = top_;
    result_.strategy = PlanStrategy::kFirstUse;
    return std::move(result_);
  }

 private:
  struct Range {
    int64_t low, high;
  };

  Status SortByEnd(size_t count) {
    ARENALITE_RETURN_IF_ERROR(by_end_.Resize(count));
    for (size_t i = 0; i < count; ++i) by_end_[i] = static_cast<int32_t>(i);
    std::sort(by_end_.begin(), by_end_.end(), [this](int32_t a, int32_t b) {
      const int32_t last_a = problem_.buffer(a).last;
      const int32_t last_b = problem_.buffer(b).last;
      return last_a != last_b ? last_a < last_b : a < b;
    });
    return OkStatus();
  }

  // All others lie above them.
  Status PlaceFixed() {
    for (int32_t i = 0; i < problem_.size(); ++i) {
      const Buffer& buffer = problem_.buffer(i);
      if (buffer.fixed_offset < 0) continue;
      result_.offsets[i] = buffer.fixed_offset;
      top_ = std::max(top_, buffer.fixed_offset + buffer.size);
    }
    return OkStatus();
  }

  // Gives back what ends before a section.
  Status FreeBefore(int32_t section) {
    for (; ended_ < by_end_.size(); ++ended_) {
      const int32_t i = by_end_[ended_];
      const Buffer& buffer = problem_.buffer(i);
      if (buffer.last >= section) break;
      if (buffer.fixed_offset >= 0) continue;
      const int64_t low = result_.offsets[i];
      ARENALITE_RETURN_IF_ERROR(free_.Append({low, low + buffer.size}));
    }
    return OkStatus();
  }

  int64_t Take(int64_t size, int64_t alignment) {
    constexpr size_t kMostLookedAt = 64;
    const size_t count = std::min(free_.size(), kMostLookedAt);
    for (size_t k = 0; k < count; ++k) {
      Range& range = free_[free_.size() - 1 - k];
      const int64_t low = AlignUp(range.low, alignment);
      if (low + size > range.high) continue;
      range.low = low + size;
      if (range.low == range.high) {
        range = free_.back();
        free_.PopBack();
      }
      return low;
    }
    const int64_t low = AlignUp(top_, alignment);
    top_ = low + size;
    return low;
  }

  const Problem& problem_;
  Array<int32_t> by_end_;
  size_t ended_ = 0;  // Of by_end_.
  Array<Range> free_;
  int64_t top_ = 0;
  Placement result_;
};

}  // namespace

Result<Placement> PlanBySweep(const Problem& problem) {
  return Sweep(problem).Run();
}

}  // namespace arenalite
