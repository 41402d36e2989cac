#include "plan/pair_search.h"

#include <algorithm>

namespace arenalite {

Status PairSearch::Allocate() {
  const int32_t items = model_->size();
  for (int32_t i = 0; i < items; ++i) {
    for (const ExactModel::Neighbour& n : model_->neighbours(i)) {
      if (n.item < i) continue;
      ARENALITE_RETURN_IF_ERROR(
          pairs_.Append({{i, n.item}, {n.above, n.below}, 0, kOpen, -1}));
    }
  }
  for (Array<uint8_t>* array : {&is_easy_, &is_settled_, &queued_}) {
    ARENALITE_RETURN_IF_ERROR(array->Resize(items));
  }
  ARENALITE_RETURN_IF_ERROR(pairs_begin_.Resize(items + 1));
  ARENALITE_RETURN_IF_ERROR(pairs_of_.Resize(2 * pairs_.size()));
  ARENALITE_RETURN_IF_ERROR(hard_pairs_.Reserve(pairs_.size()));
  ARENALITE_RETURN_IF_ERROR(easy_items_.Reserve(items));
  ARENALITE_RETURN_IF_ERROR(group_.Reserve(items));
  ARENALITE_RETURN_IF_ERROR(ends_.Resize(2 * items));
  ARENALITE_RETURN_IF_ERROR(levels_.Reserve(pairs_.size()));
  ARENALITE_RETURN_IF_ERROR(blamed_.Resize(pairs_.size()));
  ARENALITE_RETURN_IF_ERROR(queue_.Reserve(items));
  return offsets_.Resize(items);
}

Result<SearchOutcome> PairSearch::Run(int64_t capacity, int64_t node_limit) {
  node_limit_ = nodes_ + std::min(node_limit, INT64_MAX - nodes_);
  if (ends_.empty()) ARENALITE_RETURN_IF_ERROR(Allocate());
  Reset(capacity);
  for (int32_t i = 0; i < model_->size(); ++i) {
    if (low(i).offset > high(i).offset) return SearchOutcome::kImpossible;
  }
  const bool found = Solve();
  if (!status_.ok()) return std::move(status_);
  if (!found) {
    return Exhausted() ? SearchOutcome::kGaveUp : SearchOutcome::kImpossible;
  }
  for (int32_t i = 0; i < model_->size(); ++i) offsets_[i] = low(i).offset;
  PlaceEasyItems();
  return SearchOutcome::kFound;
}

// Pairs and events looked at count, so that a node takes about as long as one
// of ExactSearch whatever the size of the problem.
void PairSearch::CountWork(size_t steps) {
  constexpr int64_t kStepsOfNode = 128;
  work_ += static_cast<int64_t>(steps);
  for (; work_ >= kStepsOfNode; work_ -= kStepsOfNode) {
    ++nodes_;
    if (nodes_ % 1024 == 0 && interrupt_.function != nullptr) {
      interrupted_ = interrupted_ || interrupt_.function(interrupt_.context);
    }
  }
}

void PairSearch::Reset(int64_t capacity) {
  events_.Clear();
  levels_.Clear();
  blames_.Clear();
  queue_.Clear();
  queued_.Fill(0);
  blamed_.Fill(0);
  marks_.Fill(0);
  marked_ = 0;
  easy_items_.Clear();
  is_easy_.Fill(0);
  is_settled_.Fill(0);
  for (Pair& pair : pairs_) pair.lower = kOpen;
  for (int32_t i = 0; i < model_->size(); ++i) {
    low(i) = {model_->LowestFrom(i, 0), -1};
    high(i) = {model_->HighestTo(i, capacity - model_->item(i).size), -1};
  }
  // A few rounds: most of what there is to find, and never a long time.
  for (int round = 0; round < 8; ++round) {
    if (DropEasyItems() + SettleLongLived() == 0) break;
    CountWork(pairs_.size());
  }
  ListPairs();
  for (int32_t i = 0; i < model_->size(); ++i) {
    if (!is_easy_[i]) Enqueue(i);
  }
}

void PairSearch::ListPairs() {
  hard_pairs_.Clear();
  pairs_begin_.Fill(0);
  for (size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    if (is_easy_[pair.items[0]] || is_easy_[pair.items[1]]) continue;
    Append(&hard_pairs_, static_cast<int32_t>(p));
    for (int32_t item : pair.items) ++pairs_begin_[item];
  }
  // From counts to ends; filling from the back turns these into begins.
  size_t end = 0;
  for (size_t& begin : pairs_begin_) {
    end += begin;
    begin = end;
  }
  for (int32_t p : hard_pairs_) {
    for (int32_t item : pairs_[p].items) pairs_of_[--pairs_begin_[item]] = p;
  }
}

bool PairSearch::Solve() {
  while (true) {
    while (!Propagate()) {
      if (Exhausted() || !Resolve()) return false;
    }
    const int32_t pair = ChoosePair();
    if (pair < 0) return true;
    if (Exhausted()) return false;
    CountWork(hard_pairs_.size());
    Decide(pair);
  }
}

// Of the pairs that the lowest offsets do not satisfy, the one that was most
// involved in conflicts; -1: they satisfy all.
int32_t PairSearch::ChoosePair() const {
  int32_t best = -1;
  int64_t best_weight = -1;
  for (int32_t p : hard_pairs_) {
    const Pair& pair = pairs_[p];
    if (pair.lower != kOpen || pair.weight <= best_weight) continue;
    const int64_t a = low(pair.items[0]).offset;
    const int64_t b = low(pair.items[1]).offset;
    if (a + pair.above[0] <= b || b + pair.above[1] <= a) continue;
    best = p;
    best_weight = pair.weight;
  }
  return best;
}

// First the way that leaves more room.
void PairSearch::Decide(int32_t p) {
  const Pair& pair = pairs_[p];
  int64_t room[2];
  for (int k = 0; k < 2; ++k) {
    room[k] = high(pair.items[1 - k]).offset - low(pair.items[k]).offset -
              pair.above[k];
  }
  const auto level = static_cast<int32_t>(levels_.size());
  Append(&levels_, {p, false, blames_.size(), events_.size()});
  Close(p, room[0] >= room[1] ? 0 : 1, {~p, {-1, -1}, level, {0, -1}});
}

// A conflict: returns to the last decision to blame that has a way left.
// False when there is none: it is impossible.
bool PairSearch::Resolve() {
  FindBlamed();
  while (!levels_.empty()) {
    const auto top = static_cast<int32_t>(levels_.size()) - 1;
    Level& level = levels_[top];
    const int32_t lower = pairs_[level.pair].lower;
    const bool blamed = blamed_[top] != 0;
    blamed_[top] = 0;
    UndoTo(level.events_size);
    if (blamed && !level.second) {
      level.second = true;
      for (int32_t l = 0; l < top; ++l) {
        if (blamed_[l]) Append(&blames_, l);
        blamed_[l] = 0;
      }
      Close(level.pair, 1 - lower, {~level.pair, {-1, -1}, top, {0, -1}});
      return true;
    }
    for (; blames_.size() > level.blames_begin; blames_.PopBack()) {
      if (blamed) blamed_[blames_.back()] = 1;
    }
    levels_.PopBack();
  }
  return false;
}

// From the marked events back to the decisions that led to them.
void PairSearch::FindBlamed() {
  size_t e = events_.size();
  while (marked_ > 0) {
    if (!marks_[--e]) continue;
    marks_[e] = 0;
    --marked_;
    const Event& event = events_[e];
    if (event.level >= 0) blamed_[event.level] = 1;
    if (event.subject < 0) pairs_[~event.subject].weight += weight_step_;
    for (int32_t cause : event.causes) Mark(cause);
  }
  CountWork(events_.size() - e);
  weight_step_ += weight_step_ / 16 + 1;
  if (weight_step_ < int64_t{1} << 40) return;
  weight_step_ >>= 20;
  for (Pair& pair : pairs_) pair.weight >>= 20;
}

void PairSearch::Mark(int32_t event) {
  if (event < 0 || marks_[event]) return;
  marks_[event] = 1;
  ++marked_;
}

bool PairSearch::Propagate() {
  bool possible = true;
  while (possible && !queue_.empty()) {
    const int32_t item = queue_.back();
    queue_.PopBack();
    queued_[item] = 0;
    for (size_t k = pairs_begin_[item]; k < pairs_begin_[item + 1]; ++k) {
      possible = PropagatePair(pairs_of_[k]);
      if (!possible) break;
    }
    CountWork(pairs_begin_[item + 1] - pairs_begin_[item] + 1);
    if (Exhausted()) possible = false;
  }
  if (!possible) {
    for (int32_t item : queue_) queued_[item] = 0;
    queue_.Clear();
  }
  return possible;
}

bool PairSearch::PropagatePair(int32_t p) {
  const Pair& pair = pairs_[p];
  for (int k = 0; k < 2 && pair.lower == kOpen; ++k) {
    const End& least = low(pair.items[k]);
    const End& most = high(pair.items[1 - k]);
    if (least.offset + pair.above[k] > most.offset) {
      Close(p, 1 - k, {~p, {least.event, most.event}, -1, {0, -1}});
    }
  }
  return pair.lower == kOpen || Separate(pair);
}

void PairSearch::Close(int32_t p, int32_t lower, const Event& event) {
  Pair& pair = pairs_[p];
  pair.lower = lower;
  pair.event = static_cast<int32_t>(events_.size());
  AddEvent(event);
  Enqueue(pair.items[0]);
}

bool PairSearch::Separate(const Pair& pair) {
  const int32_t lower = pair.items[pair.lower];
  const int32_t upper = pair.items[1 - pair.lower];
  const int64_t above = pair.above[pair.lower];
  const End least = low(lower);
  if (least.offset + above > low(upper).offset &&
      !Move(2 * upper, model_->LowestFrom(upper, least.offset + above),
            least.event, pair.event)) {
    return false;
  }
  const End most = high(upper);
  return most.offset - above >= high(lower).offset ||
         Move(2 * lower + 1, model_->HighestTo(lower, most.offset - above),
              most.event, pair.event);
}

// Moves one end of a window because of the same end of another one and a pair
// that was decided; false when the window becomes empty.
bool PairSearch::Move(int32_t end, int64_t offset, int32_t cause,
                      int32_t pair_event) {
  const bool is_high = end % 2 != 0;
  const End& opposite = ends_[end ^ 1];
  if (is_high ? offset < opposite.offset : offset > opposite.offset) {
    for (int32_t event : {cause, pair_event, opposite.event}) Mark(event);
    return false;
  }
  const End before = ends_[end];
  if (before.event >= 0 && ClosesCycle(end, cause, pair_event)) return false;
  ends_[end] = {offset, static_cast<int32_t>(events_.size())};
  AddEvent({end, {cause, pair_event}, -1, before});
  Enqueue(end / 2);
  return true;
}

// Whether the end's last move is among the causes of this one, so that the
// distances between are those of a cycle. When they add up to more than 0, only
// their pairs are to blame. (Otherwise alignments or fixed offsets were the
// cause, and the end will come to rest.)
bool PairSearch::ClosesCycle(int32_t end, int32_t cause, int32_t pair_event) {
  const int32_t last = ends_[end].event;
  int64_t sum = DistanceOf(pair_event);
  int32_t event = cause;
  for (; event > last; event = events_[event].causes[0]) {
    sum += DistanceOf(events_[event].causes[1]);
  }
  if (event != last || sum <= 0) return false;
  Mark(pair_event);
  for (event = cause; event > last; event = events_[event].causes[0]) {
    Mark(events_[event].causes[1]);
  }
  return true;
}

int64_t PairSearch::DistanceOf(int32_t pair_event) const {
  const Pair& pair = pairs_[~events_[pair_event].subject];
  return pair.above[pair.lower];
}

void PairSearch::Enqueue(int32_t item) {
  if (queued_[item]) return;
  queued_[item] = 1;
  Append(&queue_, item);
}

void PairSearch::AddEvent(const Event& event) {
  Append(&events_, event);
  if (marks_.size() < events_.size()) Append(&marks_, uint8_t{0});
}

void PairSearch::UndoTo(size_t events_size) {
  while (events_.size() > events_size) {
    const Event& event = events_.back();
    if (event.subject < 0) {
      pairs_[~event.subject].lower = kOpen;
    } else {
      ends_[event.subject] = event.before;
    }
    events_.PopBack();
  }
}

}  // namespace arenalite
