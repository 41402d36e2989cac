// Problem: the requests as the planners want them.

#ifndef ARENALITE_PLAN_PROBLEM_H_
#define ARENALITE_PLAN_PROBLEM_H_

#include "arenalite/planner.h"

namespace arenalite {

// A request of size > 0.
struct Buffer {
  int64_t size;
  int64_t alignment;
  int64_t fixed_offset;  // -1: none.
  int32_t first, last;   // Sections, both inclusive.
  int64_t steps;         // From the first to the last one.
  int32_t request;       // Its index among the caller's requests.
};

// What an overlap changes for one of its buffers. With the partner at offset
// p, the owner at offset o is right when o <= p - below or o >= p + above.
// (For two buffers without overlap: below = owner's size, above = partner's.)
struct Partner {
  int32_t buffer;
  int64_t below;
  int64_t above;
};

// Buffers in canonical order: by first step, last step, size (large first),
// alignment, fixed offset and overlaps; the index of the request decides only
// between buffers that are interchangeable. So whatever a planner does in
// terms of this order, shuffled requests give the same plan.
//
// Steps become sections: one for each distinct first step. No step has more
// live buffers than the section that starts last before it.
class Problem {
 public:
  // The requests must have passed ValidateRequests(). Fails when buffers with
  // fixed offsets collide, or when the heap is exhausted.
  static Result<Problem> Create(Span<const BufferRequest> requests,
                                Span<const AllowedOverlap> overlaps);

  int32_t size() const { return static_cast<int32_t>(buffers_.size()); }
  const Buffer& buffer(int32_t i) const { return buffers_[i]; }
  Span<const Buffer> buffers() const { return buffers_; }
  int32_t section_count() const {
    return static_cast<int32_t>(section_steps_.size());
  }
  // The step at which a section starts.
  int32_t section_step(int32_t section) const {
    return section_steps_[section];
  }
  // Only those that are live together with buffer i.
  Span<const Partner> partners(int32_t i) const {
    return Span<const Partner>(partners_.data() + partner_begin_[i],
                               partner_begin_[i + 1] - partner_begin_[i]);
  }
  // Pairs of buffers that are live together.
  int64_t pair_count() const { return pair_count_; }
  bool stores_neighbours() const { return !earlier_begin_.empty(); }
  bool has_partners() const { return !partners_.empty(); }

  // Calls visit(j) for every other buffer that is live together with i.
  template <class Visitor>
  void ForEachNeighbour(int32_t i, Visitor visit) const {
    if (earlier_begin_.empty()) {
      for (int32_t j = 0; j < i; ++j) {
        if (buffers_[j].last >= buffers_[i].first) visit(j);
      }
    } else {
      const int32_t* end = earlier_.data() + earlier_begin_[i + 1];
      for (const int32_t* j = earlier_.data() + earlier_begin_[i]; j != end;
           ++j) {
        visit(*j);
      }
    }
    for (int32_t j = i + 1; j < later_end_[i]; ++j) visit(j);
  }

 private:
  Status AddBuffers(Span<const BufferRequest> requests,
                    Span<const AllowedOverlap> overlaps);
  Status CutSections(Span<const BufferRequest> requests);
  Status FindNeighbours();
  Status AddPartners(size_t request_count, Span<const AllowedOverlap> overlaps);
  Status CheckFixedOffsets() const;
  Status CheckFixedPair(int32_t i, int32_t j) const;

  Array<Buffer> buffers_;
  Array<int32_t> section_steps_;
  Array<Partner> partners_;
  Array<size_t> partner_begin_;
  // The neighbours of i are earlier_[earlier_begin_[i] .. earlier_begin_[i+1])
  // and all of (i, later_end_[i]). When everything is live at once, the former
  // would take O(n^2) memory; then earlier_begin_ is empty.
  Array<int32_t> earlier_;
  Array<size_t> earlier_begin_;
  Array<int32_t> later_end_;
  int64_t pair_count_ = 0;
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_PROBLEM_H_
