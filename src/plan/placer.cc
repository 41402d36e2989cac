#include "plan/placer.h"

#include <algorithm>

#include "base/checked_math.h"

namespace arenalite {

Result<Placer> Placer::Create(const Problem& problem) {
  Placer placer(problem);
  const size_t count = problem.size();
  ARENALITE_RETURN_IF_ERROR(placer.offsets_.Resize(count));
  ARENALITE_RETURN_IF_ERROR(placer.blocked_.Resize(count));
  if (problem.has_partners()) {
    ARENALITE_RETURN_IF_ERROR(placer.partner_at_.Resize(count));
  }
  placer.Clear();
  return placer;
}

void Placer::Clear() {
  total_ = 0;
  offsets_.Fill(-1);
  for (int32_t i = 0; i < problem_->size(); ++i) {
    const int64_t fixed = problem_->buffer(i).fixed_offset;
    if (fixed >= 0) Put(i, fixed);
  }
}

void Placer::Place(int32_t buffer, Fit fit) {
  if (offsets_[buffer] >= 0) return;
  CollectBlocked(buffer);
  std::sort(blocked_.data(), blocked_.data() + blocked_count_,
            [](const Blocked& a, const Blocked& b) {
              return a.low != b.low ? a.low < b.low : a.high < b.high;
            });
  Put(buffer, FindGap(problem_->buffer(buffer).alignment, fit));
}

void Placer::CollectBlocked(int32_t buffer) {
  blocked_count_ = 0;
  const int64_t size = problem_->buffer(buffer).size;
  const Span<const Partner> partners = problem_->partners(buffer);
  if (partners.empty()) {
    problem_->ForEachNeighbour(buffer, [&](int32_t j) {
      const int64_t offset = offsets_[j];
      if (offset < 0) return;
      blocked_[blocked_count_++] = {offset - size,
                                    offset + problem_->buffer(j).size};
    });
    return;
  }
  for (size_t k = 0; k < partners.size(); ++k) {
    partner_at_[partners[k].buffer] = static_cast<int32_t>(k) + 1;
  }
  problem_->ForEachNeighbour(buffer, [&](int32_t j) {
    const int64_t offset = offsets_[j];
    if (offset < 0) return;
    const int32_t at = partner_at_[j];
    const int64_t below = at == 0 ? size : partners[at - 1].below;
    const int64_t above =
        at == 0 ? problem_->buffer(j).size : partners[at - 1].above;
    // Otherwise every offset is right.
    if (above > -below) {
      blocked_[blocked_count_++] = {offset - below, offset + above};
    }
  });
  for (const Partner& partner : partners) partner_at_[partner.buffer] = 0;
}

int64_t Placer::FindGap(int64_t alignment, Fit fit) const {
  int64_t offset = 0;
  int64_t best_offset = -1;
  int64_t best_slack = INT64_MAX;
  for (size_t k = 0; k < blocked_count_; ++k) {
    const int64_t slack = blocked_[k].low - offset;
    if (slack >= 0 && slack < best_slack) {
      if (fit == Fit::kLowest) return offset;
      best_offset = offset;
      best_slack = slack;
    }
    if (blocked_[k].high > offset) {
      offset = AlignUp(blocked_[k].high, alignment);
    }
  }
  return best_offset >= 0 ? best_offset : offset;
}

void Placer::Put(int32_t buffer, int64_t offset) {
  offsets_[buffer] = offset;
  total_ = std::max(total_, offset + problem_->buffer(buffer).size);
}

}  // namespace arenalite
