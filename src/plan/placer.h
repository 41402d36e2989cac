// Placer: puts buffers into an arena, one after the other.

#ifndef ARENALITE_PLAN_PLACER_H_
#define ARENALITE_PLAN_PLACER_H_

#include "plan/problem.h"

namespace arenalite {

enum class Fit : uint8_t {
  kLowest,    // The lowest offset that is free.
  kTightest,  // The smallest gap that is large enough; of equals the lowest.
};

class Placer {
 public:
  // With the buffers of fixed offset in their places. `problem` must outlive
  // the Placer.
  static Result<Placer> Create(const Problem& problem);

  // Back to the state of Create().
  void Clear();
  // Places a buffer that has no place yet; one that has stays.
  void Place(int32_t buffer, Fit fit);

  // -1: not placed yet.
  int64_t offset(int32_t buffer) const { return places_[buffer].low; }
  // The end of the highest buffer.
  int64_t total() const { return total_; }

 private:
  struct Range {
    int64_t low, high;
  };

  explicit Placer(const Problem& problem) : problem_(&problem) {}
  void CollectBlocked(int32_t buffer);
  int64_t FindGap(int64_t alignment, Fit fit) const;
  void Put(int32_t buffer, int64_t offset);

  const Problem* problem_;
  Array<Range> places_;  // Of each buffer: [low, high).
  // The buffer to place must not start inside of one of these (low, high).
  // There is room for all, so that Place() cannot fail.
  Array<Range> blocked_;
  size_t blocked_count_ = 0;
  Array<int32_t> partner_at_;  // 1 + index into the partners of the moment.
  int64_t total_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_PLACER_H_
