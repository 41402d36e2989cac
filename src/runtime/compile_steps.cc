// CompileSteps: from frames to one sequence of steps.
//
//   call    copy in, the callee's steps, copy out
//   once    jump to the end if done, the callee's steps
//   branch  for each branch: jump on unless chosen, copy in, its steps, copy
//           out, jump to the end
//   loop    copy the inputs to the outputs, which hold the state; then
//           condition: copy in, its steps, leave unless true; body: copy in,
//           its steps, copy out to the state, jump to the condition

#include <utility>

#include "runtime/control_flow.h"
#include "runtime/program.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

class Compiler {
 public:
  explicit Compiler(Program& program) : program_(program) {}

  Status Run() {
    program_.steps.Clear();
    program_.copies.Clear();
    program_.loops.Clear();
    return AddFrame(0);
  }

 private:
  Frame& frame(int32_t index) { return program_.frames[Index(index)]; }
  int32_t here() const { return static_cast<int32_t>(program_.steps.size()); }

  Status AddFrame(int32_t index) {
    for (int32_t node : frame(index).info->order) {
      ARENALITE_RETURN_IF_ERROR(AddNode(index, node));
    }
    return OkStatus();
  }

  Status AddNode(int32_t f, int32_t n) {
    const Node& node = frame(f).nodes[Index(n)];
    const bool inlined =
        node.mode == NodeMode::kPlanned && !node.callees.empty();
    if (!inlined) return AddStep(StepKind::kNode, f, n);
    switch (CallKindOf(*node.info)) {
      case CallKind::kCall:
        return AddCall(f, n);
      case CallKind::kOnce:
        return AddOnce(f, n);
      case CallKind::kBranch:
        return AddBranches(f, n);
      case CallKind::kLoop:
        return AddLoop(f, n);
      case CallKind::kNone:
        break;
    }
    return InternalError("a node calls subgraphs, but is no call");
  }

  Status AddStep(StepKind kind, int32_t f, int32_t n) {
    Step step;
    step.kind = kind;
    step.frame = f;
    step.node = n;
    return program_.steps.Append(step);
  }

  // A jump whose target is set later. Returns its step.
  Result<int32_t> AddJump(StepKind kind, int32_t f, int32_t n) {
    ARENALITE_RETURN_IF_ERROR(AddStep(kind, f, n));
    return here() - 1;
  }
  void Land(int32_t jump) { program_.steps[Index(jump)].target = here(); }

  // Copies tensor i of `from` to tensor i of `to`. `make` may change each.
  template <class Make>
  Status AddCopies(int32_t f, int32_t n, size_t count, Make make) {
    const auto first = static_cast<int32_t>(program_.copies.size());
    for (size_t i = 0; i < count; ++i) {
      const Copy copy = make(i);
      if (copy.from.tensor < 0 || copy.to.tensor < 0) continue;
      ARENALITE_RETURN_IF_ERROR(program_.copies.Append(copy));
    }
    ARENALITE_RETURN_IF_ERROR(AddStep(StepKind::kCopy, f, n));
    Step& step = program_.steps.back();
    step.first_copy = first;
    step.num_copies = static_cast<int32_t>(program_.copies.size()) - first;
    return OkStatus();
  }

  // Caller's inputs from position `skip` on -> callee's inputs.
  Status CopyIn(int32_t f, int32_t n, int32_t callee, size_t skip) {
    const NodeInfo& info = *frame(f).nodes[Index(n)].info;
    const SubgraphInfo& inner = *frame(callee).info;
    return AddCopies(f, n, inner.inputs.size(), [&](size_t i) {
      return Copy{{f, info.inputs[i + skip]}, {callee, inner.inputs[i]}};
    });
  }

  // Callee's outputs -> caller's outputs.
  Status CopyOut(int32_t f, int32_t n, int32_t callee, AliasKind kind,
                 int32_t region_begin) {
    const NodeInfo& info = *frame(f).nodes[Index(n)].info;
    const SubgraphInfo& inner = *frame(callee).info;
    return AddCopies(f, n, info.outputs.size(), [&](size_t i) {
      return Copy{{callee, inner.outputs[i]},
                  {f, info.outputs[i]},
                  true,
                  kind,
                  region_begin};
    });
  }

