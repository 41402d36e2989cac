#include "plan/exact_model.h"

#include <algorithm>
#include <numeric>

#include "base/checked_math.h"

namespace arenalite {

Result<ExactModel> ExactModel::Create(const Problem& problem) {
  ExactModel model;
  ARENALITE_RETURN_IF_ERROR(model.AddItems(problem));
  ARENALITE_RETURN_IF_ERROR(model.AddRelations(problem));
  ARENALITE_RETURN_IF_ERROR(model.AddMembers());
  model.FindGranule(problem);
  return model;
}

Status ExactModel::AddItems(const Problem& problem) {
  // Of each section: how many of the cliques end before it.
  Array<int32_t> cliques_before;
  ARENALITE_RETURN_IF_ERROR(cliques_before.Resize(problem.section_count() + 1));
  for (const Buffer& buffer : problem.buffers()) {
    cliques_before[buffer.last + 1] = 1;
  }
  for (int32_t s = 0; s < problem.section_count(); ++s) {
    cliques_before[s + 1] += cliques_before[s];
  }
  clique_count_ = cliques_before.back();
  alignment_ = problem.size() == 0 ? 1 : problem.buffer(0).alignment;
  for (const Buffer& buffer : problem.buffers()) {
    alignment_ = std::min(alignment_, buffer.alignment);
  }
  ARENALITE_RETURN_IF_ERROR(item_of_.Resize(problem.size()));
  for (int32_t b = 0; b < problem.size(); ++b) {
    const Buffer& buffer = problem.buffer(b);
    item_of_[b] = buffer.fixed_offset >= 0 ? -1 : size();
    if (buffer.fixed_offset >= 0) continue;
    ARENALITE_RETURN_IF_ERROR(
        items_.Append({buffer.size, AlignUp(buffer.size, alignment_),
                       buffer.alignment, cliques_before[buffer.first],
                       cliques_before[buffer.last], -1, buffer.steps, b}));
  }
  return OkStatus();
}

Status ExactModel::AddRelations(const Problem& problem) {
  ARENALITE_ASSIGN_OR_RETURN(auto partner_of,
                             Array<const Partner*>::Create(problem.size()));
  ARENALITE_RETURN_IF_ERROR(neighbours_.begin.Append(0));
  ARENALITE_RETURN_IF_ERROR(shares_.begin.Append(0));
  ARENALITE_RETURN_IF_ERROR(blocked_.begin.Append(0));
  for (int32_t i = 0; i < size(); ++i) {
    const int32_t owner = items_[i].buffer;
    for (const Partner& partner : problem.partners(owner)) {
      partner_of[partner.buffer] = &partner;
    }
    Status status;
    problem.ForEachNeighbour(owner, [&](int32_t other) {
      if (!status.ok()) return;
      status = AddNeighbour(problem, owner, other, partner_of[other]);
    });
    ARENALITE_RETURN_IF_ERROR(std::move(status));
    for (const Partner& partner : problem.partners(owner)) {
      partner_of[partner.buffer] = nullptr;
    }
    std::sort(blocked_.entries.begin() + blocked_.begin.back(),
              blocked_.entries.end(), [](const Blocked& a, const Blocked& b) {
                return a.low != b.low ? a.low < b.low : a.high < b.high;
              });
    ARENALITE_RETURN_IF_ERROR(
        neighbours_.begin.Append(neighbours_.entries.size()));
    ARENALITE_RETURN_IF_ERROR(shares_.begin.Append(shares_.entries.size()));
    ARENALITE_RETURN_IF_ERROR(blocked_.begin.Append(blocked_.entries.size()));
  }
  return OkStatus();
}

Status ExactModel::AddNeighbour(const Problem& problem, int32_t owner,
                                int32_t other, const Partner* partner) {
  const Buffer& own = problem.buffer(owner);
  const Buffer& buffer = problem.buffer(other);
  // Both offsets are multiples of the smaller alignment, and so is their
  // distance.
  const int64_t step = std::min(own.alignment, buffer.alignment);
  const int64_t below =
      AlignUp(partner == nullptr ? own.size : partner->below, step);
  const int64_t above =
      AlignUp(partner == nullptr ? buffer.size : partner->above, step);
  const bool free = above + below <= step;  // Every placement is right.
  if (buffer.fixed_offset >= 0) {
    if (free) return OkStatus();
    return blocked_.entries.Append(
        {buffer.fixed_offset - below, buffer.fixed_offset + above});
  }
  const int32_t item = item_of_[other];
  if (!free) {
    ARENALITE_RETURN_IF_ERROR(neighbours_.entries.Append({item, below, above}));
  }
  dips_ = dips_ || above < 0 || below < 0;
  Item& self = items_[item_of_[owner]];
  const int64_t common =
      std::min({self.room, items_[item].room,
                std::max(self.room - AlignUp(below, alignment_),
                         items_[item].room - AlignUp(above, alignment_))});
  if (common <= 0) return OkStatus();
  const bool charged = other < owner;
  if (charged) {
    self.share_last =
        std::max(self.share_last, std::min(self.last, items_[item].last));
  }
  return shares_.entries.Append({item, charged, common, below, above});
}

Status ExactModel::AddMembers() {
  ARENALITE_RETURN_IF_ERROR(members_.begin.Resize(clique_count_ + 1));
  Array<size_t>& begin = members_.begin;
  for (const Item& item : items_) {
    for (int32_t c = item.first; c <= item.last; ++c) ++begin[c + 1];
  }
  for (int32_t c = 0; c < clique_count_; ++c) begin[c + 1] += begin[c];
  ARENALITE_RETURN_IF_ERROR(members_.entries.Resize(begin[clique_count_]));
  ARENALITE_ASSIGN_OR_RETURN(auto filled, Array<size_t>::Create(clique_count_));
  for (int32_t i = 0; i < size(); ++i) {
    for (int32_t c = items_[i].first; c <= items_[i].last; ++c) {
      members_.entries[begin[c] + filled[c]++] = i;
    }
  }
  return OkStatus();
}

// Pushed-down offsets are sums of distances between neighbours, possibly
// rounded up to alignments, which are powers of two: those that do not divide
// the sum's granule are multiples of it or reduce it.
void ExactModel::FindGranule(const Problem& problem) {
  int64_t granule = 0;
  int64_t alignment = 1;
  for (const Buffer& buffer : problem.buffers()) {
    granule = std::gcd(granule, buffer.size);
    granule = std::gcd(granule, std::max<int64_t>(buffer.fixed_offset, 0));
    alignment = std::max(alignment, buffer.alignment);
  }
  for (const Neighbour& n : neighbours_.entries) {
    granule = std::gcd(granule, std::gcd(n.above, n.below));
  }
  for (const Blocked& range : blocked_.entries) {
    granule = std::gcd(granule, range.high);
  }
  if (granule == 0) return;
  granule_ = granule % alignment == 0 ? granule : std::gcd(granule, alignment);
}

int64_t ExactModel::LowestFrom(int32_t i, int64_t base) const {
  const int64_t alignment = items_[i].alignment;
  int64_t offset = AlignUp(base, alignment);
  for (const Blocked& range : blocked(i)) {
    if (offset <= range.low) break;
    if (offset < range.high) offset = AlignUp(range.high, alignment);
  }
  return offset;
}

int64_t ExactModel::HighestTo(int32_t i, int64_t limit) const {
  const int64_t alignment = items_[i].alignment;
  int64_t offset = AlignDown(limit, alignment);
  const Span<const Blocked> ranges = blocked(i);
  for (bool moved = true; moved;) {
    moved = false;
    for (const Blocked& range : ranges) {
      if (range.low < offset && offset < range.high) {
        offset = AlignDown(range.low, alignment);
        moved = true;
      }
    }
  }
  return offset;
}

}  // namespace arenalite
