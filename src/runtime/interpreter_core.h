// InterpreterCore: what an interpreter owns: the graph, its entry points, and
// the memory they share.

#ifndef ARENALITE_RUNTIME_INTERPRETER_CORE_H_
#define ARENALITE_RUNTIME_INTERPRETER_CORE_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/interpreter.h"
#include "graph/graph.h"
#include "runtime/dynamic_memory.h"
#include "runtime/host.h"
#include "runtime/poison.h"
#include "runtime/program.h"
#include "runtime/program_arena.h"
#include "runtime/program_plan.h"
#include "runtime/resources.h"
#include "runtime/variable_store.h"

namespace arenalite {

// How far an entry point has come; each change throws it back.
enum class Stage : uint8_t { kBuilt, kPlanned, kAllocated };

// One subgraph that an application runs.
struct EntryPoint {
  Program program;
  ProgramPlan plan;
  PoisonSchedule poison;
  Array<VariableSlot> variables;  // Of each tensor in the plan's numbering.
  MemoryUsage usage;
  Stage stage = Stage::kBuilt;
};

class InterpreterCore {
 public:
  InterpreterCore(const InterpreterOptions& options, const OpResolver& resolver,
                  Graph&& graph);
  ~InterpreterCore();
  InterpreterCore(const InterpreterCore&) = delete;
  InterpreterCore& operator=(const InterpreterCore&) = delete;

  // The entry point that runs `subgraph`, made at first use.
  Result<size_t> FindOrAddEntry(int32_t subgraph);

  Status AllocateTensors(size_t entry);
  Status Invoke(size_t entry);
  Status ResizeInput(size_t entry, int32_t tensor, Span<const int32_t> dims);
  Status SetDynamicInput(int32_t tensor, Span<const uint8_t> bytes);
  Status SetOrder(Span<const int32_t> order);
  Status SetCustomMemory(int32_t tensor, Span<uint8_t> memory);
  Status Preserve(int32_t tensor);
  Status ResetVariables();
  void ReleasePlanned();
  Result<MemoryUsage> QueryMemory();
  Result<MemoryReport> ReportMemory();
  Result<Array<uint8_t>> SavePlan();
  size_t arena_used_bytes() const;

  EntryPoint& main() { return entries_[0]; }
  const EntryPoint& main() const { return entries_[0]; }
  EntryPoint& entry(size_t i) { return entries_[i]; }
  const Graph& graph() const { return graph_; }

 private:
  SharedMemory shared() { return {dynamic_, resources_}; }
  Status EnsurePlanned(EntryPoint& entry);
  Status PlaceVariables(EntryPoint& entry);
  Status CheckKernels(const Program& program) const;
  Status CheckCustomMemory(const Frame& frame) const;
  Status CheckTensor(const Frame& frame, int32_t tensor) const;
  void BindVariables(EntryPoint& entry);
  void ResetVariablesOf(EntryPoint& entry, bool only_fresh);
  void Invalidate(EntryPoint& entry);
  int64_t PersistentBytes() const;
  int64_t PlannedBytes() const;
  size_t HeapBytes() const;

  const InterpreterOptions options_;
  const OpResolver& resolver_;
  Graph graph_;
  Resources resources_;
  Array<VariableSlot> resource_slots_;
  VariableStore variables_;
  DynamicMemory dynamic_;
  ProgramArena arena_;
  Array<EntryPoint> entries_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_INTERPRETER_CORE_H_