  Status AddCall(int32_t f, int32_t n) {
    const int32_t callee = frame(f).nodes[Index(n)].callees[0];
    const int32_t begin = here();
    ARENALITE_RETURN_IF_ERROR(CopyIn(f, n, callee, 0));
    ARENALITE_RETURN_IF_ERROR(AddFrame(callee));
    return CopyOut(f, n, callee, AliasKind::kView, begin);
  }

  Status AddOnce(int32_t f, int32_t n) {
    ARENALITE_ASSIGN_OR_RETURN(int32_t skip, AddJump(StepKind::kOnce, f, n));
    ARENALITE_RETURN_IF_ERROR(AddFrame(frame(f).nodes[Index(n)].callees[0]));
    ARENALITE_RETURN_IF_ERROR(AddStep(StepKind::kDone, f, n));
    Land(skip);
    return OkStatus();
  }

  Status AddBranches(int32_t f, int32_t n) {
    const size_t count = frame(f).nodes[Index(n)].callees.size();
    const NodeInfo& info = *frame(f).nodes[Index(n)].info;
    Array<int32_t> exits;
    for (size_t i = 0; i < count; ++i) {
      const int32_t callee = frame(f).nodes[Index(n)].callees[i];
      int32_t skip = -1;
      if (i + 1 < count) {
        ARENALITE_ASSIGN_OR_RETURN(skip, AddJump(StepKind::kBranch, f, n));
        program_.steps[Index(skip)].condition = {f, info.inputs[0]};
        program_.steps[Index(skip)].expected =
            BranchValue(info, static_cast<int32_t>(i));
      }
      const int32_t begin = here();
      ARENALITE_RETURN_IF_ERROR(CopyIn(f, n, callee, 1));
      ARENALITE_RETURN_IF_ERROR(AddFrame(callee));
      ARENALITE_RETURN_IF_ERROR(
          CopyOut(f, n, callee, AliasKind::kBranchResult, begin));
      if (skip < 0) continue;
      ARENALITE_ASSIGN_OR_RETURN(int32_t exit, AddJump(StepKind::kJump, f, n));
      ARENALITE_RETURN_IF_ERROR(exits.Append(exit));
      Land(skip);
    }
    ARENALITE_RETURN_IF_ERROR(AddStep(StepKind::kLabel, f, n));
    for (int32_t exit : exits) {
      program_.steps[Index(exit)].target = here() - 1;
    }
    return OkStatus();
  }

  Status AddLoop(int32_t f, int32_t n) {
    const NodeInfo& info = *frame(f).nodes[Index(n)].info;
    const int32_t condition = frame(f).nodes[Index(n)].callees[0];
    const int32_t body = frame(f).nodes[Index(n)].callees[1];
    ARENALITE_ASSIGN_OR_RETURN(const Array<int32_t> origins,
                               OriginsInBody(body));
    ARENALITE_ASSIGN_OR_RETURN(const Array<bool> feeds, FeedsAnother(origins));
    ARENALITE_RETURN_IF_ERROR(
        AddCopies(f, n, info.outputs.size(), [&](size_t i) {
          const bool invariant = origins[i] == static_cast<int32_t>(i);
          return Copy{{f, info.inputs[i]}, StateOf(f, n, i), invariant};
        }));
    const int32_t begin = here();
    ARENALITE_RETURN_IF_ERROR(StateIn(f, n, condition, feeds));
    ARENALITE_RETURN_IF_ERROR(AddFrame(condition));
    ARENALITE_ASSIGN_OR_RETURN(int32_t leave, AddJump(StepKind::kBranch, f, n));
    Step& branch = program_.steps[Index(leave)];
    branch.condition = {condition, frame(condition).info->outputs[0]};
    branch.expected = 1;
    ARENALITE_RETURN_IF_ERROR(StateIn(f, n, body, feeds));
    ARENALITE_RETURN_IF_ERROR(AddFrame(body));
    ARENALITE_RETURN_IF_ERROR(
        AddCopies(f, n, info.outputs.size(), [&](size_t i) {
          return Copy{{body, frame(body).info->outputs[i]},
                      StateOf(f, n, i),
                      true,
                      AliasKind::kLoopBack,
                      begin};
        }));
    ARENALITE_ASSIGN_OR_RETURN(int32_t back, AddJump(StepKind::kJump, f, n));
    program_.steps[Index(back)].target = begin;
    ARENALITE_RETURN_IF_ERROR(AddStep(StepKind::kLabel, f, n));
    program_.steps[Index(leave)].target = here() - 1;
    return program_.loops.Append({begin, here() - 1});
  }

