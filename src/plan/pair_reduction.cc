// What can be said of items before the search: some can be placed last,
// wherever the others are, and some at the bottom.

#include <algorithm>

#include "plan/pair_search.h"

namespace arenalite {

// An item that has more offsets than the others can block, wherever they are,
// can be placed last. Then the others need not mind it.
int32_t PairSearch::DropEasyItems() {
  int32_t dropped = 0;
  for (int32_t i = 0; i < model_->size(); ++i) {
    if (is_easy_[i] || is_settled_[i] || !IsEasy(i)) continue;
    is_easy_[i] = 1;
    Append(&easy_items_, i);
    ++dropped;
  }
  return dropped;
}

bool PairSearch::IsEasy(int32_t item) const {
  const int64_t alignment = model_->item(item).alignment;
  // At most so many offsets lie in an open range.
  const auto blocked = [&](int64_t width) {
    return (width - 1 + alignment - 1) / alignment;
  };
  int64_t free = (high(item).offset - low(item).offset) / alignment + 1;
  for (const ExactModel::Blocked& range : model_->blocked(item)) {
    free -= blocked(range.high - range.low);
  }
  for (const ExactModel::Neighbour& n : model_->neighbours(item)) {
    const bool apart = low(item).offset >= high(n.item).offset + n.below ||
                       high(item).offset <= low(n.item).offset - n.above;
    if (!apart && !is_easy_[n.item]) free -= blocked(n.above + n.below);
  }
  return free > 0;
}

// In the reverse order of dropping, each at its lowest free offset.
void PairSearch::PlaceEasyItems() {
  for (size_t k = easy_items_.size(); k-- > 0;) {
    const int32_t item = easy_items_[k];
    int64_t offset = low(item).offset;
    for (bool moved = true; moved;) {
      moved = false;
      for (const ExactModel::Neighbour& n : model_->neighbours(item)) {
        const int64_t other = offsets_[n.item];
        if (is_easy_[n.item] || offset <= other - n.above ||
            offset >= other + n.below) {
          continue;
        }
        offset = model_->LowestFrom(item, other + n.below);
        moved = true;
      }
    }
    offsets_[item] = offset;
    is_easy_[item] = 0;
  }
}

// Groups of the items that are left: of different groups, no two are live
// together. Items are in the order of first steps.
int32_t PairSearch::SettleLongLived() {
  int32_t settled = 0;
  int32_t last = -1;
  group_.Clear();
  for (int32_t i = 0; i < model_->size(); ++i) {
    if (is_easy_[i] || is_settled_[i]) continue;
    if (model_->item(i).first > last) {
      settled += SettleIn(group_);
      group_.Clear();
    }
    last = std::max(last, model_->item(i).last);
    Append(&group_, i);
  }
  return settled + SettleIn(group_);
}

// An item that is live together with all of its group, and shares bytes with
// none, can lie at the bottom: in any plan each of the others is wholly below
// or above it; those below can go up by its size when it goes below them. All
// offsets stay aligned when its size is a multiple of all alignments.
int32_t PairSearch::SettleIn(Span<const int32_t> group) {
  int32_t least_last = INT32_MAX;
  int32_t most_first = -1;
  int64_t alignment = 1;
  for (int32_t i : group) {
    const ExactModel::Item& item = model_->item(i);
    if (!model_->blocked(i).empty()) return 0;
    if (low(i).offset != low(group[0]).offset) return 0;
    least_last = std::min(least_last, item.last);
    most_first = std::max(most_first, item.first);
    alignment = std::max(alignment, item.alignment);
  }
  if (group.size() < 2) return 0;
  int64_t bottom = low(group[0]).offset;
  int32_t settled = 0;
  if (bottom % alignment != 0) return 0;
  for (int32_t i : group) {
    const ExactModel::Item& item = model_->item(i);
    if (item.first > least_last || item.last < most_first ||
        item.size % alignment != 0 || !model_->shares(i).empty()) {
      continue;
    }
    low(i).offset = bottom;
    is_settled_[i] = 1;
    bottom += item.size;
    ++settled;
  }
  for (int32_t i : group) {
    if (is_settled_[i]) {
      high(i).offset = std::min(high(i).offset, low(i).offset);
    } else {
      low(i).offset = bottom;
    }
  }
  return settled;
}

}  // namespace arenalite
