#include "graph/build_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "arenalite/model.h"
#include "model/example_model.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A graph with the model and the file that it points into.
struct Loaded {
  explicit Loaded(std::vector<uint8_t> bytes) : file(std::move(bytes)) {
    auto built = FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file));
    EXPECT_THAT(built, IsOk());
    if (!built.ok()) return;
    model = std::move(*built);
    auto result = BuildGraph(model->model());
    EXPECT_THAT(result, IsOk());
    if (result.ok()) graph = std::move(*result);
  }
  const SubgraphInfo& main() const { return graph.subgraphs[0]; }
  const TensorInfo& tensor(size_t i) const { return main().tensors[i]; }

  std::vector<uint8_t> file;
  std::unique_ptr<FlatBufferModel> model;
  Graph graph;
};

template <class T>
std::vector<T> ToVector(Span<const T> span) {
  return {span.begin(), span.end()};
}

std::vector<int32_t> Order(const Loaded& loaded) {
  return ToVector(Span<const int32_t>(loaded.main().order));
}

TEST(BuildGraph, DescribesTensors) {
  const Loaded loaded(ExampleModel().Finish());
  ASSERT_EQ(loaded.graph.subgraphs.size(), 3u);
  ASSERT_EQ(loaded.main().tensors.size(), 9u);
  const TensorInfo& x = loaded.tensor(kX);
  EXPECT_STREQ(x.name, "x");
  EXPECT_EQ(x.type, TensorType::kInt8);
  EXPECT_EQ(x.shape, Shape({1, 4, 4, 2}));
  EXPECT_THAT(ToVector(x.shape_signature), ElementsAre(-1, 4, 4, 2));
  EXPECT_EQ(x.quantization.scale(), 0.5f);
  EXPECT_EQ(x.quantization.zero_point(), -128);
  EXPECT_FALSE(x.has_data);
  const TensorInfo& w = loaded.tensor(kW);
  EXPECT_TRUE(w.has_data);
  EXPECT_THAT(ToVector(w.data), ElementsAre(1, 0xFE, 3, 0xFC));
  EXPECT_THAT(ToVector(w.quantization.scales), ElementsAre(0.25f, 0.125f));
  EXPECT_THAT(ToVector(w.shape_signature), IsEmpty());
  EXPECT_TRUE(loaded.tensor(kState).is_variable);
  EXPECT_FALSE(loaded.tensor(kOut).has_data);
}

TEST(BuildGraph, DescribesNodes) {
  const Loaded loaded(ExampleModel().Finish());
  const SubgraphInfo& main = loaded.main();
  EXPECT_STREQ(main.name, "main");
  EXPECT_THAT(ToVector(main.inputs), ElementsAre(kX, 7));
  EXPECT_THAT(ToVector(main.outputs), ElementsAre(kOut, 8));
  ASSERT_EQ(main.nodes.size(), 3u);
  const NodeInfo& conv = main.nodes[kConvOp];
  EXPECT_EQ(conv.builtin_code, schema::BuiltinOperator_CONV_2D);
  EXPECT_STREQ(conv.op_name, "CONV_2D");
  EXPECT_EQ(conv.version, 3);
  EXPECT_THAT(ToVector(conv.inputs), ElementsAre(kX, kW, kBias));
  EXPECT_EQ(conv.builtin_options_type, schema::BuiltinOptions_Conv2DOptions);
  ASSERT_NE(conv.builtin_options, nullptr);
  EXPECT_EQ(static_cast<const schema::Conv2DOptions*>(conv.builtin_options)
                ->stride_w(),
            1);
  const NodeInfo& mine = main.nodes[kMineOp];
  EXPECT_STREQ(mine.op_name, "Mine");
  EXPECT_THAT(ToVector(mine.inputs), ElementsAre(kConv, -1, kState, kWords));
  EXPECT_THAT(ToVector(mine.custom_options), ElementsAre(1, 2, 3));
  EXPECT_THAT(Order(loaded), ElementsAre(0, 1, 2));
}

TEST(BuildGraph, DescribesSignatures) {
  const Loaded loaded(ExampleModel().Finish());
  ASSERT_EQ(loaded.graph.signatures.size(), 1u);
  const SignatureInfo& serve = loaded.graph.signatures[0];
  EXPECT_STREQ(serve.key, "serve");
  EXPECT_EQ(serve.subgraph, 0);
  ASSERT_EQ(serve.inputs.size(), 1u);
  EXPECT_STREQ(serve.inputs[0].name, "image");
  EXPECT_EQ(serve.inputs[0].tensor, kX);
  EXPECT_EQ(serve.outputs[0].tensor, kOut);
}

