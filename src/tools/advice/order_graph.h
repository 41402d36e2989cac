// OrderGraph: which op needs which, and the bytes that each keeps live: what a
// search for a better order works on.

#ifndef ARENALITE_TOOLS_ADVICE_ORDER_GRAPH_H_
#define ARENALITE_TOOLS_ADVICE_ORDER_GRAPH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "arenalite/memory_report.h"

namespace arenalite {

struct OrderGraph {
  struct Op {
    int32_t node = 0;            // In the file.
    std::vector<int> storages;   // That it reads or writes.
    std::vector<int> needs;      // Ops that must run before.
    std::vector<int> needed_by;  // Ops that must run after.
    int64_t scratch_bytes = 0;
  };
  struct Storage {
    int64_t bytes = 0;
    int uses = 0;  // Ops that read or write it.
    bool from_start = false;
    bool to_end = false;
  };
  // `output` may lie on `input` by so many bytes, where `op` ends the input's
  // life and begins the output's.
  struct Overlap {
    int op = 0;
    int output = 0;
    int input = 0;
    int64_t bytes = 0;
  };

  std::vector<Op> ops;  // In the order of the report.
  std::vector<Storage> storages;
  std::vector<std::vector<Overlap>> overlaps;  // Of each op.
  // Nodes whose results are known before a run: they go first.
  std::vector<int32_t> constant_nodes;
};

// Nothing for programs with control flow or tensors outside of the plan. Ops
// that touch variables or resources keep their order.
std::optional<OrderGraph> MakeOrderGraph(const MemoryReport& report);

// Runs ops one by one and keeps the figures. Small enough to be copied by a
// search.
class OrderState {
 public:
  explicit OrderState(const OrderGraph& graph);

  // What running `op` next would make of the two figures.
  struct Outcome {
    int64_t peak = 0;
    int64_t live = 0;
  };
  Outcome Try(int op) const;
  void Run(int op);

  const std::vector<int>& ready() const { return ready_; }
  const std::vector<int>& order() const { return order_; }
  // The most bytes that were live, allowed overlaps taken off.
  int64_t peak() const { return peak_; }
  // The same for equal sets of ops that have run.
  uint64_t set_hash() const { return set_hash_; }
  uint64_t HashWith(int op) const;

 private:
  const OrderGraph* graph_;
  std::vector<int> missing_;  // Of each op: needs that have not run.
  std::vector<int> uses_;     // Of each storage: uses still to come.
  std::vector<int> ready_;    // Ascending.
  std::vector<int> order_;
  int64_t live_ = 0;
  int64_t peak_ = 0;
  uint64_t set_hash_ = 0;
};

// The peak of running all ops in this order.
int64_t PeakOf(const OrderGraph& graph, const std::vector<int>& order);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_ORDER_GRAPH_H_
