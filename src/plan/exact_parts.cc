// Independent parts: where no unplaced item is live across a cut in time, the
// two sides have nothing to do with each other.

#include <algorithm>

#include "plan/exact_search.h"

namespace arenalite {

void ExactSearch::AppendToLists(int32_t item) {
  Status status = lists_.Append(item);
  if (!status.ok()) status_ = std::move(status);
}

// Puts what remains of the choice's part onto the stack.
void ExactSearch::AddRest(const Choice& choice) {
  Part rest = choice.part;
  if (--rest.count == 0) return;
  rest.parent = static_cast<int32_t>(choices_.size()) - 1;
  rest.last_item = lists_[choice.position];
  rest.last_position = choice.position;
  rest.last_offset = choice.offset;
  const ExactModel::Item& item = model_->item(rest.last_item);
  for (int32_t c = item.first; c < item.last; ++c) {
    if (crossing_[c] == 0) return Divide(rest);
  }
  if (2 * rest.count < rest.end - rest.begin) Compact(&rest);
  Status status = pending_.Append(rest);
  if (!status.ok()) status_ = std::move(status);
}

// Makes a list without the items that are placed.
void ExactSearch::Compact(Part* part) {
  const int32_t begin = static_cast<int32_t>(lists_.size());
  int32_t last_position = begin - 1;
  for (int32_t k = part->begin; k < part->end; ++k) {
    if (!placed(lists_[k])) AppendToLists(lists_[k]);
    if (k <= part->last_position) {
      last_position = static_cast<int32_t>(lists_.size()) - 1;
    }
  }
  part->begin = begin;
  part->end = static_cast<int32_t>(lists_.size());
  part->last_position = last_position;
}

// Each side gets a list of its own, ranked by what remains. New ranks say
// nothing of the items placed before, so that all of them may follow at the
// same offset.
void ExactSearch::Divide(Part part) {
  Compact(&part);
  part.last_position = -1;
  const auto first_of = [&](int32_t k) {
    return model_->item(lists_[k]).first;
  };
  std::sort(lists_.begin() + part.begin, lists_.begin() + part.end,
            [&](int32_t a, int32_t b) {
              const int32_t first_a = model_->item(a).first;
              const int32_t first_b = model_->item(b).first;
              return first_a != first_b ? first_a < first_b : a < b;
            });
  for (int32_t begin = part.begin, end; begin < part.end; begin = end) {
    Part side = part;
    side.first = first_of(begin);
    side.last = side.first;
    for (end = begin; end < part.end && first_of(end) <= side.last; ++end) {
      side.last = std::max(side.last, model_->item(lists_[end]).last);
    }
    side.begin = begin;
    side.end = end;
    side.count = end - begin;
    Rank(begin, end);
    Status status = pending_.Append(side);
    if (!status.ok()) status_ = std::move(status);
  }
}

void ExactSearch::Rank(int32_t begin, int32_t end) {
  for (int32_t k = begin; k < end; ++k) {
    Key& key = keys_[k - begin];
    key.item = lists_[k];
    for (int i = 0; i < 3; ++i) {
      key.values[i] = KeyOf(key.item, ranking_.keys[i]);
    }
  }
  std::sort(keys_.data(), keys_.data() + (end - begin),
            [](const Key& a, const Key& b) {
              for (int i = 0; i < 3; ++i) {
                if (a.values[i] != b.values[i])
                  return a.values[i] > b.values[i];
              }
              return a.item < b.item;
            });
  for (int32_t k = begin; k < end; ++k) lists_[k] = keys_[k - begin].item;
}

double ExactSearch::KeyOf(int32_t item, RankBy by) const {
  const ExactModel::Item& self = model_->item(item);
  switch (by) {
    case RankBy::kSteps:
      return static_cast<double>(self.steps);
    case RankBy::kArea:
      return static_cast<double>(self.size) *
             static_cast<double>(self.steps + 1);
    case RankBy::kDegree:
      return static_cast<double>(model_->neighbours(item).size());
    case RankBy::kTotal:
      break;
  }
  int64_t most = 0;
  for (int32_t c = self.first; c <= self.last; ++c) {
    most = std::max(most, remaining_[c]);
  }
  return static_cast<double>(most);
}

}  // namespace arenalite
