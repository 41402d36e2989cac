// What placing an item means for the others: lowest offsets, floors and sums.

#include <algorithm>

#include "plan/exact_search.h"

namespace arenalite {

void ExactSearch::GrowTrail() {
  Status status = trail_.Resize(2 * trail_.size());
  if (status.ok()) return;
  // The search ends; what is on the trail does not matter any more.
  status_ = std::move(status);
  trail_size_ = 0;
}

// An item below the one placed last was passed over: at its lowest offset it
// would have come earlier. So a neighbour that is placed from now on has to
// push it up, by its own size at the least.
bool ExactSearch::PushUpPassedOver(const Part& part) {
  if (part.last_item < 0 || model_->dips()) return true;
  for (int32_t k = part.begin; k < part.end; ++k) {
    if (lowest_[lists_[k]] > part.last_offset || MayComeNext(part, k)) continue;
    if (!PushUpByNeighbours(lists_[k], part.last_offset)) return false;
  }
  return true;
}

// Raises the lowest offset of `item` to where the lowest of its neighbours
// leaves it, when none of them is placed below `from`.
bool ExactSearch::PushUpByNeighbours(int32_t item, int64_t from) {
  int64_t least = kPlaced;
  for (const ExactModel::Neighbour& neighbour : model_->neighbours(item)) {
    const int64_t lowest = lowest_[neighbour.item];
    if (lowest == kPlaced) continue;
    least = std::min(least, std::max(lowest, from) + neighbour.below);
  }
  if (least == kPlaced) return false;
  if (least <= lowest_[item]) return true;
  const ExactModel::Item& self = model_->item(item);
  return Raise(item, least) && FitsAboveFloors(self.first, self.last);
}

// Raises the lowest offset of `item` to `least` or above; false when it does
// not fit there.
bool ExactSearch::Raise(int32_t item, int64_t least) {
  least = model_->LowestFrom(item, least);
  if (least + model_->item(item).size > capacity_) return false;
  Set(&lowest_[item], least);
  return true;
}

// False when the rest cannot fit any more.
bool ExactSearch::Place(Choice* choice) {
  const int32_t item = lists_[choice->position];
  int32_t first = model_->item(item).first;
  int32_t last = model_->item(item).last;
  Set(&offsets_[item], choice->offset);
  Set(&lowest_[item], kPlaced);
  UpdateRemaining(item);
  if (!RestFitsFrom(choice->part, item, choice->offset)) return false;
  choice->blameless = true;
  for (const ExactModel::Neighbour& neighbour : model_->neighbours(item)) {
    const int64_t lowest = lowest_[neighbour.item];
    if (lowest == kPlaced) continue;
    choice->blameless = false;
    const int64_t least = choice->offset + neighbour.above;
    if (lowest >= least) continue;
    if (!Raise(neighbour.item, least)) return false;
    first = std::min(first, model_->item(neighbour.item).first);
    last = std::max(last, model_->item(neighbour.item).last);
  }
  return FitsAboveFloors(first, last);
}

// No item of the part is placed below `offset` any more.
bool ExactSearch::RestFitsFrom(const Part& part, int32_t item,
                               int64_t offset) const {
  if (model_->dips()) return true;
  const int64_t most = rounded_capacity_ - offset;
  for (int32_t c = part.first; c < model_->item(item).first; ++c) {
    if (remaining_[c] > most) return false;
  }
  for (int32_t c = model_->item(item).last + 1; c <= part.last; ++c) {
    if (remaining_[c] > most) return false;
  }
  return true;
}

void ExactSearch::UpdateRemaining(int32_t item) {
  const ExactModel::Item& self = model_->item(item);
  for (int32_t c = self.first; c <= self.last; ++c) {
    Set(&remaining_[c], remaining_[c] - self.room);
    if (c < self.last) Set(&crossing_[c], crossing_[c] - 1);
  }
  const Span<const ExactModel::Share> shares = model_->shares(item);
  if (shares.empty()) return;
  UpdateShared(item);
  for (const ExactModel::Share& share : shares) {
    if (!share.charged) UpdateShared(share.partner);
  }
}

// The lower bound's argument, for the items not placed yet: each adds its
// size, less what it may share with those it is charged for.
void ExactSearch::UpdateShared(int32_t item) {
  const ExactModel::Item& self = model_->item(item);
  int64_t sum = 0;
  for (const ExactModel::Share& share : model_->shares(item)) {
    if (share.charged && !placed(share.partner)) sum += share.bytes;
  }
  sum = placed(item) ? 0 : std::min(sum, self.room);
  const int64_t less = shared_[item] - sum;
  if (less == 0) return;
  Set(&shared_[item], sum);
  for (int32_t c = self.first; c <= self.share_last; ++c) {
    Set(&remaining_[c], remaining_[c] + less);
  }
}

// Whether every clique of a range can hold what remains above its floor, the
// least of its lowest offsets. One item that is low enough shows it, and most
// often the one that showed it last still does.
bool ExactSearch::FitsAboveFloors(int32_t first, int32_t last) {
  for (int32_t c = first; c <= last; ++c) {
    const int64_t most = rounded_capacity_ - remaining_[c];
    if (lowest_[witness_[c]] <= most || remaining_[c] == 0) continue;
    bool fits = false;
    for (int32_t item : model_->members(c)) {
      fits = lowest_[item] <= most;
      if (fits) {
        witness_[c] = item;
        break;
      }
    }
    if (!fits) return false;
  }
  return true;
}

}  // namespace arenalite
