// PairSearch: is there a plan within a capacity? Decided pair by pair.
//
// Of two items that are live together, one lies above the other, at some least
// distance (negative where an input may start below its output). A plan is a
// choice for every pair; the lowest offsets that the chosen distances leave are
// then right, whatever their signs. So unlike ExactSearch, which places items
// in the order of their offsets, this search proves what it does not find also
// where overlaps dip. It is quick where few items are live at once.
//
// Each item has a window of offsets. Deciding a pair raises the low end of the
// upper item's window and lowers the high end of the lower one's; a pair that
// has only one way left is decided. Every change remembers its causes. When a
// window becomes empty, the causes lead to the decisions to blame: the search
// returns to the last one of these (conflict-directed backjumping, Prosser
// 1993), and prefers pairs that were involved of late (as VSIDS does, Moskewicz
// et al. 2001).

#ifndef ARENALITE_PLAN_PAIR_SEARCH_H_
#define ARENALITE_PLAN_PAIR_SEARCH_H_

#include <utility>

#include "plan/exact_model.h"
#include "plan/search_outcome.h"

namespace arenalite {

class PairSearch {
 public:
  // `model` must outlive the search. Allocates nothing before the first run.
  PairSearch(const ExactModel& model, const SearchInterrupt& interrupt)
      : model_(&model), interrupt_(interrupt) {}

  // Gives up after `node_limit` nodes, or when interrupted. What it learnt of
  // the pairs helps the next run.
  Result<SearchOutcome> Run(int64_t capacity, int64_t node_limit);

  // After kFound: for each item.
  Span<const int64_t> offsets() const { return offsets_; }
  // Nodes of all runs so far.
  int64_t nodes() const { return nodes_; }
  bool interrupted() const { return interrupted_; }

 private:
  // With items[k] the lower one, items[1 - k] is at least above[k] above it.
  struct Pair {
    int32_t items[2];
    int64_t above[2];
    int64_t weight;
    int32_t lower;  // The k that was decided for; kOpen.
    int32_t event;  // That decided it.
  };
  // One end of a window, and the event that moved it; -1: none did.
  struct End {
    int64_t offset;
    int32_t event;
  };
  struct Event {
    int32_t subject;  // An index into ends_, or ~pair.
    // Earlier events; -1: none. An end is moved by an end and a pair, a pair
    // decided by two ends.
    int32_t causes[2];
    int32_t level;  // Of a decision; -1: it follows from its causes.
    End before;     // Of an end.
  };
  struct Level {
    int32_t pair;
    bool second;  // The first way failed; blames_ from here on hold the levels
    size_t blames_begin;  // that are to blame.
    size_t events_size;   // To return to.
  };

  Status Allocate();
  void Reset(int64_t capacity);
  int32_t DropEasyItems();
  bool IsEasy(int32_t item) const;
  int32_t SettleLongLived();
  int32_t SettleIn(Span<const int32_t> group);
  void ListPairs();
  bool Exhausted() const {
    return interrupted_ || nodes_ >= node_limit_ ||
           events_.size() >= kMostEvents || !status_.ok();
  }
  void CountWork(size_t steps);

  bool Solve();
  int32_t ChoosePair() const;
  void Decide(int32_t pair);
  bool Resolve();
  void FindBlamed();
  void Mark(int32_t event);

  bool Propagate();
  bool PropagatePair(int32_t pair);
  void Close(int32_t pair, int32_t lower, const Event& event);
  bool Separate(const Pair& pair);
  bool Move(int32_t end, int64_t offset, int32_t cause, int32_t pair_event);
  bool ClosesCycle(int32_t end, int32_t cause, int32_t pair_event);
  int64_t DistanceOf(int32_t pair_event) const;
  void Enqueue(int32_t item);
  void AddEvent(const Event& event);
  template <class T>
  void Append(Array<T>* array, T value) {
    Status status = array->Append(std::move(value));
    if (!status.ok()) status_ = std::move(status);
  }
  void UndoTo(size_t events_size);
  void PlaceEasyItems();

  End& low(int32_t item) { return ends_[2 * item]; }
  End& high(int32_t item) { return ends_[2 * item + 1]; }
  const End& low(int32_t item) const { return ends_[2 * item]; }
  const End& high(int32_t item) const { return ends_[2 * item + 1]; }

  static constexpr int32_t kOpen = 2;
  static constexpr size_t kMostEvents = size_t{1} << 20;

  const ExactModel* model_;
  SearchInterrupt interrupt_;
  int64_t nodes_ = 0;
  int64_t node_limit_ = 0;
  int64_t work_ = 0;  // Since the last node.
  bool interrupted_ = false;
  Status status_;  // An allocation that failed.

  Array<Pair> pairs_;
  int64_t weight_step_ = 1;
  // The pairs of hard items: pairs_of_[pairs_begin_[i] .. pairs_begin_[i + 1]).
  Array<int32_t> pairs_of_;
  Array<size_t> pairs_begin_;
  Array<int32_t> hard_pairs_;
  // Items that fit wherever the others are put, in the order of dropping.
  Array<int32_t> easy_items_;
  Array<uint8_t> is_easy_;     // Of each item.
  Array<uint8_t> is_settled_;  // Of each item: its window is one offset.
  Array<int32_t> group_;       // Scratch of SettleLongLived().
  Array<End> ends_;            // Of each item: low, high.
  Array<Event> events_;
  Array<Level> levels_;
  Array<int32_t> blames_;
  Array<uint8_t> blamed_;  // Of each level.
  Array<uint8_t> marks_;   // Of each event: it led to the conflict.
  size_t marked_ = 0;      // How many.
  Array<int32_t> queue_;   // Items whose windows shrank.
  Array<uint8_t> queued_;  // Of each item.
  Array<int64_t> offsets_;
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_PAIR_SEARCH_H_
