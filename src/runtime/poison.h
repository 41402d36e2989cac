// Poison: fills bytes with a pattern the moment they die.

#ifndef ARENALITE_RUNTIME_POISON_H_
#define ARENALITE_RUNTIME_POISON_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "runtime/program_plan.h"

namespace arenalite {

// Which ranges of the planned arena to fill before the first step and after
// each step.
class PoisonSchedule {
 public:
  static Result<PoisonSchedule> Create(const ProgramPlan& plan);

  // Everything but the graph inputs.
  void FillBeforeFirst(uint8_t* planned) const { Fill(planned, 0); }
  void FillAfter(int step, uint8_t* planned) const {
    Fill(planned, static_cast<size_t>(step) + 1);
  }
  size_t HeapBytes() const {
    return ranges_.capacity_bytes() + ends_.capacity_bytes();
  }

 private:
  struct Range {
    int64_t begin;
    int64_t end;
  };
  // Adds `dead` less all that is live.
  Status AddDead(const ProgramPlan& plan, Span<const size_t> live, Range dead);
  Status CloseList();
  void Fill(uint8_t* planned, size_t list) const;

  Array<Range> ranges_;
  Array<size_t> ends_;  // Where each list ends in ranges_.
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_POISON_H_
