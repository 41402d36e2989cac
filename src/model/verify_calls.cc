#include <algorithm>
#include <utility>

#include "arenalite/array.h"
#include "model/called_subgraphs.h"
#include "model/flatbuffer_span.h"
#include "model/op_code.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

// Calls nest on the native stack and unfold into one timeline, where each has
// tensors of its own: both need a limit. Real files nest 3 deep.
constexpr int32_t kMaxCallDepth = 32;
// Tensors, ops and entries of their lists beyond those of the file, which a
// subgraph that is called many times may unfold to. Each takes a few hundred
// bytes; real files stay below 10,000.
constexpr int64_t kMaxUnfolded = 250000;
// A tensor made for a dropped result counts as so many entries of a list.
constexpr uint64_t kEntriesPerDropped = 64;

// Visits callees before callers (depth first, with a stack of its own: depth
// is the file's to choose).
class CallGraph {
 public:
  explicit CallGraph(Verification& v) : v_(v) {}

  Status Verify() {
    const uint32_t count = SizeOf(v_.root().subgraphs());
    ARENALITE_RETURN_IF_ERROR(nodes_.Resize(count));
    for (uint32_t i = 0; i < count; ++i) {
      nodes_[i].unfolded = SizeOfSubgraph(subgraph(i));
      limit_ += nodes_[i].unfolded;
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (nodes_[i].state == State::kNew) ARENALITE_RETURN_IF_ERROR(Visit(i));
    }
    return OkStatus();
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Node {
    State state = State::kNew;
    int32_t depth = 0;  // Calls nested below.
    uint32_t op = 0;    // The next call to look at: of this op,
    uint32_t call = 0;  // the so many-th.
    // Its own tensors, ops and entries of their lists, and those of every call.
    int64_t unfolded = 0;
  };

  static int64_t SizeOfSubgraph(const schema::SubGraph& subgraph) {
    const uint32_t ops = SizeOf(subgraph.operators());
    int64_t size = int64_t{SizeOf(subgraph.tensors())} + ops + 1 +
                   SizeOf(subgraph.inputs()) + SizeOf(subgraph.outputs());
    for (uint32_t i = 0; i < ops; ++i) {
      const schema::Operator& op = *subgraph.operators()->Get(i);
      size += int64_t{SizeOf(op.inputs())} + SizeOf(op.outputs()) +
              SizeOf(op.intermediates());
    }
    return size;
  }

  const schema::SubGraph& subgraph(uint32_t i) const {
    return *v_.root().subgraphs()->Get(i);
  }

  Status Visit(uint32_t start) {
    ARENALITE_RETURN_IF_ERROR(Open(start));
    while (!stack_.empty()) {
      const uint32_t s = stack_.back();
      if (nodes_[s].op == SizeOf(subgraph(s).operators())) {
        nodes_[s].state = State::kDone;
        stack_.PopBack();
        continue;
      }
      Status status = FollowCall(s);
      if (!status.ok()) return AtOp(s, std::move(status));
    }
    return OkStatus();
  }

  Status Open(uint32_t s) {
    nodes_[s].state = State::kOpen;
    return stack_.Append(s);
  }

  // Opens the callee of the next call of `s`; once that is done, counts it.
  Status FollowCall(uint32_t s) {
    Node& node = nodes_[s];
    const CalledSubgraphs called(*subgraph(s).operators()->Get(node.op));
    if (node.call == called.size()) {
      ARENALITE_RETURN_IF_ERROR(
          CheckDropped(*subgraph(s).operators()->Get(node.op), called));
      ++node.op;
      node.call = 0;
      return OkStatus();
    }
    ARENALITE_RETURN_IF_ERROR(v_.Charge(1));
    const int64_t index = called[node.call];
    if (index < 0 || index >= static_cast<int64_t>(nodes_.size())) {
      return InvalidModelError("calls subgraph ", index, ", allowed 0..",
                               nodes_.size() - 1);
    }
    const auto callee = static_cast<uint32_t>(index);
    if (nodes_[callee].state == State::kNew) return Open(callee);
    ++node.call;
    return AddCall(node, callee);
  }

  // A result that is dropped (-1) is one of the last subgraph called: that of
  // the body of a loop, of any branch.
  Status CheckDropped(const schema::Operator& op,
                      const CalledSubgraphs& called) const {
    const Span<const int32_t> outputs = ToSpan(op.outputs());
    if (std::find(outputs.begin(), outputs.end(), -1) == outputs.end()) {
      return OkStatus();
    }
    if (called.size() == 0) {
      return InvalidModelError(
          "has outputs that are absent (-1), and calls no "
          "subgraph that says what they are");
    }
    const auto callee = static_cast<uint32_t>(called[called.size() - 1]);
    const uint32_t results = SizeOf(subgraph(callee).outputs());
    if (outputs.size() <= results) {
      return v_.Charge(kEntriesPerDropped *
                       static_cast<uint64_t>(
                           std::count(outputs.begin(), outputs.end(), -1)));
    }
    return InvalidModelError("has ", outputs.size(), " outputs, subgraph ",
                             callee, " has ", results);
  }

  Status AddCall(Node& node, uint32_t index) const {
    const Node& callee = nodes_[index];
    if (callee.state == State::kOpen) {
      return InvalidModelError("calls subgraph ", index,
                               ", which leads back here: recursion is not "
                               "allowed");
    }
    node.depth = std::max(node.depth, callee.depth + 1);
    node.unfolded += callee.unfolded;
    if (node.depth > kMaxCallDepth) {
      return InvalidModelError("calls nest ", node.depth, " deep, allowed 0..",
                               kMaxCallDepth);
    }
    if (node.unfolded > limit_) {
      return InvalidModelError("calls unfold to ", node.unfolded,
                               " tensors, ops and operands, allowed 0..",
                               limit_);
    }
    return OkStatus();
  }

  // `status` with the place of the current op of subgraph `s` before it.
  Status AtOp(uint32_t s, Status status) const {
    const uint32_t op = nodes_[s].op;
    const uint32_t code = subgraph(s).operators()->Get(op)->opcode_index();
    return std::move(status).WithPrefix(
        {"subgraph ", TextPiece(s).view(), " '",
         MessageName(subgraph(s).name()), "' op ", TextPiece(op).view(), " ",
         MessageName(*v_.root().operator_codes()->Get(code)), ": "});
  }

  Verification& v_;
  int64_t limit_ = kMaxUnfolded;
  Array<Node> nodes_;
  Array<uint32_t> stack_;
};

}  // namespace

Status VerifyCalls(Verification& v) { return CallGraph(v).Verify(); }

}  // namespace arenalite
