// InterpreterCore: what an interpreter owns: the graph, its entry points, and
// the memory they share.

#ifndef ARENALITE_RUNTIME_INTERPRETER_CORE_H_
#define ARENALITE_RUNTIME_INTERPRETER_CORE_H_

#include <cstdint>
#include <memory>

#include "arenalite/array.h"
#include "arenalite/interpreter.h"
#include "graph/graph.h"
#include "runtime/dynamic_memory.h"
#include "runtime/entry_point.h"
#include "runtime/host.h"
#include "runtime/program_arena.h"
#include "runtime/resources.h"
#include "runtime/variables.h"

namespace arenalite {

// No call but those that only look is allowed while Invoke runs.
class InterpreterCore final : private ArenaMember {
 public:
  // With entry point 0, the main one.
  static Result<std::unique_ptr<InterpreterCore>> Create(
      const InterpreterOptions& options, const OpResolver& resolver,
      Graph&& graph);
  ~InterpreterCore();
  InterpreterCore(const InterpreterCore&) = delete;
  InterpreterCore& operator=(const InterpreterCore&) = delete;

  // The entry point that runs `subgraph`, made at first use.
  Result<size_t> FindOrAddEntry(int32_t subgraph);

  Status AllocateTensors(size_t entry);
  Status Invoke(size_t entry);
  Status ResizeInput(size_t entry, int32_t tensor, Span<const int32_t> dims);
  Status ResizeInputStrict(size_t entry, int32_t tensor,
                           Span<const int32_t> dims);
  Status SetMaximum(size_t entry, int32_t tensor, Span<const int32_t> dims);
  Status SetDynamicInput(int32_t tensor, Span<const uint8_t> bytes);
  Status SetOrder(Span<const int32_t> order);
  Status SetCustomMemory(int32_t tensor, Span<uint8_t> memory);
  Status Preserve(int32_t tensor);
  Status ResetVariables();
  Status ReleasePlanned();
  Result<MemoryUsage> QueryMemory();
  Result<MemoryReport> ReportMemory();
  Result<Array<uint8_t>> SavePlan();
  size_t arena_used_bytes() const;

  EntryPoint& main() { return entries_[0]; }
  const EntryPoint& main() const { return entries_[0]; }
  EntryPoint& entry(size_t i) { return entries_[i]; }
  const Graph& graph() const { return graph_; }

 private:
  InterpreterCore(const InterpreterOptions& options, const OpResolver& resolver,
                  Graph&& graph);

  void LoseArena() override;
  SharedMemory shared() {
    return {dynamic_, resources_, options_.plan_bounded_tensors};
  }
  Status CheckIdle() const;
  Status EnsurePlanned(EntryPoint& entry);
  Status PlanVariables(EntryPoint& entry);
  Status CheckKernels(const Program& program) const;
  void BindAll();
  int64_t PersistentBytes() const;
  int64_t PlannedBytes() const;
  size_t HeapBytes() const;

  const InterpreterOptions options_;
  const OpResolver& resolver_;
  Graph graph_;
  Resources resources_;
  Array<ResourceShape> shapes_before_;  // Of EnsurePlanned.
  Variables variables_;
  DynamicMemory dynamic_;
  ProgramArena arena_;
  Array<EntryPoint> entries_;
  int64_t plans_made_ = 0;
  bool running_ = false;
  bool lost_arena_ = false;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_INTERPRETER_CORE_H_
