#include "writer/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace arenalite {
namespace {

using Bytes = std::vector<uint8_t>;

const schema::Model* Verified(const Bytes& file) {
  flatbuffers::Verifier verifier(file.data(), file.size());
  if (!schema::VerifyModelBuffer(verifier)) return nullptr;
  return schema::GetModel(file.data());
}

template <class V>
auto ToVector(const V* values) {
  return std::vector<typename V::value_type>(values->begin(), values->end());
}

// y = conv(x, w) with a custom op behind it; a second subgraph; a signature.
ModelBuilder ExampleModel() {
  ModelBuilder b;
  const int x =
      b.AddInput("x", TensorType::kInt8, {1, 4, 4, 1}, Quant{0.5f, -128});
  const int w = b.AddConstant<int8_t>("w", {2, 1, 1, 1}, {3, -4},
                                      PerChannel({0.25f, 0.125f}, 0));
  const int y =
      b.AddTensor("y", TensorType::kInt8, {1, 4, 4, 2}, Quant{1.0f, 7});
  const int z = b.AddVariable("z", TensorType::kFloat32, {1, 32});
  b.SetShapeSignature(x, {-1, 4, 4, 1});
  b.AddOp(
      schema::BuiltinOperator_CONV_2D, {x, w, -1}, {y},
      [](auto& fbb) {
        return schema::CreateConv2DOptions(fbb, schema::Padding_VALID, 2, 3);
      },
      3);
  b.AddCustomOp("Mine", {y}, {z}, {1, 2, 3});
  b.AddOp(schema::BuiltinOperator_DILATE, {y}, {z},
          [](auto& fbb) { return schema::CreateDilateOptions(fbb); });
  b.SetOutputs({z});
  b.AddSignature("serve", {{"in", 0u}}, {{"out", 3u}});
  b.AddMetadata("note", {9});
  b.AddSubgraph("other");
  return b;
}

TEST(ModelBuilderTest, WritesTensors) {
  const Bytes file = ExampleModel().Finish();
  const schema::Model* model = Verified(file);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->version(), 3u);
  ASSERT_EQ(model->subgraphs()->size(), 2u);
  const auto& tensors = *model->subgraphs()->Get(0)->tensors();
  EXPECT_EQ(tensors[0]->name()->str(), "x");
  EXPECT_EQ(ToVector(tensors[0]->shape()), (std::vector<int>{1, 4, 4, 1}));
  EXPECT_EQ(ToVector(tensors[0]->shape_signature()),
            (std::vector<int>{-1, 4, 4, 1}));
  EXPECT_EQ(tensors[0]->quantization()->zero_point()->Get(0), -128);
  EXPECT_EQ(ToVector(tensors[1]->quantization()->scale()),
            (std::vector<float>{0.25f, 0.125f}));
  EXPECT_EQ(tensors[2]->buffer(), 0u);
  EXPECT_TRUE(tensors[3]->is_variable());
  const auto* data = model->buffers()->Get(tensors[1]->buffer())->data();
  EXPECT_EQ(ToVector(data), (Bytes{3, 0xFC}));
  EXPECT_EQ(model->buffers()->Get(0)->data(), nullptr);
}

TEST(ModelBuilderTest, WritesOpsWithTheirOptions) {
  const Bytes file = ExampleModel().Finish();
  const schema::Model* model = Verified(file);
  ASSERT_NE(model, nullptr);
  const auto& ops = *model->subgraphs()->Get(0)->operators();
  const auto code = [&](unsigned i) {
    return model->operator_codes()->Get(ops[i]->opcode_index());
  };
  EXPECT_EQ(code(0)->builtin_code(), schema::BuiltinOperator_CONV_2D);
  EXPECT_EQ(code(0)->version(), 3);
  EXPECT_EQ(ToVector(ops[0]->inputs()), (std::vector<int>{0, 1, -1}));
  ASSERT_NE(ops[0]->builtin_options_as_Conv2DOptions(), nullptr);
  EXPECT_EQ(ops[0]->builtin_options_as_Conv2DOptions()->stride_h(), 3);
  EXPECT_EQ(code(1)->custom_code()->str(), "Mine");
  EXPECT_EQ(ToVector(ops[1]->custom_options()), (Bytes{1, 2, 3}));
  // Numbers beyond one byte, and options of the second union.
  EXPECT_EQ(code(2)->deprecated_builtin_code(), 127);
  EXPECT_EQ(code(2)->builtin_code(), schema::BuiltinOperator_DILATE);
  EXPECT_NE(ops[2]->builtin_options_2_as_DilateOptions(), nullptr);
}

