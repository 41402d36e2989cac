// The search itself: choices and backtracking.

#include "plan/exact_search.h"

#include <algorithm>

#include "base/checked_math.h"

namespace arenalite {

Result<ExactSearch> ExactSearch::Create(const ExactModel& model,
                                        const SearchInterrupt& interrupt) {
  ExactSearch search(model);
  search.interrupt_ = interrupt;
  ARENALITE_RETURN_IF_ERROR(search.Allocate());
  return search;
}

Status ExactSearch::Allocate() {
  const size_t items = model_->size();
  const size_t cliques = model_->clique_count();
  for (Array<int64_t>* array : {&offsets_, &lowest_, &shared_}) {
    ARENALITE_RETURN_IF_ERROR(array->Resize(items));
  }
  for (Array<int64_t>* array : {&remaining_, &crossing_}) {
    ARENALITE_RETURN_IF_ERROR(array->Resize(cliques));
  }
  ARENALITE_RETURN_IF_ERROR(witness_.Resize(cliques));
  // Parts are disjoint, and a choice places an item: these stacks never grow.
  ARENALITE_RETURN_IF_ERROR(pending_.Reserve(items));
  ARENALITE_RETURN_IF_ERROR(choices_.Reserve(items));
  ARENALITE_RETURN_IF_ERROR(keys_.Resize(items));
  return trail_.Resize(16 * items + 1024);
}

void ExactSearch::Reset(int64_t capacity) {
  capacity_ = capacity;
  rounded_capacity_ = AlignUp(capacity, model_->alignment());
  trail_size_ = 0;
  lists_.Clear();
  pending_.Clear();
  choices_.Clear();
  offsets_.Fill(-1);
  shared_.Fill(0);
  remaining_.Fill(0);
  crossing_.Fill(0);
  for (int32_t i = 0; i < model_->size(); ++i) {
    const ExactModel::Item& item = model_->item(i);
    lowest_[i] = model_->LowestFrom(i, 0);
    for (int32_t c = item.first; c <= item.last; ++c) {
      remaining_[c] += item.room;
      witness_[c] = i;
      if (c < item.last) ++crossing_[c];
    }
    AppendToLists(i);
  }
  for (int32_t i = 0; i < model_->size(); ++i) UpdateShared(i);
}

bool ExactSearch::IsImpossibleFromTheStart() {
  for (int32_t i = 0; i < model_->size(); ++i) {
    if (lowest_[i] + model_->item(i).size > capacity_) return true;
  }
  return !FitsAboveFloors(0, model_->clique_count() - 1);
}

Result<SearchOutcome> ExactSearch::Run(int64_t capacity, const Ranking& ranking,
                                       int64_t node_limit) {
  ranking_ = ranking;
  node_limit_ = nodes_ + std::min(node_limit, INT64_MAX - nodes_);
  Reset(capacity);
  bool found = !IsImpossibleFromTheStart();
  if (found) {
    const int32_t size = model_->size();
    Divide({0, size, size, 0, model_->clique_count() - 1, -1, -1, -1, -1});
    while (found && !pending_.empty()) found = PlaceNext();
  }
  if (!status_.ok()) return std::move(status_);
  if (found) return SearchOutcome::kFound;
  return Exhausted() ? SearchOutcome::kGaveUp : SearchOutcome::kImpossible;
}

void ExactSearch::CountNode() {
  ++nodes_;
  if (nodes_ % 1024 == 0 && interrupt_.function != nullptr) {
    interrupted_ = interrupt_.function(interrupt_.context);
  }
}

// Takes the part on top of the stack and places one of its items. False when
// there is no plan, or the search ends.
bool ExactSearch::PlaceNext() {
  Choice choice = {};
  choice.part = pending_.back();
  pending_.PopBack();
  choice.offset = -1;
  choice.position = -1;
  choice.pending_size = pending_.size();
  const bool possible = PushUpPassedOver(choice.part);
  choice.trail_size = trail_size_;
  choice.candidates = lists_.size();
  if (possible) CollectCandidates(choice.part);
  choice.lists_size = lists_.size();
  Status status = choices_.Append(choice);
  if (!status.ok()) status_ = std::move(status);
  return FindPlacement();
}

// Tries the candidates of the choice on top, then those of the choice that is
// to blame for their failing.
bool ExactSearch::FindPlacement() {
  while (!Exhausted()) {
    Choice& choice = choices_.back();
    if (!choice.blameless && NextCandidate(&choice)) {
      CountNode();
      if (Place(&choice)) {
        AddRest(choice);
        return true;
      }
      choice.blameless = false;
      UndoTo(choice.trail_size);
    } else if (!BackOut()) {
      return false;
    }
  }
  return false;
}

// The part of the choice on top cannot be placed. Returns to the choice that
// made this part; parts that were placed in between have nothing to do with
// it. That choice tries its next candidate, unless its item is blameless: an
// item that touches no unplaced one changed nothing for them.
bool ExactSearch::BackOut() {
  const int32_t parent = choices_.back().part.parent;
  if (parent < 0) return false;
  while (choices_.size() > static_cast<size_t>(parent) + 1) choices_.PopBack();
  const Choice& choice = choices_.back();
  UndoTo(choice.trail_size);
  while (pending_.size() > choice.pending_size) pending_.PopBack();
  while (lists_.size() > choice.lists_size) lists_.PopBack();
  return true;
}

// Where something fits wholly below, a candidate only leaves a gap that is
// filled later: it can wait.
void ExactSearch::CollectCandidates(const Part& part) {
  int64_t end = kPlaced;
  for (int32_t k = part.begin; k < part.end && !model_->dips(); ++k) {
    const int64_t top = lowest_[lists_[k]] + model_->item(lists_[k]).size;
    if (top < end && !CarriesUnplaced(lists_[k])) end = top;
  }
  for (int32_t k = part.begin; k < part.end; ++k) {
    if (lowest_[lists_[k]] < end && MayComeNext(part, k)) AppendToLists(k);
  }
}

// The next candidate in the order of (offset, position) after the one tried.
bool ExactSearch::NextCandidate(Choice* choice) const {
  int64_t best_offset = kPlaced;
  int32_t best_position = -1;
  for (size_t i = choice->candidates; i < choice->lists_size; ++i) {
    const int32_t position = lists_[i];
    const int64_t offset = lowest_[lists_[position]];
    const bool tried =
        offset < choice->offset ||
        (offset == choice->offset && position <= choice->position);
    if (offset < best_offset && !tried) {
      best_offset = offset;
      best_position = position;
    }
  }
  choice->offset = best_offset;
  choice->position = best_position;
  return best_position >= 0;
}

// Items come in the order of (offset, position). The exception is an item
// that rests on the one placed last and is not higher: an op's input, which
// its output reaches into or covers.
bool ExactSearch::MayComeNext(const Part& part, int32_t position) const {
  const int64_t offset = lowest_[lists_[position]];
  if (offset > part.last_offset) return true;
  if (offset == part.last_offset && position > part.last_position) return true;
  for (const ExactModel::Share& share : model_->shares(part.last_item)) {
    if (share.partner == lists_[position] && share.above <= 0) return true;
  }
  return false;
}

// Lowering this item could take the place from an output that lies on it.
bool ExactSearch::CarriesUnplaced(int32_t item) const {
  for (const ExactModel::Share& share : model_->shares(item)) {
    if (share.below <= 0 && !placed(share.partner)) return true;
  }
  return false;
}

}  // namespace arenalite
