#include "graph/order.h"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <random>
#include <vector>

#include "model_generated.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

using Indices = std::vector<int32_t>;

// A subgraph of `tensors` nameless tensors; keeps the lists that it points at.
class TestSubgraph {
 public:
  explicit TestSubgraph(size_t tensors) {
    EXPECT_THAT(info_.tensors.Resize(tensors), IsOk());
  }
  void AddNode(Indices inputs, Indices outputs,
               schema::BuiltinOperator code = schema::BuiltinOperator_ADD) {
    NodeInfo node;
    node.builtin_code = code;
    node.op_name = schema::EnumNameBuiltinOperator(code);
    node.inputs = Span<const int32_t>(Keep(std::move(inputs)));
    node.outputs = Span<const int32_t>(Keep(std::move(outputs)));
    EXPECT_THAT(info_.nodes.Append(node), IsOk());
  }
  SubgraphInfo& info() { return info_; }
  Indices Order() const {
    const auto order = TopologicalOrder(info_);
    EXPECT_THAT(order, IsOk());
    return order.ok() ? Indices(order->begin(), order->end()) : Indices();
  }
  Status Check(const Indices& order) const {
    return CheckOrder(info_, Span<const int32_t>(order));
  }

 private:
  const Indices& Keep(Indices list) {
    lists_.push_back(std::move(list));
    return lists_.back();
  }

  SubgraphInfo info_;
  std::deque<Indices> lists_;
};

TEST(TopologicalOrder, KeepsAFileOrderThatWorks) {
  TestSubgraph s(5);
  s.AddNode({0, -1}, {1});
  s.AddNode({0}, {2});
  s.AddNode({1, 2, 2}, {3});
  s.AddNode({}, {});
  s.AddNode({3}, {4});
  EXPECT_EQ(s.Order(), (Indices{0, 1, 2, 3, 4}));
}

TEST(TopologicalOrder, TakesTheFirstReadyNode) {
  TestSubgraph s(6);
  s.AddNode({3, 4}, {5});  // 0 waits for 2 and 3.
  s.AddNode({0}, {1});
  s.AddNode({1}, {3});
  s.AddNode({1}, {4});
  s.AddNode({0}, {2});
  EXPECT_EQ(s.Order(), (Indices{1, 2, 3, 0, 4}));
}

TEST(TopologicalOrder, KeepsSideEffectsInFileOrder) {
  const auto kAssign = schema::BuiltinOperator_ASSIGN_VARIABLE;
  TestSubgraph s(3);
  s.AddNode({1}, {}, kAssign);  // Waits for 2.
  s.AddNode({0}, {}, kAssign);  // Ready at once, but the first must be first.
  s.AddNode({0}, {1});
  EXPECT_EQ(s.Order(), (Indices{2, 0, 1}));

  // Where that is impossible, the data decides.
  TestSubgraph impossible(3);
  impossible.AddNode({1}, {}, schema::BuiltinOperator_CUSTOM);
  impossible.AddNode({0}, {1}, schema::BuiltinOperator_CUSTOM);
  EXPECT_EQ(impossible.Order(), (Indices{1, 0}));
}

TEST(TopologicalOrder, NamesACycle) {
  TestSubgraph s(5);
  s.AddNode({4}, {3});  // Behind the cycle, not in it.
  s.AddNode({0, 2}, {1});
  s.AddNode({1}, {2}, schema::BuiltinOperator_MUL);
  s.AddNode({2}, {4}, schema::BuiltinOperator_SUB);
  s.info().tensors[2].name = "back";
  s.info().tensors[1].name = "forth";
  const auto order = TopologicalOrder(s.info());
  EXPECT_THAT(order, HasStatus(StatusCode::kInvalidModel, "form a cycle"));
  const std::string message = order.message();
  EXPECT_TRUE(
      message.find("op 1 ADD: input 1 is tensor 2 'back' of op 2 MUL") == 0 ||
      message.find("op 2 MUL: input 0 is tensor 1 'forth' of op 1 ADD") == 0)
      << message;
}

TEST(CheckOrder, NamesTheFirstFault) {
  TestSubgraph s(3);
  s.AddNode({0}, {1});
  s.AddNode({1}, {2}, schema::BuiltinOperator_MUL);
  s.AddNode({0}, {});
  const auto kInvalid = StatusCode::kInvalidArgument;
  EXPECT_THAT(s.Check({0, 2, 1}), IsOk());
  EXPECT_THAT(s.Check({0, 1}),
              HasStatus(kInvalid, "has 2 entries, the subgraph has 3 ops"));
  EXPECT_THAT(
      s.Check({0, 1, 3}),
      HasStatus(kInvalid, "entry 2 of the order is op 3, allowed 0..2"));
  EXPECT_THAT(s.Check({0, -1, 2}), HasStatus(kInvalid, "entry 1"));
  EXPECT_THAT(s.Check({0, 2, 0}),
              HasStatus(kInvalid, "entry 2 of the order is op 0, which has"));
  EXPECT_THAT(s.Check({2, 1, 0}),
              HasStatus(kInvalid,
                        "op 1 MUL: input 0 is tensor 1 '' of op 0 ADD, which "
                        "comes later"));
}

TEST(TopologicalOrder, SortsShuffledGraphs) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const int nodes = 1 + static_cast<int>(random() % 40);
    Indices place(static_cast<size_t>(nodes));
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), random);
    // Node place[i] may read what the nodes place[0..i) write.
    TestSubgraph s(static_cast<size_t>(nodes) + 1);
    std::vector<Indices> inputs(static_cast<size_t>(nodes));
    for (int i = 0; i < nodes; ++i) {
      auto& list = inputs[static_cast<size_t>(place[static_cast<size_t>(i)])];
      for (unsigned k = random() % 4; k > 0 && i > 0; --k) {
        list.push_back(place[random() % static_cast<unsigned>(i)]);
      }
    }
    for (int i = 0; i < nodes; ++i) {
      s.AddNode(inputs[static_cast<size_t>(i)], {i});
    }
    const Indices order = s.Order();
    EXPECT_THAT(s.Check(order), IsOk());
  }
}

TEST(TopologicalOrder, IsFastOnLongChains) {
  constexpr int32_t kNodes = 100000;
  TestSubgraph s(kNodes + 1);
  for (int32_t i = 0; i < kNodes; ++i) s.AddNode({i + 1}, {i});
  const Indices order = s.Order();
  ASSERT_EQ(order.size(), size_t{kNodes});
  for (int32_t i = 0; i < kNodes; ++i) {
    ASSERT_EQ(order[static_cast<size_t>(i)], kNodes - 1 - i);
  }
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
