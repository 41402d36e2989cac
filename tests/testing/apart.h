// What a program would take if every subgraph had an arena of its own, with
// calls as opaque operators: how a runtime without one timeline plans.

#ifndef ARENALITE_TESTS_TESTING_APART_H_
#define ARENALITE_TESTS_TESTING_APART_H_

#include <map>

#include "graph/build_graph.h"
#include "runtime/prepare.h"
#include "runtime/program.h"
#include "runtime/program_plan.h"
#include "testing/build.h"

namespace arenalite {
namespace testing {

struct ApartSizes {
  int64_t together = 0;  // One timeline, one plan.
  int64_t apart = 0;     // The sum over subgraphs that are called.
  bool has_calls = false;
};

// Of the main subgraph of a model whose shapes are all known.
inline Result<ApartSizes> MeasureApart(const FlatBufferModel& model,
                                       const OpResolver& resolver) {
  ARENALITE_ASSIGN_OR_RETURN(Graph graph, BuildGraph(model.model()));
  ARENALITE_ASSIGN_OR_RETURN(Program program,
                             CreateProgram(graph, 0, resolver, true));
  DynamicMemory dynamic(DefaultAllocator(), 0);
  Resources resources;
  ARENALITE_RETURN_IF_ERROR(resources.Init(graph.subgraphs.size()));
  ARENALITE_RETURN_IF_ERROR(PrepareProgram(program, {dynamic, resources}));
  ARENALITE_RETURN_IF_ERROR(CompileSteps(program));
  const InterpreterOptions options;
  ApartSizes sizes;
  ARENALITE_ASSIGN_OR_RETURN(const ProgramPlan one,
                             PlanProgram(program, options));
  sizes.together = one.plan.total_bytes;
  std::map<int32_t, int64_t> of_subgraph;
  while (!program.frames.empty()) {
    Program alone;
    ARENALITE_RETURN_IF_ERROR(
        alone.frames.Append(std::move(program.frames.back())));
    program.frames.PopBack();
    for (int32_t node : alone.main().info->order) {
      Step step;
      step.node = node;
      ARENALITE_RETURN_IF_ERROR(alone.steps.Append(step));
      const bool calls =
          !alone.main().nodes[static_cast<size_t>(node)].callees.empty();
      sizes.has_calls = sizes.has_calls || calls;
    }
    ARENALITE_ASSIGN_OR_RETURN(const ProgramPlan plan,
                               PlanProgram(alone, options));
    int64_t& size = of_subgraph[alone.main().subgraph];
    size = std::max(size, plan.plan.total_bytes);
  }
  for (const auto& [subgraph, size] : of_subgraph) sizes.apart += size;
  return sizes;
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_APART_H_
