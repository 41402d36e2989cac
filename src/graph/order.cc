#include "graph/order.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int32_t kNobody = -1;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// The node that writes each tensor, or kNobody.
Result<Array<int32_t>> FindWriters(const SubgraphInfo& subgraph) {
  ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> writers,
                             Array<int32_t>::Create(subgraph.tensors.size()));
  writers.Fill(kNobody);
  for (size_t n = 0; n < subgraph.nodes.size(); ++n) {
    for (int32_t tensor : subgraph.nodes[n].outputs) {
      writers[Index(tensor)] = static_cast<int32_t>(n);
    }
  }
  return writers;
}

// The first input of `node` whose writer has not run, or -1.
int FirstUnwritten(const NodeInfo& node, const Array<int32_t>& writers,
                   const Array<bool>& done) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] < 0) continue;
    const int32_t writer = writers[Index(node.inputs[i])];
    if (writer != kNobody && !done[Index(writer)]) return static_cast<int>(i);
  }
  return -1;
}

bool IsFileOrderTopological(const SubgraphInfo& subgraph,
                            const Array<int32_t>& writers) {
  for (size_t n = 0; n < subgraph.nodes.size(); ++n) {
    for (int32_t tensor : subgraph.nodes[n].inputs) {
      if (tensor >= 0 && writers[Index(tensor)] >= static_cast<int32_t>(n)) {
        return false;
      }
    }
  }
  return true;
}

// Whether running `node` earlier or later than its neighbours could show
// beyond the tensors that it names: state, resources, code we do not know.
bool HasSideEffect(const SubgraphInfo& subgraph, const NodeInfo& node) {
  switch (node.builtin_code) {
    case schema::BuiltinOperator_ASSIGN_VARIABLE:
    case schema::BuiltinOperator_READ_VARIABLE:
    case schema::BuiltinOperator_HASHTABLE_FIND:
    case schema::BuiltinOperator_HASHTABLE_IMPORT:
    case schema::BuiltinOperator_HASHTABLE_SIZE:
    case schema::BuiltinOperator_CALL:
    case schema::BuiltinOperator_CALL_ONCE:
    case schema::BuiltinOperator_IF:
    case schema::BuiltinOperator_WHILE:
    case schema::BuiltinOperator_STABLEHLO_CASE:
    case schema::BuiltinOperator_STABLEHLO_WHILE:
    case schema::BuiltinOperator_STABLEHLO_COMPOSITE:
    case schema::BuiltinOperator_STABLEHLO_CUSTOM_CALL:
    case schema::BuiltinOperator_CUSTOM:
      return true;
    default:
      break;
  }
  return node.outputs.empty() ||
         std::any_of(node.inputs.begin(), node.inputs.end(), [&](int32_t t) {
           return t >= 0 && subgraph.tensors[Index(t)].is_variable;
         });
}

// Kahn's algorithm with a heap: among the ready nodes, the first of the file.
class Sorter {
 public:
  Sorter(const SubgraphInfo& subgraph, const Array<int32_t>& writers)
      : subgraph_(subgraph), writers_(writers) {}

  // With `keep_side_effects`, nodes that have some stay in file order. The
  // result is shorter than the node list when the constraints form a cycle.
  Result<Array<int32_t>> Sort(bool keep_side_effects) {
    ARENALITE_RETURN_IF_ERROR(ListEdges(keep_side_effects));
    const size_t count = subgraph_.nodes.size();
    Array<int32_t> order;
    ARENALITE_RETURN_IF_ERROR(order.Reserve(count));
    for (size_t n = 0; n < count; ++n) {
      if (waiting_[n] == 0) {
        ARENALITE_RETURN_IF_ERROR(Push(static_cast<int32_t>(n)));
      }
    }
    while (!ready_.empty()) {
      const int32_t node = Pop();
      ARENALITE_RETURN_IF_ERROR(order.Append(node));
      for (size_t e = first_[Index(node)]; e < first_[Index(node) + 1]; ++e) {
        const int32_t reader = edges_[e].second;
        if (--waiting_[Index(reader)] == 0) {
          ARENALITE_RETURN_IF_ERROR(Push(reader));
        }
      }
    }
    return order;
  }

 private:
  using Edge = std::pair<int32_t, int32_t>;  // First before second.

  Status ListEdges(bool keep_side_effects) {
    const size_t count = subgraph_.nodes.size();
    int32_t last_effect = kNobody;
    edges_.Clear();
    for (size_t n = 0; n < count; ++n) {
      const auto node = static_cast<int32_t>(n);
      for (int32_t tensor : subgraph_.nodes[n].inputs) {
        if (tensor < 0 || writers_[Index(tensor)] == kNobody) continue;
        ARENALITE_RETURN_IF_ERROR(
            edges_.Append({writers_[Index(tensor)], node}));
      }
      if (!keep_side_effects || !HasSideEffect(subgraph_, subgraph_.nodes[n])) {
        continue;
      }
      if (last_effect != kNobody) {
        ARENALITE_RETURN_IF_ERROR(edges_.Append({last_effect, node}));
      }
      last_effect = node;
    }
    std::sort(edges_.begin(), edges_.end());
    return CountEdges();
  }

