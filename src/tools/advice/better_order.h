// Orders of execution that may need less memory.

#ifndef ARENALITE_TOOLS_ADVICE_BETTER_ORDER_H_
#define ARENALITE_TOOLS_ADVICE_BETTER_ORDER_H_

#include <vector>

#include "tools/advice/order_graph.h"

namespace arenalite {

// Topological orders of the graph's ops, each found another way, the one with
// the lowest estimated peak first, without doubles and without the graph's own
// order. Deterministic; the work is bounded, so that thousands of ops take
// well under a second.
std::vector<std::vector<int>> CandidateOrders(const OrderGraph& graph);

// As Interpreter::SetExecutionPlan takes it.
std::vector<int32_t> ExecutionPlanOf(const OrderGraph& graph,
                                     const std::vector<int>& order);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_BETTER_ORDER_H_
