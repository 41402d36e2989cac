#include "tools/advice/order_graph.h"

#include <algorithm>
#include <map>

namespace arenalite {
namespace {

size_t Index(int i) { return static_cast<size_t>(i); }

template <class T>
void AddOnce(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(value);
  }
}

class GraphMaker {
 public:
  explicit GraphMaker(const MemoryReport& report)
      : report_(report), writer_(report.tensors.size(), -1) {}

  std::optional<OrderGraph> Make() {
    AddStorages();
    for (size_t i = 0; i < report_.steps.size(); ++i) {
      const StepReport& step = report_.steps[i];
      if (step.is_control || step.is_dynamic || step.subgraph != 0) return {};
      if (step.runs) {
        AddOp(i);
      } else {
        graph_.constant_nodes.push_back(step.node);
      }
    }
    AddOverlaps();
    return std::move(graph_);
  }

 private:
  void AddStorages() {
    const auto end = static_cast<int32_t>(report_.steps.size());
    for (const StorageReport& from : report_.storages) {
      OrderGraph::Storage storage;
      storage.bytes = from.is_scratch ? 0 : from.bytes;
      storage.from_start = from.is_input;
      storage.to_end = from.last_step == end;
      graph_.storages.push_back(storage);
    }
  }

  void AddOp(size_t step) {
    const int number = static_cast<int>(graph_.ops.size());
    op_at_[static_cast<int32_t>(step)] = number;
    graph_.ops.emplace_back();
    graph_.overlaps.emplace_back();
    OrderGraph::Op& op = graph_.ops.back();
    op.node = report_.steps[step].node;
    op.scratch_bytes = report_.steps[step].scratch_bytes;
    bool has_state = report_.WritesOf(step).empty();
    for (int32_t tensor : report_.ReadsOf(step)) {
      Need(number, writer_[Index(tensor)]);
      has_state |= Touch(number, tensor);
    }
    for (int32_t tensor : report_.WritesOf(step)) {
      writer_[Index(tensor)] = number;
      has_state |= Touch(number, tensor);
    }
    if (!has_state) return;
    Need(number, last_with_state_);
    last_with_state_ = number;
  }

  // True when the tensor is a state.
  bool Touch(int op, int32_t tensor) {
    const TensorReport& entry = report_.tensors[Index(tensor)];
    if (entry.storage >= 0) {
      std::vector<int>& storages = graph_.ops[Index(op)].storages;
      const size_t before = storages.size();
      AddOnce(storages, static_cast<int>(entry.storage));
      if (storages.size() > before) {
        ++graph_.storages[Index(entry.storage)].uses;
      }
    }
    return entry.memory == TensorMemory::kVariable ||
           entry.type == TensorType::kResource;
  }

  void Need(int op, int needed) {
    if (needed < 0 || needed == op) return;
    std::vector<int>& needs = graph_.ops[Index(op)].needs;
    const size_t before = needs.size();
    AddOnce(needs, needed);
    if (needs.size() > before) {
      graph_.ops[Index(needed)].needed_by.push_back(op);
    }
  }

  void AddOverlaps() {
    for (const OverlapChance& chance : report_.chances) {
      const auto op = op_at_.find(chance.step);
      if (chance.allowed_bytes <= 0 || op == op_at_.end()) continue;
      const int64_t bytes = std::min(
          {chance.allowed_bytes, report_.storages[Index(chance.output)].bytes,
           report_.storages[Index(chance.input)].bytes});
      graph_.overlaps[Index(op->second)].push_back(
          {op->second, chance.output, chance.input, bytes});
    }
  }

  const MemoryReport& report_;
  OrderGraph graph_;
  std::vector<int> writer_;  // Of each tensor: the op, or -1.
  std::map<int32_t, int> op_at_;
  int last_with_state_ = -1;
};

// A random-looking number for each op (SplitMix64's finaliser).
uint64_t NumberOf(int op) {
  uint64_t hash = (static_cast<uint64_t>(op) + 1) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

}  // namespace

std::optional<OrderGraph> MakeOrderGraph(const MemoryReport& report) {
  return GraphMaker(report).Make();
}

OrderState::OrderState(const OrderGraph& graph) : graph_(&graph) {
  for (const OrderGraph::Storage& storage : graph.storages) {
    uses_.push_back(storage.uses);
    if (storage.from_start) live_ += storage.bytes;
  }
  peak_ = live_;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    missing_.push_back(static_cast<int>(graph.ops[i].needs.size()));
    if (missing_.back() == 0) ready_.push_back(static_cast<int>(i));
  }
}

OrderState::Outcome OrderState::Try(int op) const {
  const OrderGraph::Op& info = graph_->ops[Index(op)];
  int64_t born = 0;
  int64_t dying = 0;
  const auto begins = [&](int storage) {
    const OrderGraph::Storage& known = graph_->storages[Index(storage)];
    return !known.from_start && uses_[Index(storage)] == known.uses;
  };
  const auto ends = [&](int storage) {
    return !graph_->storages[Index(storage)].to_end &&
           uses_[Index(storage)] == 1;
  };
  for (int storage : info.storages) {
    const int64_t bytes = graph_->storages[Index(storage)].bytes;
    if (begins(storage)) born += bytes;
    if (ends(storage)) dying += bytes;
  }
  int64_t shared = 0;
  for (const OrderGraph::Overlap& overlap : graph_->overlaps[Index(op)]) {
    if (!begins(overlap.output) || !ends(overlap.input)) continue;
    shared = std::max(shared, overlap.bytes);
  }
  const int64_t now = live_ + born + info.scratch_bytes - shared;
  return {std::max(peak_, now), live_ + born - dying};
}

void OrderState::Run(int op) {
  const Outcome outcome = Try(op);
  peak_ = outcome.peak;
  live_ = outcome.live;
  set_hash_ = HashWith(op);
  order_.push_back(op);
  for (int storage : graph_->ops[Index(op)].storages) {
    --uses_[Index(storage)];
  }
  ready_.erase(std::lower_bound(ready_.begin(), ready_.end(), op));
  for (int next : graph_->ops[Index(op)].needed_by) {
    if (--missing_[Index(next)] > 0) continue;
    ready_.insert(std::lower_bound(ready_.begin(), ready_.end(), next), next);
  }
}

uint64_t OrderState::HashWith(int op) const { return set_hash_ ^ NumberOf(op); }

int64_t PeakOf(const OrderGraph& graph, const std::vector<int>& order) {
  OrderState state(graph);
  for (int op : order) state.Run(op);
  return state.peak();
}

}  // namespace arenalite
