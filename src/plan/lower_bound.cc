#include "plan/lower_bound.h"

#include <algorithm>

#include "base/checked_math.h"

namespace arenalite {
namespace {

// An overlapping pair in one of the sections where both are live.
struct SharedBytes {
  int32_t section;
  int32_t earlier, later;  // Buffers, earlier < later.
  int64_t reach;           // How far the output's tail reaches into the input.
  bool later_is_output;
};

// Of a buffer in one section: the bytes of its pairs in all, and how far they
// reach into it from either side.
struct Charge {
  int64_t sum = 0;
  int64_t head = 0;  // By its outputs.
  int64_t tail = 0;  // Into its inputs.
};

// Why this is a bound. All live buffers of a section lie in [0, total), so
// total is at least the size of their union. Add the buffers one by one, in
// any order: each adds to the union what it does not share with those before
// it, and it can share bytes only with its partners, with each at most
//     min(size(output), size(input), bytes)
// because offset(output) + size(output) - bytes <= offset(input). So
//     total >= sum over v of max(0, size(v) - sum over earlier partners).
// All that v shares with its inputs lies at its tail, and with its outputs at
// its head, within the largest `bytes` of these pairs: a second limit. Two
// orders are tried, forth and back. In the canonical order an op's inputs come
// before its outputs, so for one op these are the two sides of the bipartite
// graph: "outputs into inputs" and "inputs into outputs".
//
// Alignment. Let every offset be a multiple of A. Rounding all sizes up to A
// keeps each pair right (disjoint stays disjoint, as offsets are multiples of
// A; an overlap of b bytes becomes one of size' - roundup(size - b)), and moves
// the end of the arena by at most the largest round-up among live buffers.
class SectionSums {
 public:
  SectionSums(const Problem& problem, int64_t alignment)
      : problem_(problem), alignment_(alignment) {}

  Result<LowerBound> Compute() {
    ARENALITE_RETURN_IF_ERROR(AddUp());
    LowerBound best;
    for (int32_t s = 0; s < problem_.section_count(); ++s) {
      if (sums_[s] > best.bytes) best = {sums_[s], s};
    }
    best.bytes -= LargestRounding(best.section);
    return best;
  }

  // Raises each section's bound to what it is here.
  Status RaiseBounds(Array<int64_t>& bounds) {
    ARENALITE_RETURN_IF_ERROR(AddUp());
    int64_t rounding = 0;
    for (const Buffer& buffer : problem_.buffers()) {
      rounding = std::max(rounding, Rounded(buffer.size) - buffer.size);
    }
    for (int32_t s = 0; s < problem_.section_count(); ++s) {
      bounds[s] = std::max(bounds[s], sums_[s] - rounding);
    }
    return OkStatus();
  }

 private:
  Status AddUp() {
    ARENALITE_ASSIGN_OR_RETURN(
        sums_, Array<int64_t>::Create(problem_.section_count() + 1));
    for (const Buffer& buffer : problem_.buffers()) {
      sums_[buffer.first] += Rounded(buffer.size);
      sums_[buffer.last + 1] -= Rounded(buffer.size);
    }
    for (int32_t s = 1; s < problem_.section_count(); ++s) {
      sums_[s] += sums_[s - 1];
    }
    return SubtractShared();
  }

  int64_t Rounded(int64_t size) const { return AlignUp(size, alignment_); }

  int64_t LargestRounding(int32_t section) const {
    int64_t largest = 0;
    for (const Buffer& buffer : problem_.buffers()) {
      if (buffer.first <= section && section <= buffer.last) {
        largest = std::max(largest, Rounded(buffer.size) - buffer.size);
      }
    }
    return largest;
  }

  // AlignUp of a negative distance rounds toward plus infinity, too.
  int64_t ReachAsOutput(int32_t owner, const Partner& partner) const {
    return Rounded(problem_.buffer(owner).size) - Rounded(partner.below);
  }
  int64_t ReachAsInput(const Partner& partner) const {
    return Rounded(problem_.buffer(partner.buffer).size) -
           Rounded(partner.above);
  }
  int64_t CommonBytes(const SharedBytes& pair) const {
    return std::min({pair.reach, Rounded(problem_.buffer(pair.earlier).size),
                     Rounded(problem_.buffer(pair.later).size)});
  }

