#include "plan/placer.h"

#include <algorithm>

#include "base/checked_math.h"

namespace arenalite {

Result<Placer> Placer::Create(const Problem& problem) {
  Placer placer(problem);
  const size_t count = problem.size();
  ARENALITE_RETURN_IF_ERROR(placer.places_.Resize(count));
  ARENALITE_RETURN_IF_ERROR(placer.blocked_.Resize(count));
  if (problem.has_partners()) {
    ARENALITE_RETURN_IF_ERROR(placer.partner_at_.Resize(count));
  }
  placer.Clear();
  return placer;
}

void Placer::Clear() {
  total_ = 0;
  places_.Fill({-1, -1});
  for (int32_t i = 0; i < problem_->size(); ++i) {
    const int64_t fixed = problem_->buffer(i).fixed_offset;
    if (fixed >= 0) Put(i, fixed);
  }
}

void Placer::Place(int32_t buffer, Fit fit) {
  if (places_[buffer].low >= 0) return;
  CollectBlocked(buffer);
  std::sort(blocked_.data(), blocked_.data() + blocked_count_,
            [](const Range& a, const Range& b) {
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
      const Range& place = places_[j];
      if (place.low < 0) return;
      blocked_[blocked_count_++] = {place.low - size, place.high};
    });
    return;
  }
  for (size_t k = 0; k < partners.size(); ++k) {
    partner_at_[partners[k].buffer] = static_cast<int32_t>(k) + 1;
  }
  problem_->ForEachNeighbour(buffer, [&](int32_t j) {
    const Range& place = places_[j];
    if (place.low < 0) return;
    const int32_t at = partner_at_[j];
    const int64_t below = at == 0 ? size : partners[at - 1].below;
    const int64_t above =
        at == 0 ? place.high - place.low : partners[at - 1].above;
    // Otherwise every offset is right.
    if (above > -below) {
      blocked_[blocked_count_++] = {place.low - below, place.low + above};
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
  places_[buffer] = {offset, offset + problem_->buffer(buffer).size};
  total_ = std::max(total_, places_[buffer].high);
}

}  // namespace arenalite
