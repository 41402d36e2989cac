#include "runtime/entry_point.h"

#include <utility>

#include "runtime/prepare.h"

namespace arenalite {
namespace {

bool DeclaresMaximum(const Frame& main) {
  for (int32_t input : main.info->inputs) {
    if (input >= 0 && main.settings[static_cast<size_t>(input)].has_maximum) {
      return true;
    }
  }
  return false;
}

// Brings one entry point to the shapes that are asked for.
class EntryPlanner {
 public:
  EntryPlanner(EntryPoint& entry, const SharedMemory& memory,
               const InterpreterOptions& options, int64_t& plans_made)
      : entry_(entry),
        main_(entry.program.main()),
        memory_(memory),
        options_(options),
        plans_made_(plans_made) {}

  Status Run() {
    if (IsReady()) return OkStatus();
    if (!DeclaresMaximum(main_)) return PlanShapes();
    ARENALITE_RETURN_IF_ERROR(PlanMaximum());
    if (IsReady()) return OkStatus();
    if (TakeKept()) return OkStatus();
    ARENALITE_ASSIGN_OR_RETURN(const bool served, PrepareWithinMaximum());
    return served ? OkStatus() : PlanAnew();
  }

 private:
  bool IsReady() const {
    return entry_.prepared != Prepared::kNothing &&
           HasShapes(main_, entry_.shapes);
  }

  Status PlanShapes() { return TakeKept() ? OkStatus() : PlanAnew(); }

  Status PlanMaximum() {
    main_.at_maximum = true;
    Status status;
    if (!entry_.maximum.IsFor(main_)) {
      status = PlanShapes();
      if (status.ok()) {
        status = entry_.maximum.Note(entry_.program, entry_.placement);
      }
      if (status.ok()) entry_.prepared = Prepared::kWithinMaximum;
    }
    main_.at_maximum = false;
    return status;
  }

  // Puts the current state where it is found again.
  void PutAway() {
    FreeDynamicTensors(entry_.program, memory_.dynamic);
    if (entry_.prepared == Prepared::kForItself) {
      entry_.kept.Keep(entry_.program, entry_.placement, memory_.resources);
    } else if (entry_.prepared == Prepared::kWithinMaximum) {
      entry_.maximum.Exchange(entry_.program, entry_.placement);
    }
    entry_.prepared = Prepared::kNothing;
  }

  bool TakeKept() {
    bool taken = false;
    if (entry_.prepared == Prepared::kForItself) {
      FreeDynamicTensors(entry_.program, memory_.dynamic);
      taken = entry_.kept.Exchange(entry_.program, entry_.placement,
                                   memory_.resources);
    } else {
      PutAway();
      taken =
          entry_.kept.Take(entry_.program, entry_.placement, memory_.resources);
    }
    if (!taken) return false;
    entry_.prepared = Prepared::kForItself;
    return CopyShapes();
  }

  // Has as many shapes as before: takes no memory, and so does not fail.
  bool CopyShapes() { return TakeShapes(main_, entry_.shapes).ok(); }

  Result<bool> PrepareWithinMaximum() {
    PutAway();
    ARENALITE_RETURN_IF_ERROR(PrepareProgram(entry_.program, memory_));
    ARENALITE_RETURN_IF_ERROR(TakeShapes(main_, entry_.shapes));
    entry_.maximum.Exchange(entry_.program, entry_.placement);
    if (entry_.maximum.Serves(entry_.program, entry_.placement.plan)) {
      entry_.prepared = Prepared::kWithinMaximum;
      return true;
    }
    entry_.maximum.Exchange(entry_.program, entry_.placement);
    return false;
  }

  Status PlanAnew() {
    PutAway();
    Program& program = entry_.program;
    PlanForShapes placement;
    for (Frame& frame : program.frames) frame.data.Clear();
    ARENALITE_RETURN_IF_ERROR(PrepareProgram(program, memory_));
    ARENALITE_RETURN_IF_ERROR(CompileSteps(program));
    ++plans_made_;
    ARENALITE_ASSIGN_OR_RETURN(placement.plan, PlanProgram(program, options_));
    ARENALITE_ASSIGN_OR_RETURN(placement.usage,
                               ComputeUsage(placement.plan, options_));
    if (options_.poison_memory) {
      ARENALITE_ASSIGN_OR_RETURN(placement.poison,
                                 PoisonSchedule::Create(placement.plan));
    }
    ARENALITE_RETURN_IF_ERROR(TakeShapes(main_, placement.shapes));
    ARENALITE_RETURN_IF_ERROR(TakeShapes(main_, entry_.shapes));
    entry_.placement = std::move(placement);
    entry_.prepared = Prepared::kForItself;
    return OkStatus();
  }

  EntryPoint& entry_;
  Frame& main_;
  const SharedMemory& memory_;
  const InterpreterOptions& options_;
  int64_t& plans_made_;
};

}  // namespace

int64_t EntryPoint::planned_bytes() const {
  if (stage == Stage::kBuilt) return 0;
  return std::max(placement.plan.plan.total_bytes, maximum.planned_bytes());
}

size_t EntryPoint::HeapBytes() const {
  return program.HeapBytes() + placement.HeapBytes() + shapes.capacity_bytes() +
         kept.HeapBytes() + maximum.HeapBytes() + variables.capacity_bytes();
}

void Unplan(EntryPoint& entry) {
  entry.stage = Stage::kBuilt;
  UnbindAll(entry.program);
}

void ForgetPlans(EntryPoint& entry) {
  Unplan(entry);
  entry.prepared = Prepared::kNothing;
  entry.kept.Clear();
  entry.maximum.Clear();
}

Status PlanEntry(EntryPoint& entry, const SharedMemory& memory,
                 const InterpreterOptions& options, int64_t& plans_made) {
  return EntryPlanner(entry, memory, options, plans_made).Run();
}

}  // namespace arenalite