TEST(ModelBuilderTest, WritesSignaturesAndMetadata) {
  const Bytes file = ExampleModel().Finish();
  const schema::Model* model = Verified(file);
  ASSERT_NE(model, nullptr);
  const auto* signature = model->signature_defs()->Get(0);
  EXPECT_EQ(signature->signature_key()->str(), "serve");
  EXPECT_EQ(signature->subgraph_index(), 0u);
  EXPECT_EQ(signature->outputs()->Get(0)->tensor_index(), 3u);
  const auto* metadata = model->metadata()->Get(0);
  EXPECT_EQ(metadata->name()->str(), "note");
  EXPECT_EQ(ToVector(model->buffers()->Get(metadata->buffer())->data()),
            Bytes{9});
}

TEST(ModelBuilderTest, ConstantsAreAligned) {
  ModelBuilder b;
  for (int size = 1; size < 40; ++size) {
    b.AddConstant<int8_t>("c", {size},
                          std::vector<int8_t>(static_cast<size_t>(size), 1));
  }
  const Bytes file = b.Finish();
  const schema::Model* model = Verified(file);
  ASSERT_NE(model, nullptr);
  for (const schema::Buffer* buffer : *model->buffers()) {
    if (buffer->data() == nullptr) continue;
    EXPECT_EQ((buffer->data()->data() - file.data()) % 16, 0);
  }
}

TEST(ModelBuilderTest, DataOutsideOfTheFlatBuffer) {
  ModelBuilder b = ExampleModel();
  b.spec().data_outside = true;
  const Bytes file = b.Finish();
  const schema::Model* model = Verified(file);
  ASSERT_NE(model, nullptr);
  const auto* buffer = model->buffers()->Get(1);
  EXPECT_EQ(buffer->data(), nullptr);
  ASSERT_EQ(buffer->size(), 2u);
  EXPECT_EQ(buffer->offset() % 16, 0u);
  ASSERT_LE(buffer->offset() + 2, file.size());
  EXPECT_EQ(file[buffer->offset()], 3);
  EXPECT_EQ(file[buffer->offset() + 1], 0xFC);
  const auto* op = model->subgraphs()->Get(0)->operators()->Get(1);
  EXPECT_EQ(op->custom_options(), nullptr);
  ASSERT_EQ(op->large_custom_options_size(), 3u);
  ASSERT_EQ(op->large_custom_options_offset() + 3, file.size());
  EXPECT_EQ(file.back(), 3);
}

TEST(ModelBuilderTest, WritesWhatIsWrong) {
  ModelBuilder b;
  const int x = b.AddInput("x", TensorType::kFloat32, {-3, 5});
  b.tensor(x).buffer = 77;
  const int op = b.AddOp(schema::BuiltinOperator_RELU, {99}, {-7});
  b.op(op).opcode_index = 12;
  b.SetOutputs({1234});
  b.spec().version = 2;
  const Bytes file = b.Finish();
  const schema::Model* model = Verified(file);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->version(), 2u);
  const auto* subgraph = model->subgraphs()->Get(0);
  EXPECT_EQ(subgraph->tensors()->Get(0)->shape()->Get(0), -3);
  EXPECT_EQ(subgraph->tensors()->Get(0)->buffer(), 77u);
  EXPECT_EQ(subgraph->operators()->Get(0)->inputs()->Get(0), 99);
  EXPECT_EQ(subgraph->operators()->Get(0)->opcode_index(), 12u);
  EXPECT_EQ(subgraph->outputs()->Get(0), 1234);
}

}  // namespace
}  // namespace arenalite
