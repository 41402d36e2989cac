// The small model that tests of loading start from.

#ifndef ARENALITE_TESTS_MODEL_EXAMPLE_MODEL_H_
#define ARENALITE_TESTS_MODEL_EXAMPLE_MODEL_H_

#include "writer/model_builder.h"

namespace arenalite {
namespace testing {

// Tensors of ExampleModel's main subgraph.
enum ExampleTensor { kX, kW, kBias, kConv, kState, kOut, kWords };
// And its ops.
enum ExampleOp { kConvOp, kMineOp, kIfOp };

// x -> CONV_2D (w, bias) -> conv -> Mine (with a variable and custom options)
// -> out; an IF on subgraphs 1 and 2; constant strings; a signature.
inline ModelBuilder ExampleModel() {
  ModelBuilder b;
  b.AddInput("x", TensorType::kInt8, {1, 4, 4, 2}, Quant{0.5f, -128});
  b.AddConstant<int8_t>("w", {2, 1, 1, 2}, {1, -2, 3, -4},
                        PerChannel({0.25f, 0.125f}, 0));
  b.AddConstant<int32_t>("bias", {2}, {5, -6},
                         PerChannel({0.125f, 0.0625f}, 0));
  b.AddTensor("conv", TensorType::kInt8, {1, 4, 4, 2}, Quant{1.0f, 7});
  b.AddVariable("state", TensorType::kInt16, {1, 32}, Quant{0.5f, 0});
  b.AddTensor("out", TensorType::kFloat32, {1, 4, 4, 2});
  b.AddConstantBytes("words", TensorType::kString, {2},
                     {2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 19, 0, 0, 0,  //
                      'a', 'b', 'c'});
  const int flag = b.AddInput("flag", TensorType::kBool, {1});
  const int chosen = b.AddTensor("chosen", TensorType::kFloat32, {1, 4, 4, 2});
  b.SetShapeSignature(kX, {-1, 4, 4, 2});
  b.AddOp(
      schema::BuiltinOperator_CONV_2D, {kX, kW, kBias}, {kConv},
      [](auto& fbb) {
        return schema::CreateConv2DOptions(fbb, schema::Padding_VALID, 1, 1);
      },
      3);
  b.AddCustomOp("Mine", {kConv, -1, kState, kWords}, {kOut}, {1, 2, 3});
  b.AddOp(schema::BuiltinOperator_IF, {flag, kOut}, {chosen},
          [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 2); });
  b.SetOutputs({kOut, chosen});
  b.AddSignature("serve", {{"image", kX}}, {{"result", kOut}});
  b.AddMetadata("note", {9});
  for (const schema::BuiltinOperator code :
       {schema::BuiltinOperator_RELU, schema::BuiltinOperator_NEG}) {
    b.AddSubgraph("branch");
    const int in = b.AddInput("in", TensorType::kFloat32, {1, 4, 4, 2});
    const int out = b.AddTensor("out", TensorType::kFloat32, {1, 4, 4, 2});
    b.AddOp(code, {in}, {out});
    b.SetOutputs({out});
  }
  b.SetCurrentSubgraph(0);
  return b;
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_MODEL_EXAMPLE_MODEL_H_
