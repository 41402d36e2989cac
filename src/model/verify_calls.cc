#include <algorithm>
#include <utility>

#include "arenalite/array.h"
#include "model/called_subgraphs.h"
#include "model/flatbuffer_span.h"
#include "model/op_code.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

// Calls nest on the native stack and unfold into one timeline: both need a
// limit. Real files nest 3 deep.
constexpr int32_t kMaxCallDepth = 32;
constexpr int64_t kMaxUnfoldedOps = 16000000;

// Visits callees before callers (depth first, with a stack of its own: depth
// is the file's to choose).
class CallGraph {
 public:
  explicit CallGraph(Verification& v) : v_(v) {}

  Status Verify() {
    const size_t count = v_.root().subgraphs()->size();
    ARENALITE_RETURN_IF_ERROR(nodes_.Resize(count));
    for (size_t i = 0; i < count; ++i) {
      ARENALITE_RETURN_IF_ERROR(ListCalls(i));
    }
    for (size_t i = 0; i < count; ++i) {
      if (nodes_[i].state == State::kNew) ARENALITE_RETURN_IF_ERROR(Visit(i));
    }
    return OkStatus();
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Call {
    uint32_t op;
    uint32_t subgraph;
  };
  struct Node {
    Array<Call> calls;
    size_t next_call = 0;
    State state = State::kNew;
    int32_t depth = 0;         // Calls nested below.
    int64_t unfolded_ops = 0;  // Its own ops and those of every call.
  };

  const schema::SubGraph& subgraph(size_t i) const {
    return *v_.root().subgraphs()->Get(static_cast<uint32_t>(i));
  }

  // `status` with the place of op `op` of subgraph `s` before it.
  Status AtOp(size_t s, uint32_t op, Status status) const {
    const uint32_t code = subgraph(s).operators()->Get(op)->opcode_index();
    return std::move(status).WithPrefix(
        {"subgraph ", TextPiece(s).view(), " '",
         MessageName(subgraph(s).name()), "' op ", TextPiece(op).view(), " ",
         OperatorName(*v_.root().operator_codes()->Get(code)), ": "});
  }

  Status ListCalls(size_t s) {
    const uint32_t ops = SizeOf(subgraph(s).operators());
    const auto subgraphs = static_cast<int64_t>(nodes_.size());
    nodes_[s].unfolded_ops = ops;
    for (uint32_t i = 0; i < ops; ++i) {
      const CalledSubgraphs called(*subgraph(s).operators()->Get(i));
      ARENALITE_RETURN_IF_ERROR(v_.Charge(called.size()));
      for (size_t k = 0; k < called.size(); ++k) {
        if (called[k] < 0 || called[k] >= subgraphs) {
          return AtOp(s, i,
                      InvalidModelError("calls subgraph ", called[k],
                                        ", allowed 0..", subgraphs - 1));
        }
        ARENALITE_RETURN_IF_ERROR(
            nodes_[s].calls.Append({i, static_cast<uint32_t>(called[k])}));
      }
    }
    return OkStatus();
  }

  Status Visit(size_t start) {
    ARENALITE_RETURN_IF_ERROR(Open(start));
    while (!stack_.empty()) {
      const size_t s = stack_.back();
      Node& node = nodes_[s];
      if (node.next_call == node.calls.size()) {
        node.state = State::kDone;
        stack_.PopBack();
        continue;
      }
      const Call call = node.calls[node.next_call];
      const Node& callee = nodes_[call.subgraph];
      if (callee.state == State::kNew) {
        ARENALITE_RETURN_IF_ERROR(Open(call.subgraph));
      } else {
        ARENALITE_RETURN_IF_ERROR(AddCall(s, call));
        ++node.next_call;
      }
    }
    return OkStatus();
  }

  Status Open(size_t s) {
    nodes_[s].state = State::kOpen;
    return stack_.Append(s);
  }

  Status AddCall(size_t s, const Call& call) {
    Node& node = nodes_[s];
    const Node& callee = nodes_[call.subgraph];
    if (callee.state == State::kOpen) {
      return AtOp(s, call.op,
                  InvalidModelError("calls subgraph ", call.subgraph,
                                    ", which calls this one: recursion is "
                                    "not allowed"));
    }
    node.depth = std::max(node.depth, callee.depth + 1);
    node.unfolded_ops += callee.unfolded_ops;
    if (node.depth > kMaxCallDepth) {
      return AtOp(s, call.op,
                  InvalidModelError("calls nest ", node.depth,
                                    " deep, allowed 0..", kMaxCallDepth));
    }
    if (node.unfolded_ops > kMaxUnfoldedOps) {
      return AtOp(s, call.op,
                  InvalidModelError("calls unfold to ", node.unfolded_ops,
                                    " ops, allowed 0..", kMaxUnfoldedOps));
    }
    return OkStatus();
  }

  Verification& v_;
  Array<Node> nodes_;
  Array<size_t> stack_;
};

}  // namespace

Status VerifyCalls(Verification& v) { return CallGraph(v).Verify(); }

}  // namespace arenalite
