#include "writer/zoo/zoo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model_generated.h"
#include "testing/matchers.h"
#include "writer/zoo/architectures.h"

namespace arenalite {
namespace {

using Bytes = std::vector<uint8_t>;
using testing::HasStatus;
using testing::IsOk;

ZooOptions Options(std::string name, bool int8, float width = 1.0f,
                   int resolution = 0) {
  ZooOptions options;
  options.name = std::move(name);
  options.int8 = int8;
  options.width = width;
  options.resolution = resolution;
  return options;
}

// FNV-1a over what a file says, whatever the layout that a version of
// FlatBuffers gives it.
class Hash {
 public:
  explicit Hash(const schema::Model& model) {
    const schema::SubGraph& graph = *model.subgraphs()->Get(0);
    for (const schema::Tensor* tensor : *graph.tensors()) {
      AddVector(tensor->name());
      AddVector(tensor->shape());
      if (const auto* quant = tensor->quantization()) {
        AddVector(quant->scale());
        AddVector(quant->zero_point());
      }
      AddVector(model.buffers()->Get(tensor->buffer())->data());
    }
    for (const schema::Operator* op : *graph.operators()) {
      AddVector(op->inputs());
      AddVector(op->outputs());
    }
  }
  uint64_t value() const { return value_; }

 private:
  template <class V>
  void AddVector(const V* vector) {
    if (vector == nullptr) return;
    const auto element_bytes = sizeof(*vector->begin());
    const uint8_t* bytes = vector->Data();
    for (size_t i = 0; i < element_bytes * vector->size(); ++i) {
      value_ = (value_ ^ bytes[i]) * 0x100000001B3u;
    }
  }
  uint64_t value_ = 0xCBF29CE484222325u;
};

// Weights and biases: what ops that have them read at inputs 1 and 2.
int64_t CountParameters(const schema::SubGraph& graph,
                        const schema::Model& model) {
  int64_t count = 0;
  for (const schema::Operator* op : *graph.operators()) {
    const auto code =
        model.operator_codes()->Get(op->opcode_index())->builtin_code();
    if (code != schema::BuiltinOperator_CONV_2D &&
        code != schema::BuiltinOperator_DEPTHWISE_CONV_2D &&
        code != schema::BuiltinOperator_FULLY_CONNECTED) {
      continue;
    }
    for (unsigned i : {1u, 2u}) {
      const auto tensor = static_cast<unsigned>(op->inputs()->Get(i));
      int64_t elements = 1;
      for (int dim : *graph.tensors()->Get(tensor)->shape()) elements *= dim;
      count += elements;
    }
  }
  return count;
}

struct Known {
  ZooOptions options;
  int64_t parameters;
  unsigned ops;
  uint64_t hash;
};

// Parameters as published for each network, with batch normalization (four
// numbers a channel) folded into one bias a channel.
std::vector<Known> KnownModels() {
  return {
      {Options("ds_cnn", false), 22604, 13, 0x3F0B22CB253C7F88u},
      {Options("ds_cnn", true), 22604, 13, 0x3AACF8DAAF9C160u},
      {Options("mobilenet_v1", false), 4221032, 31, 0x33E87BE05347D86Du},
      {Options("mobilenet_v1", true), 4221032, 31, 0x1DA3A44BFE5560E7u},
      {Options("mobilenet_v1", true, 0.25f, 96), 467336, 31, 0xF938A329FB5E9Bu},
      {Options("mobilenet_v2", false), 3487816, 65, 0x8391EA02C59611FCu},
      {Options("mobilenet_v2", true), 3487816, 65, 0xE08C786EFB23AFD5u},
      {Options("mobilenet_v2", false, 0.5f, 160), 1959408, 65,
       0x3555419238F947A5u},
      {Options("resnet8", false), 77706, 16, 0x373FCABA70C69A00u},
      {Options("resnet8", true), 77706, 16, 0x58BFD278DF594820u},
      {Options("sine", false), 321, 3, 0xAF75AFC7466358u},
      {Options("sine", true), 321, 3, 0xA000C35BE09FB1E5u},
  };
}

std::string Describe(const ZooOptions& options) {
  return options.name + (options.int8 ? " int8 " : " float32 ") +
         std::to_string(options.width) + " " +
         std::to_string(options.resolution);
}

TEST(ZooTest, HasTheKnownSizesAndTheSameWeightsEverywhere) {
  for (const Known& known : KnownModels()) {
    SCOPED_TRACE(Describe(known.options));
    Result<Bytes> file = BuildZooModel(known.options);
    ASSERT_THAT(file, IsOk());
    flatbuffers::Verifier verifier(file->data(), file->size());
    ASSERT_TRUE(schema::VerifyModelBuffer(verifier));
    const schema::Model& model = *schema::GetModel(file->data());
    const schema::SubGraph& graph = *model.subgraphs()->Get(0);
    EXPECT_EQ(CountParameters(graph, model), known.parameters);
    EXPECT_EQ(graph.operators()->size(), known.ops);
    const uint64_t hash = Hash(model).value();
    EXPECT_EQ(hash, known.hash) << std::hex << hash;
  }
}

// Shapes along the network: of the output of each op in the list.
TEST(ZooTest, HasTheKnownShapes) {
  struct Network {
    ZooOptions options;
    std::vector<std::pair<unsigned, std::vector<int>>> shapes;
  };
  const std::vector<Network> networks = {
      {Options("ds_cnn", true), {{0, {1, 25, 5, 64}}, {12, {1, 12}}}},
      {Options("mobilenet_v1", true),
       {{0, {1, 112, 112, 32}},
        {3, {1, 56, 56, 64}},
        {26, {1, 7, 7, 1024}},
        {30, {1, 1000}}}},
      {Options("mobilenet_v1", true, 0.25f, 96),
       {{0, {1, 48, 48, 8}}, {26, {1, 3, 3, 256}}}},
      // The second stage: expanded, stride 2, linear, ..., residual.
      {Options("mobilenet_v2", false),
       {{3, {1, 112, 112, 96}},
        {4, {1, 56, 56, 96}},
        {5, {1, 56, 56, 24}},
        {9, {1, 56, 56, 24}},
        {61, {1, 7, 7, 1280}},
        {62, {1, 1280}}}},
      {Options("resnet8", false),
       {{3, {1, 32, 32, 16}}, {11, {1, 8, 8, 64}}, {12, {1, 1, 1, 64}}}},
  };
  for (const Network& network : networks) {
    SCOPED_TRACE(Describe(network.options));
    Result<Bytes> file = BuildZooModel(network.options);
    ASSERT_THAT(file, IsOk());
    const auto& graph = *schema::GetModel(file->data())->subgraphs()->Get(0);
    for (const auto& [op, expected] : network.shapes) {
      ASSERT_LT(op, graph.operators()->size());
      const auto output = graph.operators()->Get(op)->outputs()->Get(0);
      const auto& shape =
          *graph.tensors()->Get(static_cast<unsigned>(output))->shape();
      EXPECT_EQ(std::vector<int>(shape.begin(), shape.end()), expected)
          << "op " << op;
    }
  }
}

TEST(ZooTest, TheSeedDecidesTheWeights) {
  ZooOptions options = Options("ds_cnn", true);
  const Bytes first = BuildZooModel(options).value();
  EXPECT_EQ(BuildZooModel(options).value(), first);
  options.seed = 2;
  const Bytes second = BuildZooModel(options).value();
  EXPECT_EQ(second.size(), first.size());
  EXPECT_NE(second, first);
}

TEST(ZooTest, ChannelsAreRoundedAsInThePapers) {
  EXPECT_EQ(zoo::ScaledChannels(32, 1.0f), 32);
  EXPECT_EQ(zoo::ScaledChannels(32, 0.25f), 8);
  EXPECT_EQ(zoo::ScaledChannels(16, 0.25f), 8);
  EXPECT_EQ(zoo::ScaledChannels(24, 0.5f), 16);
  EXPECT_EQ(zoo::ScaledChannels(24, 0.75f), 24);  // 16 is over 10 % below 18.
  EXPECT_EQ(zoo::ScaledChannels(160, 0.35f), 56);
}

TEST(ZooTest, RefusesBadOptions) {
  EXPECT_THAT(BuildZooModel(Options("alexnet", false)),
              HasStatus(StatusCode::kNotFound,
                        "no zoo model is named 'alexnet'; there are ds_cnn"));
  EXPECT_THAT(BuildZooModel(Options("mobilenet_v1", false, 0.2f)),
              HasStatus(StatusCode::kInvalidArgument,
                        "width is 0.2, allowed for mobilenet_v1: 0.25 to 1"));
  EXPECT_THAT(BuildZooModel(Options("mobilenet_v1", false, NAN)),
              HasStatus(StatusCode::kInvalidArgument, "width is nan"));
  EXPECT_THAT(BuildZooModel(Options("resnet8", false, 0.5f)),
              HasStatus(StatusCode::kInvalidArgument,
                        "width is 0.5, but resnet8 has no width to choose"));
  EXPECT_THAT(
      BuildZooModel(Options("sine", false, 1.0f, 32)),
      HasStatus(StatusCode::kInvalidArgument,
                "resolution is 32, but sine has no resolution to choose"));
  for (int resolution : {-32, 100, 1056}) {
    EXPECT_THAT(BuildZooModel(Options("mobilenet_v2", false, 1, resolution)),
                HasStatus(StatusCode::kInvalidArgument,
                          "multiples of 32 from 32 to 1024"));
  }
}

}  // namespace
}  // namespace arenalite