  // Where state i of a loop is between iterations: the caller's output, or
  // where nobody wants that, the input of the body or of the condition.
  TensorRef StateOf(int32_t f, int32_t n, size_t i) {
    const Node& node = frame(f).nodes[Index(n)];
    if (node.info->outputs[i] >= 0) return {f, node.info->outputs[i]};
    const int32_t body = node.callees[1];
    if (frame(body).info->inputs[i] >= 0) {
      return {body, frame(body).info->inputs[i]};
    }
    return {node.callees[0], frame(node.callees[0]).info->inputs[i]};
  }

  // The state -> inputs of condition or body. A body input that becomes
  // another state's next value needs bytes of its own: the copies out would
  // overwrite it before they read it.
  Status StateIn(int32_t f, int32_t n, int32_t callee,
                 const Array<bool>& feeds) {
    const bool is_body = callee == frame(f).nodes[Index(n)].callees[1];
    const SubgraphInfo& inner = *frame(callee).info;
    for (size_t i = 0; i < inner.inputs.size(); ++i) {
      const TensorRef state = StateOf(f, n, i);
      if (is_body && state.frame == callee && feeds[i]) {
        return UnimplementedError(
            "output ", i, " is absent, but another state takes its value");
      }
    }
    return AddCopies(f, n, inner.inputs.size(), [&](size_t i) {
      const TensorRef to = {callee, inner.inputs[i]};
      const TensorRef state = StateOf(f, n, i);
      // The state is this input already: nothing to copy.
      if (state.frame == callee) return Copy{{callee, -1}, to};
      return Copy{state, to, !is_body || !feeds[i]};
    });
  }

  // Of each state: another one may take its value in the next iteration.
  static Result<Array<bool>> FeedsAnother(const Array<int32_t>& origins) {
    ARENALITE_ASSIGN_OR_RETURN(Array<bool> feeds,
                               Array<bool>::Create(origins.size()));
    for (size_t k = 0; k < origins.size(); ++k) {
      const int32_t origin = origins[k];
      if (origin == kUnclear && origins.size() > 1) feeds.Fill(true);
      if (origin >= 0 && Index(origin) != k) feeds[Index(origin)] = true;
    }
    return feeds;
  }

  static constexpr int32_t kComputed = -1;
  static constexpr int32_t kUnclear = -2;

  // Of each output of a body: the input whose bytes it may show, kComputed
  // when an op computes it, kUnclear when a called subgraph gives it.
  Result<Array<int32_t>> OriginsInBody(int32_t body) {
    const Frame& inner = frame(body);
    ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> origin,
                               Array<int32_t>::Create(inner.tensors.size()));
    origin.Fill(kComputed);
    for (size_t i = 0; i < inner.info->inputs.size(); ++i) {
      const int32_t input = inner.info->inputs[i];
      if (input >= 0) origin[Index(input)] = static_cast<int32_t>(i);
    }
    for (int32_t index : inner.info->order) {
      const Node& node = inner.nodes[Index(index)];
      const bool view = node.definition != nullptr &&
                        (node.definition->traits & kOpIsView) != 0 &&
                        node.info->inputs[0] >= 0;
      for (int32_t output : node.info->outputs) {
        if (output < 0) continue;
        if (!node.callees.empty()) origin[Index(output)] = kUnclear;
        if (view) {
          origin[Index(output)] = origin[Index(node.info->inputs[0])];
        }
      }
    }
    Array<int32_t> result;
    for (int32_t output : inner.info->outputs) {
      ARENALITE_RETURN_IF_ERROR(
          result.Append(output < 0 ? kComputed : origin[Index(output)]));
    }
    return result;
  }

  Program& program_;
};

}  // namespace

Status CompileSteps(Program& program) { return Compiler(program).Run(); }

}  // namespace arenalite
