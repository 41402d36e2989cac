#include "testing/random_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "arenalite/model.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

bool Contains(const std::vector<int32_t>& list, int32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Counts what happens in a graph, by name.
class Census {
 public:
  void Add(ModelBuilder& model) {
    const SubgraphSpec& graph = model.subgraph();
    std::map<int32_t, int> readers;
    std::set<int32_t> written(graph.inputs.begin(), graph.inputs.end());
    for (const OpSpec& op : graph.ops) {
      Count(op.code == schema::BuiltinOperator_CUSTOM
                ? op.custom_name
                : schema::EnumNameBuiltinOperator(op.code));
      CountInputs(graph, op, written, readers);
      written.insert(op.outputs[0]);
    }
    for (const OpSpec& op : graph.ops) {
      const int32_t y = op.outputs[0];
      const bool is_output = Contains(graph.outputs, y);
      if (readers[y] == 0 && !is_output) Count("nobody reads");
      if (readers[y] > 1) Count("several readers");
      if (readers[y] > 0 && is_output) Count("output is read");
    }
    for (int32_t output : graph.outputs) {
      if (Contains(graph.inputs, output)) Count("input is output");
      if (model.tensor(output).buffer != 0) Count("constant is output");
    }
    const std::set<int32_t> outputs(graph.outputs.begin(), graph.outputs.end());
    if (outputs.size() < graph.outputs.size()) Count("output named twice");
  }
  int operator[](const char* what) { return counts_[what]; }

 private:
  void Count(const std::string& what) { ++counts_[what]; }
  void CountInputs(const SubgraphSpec& graph, const OpSpec& op,
                   const std::set<int32_t>& written,
                   std::map<int32_t, int>& readers) {
    bool sorted = true;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const int32_t input = op.inputs[i];
      if (input < 0) {
        Count("absent input");
        continue;
      }
      ++readers[input];
      const TensorSpec& tensor = graph.tensors[static_cast<size_t>(input)];
      if (tensor.is_variable) Count("variable");
      if (std::count(op.inputs.begin(), op.inputs.end(), input) > 1) {
        Count("same input twice");
      }
      sorted = sorted && (tensor.buffer != 0 || tensor.is_variable ||
                          written.count(input) > 0);
    }
    if (!sorted) Count("read before its write in the file");
  }

  std::map<std::string, int> counts_;
};

TEST(RandomGraphTest, ReachesEveryCorner) {
  for (TensorType type : {TensorType::kFloat32, TensorType::kInt8}) {
    SCOPED_TRACE(TensorTypeName(type));
    RandomGraphOptions options;
    options.type = type;
    Census census;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
      ModelBuilder graph = RandomGraph(seed, options);
      census.Add(graph);
    }
    for (const char* what : {"RELU",
                             "LOGISTIC",
                             "ADD",
                             "SUB",
                             "MUL",
                             "MAXIMUM",
                             "RESHAPE",
                             "SQUEEZE",
                             "EXPAND_DIMS",
                             "CONCATENATION",
                             "PAD",
                             "STRIDED_SLICE",
                             "TRANSPOSE",
                             "CONV_2D",
                             "DEPTHWISE_CONV_2D",
                             "AVERAGE_POOL_2D",
                             "MAX_POOL_2D",
                             "FULLY_CONNECTED",
                             "MEAN",
                             "SOFTMAX",
                             "Accumulate",
                             "Reverse",
                             "nobody reads",
                             "several readers",
                             "output is read",
                             "input is output",
                             "constant is output",
                             "output named twice",
                             "absent input",
                             "same input twice",
                             "variable",
                             "read before its write in the file"}) {
      EXPECT_GE(census[what], 20) << what;
    }
  }
}

TEST(RandomGraphTest, GraphsAreValidAndSmall) {
  RandomGraphOptions options;
  options.min_ops = 2;
  options.max_ops = 9;
  options.max_elements = 500;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    options.type = seed % 2 == 0 ? TensorType::kFloat32 : TensorType::kInt8;
    ModelBuilder graph = RandomGraph(seed, options);
    const size_t ops = graph.subgraph().ops.size();
    EXPECT_TRUE(ops >= 2 && ops <= 9) << ops;
    for (const TensorSpec& tensor : graph.subgraph().tensors) {
      if (tensor.buffer != 0) continue;
      int64_t elements = 1;
      for (int32_t dim : tensor.shape) elements *= dim;
      EXPECT_LE(elements, 500) << tensor.name;
    }
    const std::vector<uint8_t> file = graph.Finish();
    EXPECT_THAT(FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file)),
                IsOk())
        << "seed " << seed;
  }
}

TEST(RandomGraphTest, TheSeedDecides) {
  const RandomGraphOptions options;
  const auto first = RandomGraph(7, options).Finish();
  EXPECT_EQ(RandomGraph(7, options).Finish(), first);
  EXPECT_NE(RandomGraph(8, options).Finish(), first);
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