  Status SubtractShared() {
    if (!problem_.has_partners()) return OkStatus();
    Array<SharedBytes> shared;
    ARENALITE_RETURN_IF_ERROR(CollectShared(&shared));
    std::sort(shared.begin(), shared.end(),
              [](const SharedBytes& a, const SharedBytes& b) {
                return a.section < b.section;
              });
    ARENALITE_ASSIGN_OR_RETURN(charges_,
                               Array<Charge>::Create(problem_.size()));
    for (size_t begin = 0, end; begin < shared.size(); begin = end) {
      end = begin;
      while (end < shared.size() &&
             shared[end].section == shared[begin].section) {
        ++end;
      }
      const Span<const SharedBytes> group(shared.data() + begin, end - begin);
      sums_[shared[begin].section] -=
          std::min(SharedBy(group, true), SharedBy(group, false));
    }
    return OkStatus();
  }

  // Pairs that are live together in many sections, which no sequence of ops
  // gives rise to, are counted as fully shared: simple, and still a bound.
  Status CollectShared(Array<SharedBytes>* shared) {
    constexpr int32_t kMaxSections = 64;
    for (int32_t i = 0; i < problem_.size(); ++i) {
      for (const Partner& partner : problem_.partners(i)) {
        const int32_t j = partner.buffer;
        const int64_t as_output = ReachAsOutput(i, partner);
        const int64_t as_input = ReachAsInput(partner);
        SharedBytes pair = {0, i, j, std::max(as_output, as_input),
                            as_input > as_output};
        if (j < i || pair.reach <= 0) continue;
        const int32_t first =
            std::max(problem_.buffer(i).first, problem_.buffer(j).first);
        const int32_t last =
            std::min(problem_.buffer(i).last, problem_.buffer(j).last);
        if (last - first < kMaxSections) {
          for (int32_t s = first; s <= last; ++s) {
            pair.section = s;
            ARENALITE_RETURN_IF_ERROR(shared->Append(pair));
          }
        } else {
          for (int32_t s = first; s <= last; ++s) sums_[s] -= CommonBytes(pair);
        }
      }
    }
    return OkStatus();
  }

  // What the buffers of one section share when each is charged for its pairs
  // with earlier ones, or with later ones.
  int64_t SharedBy(Span<const SharedBytes> group, bool with_earlier) {
    for (const SharedBytes& pair : group) {
      Charge& charge = charges_[with_earlier ? pair.later : pair.earlier];
      charge.sum += CommonBytes(pair);
      int64_t& reach =
          pair.later_is_output == with_earlier ? charge.tail : charge.head;
      reach = std::max(reach, pair.reach);
    }
    int64_t sum = 0;
    for (const SharedBytes& pair : group) {
      const int32_t buffer = with_earlier ? pair.later : pair.earlier;
      Charge& charge = charges_[buffer];
      sum += std::min({charge.sum, charge.head + charge.tail,
                       Rounded(problem_.buffer(buffer).size)});
      charge = {};
    }
    return sum;
  }

  const Problem& problem_;
  const int64_t alignment_;
  Array<int64_t> sums_;
  Array<Charge> charges_;
};

// Of all offsets.
int64_t CommonAlignment(const Problem& problem) {
  int64_t alignment = problem.size() == 0 ? 1 : problem.buffer(0).alignment;
  for (const Buffer& buffer : problem.buffers()) {
    alignment = std::min(alignment, buffer.alignment);
  }
  return alignment;
}

}  // namespace

Result<LowerBound> ComputeLowerBound(const Problem& problem) {
  ARENALITE_ASSIGN_OR_RETURN(LowerBound best,
                             SectionSums(problem, 1).Compute());
  const int64_t alignment = CommonAlignment(problem);
  if (alignment > 1) {
    ARENALITE_ASSIGN_OR_RETURN(LowerBound aligned,
                               SectionSums(problem, alignment).Compute());
    if (aligned.bytes > best.bytes) best = aligned;
  }
  for (const Buffer& buffer : problem.buffers()) {
    const int64_t end = buffer.fixed_offset + buffer.size;
    const bool alone = end > best.bytes && buffer.fixed_offset >= 0;
    if (alone || buffer.size > best.bytes) {
      best = {std::max(end, buffer.size), buffer.first};
    }
  }
  return best;
}

Result<Array<int64_t>> ComputeSectionBounds(const Problem& problem) {
  ARENALITE_ASSIGN_OR_RETURN(Array<int64_t> bounds,
                             Array<int64_t>::Create(problem.section_count()));
  ARENALITE_RETURN_IF_ERROR(SectionSums(problem, 1).RaiseBounds(bounds));
  const int64_t alignment = CommonAlignment(problem);
  if (alignment > 1) {
    ARENALITE_RETURN_IF_ERROR(
        SectionSums(problem, alignment).RaiseBounds(bounds));
  }
  return bounds;
}

}  // namespace arenalite
