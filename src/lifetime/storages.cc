#include "lifetime/storages.h"

#include <algorithm>
#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// What is known of all members of a class together.
struct ClassFacts {
  bool input = false;  // Seen by the application.
  bool output = false;
  bool kept = false;
  int32_t first_write = INT32_MAX;
  int32_t first_touch = INT32_MAX;
  int32_t last_touch = -1;

  void Merge(const ClassFacts& other) {
    input = input || other.input;
    output = output || other.output;
    kept = kept || other.kept;
    first_write = std::min(first_write, other.first_write);
    first_touch = std::min(first_touch, other.first_touch);
    last_touch = std::max(last_touch, other.last_touch);
  }
  bool Visible() const { return input || output || kept; }
  bool StaysWithin(int32_t begin, int32_t end) const {
    return !Visible() && first_touch >= begin && last_touch <= end;
  }
};

// Decides alias after alias, in the order of steps.
class Joining {
 public:
  explicit Joining(const Timeline& timeline) : timeline_(timeline) {}

  Result<StorageClasses> Run(bool share) {
    const size_t count = timeline_.tensors.size();
    ARENALITE_ASSIGN_OR_RETURN(classes_, StorageClasses::Create(count));
    ARENALITE_RETURN_IF_ERROR(facts_.Resize(count));
    CollectFacts();
    for (const Alias& alias : timeline_.aliases) {
      if (!share || !timeline_.tensors[Index(alias.from)].planned ||
          !timeline_.tensors[Index(alias.to)].planned) {
        continue;
      }
      const int32_t from = classes_.Find(alias.from);
      const int32_t to = classes_.Find(alias.to);
      if (from == to || !IsSound(alias, from, to)) continue;
      ClassFacts both = facts_[Index(from)];
      both.Merge(facts_[Index(to)]);
      classes_.Join(from, to);
      facts_[Index(classes_.Find(from))] = both;
    }
    return std::move(classes_);
  }

 private:
  void CollectFacts() {
    for (size_t i = 0; i < facts_.size(); ++i) {
      const TimelineTensor& tensor = timeline_.tensors[i];
      facts_[i].input = tensor.is_input;
      facts_[i].output = tensor.is_output;
      facts_[i].kept = tensor.kept;
    }
    for (int step = 0; step < timeline_.num_steps(); ++step) {
      for (int32_t tensor : timeline_.ReadsOf(step)) Touch(tensor, step);
      for (int32_t tensor : timeline_.WritesOf(step)) {
        Touch(tensor, step);
        ClassFacts& facts = facts_[Index(tensor)];
        facts.first_write = std::min(facts.first_write, step);
      }
    }
  }

  void Touch(int32_t tensor, int step) {
    ClassFacts& facts = facts_[Index(tensor)];
    facts.first_touch = std::min(facts.first_touch, step);
    facts.last_touch = std::max(facts.last_touch, step);
  }

  bool IsSound(const Alias& alias, int32_t from, int32_t to) {
    const ClassFacts& a = facts_[Index(from)];
    const ClassFacts& b = facts_[Index(to)];
    if ((a.input || b.input) && (a.output || b.output)) return false;
    switch (alias.kind) {
      case AliasKind::kView:
        return true;
      case AliasKind::kBranchResult:
        return !b.input && a.StaysWithin(alias.region_begin, alias.step);
      case AliasKind::kLoopBack:
        return !b.input && a.StaysWithin(alias.region_begin, alias.step) &&
               OldValueIsDone(alias, from, to);
    }
    return false;
  }

  // True when (as far as the work of all loops allows to look) no step of the
  // body reads class `to` after `from` has its first
  // write; a step that does both must be able to work in place.
  bool OldValueIsDone(const Alias& alias, int32_t from, int32_t to) {
    const int32_t write = facts_[Index(from)].first_write;
    for (int step = write; step < alias.step; ++step) {
      work_ -= 1 + static_cast<int64_t>(timeline_.ReadsOf(step).size());
      if (work_ < 0) return false;
      for (int32_t read : timeline_.ReadsOf(step)) {
        if (classes_.Find(read) != to) continue;
        if (step > write || !WorksInPlace(step, read, from)) return false;
      }
    }
    return true;
  }

  bool WorksInPlace(int step, int32_t read, int32_t from) {
    bool claimed = false;
    for (const OverlapClaim& claim : timeline_.ClaimsOf(step)) {
      if (claim.input != read || classes_.Find(claim.output) != from) continue;
      if (claim.distance < 0) return false;
      claimed = true;
    }
    return claimed;
  }

  const Timeline& timeline_;
  // Steps and reads to look at: real loops take thousands. Where a file asks
  // for more, the states that are left keep bytes of their own.
  int64_t work_ = 50'000'000;
  StorageClasses classes_;
  Array<ClassFacts> facts_;
};

}  // namespace

Result<StorageClasses> StorageClasses::Create(size_t tensors) {
  StorageClasses classes;
  ARENALITE_RETURN_IF_ERROR(classes.parent_.Resize(tensors));
  for (size_t i = 0; i < tensors; ++i) {
    classes.parent_[i] = static_cast<int32_t>(i);
  }
  return classes;
}

int32_t StorageClasses::Find(int32_t tensor) {
  while (parent_[Index(tensor)] != tensor) {
    int32_t& parent = parent_[Index(tensor)];
    parent = parent_[Index(parent)];  // Halves the path for the next search.
    tensor = parent;
  }
  return tensor;
}

void StorageClasses::Join(int32_t a, int32_t b) {
  a = Find(a);
  b = Find(b);
  parent_[Index(std::max(a, b))] = std::min(a, b);
}

Result<StorageClasses> FindStorages(const Timeline& timeline, bool share) {
  return Joining(timeline).Run(share);
}

}  // namespace arenalite
