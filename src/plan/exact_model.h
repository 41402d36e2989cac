// ExactModel: a Problem laid out for the exact search.

#ifndef ARENALITE_PLAN_EXACT_MODEL_H_
#define ARENALITE_PLAN_EXACT_MODEL_H_

#include "plan/problem.h"

namespace arenalite {

// Items are the buffers without a fixed offset. Cliques are the sections
// whose live set is not part of the next one's: together they hold every pair
// that is live together, and no more of them are needed.
class ExactModel {
 public:
  struct Item {
    int64_t size;
    int64_t room;  // The size rounded up to the common alignment.
    int64_t alignment;
    int32_t first, last;  // Cliques, both inclusive.
    int32_t share_last;   // The last clique in which it may share bytes.
    int64_t steps;        // From the first to the last one of its life.
    int32_t buffer;       // Of the Problem.
  };
  // Two items that are live together. With the owner at offset o, the
  // neighbour above it has an offset of at least o + above; the owner above
  // a neighbour at p has at least p + below.
  struct Neighbour {
    int32_t item;
    int64_t above;
    int64_t below;
  };
  // The owner and its partner can have `bytes` in common. Each pair is charged
  // to one of the two. Distances as in Neighbour.
  struct Share {
    int32_t partner;
    bool charged;  // To the owner.
    int64_t bytes;
    int64_t above;
    int64_t below;
  };
  // An offset inside of (low, high) collides with a buffer of fixed offset.
  struct Blocked {
    int64_t low, high;
  };

  // `problem` must outlive the model.
  static Result<ExactModel> Create(const Problem& problem);

  int32_t size() const { return static_cast<int32_t>(items_.size()); }
  int32_t clique_count() const { return clique_count_; }
  const Item& item(int32_t i) const { return items_[i]; }
  Span<const Neighbour> neighbours(int32_t i) const {
    return neighbours_.Of(i);
  }
  Span<const Share> shares(int32_t i) const { return shares_.Of(i); }
  Span<const Blocked> blocked(int32_t i) const { return blocked_.Of(i); }
  Span<const int32_t> members(int32_t clique) const {
    return members_.Of(clique);
  }
  // Every plan of pushed-down buffers ends at a multiple of it.
  int64_t granule() const { return granule_; }
  // All offsets are multiples of it.
  int64_t alignment() const { return alignment_; }
  // Some pair may have the input strictly below its output's start, so that
  // pushing buffers down does not place them in the order of their offsets.
  bool dips() const { return dips_; }
  bool has_shares() const { return !shares_.entries.empty(); }

  // The lowest offset of an item from `base` on that its alignment and the
  // fixed offsets allow.
  int64_t LowestFrom(int32_t i, int64_t base) const;
  // The highest one up to `limit`; negative when there is none.
  int64_t HighestTo(int32_t i, int64_t limit) const;

 private:
  // Lists of T, one for each owner, one after the other.
  template <class T>
  struct Lists {
    Array<T> entries;
    Array<size_t> begin;
    Span<const T> Of(int32_t owner) const {
      return Span<const T>(entries.data() + begin[owner],
                           begin[owner + 1] - begin[owner]);
    }
  };

  Status AddItems(const Problem& problem);
  Status AddRelations(const Problem& problem);
  Status AddNeighbour(const Problem& problem, int32_t owner, int32_t other,
                      const Partner* partner);
  Status AddMembers();
  void FindGranule(const Problem& problem);

  Array<Item> items_;
  Array<int32_t> item_of_;  // For each buffer; -1: fixed.
  Lists<Neighbour> neighbours_;
  Lists<Share> shares_;
  Lists<Blocked> blocked_;
  Lists<int32_t> members_;
  int32_t clique_count_ = 0;
  int64_t granule_ = 1;
  int64_t alignment_ = 1;
  bool dips_ = false;
};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_EXACT_MODEL_H_
