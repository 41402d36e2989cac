// ExactSearch: is there a plan within a capacity?
//
// A depth-first search that builds plans from the bottom up, on the ideas of
// Moffitt, "MiniMalloc" (ASPLOS 2023). Every plan can be pushed down until no
// buffer can be lowered alone. Then each lies at the lowest offset that those
// below it allow, so it is enough to place items in the order of (offset,
// rank), each at its lowest offset. On top of that: all state is updated in
// place and undone from a trail, an item that was passed over has to be pushed
// up by a neighbour, and overlaps are honoured.

#ifndef ARENALITE_PLAN_EXACT_SEARCH_H_
#define ARENALITE_PLAN_EXACT_SEARCH_H_

#include "plan/exact_model.h"
#include "plan/search_outcome.h"

namespace arenalite {

// By what the items of an independent part are ranked, largest first.
enum class RankBy : uint8_t {
  kTotal,   // The bytes still to place in the fullest clique it is live in.
  kSteps,   // Length of life.
  kArea,    // Size times length of life.
  kDegree,  // How many others it is live together with.
};
struct Ranking {
  RankBy keys[3];
};

class ExactSearch {
 public:
  // `model` must outlive the search.
  static Result<ExactSearch> Create(const ExactModel& model,
                                    const SearchInterrupt& interrupt);

  // Gives up after `node_limit` nodes, or when interrupted.
  Result<SearchOutcome> Run(int64_t capacity, const Ranking& ranking,
                            int64_t node_limit);

  // After kFound: for each item.
  Span<const int64_t> offsets() const { return offsets_; }
  // Nodes of all runs so far.
  int64_t nodes() const { return nodes_; }
  bool interrupted() const { return interrupted_; }

 private:
  // Unplaced items that are live together with no unplaced item outside.
  struct Part {
    int32_t begin, end;   // Of lists_, in the order of ranks, with some that
    int32_t count;        // are placed between the `count` that are not.
    int32_t first, last;  // Cliques, both inclusive.
    int32_t parent;       // The choice that made it; -1: none.
    // Placed last in the set that this is a part of: the next item is not
    // lower, and if at the same offset, behind it in the list.
    int32_t last_item;
    int32_t last_position;
    int64_t last_offset;
  };
  // A part, and which of its items to place first.
  struct Choice {
    Part part;
    // Positions in lists_ of what may come first are lists_[candidates ..
    // lists_size).
    size_t candidates;
    size_t trail_size, lists_size, pending_size;  // To return to.
    int64_t offset;                               // Of the item tried.
    int32_t position;                             // Of it, in lists_.
    bool blameless;  // It is live together with no unplaced item.
  };
  struct Change {
    int64_t* where;
    int64_t before;
  };
  struct Key {
    double values[3];
    int32_t item;
  };

  explicit ExactSearch(const ExactModel& model) : model_(&model) {}
  Status Allocate();
  void Reset(int64_t capacity);
  bool IsImpossibleFromTheStart();
  bool Exhausted() const {
    return interrupted_ || nodes_ >= node_limit_ || !status_.ok();
  }

  bool PlaceNext();
  bool FindPlacement();
  void CollectCandidates(const Part& part);
  bool NextCandidate(Choice* choice) const;
  bool MayComeNext(const Part& part, int32_t position) const;
  bool CarriesUnplaced(int32_t item) const;
  bool BackOut();
  void CountNode();

  bool PushUpPassedOver(const Part& part);
  bool PushUpByNeighbours(int32_t item, int64_t from);
  bool Place(Choice* choice);
  bool RestFitsFrom(const Part& part, int32_t item, int64_t offset) const;
  void UpdateRemaining(int32_t item);
  void UpdateShared(int32_t item);
  bool Raise(int32_t item, int64_t least);
  bool FitsAboveFloors(int32_t first, int32_t last);

  void AddRest(const Choice& choice);
  void Divide(Part part);
  void Compact(Part* part);
  void Rank(int32_t begin, int32_t end);
  double KeyOf(int32_t item, RankBy by) const;

  bool placed(int32_t item) const { return lowest_[item] == kPlaced; }
  void Set(int64_t* where, int64_t value) {
    if (trail_size_ == trail_.size()) GrowTrail();
    trail_[trail_size_++] = {where, *where};
    *where = value;
  }
  void GrowTrail();
  void UndoTo(size_t trail_size) {
    while (trail_size_ > trail_size) {
      const Change& change = trail_[--trail_size_];
      *change.where = change.before;
    }
  }
  void AppendToLists(int32_t item);

  static constexpr int64_t kPlaced = INT64_MAX / 2;

  const ExactModel* model_;
  SearchInterrupt interrupt_;
  Ranking ranking_ = {};
  int64_t capacity_ = 0;
  int64_t rounded_capacity_ = 0;  // To the alignment of all offsets.
  int64_t nodes_ = 0;
  int64_t node_limit_ = 0;
  bool interrupted_ = false;
  Status status_;  // An allocation that failed.

  Array<int64_t> offsets_;    // Of each item; -1: not placed.
  Array<int64_t> lowest_;     // Of each item: the least offset; kPlaced.
  Array<int64_t> shared_;     // Of each item: bytes that it may share.
  Array<int32_t> witness_;    // Of each clique: see FitsAboveFloors().
  Array<int64_t> remaining_;  // Of each clique: bytes that are not placed.
  Array<int64_t> crossing_;   // Unplaced items live in it and in the next.
  Array<Change> trail_;
  size_t trail_size_ = 0;
  Array<int32_t> lists_;
  Array<Part> pending_;    // A stack: parts still to place.
  Array<Choice> choices_;  // A stack: one for each item placed.
  Array<Key> keys_;        // Scratch of Rank().
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_EXACT_SEARCH_H_
