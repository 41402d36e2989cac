// LayerBuilder: adds whole layers to a ModelBuilder: op, options, output shape,
// seeded weights and, for int8, quantization parameters.
//
//     ModelBuilder model;
//     LayerBuilder net(model, {TensorType::kInt8, /*seed=*/7});
//     int x = net.Input("x", {1, 32, 32, 3});
//     x = net.Conv(x, 16, {3, 3, 2}, schema::ActivationFunctionType_RELU);
//     x = net.GlobalAverage(x);
//     model.SetOutputs({net.Softmax(net.Dense(x, 10))});
//
// Weights depend on the seed alone, so the int8 model of a seed is the
// quantized form of its float32 model. Scales are not measured but follow from
// the expected mean of squares of each tensor: see DrawWeights.

#ifndef ARENALITE_WRITER_LAYERS_H_
#define ARENALITE_WRITER_LAYERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "writer/layer_weights.h"
#include "writer/model_builder.h"
#include "writer/prng.h"

namespace arenalite {

// The window of a convolution or pool.
struct Window {
  int height = 1;
  int width = 1;
  int stride = 1;  // Along both axes.
  schema::Padding padding = schema::Padding_SAME;
  int dilation = 1;  // Pools have none.
};

class LayerBuilder {
 public:
  using Activation = schema::ActivationFunctionType;
  using Dims = std::vector<int32_t>;

  struct Options {
    TensorType type = TensorType::kFloat32;  // Or kInt8.
    uint64_t seed = 1;
    bool bias = true;  // False: the bias inputs are left out (-1).
    // For int8: of all activations, instead of derived ones. Outputs of ops
    // that demand a certain scale have that one.
    Quant quant = {};
  };
  // `model` must outlive this. Layers go to the subgraph that is current now.
  LayerBuilder(ModelBuilder& model, Options options);

  // All of the functions below take and return tensor indices.
  int Input(std::string name, Dims shape, Range range = {});

  // Real values, quantized symmetrically for int8.
  int Constant(Dims shape, const std::vector<float>& values);

  // The filter has the tensor's channels, divided by `groups`.
  int Conv(int x, int channels, Window window,
           Activation activation = schema::ActivationFunctionType_NONE,
           int groups = 1);
  int Depthwise(int x, int multiplier, Window window,
                Activation activation = schema::ActivationFunctionType_NONE);
  int Dense(int x, int units,
            Activation activation = schema::ActivationFunctionType_NONE);
  // With the caller's weights, [units, inputs]; results lie in `range`.
  int DenseOf(int x, const LayerWeights& weights, Activation activation,
              Range range);
  // The wide outputs of a classifier that is sure of its answer: Dense, or for
  // an image a 1x1 Conv.
  int Logits(int x, int classes);

  int AveragePool(int x, Window window);
  int MaxPool(int x, Window window);
  // MEAN over height and width.
  int GlobalAverage(int x, bool keep_dims = false);

  // ADD, SUB or MUL; shapes broadcast. Also MAXIMUM and MINIMUM, which have no
  // activation and for int8 want operands of one quantization.
  int Binary(schema::BuiltinOperator code, int a, int b,
             Activation activation = schema::ActivationFunctionType_NONE);
  int Add(int a, int b,
          Activation activation = schema::ActivationFunctionType_NONE) {
    return Binary(schema::BuiltinOperator_ADD, a, b, activation);
  }
  // RELU, RELU6, RELU_N1_TO_1, LOGISTIC, TANH or HARD_SWISH.
  int Unary(schema::BuiltinOperator code, int x);
  int Softmax(int x);

  int Reshape(int x, Dims shape);
  int Squeeze(int x, Dims axes);
  int ExpandDims(int x, int axis);
  // For int8, all inputs must have one quantization.
  int Concat(std::vector<int32_t> inputs, int axis);
  int Transpose(int x, Dims permutation);
  // One triple for each dimension; strides may be negative.
  int StridedSlice(int x, Dims begin, Dims end, Dims strides);
  // Elements added before and after each dimension.
  int Pad(int x, const Dims& before, const Dims& after);

  const Dims& shape(int tensor) { return model_.tensor(tensor).shape; }
  void set_bias(bool bias) { options_.bias = bias; }
  bool is_int8() const { return options_.type == TensorType::kInt8; }

 private:
  std::string NextName(const char* stem);
  // Of tensors that others added to the model, 1.
  double MeanSquare(int tensor) const;
  // Derived from the range unless the options say another; none for float32.
  Quant QuantFor(Range range) const;
  Range RangeOf(double sigma, Activation activation);
  // A new activation, with the expected mean of its squares.
  int NewTensor(const std::string& name, Dims shape, Quant quant,
                double mean_square);
  // Of a layer whose sums have the root mean square `sigma`.
  int NewResult(const std::string& name, Dims shape, double sigma,
                Activation activation);
  // With the quantization of `x`, as ops that only move values have.
  int NewLike(const char* stem, int x, Dims shape);
  // {x, weights, bias} for a new op.
  std::vector<int32_t> Draw(int x, const std::string& name,
                            LayerWeights weights, double sigma);
  std::vector<int32_t> AddWeights(int x, const std::string& name,
                                  const LayerWeights& weights);
  // An int32 vector that the op of layer `y` reads.
  int Parameter(int y, const char* name, const Dims& values);
  int Pool(schema::BuiltinOperator code, int x, Window window);
  int ConvOfSigma(int x, int channels, const Window& window,
                  Activation activation, double sigma, int groups);
  int DenseOp(std::vector<int32_t> inputs, int y, Activation activation);
  int DenseOfSigma(int x, int units, Activation activation, double sigma);
  // The op's version that the type asks for.
  int Version(schema::BuiltinOperator code) const;

  ModelBuilder& model_;
  Options options_;
  Prng weights_;  // Two streams, so that scales do not shift the weights.
  Prng scales_;
  int layers_ = 0;
  std::vector<double> mean_square_;  // By tensor index.
};

}  // namespace arenalite

#endif  // ARENALITE_WRITER_LAYERS_H_
