#include "tools/advice/better_order.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace arenalite {
namespace {

using Order = std::vector<int>;

// A beam of this width, narrower for many ops: each level copies its states.
constexpr size_t kBeamWidth = 64;
constexpr size_t kBeamWork = 2'000'000;  // About ops^2 * width.

size_t Index(int i) { return static_cast<size_t>(i); }

// Of the ready ops, again and again the one that leaves the fewest bytes live.
Order Greedy(const OrderGraph& graph) {
  OrderState state(graph);
  while (!state.ready().empty()) {
    int best = -1;
    std::tuple<int64_t, int64_t> best_key;
    for (int op : state.ready()) {
      const OrderState::Outcome outcome = state.Try(op);
      const std::tuple<int64_t, int64_t> key(outcome.peak, outcome.live);
      if (best >= 0 && best_key <= key) continue;
      best = op;
      best_key = key;
    }
    state.Run(best);
  }
  return state.order();
}

// Depth first from the ops that nobody needs: each op right after what it
// needs. Of its needs, those with the most ops behind them go first
// (`heavy_first`, after Sethi and Ullman 1970) or in the graph's order.
class DepthFirst {
 public:
  DepthFirst(const OrderGraph& graph, bool heavy_first)
      : graph_(graph), heavy_first_(heavy_first), done_(graph.ops.size()) {
    for (const OrderGraph::Op& op : graph.ops) {
      int64_t weight = 1;
      for (int need : op.needs) weight += weight_[Index(need)];
      weight_.push_back(std::min<int64_t>(weight, int64_t{1} << 40));
    }
  }

  Order Find() {
    for (size_t i = 0; i < graph_.ops.size(); ++i) {
      if (graph_.ops[i].needed_by.empty()) Visit(static_cast<int>(i));
    }
    return std::move(order_);
  }

 private:
  struct Pending {
    int op;
    Order needs;
    size_t next = 0;
  };

  Order NeedsOf(int op) const {
    Order needs = graph_.ops[Index(op)].needs;
    std::sort(needs.begin(), needs.end());
    if (!heavy_first_) return needs;
    std::stable_sort(needs.begin(), needs.end(), [&](int a, int b) {
      return weight_[Index(a)] > weight_[Index(b)];
    });
    return needs;
  }

  // With a stack of its own: chains are thousands of ops long.
  void Visit(int root) {
    std::vector<Pending> stack;
    stack.push_back({root, NeedsOf(root)});
    while (!stack.empty()) {
      Pending& top = stack.back();
      if (top.next < top.needs.size()) {
        const int need = top.needs[top.next++];
        if (!done_[Index(need)]) stack.push_back({need, NeedsOf(need)});
        continue;
      }
      if (!done_[Index(top.op)]) order_.push_back(top.op);
      done_[Index(top.op)] = true;
      stack.pop_back();
    }
  }

  const OrderGraph& graph_;
  const bool heavy_first_;
  std::vector<int64_t> weight_;
  std::vector<bool> done_;
  Order order_;
};

// Breadth of several partial orders at once: each level runs one more op in
// each, and keeps those with the lowest peak, one for each set of ops.
class Beam {
 public:
  Beam(const OrderGraph& graph, size_t width)
      : width_(width), states_{OrderState(graph)} {}

  Order Find(size_t ops) {
    for (size_t level = 0; level < ops; ++level) Advance();
    return states_.front().order();
  }

 private:
  struct Choice {
    int64_t peak;
    int64_t live;
    uint64_t hash;
    size_t state;
    int op;
  };

  void Advance() {
    std::vector<Choice> choices;
    for (size_t i = 0; i < states_.size(); ++i) {
      for (int op : states_[i].ready()) {
        const OrderState::Outcome outcome = states_[i].Try(op);
        choices.push_back(
            {outcome.peak, outcome.live, states_[i].HashWith(op), i, op});
      }
    }
    std::sort(choices.begin(), choices.end(),
              [](const Choice& a, const Choice& b) {
                return std::tie(a.peak, a.live, a.state, a.op) <
                       std::tie(b.peak, b.live, b.state, b.op);
              });
    std::set<uint64_t> seen;
    std::vector<OrderState> next;
    for (const Choice& choice : choices) {
      if (next.size() == width_) break;
      if (!seen.insert(choice.hash).second) continue;
      next.push_back(states_[choice.state]);
      next.back().Run(choice.op);
    }
    states_ = std::move(next);
  }

  const size_t width_;
  std::vector<OrderState> states_;
};

}  // namespace

std::vector<Order> CandidateOrders(const OrderGraph& graph) {
  const size_t ops = graph.ops.size();
  if (ops < 2) return {};
  std::vector<Order> found = {Greedy(graph), DepthFirst(graph, false).Find(),
                              DepthFirst(graph, true).Find()};
  const size_t width = std::min(kBeamWidth, kBeamWork / (ops * ops));
  if (width > 1) found.push_back(Beam(graph, width).Find(ops));
  Order own(ops);
  for (size_t i = 0; i < ops; ++i) own[i] = static_cast<int>(i);
  std::vector<std::pair<int64_t, Order>> ranked;
  for (Order& order : found) {
    const int64_t peak = PeakOf(graph, order);
    ranked.emplace_back(peak, std::move(order));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<Order> distinct;
  for (auto& [peak, order] : ranked) {
    const bool known =
        order == own ||
        std::find(distinct.begin(), distinct.end(), order) != distinct.end();
    if (!known) distinct.push_back(std::move(order));
  }
  return distinct;
}

std::vector<int32_t> ExecutionPlanOf(const OrderGraph& graph,
                                     const Order& order) {
  std::vector<int32_t> plan = graph.constant_nodes;
  for (int op : order) plan.push_back(graph.ops[Index(op)].node);
  return plan;
}

}  // namespace arenalite
