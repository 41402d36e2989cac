#include "runtime/program.h"

#include <utility>

#include "runtime/control_flow.h"

namespace arenalite {
namespace {

// A file of a few bytes can ask for exponentially many call sites.
constexpr size_t kMaxFrames = 4096;
constexpr int kMaxCallDepth = 64;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Creates frames depth first.
class FrameTree {
 public:
  FrameTree(const Graph& graph, const OpResolver& resolver,
            bool allow_missing_kernels)
      : graph_(graph),
        resolver_(resolver),
        allow_missing_kernels_(allow_missing_kernels) {}

  // Returns the index of the new frame.
  Result<int32_t> Add(int32_t subgraph, int depth) {
    if (frames.size() >= kMaxFrames || depth > kMaxCallDepth) {
      return InvalidModelError("subgraph calls make more than ", kMaxFrames,
                               " call sites or nest deeper than ",
                               kMaxCallDepth);
    }
    if (subgraph < 0 || Index(subgraph) >= graph_.subgraphs.size()) {
      return InvalidModelError("calls subgraph ", subgraph, ", allowed 0..",
                               graph_.subgraphs.size(), " - 1");
    }
    ARENALITE_ASSIGN_OR_RETURN(
        Frame created,
        CreateFrame(graph_, subgraph, resolver_, allow_missing_kernels_));
    const auto index = static_cast<int32_t>(frames.size());
    ARENALITE_RETURN_IF_ERROR(frames.Append(std::move(created)));
    for (size_t n = 0; n < frames[Index(index)].nodes.size(); ++n) {
      const auto node = static_cast<int32_t>(n);
      ARENALITE_RETURN_IF_ERROR(
          AtNode(AddCalls(index, node, depth), frames[Index(index)], node));
    }
    return index;
  }

  Array<Frame> frames;

 private:
  Status AddCalls(int32_t frame, int32_t node, int depth) {
    const NodeInfo& info = *frames[Index(frame)].nodes[Index(node)].info;
    ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> called, CalledSubgraphs(info));
    Array<int32_t> callees;
    for (int32_t subgraph : called) {
      ARENALITE_ASSIGN_OR_RETURN(int32_t callee, Add(subgraph, depth + 1));
      ARENALITE_RETURN_IF_ERROR(callees.Append(callee));
    }
    frames[Index(frame)].nodes[Index(node)].callees = std::move(callees);
    return OkStatus();
  }

  const Graph& graph_;
  const OpResolver& resolver_;
  const bool allow_missing_kernels_;
};

}  // namespace

size_t Program::HeapBytes() const {
  size_t bytes = StepLists::HeapBytes() + frames.capacity_bytes();
  for (const Frame& frame : frames) bytes += frame.HeapBytes();
  return bytes;
}

Result<Program> CreateProgram(const Graph& graph, int32_t subgraph,
                              const OpResolver& resolver,
                              bool allow_missing_kernels) {
  FrameTree tree(graph, resolver, allow_missing_kernels);
  ARENALITE_RETURN_IF_ERROR(tree.Add(subgraph, 0).status());
  Program program;
  program.frames = std::move(tree.frames);
  return program;
}

}  // namespace arenalite