TEST(BuildGraph, PointsIntoTheFile) {
  ModelBuilder b = ExampleModel();
  for (const bool outside : {false, true}) {
    b.spec().data_outside = outside;
    const Loaded loaded(b.Finish());
    const Span<const uint8_t> bytes = loaded.model->model().bytes();
    const TensorInfo& w = loaded.tensor(kW);
    EXPECT_GE(w.data.data(), bytes.begin());
    EXPECT_LE(w.data.data() + w.data.size(), bytes.end());
    EXPECT_THAT(ToVector(loaded.main().nodes[kMineOp].custom_options),
                ElementsAre(1, 2, 3));
  }
}

// Some writers align lists of 64-bit numbers to 4 bytes only.
TEST(BuildGraph, AlignsZeroPoints) {
  std::vector<uint8_t> file = ExampleModel().Finish();
  // Behind the header, everything is found by relative offsets.
  file.insert(file.begin() + 8, 4, 0);
  file[0] = static_cast<uint8_t>(file[0] + 4);
  const Loaded loaded(std::move(file));
  EXPECT_EQ(loaded.main().aligned_zero_points.size(), 5u);
  EXPECT_EQ(loaded.tensor(kX).quantization.zero_point(), -128);
  EXPECT_EQ(loaded.tensor(kConv).quantization.zero_point(), 7);
  EXPECT_THAT(ToVector(loaded.tensor(kW).quantization.zero_points),
              ElementsAre(0, 0));
}

TEST(BuildGraph, OrdersNodesThatTheFileHoldsBackwards) {
  ModelBuilder b = ExampleModel();
  std::swap(b.op(kConvOp), b.op(kIfOp));
  EXPECT_THAT(Order(Loaded(b.Finish())), ElementsAre(2, 1, 0));
}

TEST(BuildGraph, NamesTheSubgraphOfACycle) {
  ModelBuilder b = ExampleModel();
  b.SetCurrentSubgraph(1);
  const int back = b.AddTensor("back", TensorType::kFloat32, {1, 4, 4, 2});
  b.op(0).inputs.push_back(back);
  b.AddOp(schema::BuiltinOperator_NEG, {b.op(0).outputs[0]}, {back});
  const std::vector<uint8_t> file = b.Finish();
  const auto model =
      FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file));
  ASSERT_THAT(model, IsOk());
  EXPECT_THAT(BuildGraph((*model)->model()),
              HasStatus(StatusCode::kInvalidModel, "subgraph 1 'branch': op"));
}

TEST(BuildGraph, GivesDroppedResultsATensor) {
  ModelBuilder b = ExampleModel();
  b.op(kIfOp).outputs = {-1};
  b.subgraph().outputs = {kOut};
  const Loaded loaded(b.Finish());
  EXPECT_THAT(ToVector(loaded.main().nodes[kIfOp].outputs), ElementsAre(9));
  ASSERT_EQ(loaded.main().tensors.size(), 10u);
  EXPECT_EQ(loaded.tensor(9).shape, Shape({1, 4, 4, 2}));
  EXPECT_EQ(loaded.tensor(9).type, TensorType::kFloat32);
}

TEST(BuildGraph, TakesTensorsWithoutElementsAsConstants) {
  ModelBuilder b = ExampleModel();
  const int none = b.AddTensor("none", TensorType::kInt32, {0});
  const int text = b.AddTensor("text", TensorType::kString, {2, 0});
  const int made = b.AddTensor("made", TensorType::kFloat32, {0});
  for (const int tensor : {none, text}) b.op(kMineOp).inputs.push_back(tensor);
  b.op(kMineOp).outputs.push_back(made);
  const Loaded loaded(b.Finish());
  EXPECT_TRUE(loaded.tensor(static_cast<size_t>(none)).has_data);
  EXPECT_THAT(ToVector(loaded.tensor(static_cast<size_t>(text)).data),
              ElementsAre(0, 0, 0, 0, 8, 0, 0, 0));
  EXPECT_FALSE(loaded.tensor(static_cast<size_t>(made)).has_data);
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
