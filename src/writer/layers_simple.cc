// The layers of LayerBuilder that have no weights and no window.

#include <algorithm>
#include <cmath>
#include <utility>

#include "writer/layers.h"

namespace arenalite {
namespace {

size_t Index(int i) { return static_cast<size_t>(i); }

LayerBuilder::Dims BroadcastShape(const LayerBuilder::Dims& a,
                                  const LayerBuilder::Dims& b) {
  const auto& longer = a.size() < b.size() ? b : a;
  const auto& shorter = a.size() < b.size() ? a : b;
  LayerBuilder::Dims shape = longer;
  const size_t shift = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    if (shape[shift + i] == 1) shape[shift + i] = shorter[i];
  }
  return shape;
}

// The mean square of a result of independent operands without a mean.
double MeanSquareOf(schema::BuiltinOperator code, double a, double b) {
  return code == schema::BuiltinOperator_MUL ? a * b : a + b;
}

void SetArithmeticOptions(OpSpec& op, LayerBuilder::Activation activation) {
  switch (op.code) {
    case schema::BuiltinOperator_ADD:
      return ModelBuilder::SetOptions(op, [=](auto& fbb) {
        return schema::CreateAddOptions(fbb, activation);
      });
    case schema::BuiltinOperator_SUB:
      return ModelBuilder::SetOptions(op, [=](auto& fbb) {
        return schema::CreateSubOptions(fbb, activation);
      });
    default:
      return ModelBuilder::SetOptions(op, [=](auto& fbb) {
        return schema::CreateMulOptions(fbb, activation);
      });
  }
}

}  // namespace

int LayerBuilder::Parameter(int y, const char* name, const Dims& values) {
  return model_.AddConstant(model_.tensor(y).name + "/" + name,
                            {static_cast<int32_t>(values.size())}, values);
}

int LayerBuilder::Constant(Dims dims, const std::vector<float>& values) {
  double squares = 0;
  double largest = 0;
  for (float value : values) {
    squares += static_cast<double>(value) * value;
    largest = std::max(largest, static_cast<double>(std::fabs(value)));
  }
  const std::string name = NextName("constant");
  int index = -1;
  if (is_int8()) {
    const Quant quant(largest > 0 ? static_cast<float>(largest / 127.0) : 1.0f,
                      0);
    std::vector<int8_t> quantized;
    for (float value : values) {
      const double steps = static_cast<double>(value) / quant.scale();
      quantized.push_back(static_cast<int8_t>(std::floor(steps + 0.5)));
    }
    index = model_.AddConstant(name, std::move(dims), quantized, quant);
  } else {
    index = model_.AddConstant(name, std::move(dims), values);
  }
  mean_square_.resize(Index(index), 1.0);
  mean_square_.push_back(squares / static_cast<double>(values.size()));
  return index;
}

int LayerBuilder::Binary(schema::BuiltinOperator code, int a, int b,
                         Activation activation) {
  Dims dims = BroadcastShape(shape(a), shape(b));
  if (code == schema::BuiltinOperator_MAXIMUM ||
      code == schema::BuiltinOperator_MINIMUM) {
    const int y = NewLike("binary", a, std::move(dims));
    model_.AddOp(
        code, {a, b}, {y},
        [](auto& fbb) { return schema::CreateMaximumMinimumOptions(fbb); },
        Version(code));
    return y;
  }
  const double sigma =
      std::sqrt(MeanSquareOf(code, MeanSquare(a), MeanSquare(b)));
  const int y =
      NewResult(NextName("binary"), std::move(dims), sigma, activation);
  SetArithmeticOptions(
      model_.op(model_.AddOp(code, {a, b}, {y}, Version(code))), activation);
  return y;
}

int LayerBuilder::Unary(schema::BuiltinOperator code, int x) {
  const std::string name = NextName("unary");
  const double mean_square = MeanSquare(x);
  const double sigma = std::sqrt(mean_square);
  const Dims dims = shape(x);
  int y = -1;
  switch (code) {
    case schema::BuiltinOperator_RELU:
      y = NewResult(name, dims, sigma, schema::ActivationFunctionType_RELU);
      break;
    case schema::BuiltinOperator_RELU6:
      y = NewResult(name, dims, sigma, schema::ActivationFunctionType_RELU6);
      break;
    case schema::BuiltinOperator_RELU_N1_TO_1:
      y = NewResult(name, dims, sigma,
                    schema::ActivationFunctionType_RELU_N1_TO_1);
      break;
    // The format fixes the output scales of the next two.
    case schema::BuiltinOperator_LOGISTIC:
      y = NewTensor(name, dims, is_int8() ? Quant(1.0f / 256, -128) : Quant(),
                    0.25 + 0.05 * std::min(mean_square, 4.0));
      break;
    case schema::BuiltinOperator_TANH:
      y = NewTensor(name, dims, is_int8() ? Quant(1.0f / 128, 0) : Quant(),
                    mean_square / (1.0 + mean_square));
      break;
    default:
      y = NewResult(name, dims, sigma, schema::ActivationFunctionType_NONE);
  }
  model_.AddOp(code, {x}, {y}, Version(code));
  return y;
}

