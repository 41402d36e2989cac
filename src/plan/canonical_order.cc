#include "plan/canonical_order.h"

#include <algorithm>

#include "base/hash.h"

namespace arenalite {
namespace {

// Requests that agree in all numbers may still differ by their overlaps.
// Colour refinement (Weisfeiler and Lehman 1968) tells them apart: a colour is
// a hash of a request's numbers, then, round by round, of its partners'
// colours too. Requests of equal colour are interchangeable, but choosing one
// of them may make others distinguishable (a's partner, b's partner), so one
// is chosen, marked, and the refinement repeated.
class Colouring {
 public:
  Colouring(Span<const BufferRequest> requests,
            Span<const AllowedOverlap> overlaps)
      : requests_(requests), overlaps_(overlaps) {}

  Status Run() {
    ARENALITE_RETURN_IF_ERROR(FindMembers());
    Refine();
    while (distinct_ < members_.size() && work_ > 0) {
      MarkOne();
      Refine();
    }
    return OkStatus();
  }

  // 0 for those without overlaps.
  uint64_t colour(int32_t request) const { return colours_[request]; }

 private:
  Status FindMembers() {
    ARENALITE_RETURN_IF_ERROR(colours_.Resize(requests_.size()));
    for (const AllowedOverlap& overlap : overlaps_) {
      for (int32_t request : {overlap.output, overlap.input}) {
        if (colours_[request] != 0) continue;
        colours_[request] = HashOfNumbers(requests_[request]);
        ARENALITE_RETURN_IF_ERROR(members_.Append(request));
      }
    }
    ARENALITE_RETURN_IF_ERROR(next_.Resize(requests_.size()));
    return sorted_.Resize(members_.size());
  }

  static uint64_t HashOfNumbers(const BufferRequest& request) {
    uint64_t hash = 1;
    for (int64_t value :
         {request.size, int64_t{request.first_step}, int64_t{request.last_step},
          int64_t{request.alignment}, request.fixed_offset}) {
      hash = MixHash(hash, static_cast<uint64_t>(value));
    }
    return hash | 1;
  }

  void Refine() {
    distinct_ = CountDistinct();
    while (work_ > 0) {
      work_ -= static_cast<int64_t>(members_.size() + overlaps_.size());
      for (int32_t request : members_) {
        next_[request] = MixHash(2, colours_[request]);
      }
      for (const AllowedOverlap& overlap : overlaps_) {
        const uint64_t bytes = static_cast<uint64_t>(overlap.bytes);
        next_[overlap.output] +=
            MixHash(MixHash(3, bytes), colours_[overlap.input]);
        next_[overlap.input] +=
            MixHash(MixHash(4, bytes), colours_[overlap.output]);
      }
      std::swap(colours_, next_);
      const size_t distinct = CountDistinct();
      if (distinct <= distinct_) break;
      distinct_ = distinct;
    }
  }

  size_t CountDistinct() {
    for (size_t i = 0; i < members_.size(); ++i) {
      sorted_[i] = colours_[members_[i]];
    }
    std::sort(sorted_.begin(), sorted_.end());
    return std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin();
  }

  // Gives one request of the first colour that is not unique a new colour.
  void MarkOne() {
    std::sort(members_.begin(), members_.end(), [this](int32_t a, int32_t b) {
      return colours_[a] != colours_[b] ? colours_[a] < colours_[b] : a < b;
    });
    for (size_t i = 1; i < members_.size(); ++i) {
      if (colours_[members_[i]] != colours_[members_[i - 1]]) continue;
      colours_[members_[i - 1]] = MixHash(5, colours_[members_[i - 1]]);
      return;
    }
  }

  Span<const BufferRequest> requests_;
  Span<const AllowedOverlap> overlaps_;
  Array<int32_t> members_;
  Array<uint64_t> colours_, next_, sorted_;
  size_t distinct_ = 0;
  // Only many equal ops at the same step reach the limit.
  int64_t work_ = 20'000'000;
};

}  // namespace

Result<Array<int32_t>> CanonicalOrder(Span<const BufferRequest> requests,
                                      Span<const AllowedOverlap> overlaps) {
  Colouring colouring(requests, overlaps);
  ARENALITE_RETURN_IF_ERROR(colouring.Run());
  Array<int32_t> order;
  ARENALITE_RETURN_IF_ERROR(order.Reserve(requests.size()));
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].size == 0) continue;
    ARENALITE_RETURN_IF_ERROR(order.Append(static_cast<int32_t>(i)));
  }
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const BufferRequest& x = requests[a];
    const BufferRequest& y = requests[b];
    if (x.first_step != y.first_step) return x.first_step < y.first_step;
    if (x.last_step != y.last_step) return x.last_step < y.last_step;
    if (x.size != y.size) return x.size > y.size;
    if (x.alignment != y.alignment) return x.alignment > y.alignment;
    if (x.fixed_offset != y.fixed_offset) {
      return x.fixed_offset < y.fixed_offset;
    }
    if (colouring.colour(a) != colouring.colour(b)) {
      return colouring.colour(a) < colouring.colour(b);
    }
    return a < b;
  });
  return order;
}

}  // namespace arenalite