  Status CountEdges() {
    const size_t count = subgraph_.nodes.size();
    ARENALITE_RETURN_IF_ERROR(waiting_.Resize(count));
    ARENALITE_RETURN_IF_ERROR(first_.Resize(count + 1));
    waiting_.Fill(0);
    first_.Fill(0);
    for (const Edge& edge : edges_) {
      ++first_[Index(edge.first) + 1];
      ++waiting_[Index(edge.second)];
    }
    for (size_t n = 0; n < count; ++n) first_[n + 1] += first_[n];
    return OkStatus();
  }

  Status Push(int32_t node) {
    ARENALITE_RETURN_IF_ERROR(ready_.Append(node));
    std::push_heap(ready_.begin(), ready_.end(), std::greater<int32_t>());
    return OkStatus();
  }

  int32_t Pop() {
    std::pop_heap(ready_.begin(), ready_.end(), std::greater<int32_t>());
    const int32_t node = ready_.back();
    ready_.PopBack();
    return node;
  }

  const SubgraphInfo& subgraph_;
  const Array<int32_t>& writers_;
  Array<Edge> edges_;       // By first node.
  Array<size_t> first_;     // Of each node's edges; the end behind the last.
  Array<int32_t> waiting_;  // Edges into each node from nodes not yet placed.
  Array<int32_t> ready_;    // A heap, least first.
};

// "op 3 ADD: input 1 is tensor 7 'x' of op 5 MUL" and the problem with that.
Status WaitsFor(StatusCode code, const SubgraphInfo& subgraph,
                const Array<int32_t>& writers, int32_t node, int input,
                const char* problem) {
  const NodeInfo& info = subgraph.nodes[Index(node)];
  const int32_t tensor = info.inputs[static_cast<size_t>(input)];
  const int32_t writer = writers[Index(tensor)];
  const NodeInfo& other = subgraph.nodes[Index(writer)];
  return Status::Error(
      code, {"op ", TextPiece(node).view(), " ", info.op_name, ": input ",
             TextPiece(input).view(), " is tensor ", TextPiece(tensor).view(),
             " '", subgraph.tensors[Index(tensor)].name, "' of op ",
             TextPiece(writer).view(), " ", other.op_name, problem});
}

Status CycleError(const SubgraphInfo& subgraph, const Array<int32_t>& writers,
                  const Array<int32_t>& order) {
  ARENALITE_ASSIGN_OR_RETURN(Array<bool> done,
                             Array<bool>::Create(subgraph.nodes.size()));
  for (int32_t node : order) done[Index(node)] = true;
  // From any node that never became ready, its unready writers lead into the
  // cycle; after as many steps as there are nodes we are in it.
  int32_t node = 0;
  while (done[Index(node)]) ++node;
  int input = 0;
  for (size_t step = 0; step <= subgraph.nodes.size(); ++step) {
    const NodeInfo& info = subgraph.nodes[Index(node)];
    input = FirstUnwritten(info, writers, done);
    if (step == subgraph.nodes.size()) break;
    node = writers[Index(info.inputs[static_cast<size_t>(input)])];
  }
  return WaitsFor(StatusCode::kInvalidModel, subgraph, writers, node, input,
                  ", which waits for this one: the ops form a cycle");
}

}  // namespace

Result<Array<int32_t>> TopologicalOrder(const SubgraphInfo& subgraph) {
  const size_t count = subgraph.nodes.size();
  ARENALITE_ASSIGN_OR_RETURN(const Array<int32_t> writers,
                             FindWriters(subgraph));
  if (IsFileOrderTopological(subgraph, writers)) {
    ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> order,
                               Array<int32_t>::Create(count));
    for (size_t n = 0; n < count; ++n) order[n] = static_cast<int32_t>(n);
    return order;
  }
  Sorter sorter(subgraph, writers);
  ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> order, sorter.Sort(true));
  if (order.size() == count) return order;
  ARENALITE_ASSIGN_OR_RETURN(order, sorter.Sort(false));
  if (order.size() == count) return order;
  return CycleError(subgraph, writers, order);
}

Status CheckOrder(const SubgraphInfo& subgraph, Span<const int32_t> order) {
  const size_t count = subgraph.nodes.size();
  if (order.size() != count) {
    return InvalidArgumentError("the order has ", order.size(),
                                " entries, the subgraph has ", count, " ops");
  }
  ARENALITE_ASSIGN_OR_RETURN(const Array<int32_t> writers,
                             FindWriters(subgraph));
  ARENALITE_ASSIGN_OR_RETURN(Array<bool> done, Array<bool>::Create(count));
  for (size_t i = 0; i < count; ++i) {
    const int32_t node = order[i];
    if (node < 0 || Index(node) >= count || done[Index(node)]) {
      return InvalidArgumentError(
          "entry ", i, " of the order is op ", node,
          node >= 0 && Index(node) < count ? ", which has been before"
                                           : ", allowed 0..",
          node >= 0 && Index(node) < count ? "" : TextPiece(count - 1).view());
    }
    const int input =
        FirstUnwritten(subgraph.nodes[Index(node)], writers, done);
    if (input >= 0) {
      return WaitsFor(StatusCode::kInvalidArgument, subgraph, writers, node,
                      input, ", which comes later in the order");
    }
    done[Index(node)] = true;
  }
  return OkStatus();
}

}  // namespace arenalite