int LayerBuilder::Softmax(int x) {
  const double classes = shape(x).back();
  const int y = NewTensor(NextName("softmax"), shape(x),
                          is_int8() ? Quant(1.0f / 256, -128) : Quant(),
                          1.0 / (classes * classes));
  model_.AddOp(
      schema::BuiltinOperator_SOFTMAX, {x}, {y},
      [](auto& fbb) { return schema::CreateSoftmaxOptions(fbb, 1.0f); },
      Version(schema::BuiltinOperator_SOFTMAX));
  return y;
}

int LayerBuilder::Reshape(int x, Dims new_shape) {
  const int y = NewLike("reshape", x, new_shape);
  const int dims = Parameter(y, "shape", new_shape);
  model_.AddOp(schema::BuiltinOperator_RESHAPE, {x, dims}, {y},
               [new_shape = std::move(new_shape)](auto& fbb) {
                 return schema::CreateReshapeOptionsDirect(fbb, &new_shape);
               });
  return y;
}

int LayerBuilder::Squeeze(int x, Dims axes) {
  const Dims& in = shape(x);
  Dims out;
  for (int i = 0; i < static_cast<int>(in.size()); ++i) {
    const bool gone = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!gone) out.push_back(in[Index(i)]);
  }
  const int y = NewLike("squeeze", x, std::move(out));
  model_.AddOp(schema::BuiltinOperator_SQUEEZE, {x}, {y},
               [axes = std::move(axes)](auto& fbb) {
                 return schema::CreateSqueezeOptionsDirect(fbb, &axes);
               });
  return y;
}

int LayerBuilder::ExpandDims(int x, int axis) {
  Dims out = shape(x);
  out.insert(out.begin() + axis, 1);
  const int y = NewLike("expand", x, std::move(out));
  const int axes =
      model_.AddConstant<int32_t>(model_.tensor(y).name + "/axis", {1}, {axis});
  model_.AddOp(schema::BuiltinOperator_EXPAND_DIMS, {x, axes}, {y},
               [](auto& fbb) { return schema::CreateExpandDimsOptions(fbb); });
  return y;
}

int LayerBuilder::Concat(std::vector<int32_t> inputs, int axis) {
  Dims out = shape(inputs[0]);
  out[Index(axis)] = 0;
  double mean_square = 0;
  for (int32_t input : inputs) {
    out[Index(axis)] += shape(input)[Index(axis)];
    mean_square = std::max(mean_square, MeanSquare(input));
  }
  const int y = NewLike("concat", inputs[0], std::move(out));
  mean_square_[Index(y)] = mean_square;
  model_.AddOp(
      schema::BuiltinOperator_CONCATENATION, std::move(inputs), {y},
      [=](auto& fbb) { return schema::CreateConcatenationOptions(fbb, axis); },
      Version(schema::BuiltinOperator_CONCATENATION));
  return y;
}

int LayerBuilder::Transpose(int x, Dims permutation) {
  Dims out;
  for (int32_t from : permutation) out.push_back(shape(x)[Index(from)]);
  const int y = NewLike("transpose", x, std::move(out));
  const int axes = Parameter(y, "permutation", permutation);
  model_.AddOp(
      schema::BuiltinOperator_TRANSPOSE, {x, axes}, {y},
      [](auto& fbb) { return schema::CreateTransposeOptions(fbb); },
      Version(schema::BuiltinOperator_TRANSPOSE));
  return y;
}

int LayerBuilder::StridedSlice(int x, Dims begin, Dims end, Dims strides) {
  Dims out;
  for (size_t i = 0; i < begin.size(); ++i) {
    const int32_t toward = strides[i] > 0 ? 1 : -1;
    out.push_back((end[i] - begin[i] + strides[i] - toward) / strides[i]);
  }
  const int y = NewLike("slice", x, std::move(out));
  const int from = Parameter(y, "begin", begin);
  const int to = Parameter(y, "end", end);
  const int step = Parameter(y, "strides", strides);
  model_.AddOp(
      schema::BuiltinOperator_STRIDED_SLICE, {x, from, to, step}, {y},
      [](auto& fbb) { return schema::CreateStridedSliceOptions(fbb); },
      Version(schema::BuiltinOperator_STRIDED_SLICE));
  return y;
}

int LayerBuilder::Pad(int x, const Dims& before, const Dims& after) {
  Dims out = shape(x);
  Dims paddings;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] += before[i] + after[i];
    paddings.push_back(before[i]);
    paddings.push_back(after[i]);
  }
  const int y = NewLike("pad", x, std::move(out));
  const int amounts =
      model_.AddConstant(model_.tensor(y).name + "/paddings",
                         {static_cast<int32_t>(before.size()), 2}, paddings);
  model_.AddOp(
      schema::BuiltinOperator_PAD, {x, amounts}, {y},
      [](auto& fbb) { return schema::CreatePadOptions(fbb); },
      Version(schema::BuiltinOperator_PAD));
  return y;
}

}  // namespace arenalite
