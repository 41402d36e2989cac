#include <cstring>

#include "arenalite/builtin_ops.h"
#include "arenalite/custom_ops.h"
#include "flatbuffers/flexbuffers.h"
#include "kernels/overlap_rows.h"

namespace arenalite {
namespace testing {
namespace {

constexpr TensorType kFloat = TensorType::kFloat32;
using Longs = std::vector<int64_t>;

schema::Padding AnyPadding(Draw& draw) {
  return draw.Coin() ? schema::Padding_SAME : schema::Padding_VALID;
}

// At least as large as any window below.
Shape Image(Draw& draw, int channels) {
  return {draw.UpTo(2), 2 + draw.UpTo(6), 2 + draw.UpTo(6),
          draw.UpTo(channels)};
}

void BuildConv(OpRunner& runner, Draw& draw) {
  const Shape image = Image(draw, 9);
  AddRandom(runner, kFloat, image, draw);
  AddRandomConstant(runner, kFloat,
                    {draw.UpTo(20), draw.UpTo(3), draw.UpTo(3), image.dim(3)},
                    draw);
  runner.AddOutput(kFloat);
  const schema::Padding padding = AnyPadding(draw);
  const int32_t stride = draw.UpTo(2);
  runner.SetOptions(schema::BuiltinOptions_Conv2DOptions, [=](auto& b) {
    return schema::CreateConv2DOptions(b, padding, stride, stride);
  });
}

void BuildDepthwise(OpRunner& runner, Draw& draw) {
  const Shape image = Image(draw, 40);
  AddRandom(runner, kFloat, image, draw);
  AddRandomConstant(
      runner, kFloat,
      {1, draw.UpTo(3), draw.UpTo(3), image.dim(3) * draw.UpTo(2)}, draw);
  runner.AddOutput(kFloat);
  const schema::Padding padding = AnyPadding(draw);
  const int32_t stride = draw.UpTo(2);
  runner.SetOptions(
      schema::BuiltinOptions_DepthwiseConv2DOptions, [=](auto& b) {
        return schema::CreateDepthwiseConv2DOptions(b, padding, stride, stride);
      });
}

void BuildTransposeConv(OpRunner& runner, Draw& draw) {
  const Shape image = Image(draw, 9);
  const int32_t stride = draw.UpTo(2);
  const int32_t outputs = draw.UpTo(20);
  AddNumbers(runner, {image.dim(0), image.dim(1) * stride,
                      image.dim(2) * stride, outputs});
  AddRandomConstant(runner, kFloat, {outputs, 3, 3, image.dim(3)}, draw);
  AddRandom(runner, kFloat, image, draw);
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_TransposeConvOptions, [=](auto& b) {
    return schema::CreateTransposeConvOptions(b, schema::Padding_SAME, stride,
                                              stride);
  });
}

// Of these, padding 1 is SAME and 2 is VALID.
Bytes CustomOptions(std::initializer_list<int32_t> fields) {
  Bytes bytes(fields.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), fields.begin(), bytes.size());
  return bytes;
}

void BuildTransposeBias(OpRunner& runner, Draw& draw) {
  const Shape image = Image(draw, 9);
  const int32_t outputs = draw.UpTo(20);
  runner.SetCustomOptions(
      CustomOptions({draw.UpTo(2), draw.UpTo(2), draw.UpTo(2)}));
  AddRandom(runner, kFloat, image, draw);
  AddRandomConstant(runner, kFloat, {outputs, 3, 3, image.dim(3)}, draw);
  AddRandomConstant(runner, kFloat, {outputs}, draw);
  runner.AddOutput(kFloat);
}

void SetConv3d(OpRunner& runner, schema::Padding padding, int32_t stride) {
  runner.SetOptions(schema::BuiltinOptions_Conv3DOptions, [=](auto& b) {
    return schema::CreateConv3DOptions(b, padding, stride, stride, stride);
  });
}

void BuildConv3d(OpRunner& runner, Draw& draw) {
  const Shape image = Image(draw, 4);
  const Shape volume = {image.dim(0), 1 + draw.UpTo(3), image.dim(1),
                        image.dim(2), image.dim(3)};
  AddRandom(runner, kFloat, volume, draw);
  AddRandomConstant(
      runner, kFloat,
      {draw.UpTo(2), draw.UpTo(3), draw.UpTo(3), image.dim(3), draw.UpTo(20)},
      draw);
  runner.AddOutput(kFloat);
  SetConv3d(runner, AnyPadding(draw), draw.UpTo(2));
}

void BuildConv3dTranspose(OpRunner& runner, Draw& draw) {
  const Shape image = Image(draw, 4);
  const int32_t stride = draw.UpTo(2);
  const int32_t outputs = draw.UpTo(20);
  const int32_t depth = draw.UpTo(3);
  AddNumbers(runner, {image.dim(0), depth * stride, image.dim(1) * stride,
                      image.dim(2) * stride, outputs});
  AddRandomConstant(runner, kFloat, {2, 3, 3, outputs, image.dim(3)}, draw);
  AddRandom(runner, kFloat,
            {image.dim(0), depth, image.dim(1), image.dim(2), image.dim(3)},
            draw);
  runner.AddOutput(kFloat);
  SetConv3d(runner, schema::Padding_SAME, stride);
}

void BuildPool(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, Image(draw, 40), draw);
  runner.AddOutput(kFloat);
  const schema::Padding padding = AnyPadding(draw);
  const int32_t stride = draw.UpTo(2);
  const int32_t width = draw.UpTo(3);
  const int32_t height = draw.UpTo(3);
  runner.SetOptions(schema::BuiltinOptions_Pool2DOptions, [=](auto& b) {
    return schema::CreatePool2DOptions(b, padding, stride, stride, width,
                                       height);
  });
}

void BuildArgmaxPool(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, Image(draw, 40), draw);
  runner.AddOutput(kFloat);
  runner.AddOutput(kFloat);
  const int32_t stride = draw.UpTo(2);
  runner.SetCustomOptions(CustomOptions(
      {draw.UpTo(2), stride, stride, draw.UpTo(3), draw.UpTo(3), 0}));
}

void BuildResize(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, Image(draw, 9), draw);
  AddNumbers(runner, {draw.UpTo(12), draw.UpTo(12)});
  runner.AddOutput(kFloat);
}

void BuildReduceWindow(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3, 6);
  AddRandom(runner, TensorType::kInt32, shape, draw);
  runner.AddConstant<int32_t>({}, {0});
  for (int i = 0; i < 3; ++i) {
    Longs numbers;
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(draw.UpTo(2));
    runner.AddConstant<int64_t>({3}, numbers);
  }
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions2(schema::BuiltinOptions2_ReduceWindowOptions, [](auto& b) {
    return schema::CreateReduceWindowOptions(b,
                                             schema::ReduceWindowFunction_ADD);
  });
}

void BuildStablehloReduceWindow(OpRunner& runner, Draw& draw) {
  Longs window, strides, base, dilations, padding;
  for (int i = 0; i < 3; ++i) {
    window.push_back(draw.UpTo(3));
    strides.push_back(draw.UpTo(3));
    base.push_back(draw.UpTo(3));
    dilations.push_back(draw.UpTo(3));
    padding.push_back(draw.Below(5) - 2);
    padding.push_back(draw.Below(4) - 1);
  }
  AddRandom(runner, TensorType::kInt32, draw.AnyShape(3, 6), draw);
  runner.AddConstant<int32_t>({}, {0});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions2(schema::BuiltinOptions2_StablehloReduceWindowOptions,
                     [&](auto& b) {
                       return schema::CreateStablehloReduceWindowOptionsDirect(
                           b, &window, &strides, &base, &dilations, &padding);
                     });
  runner.SetBody(schema::BuiltinOperator_STABLEHLO_ADD);
}

void BuildFullyConnected(OpRunner& runner, Draw& draw) {
  const int32_t depth = draw.UpTo(20);
  AddRandom(runner, kFloat, {draw.UpTo(5), depth}, draw);
  AddRandomConstant(runner, kFloat, {draw.UpTo(40), depth}, draw);
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_FullyConnectedOptions, [](auto& b) {
    return schema::CreateFullyConnectedOptions(b);
  });
}

void BuildBatchMatMul(OpRunner& runner, Draw& draw) {
  const int32_t batch = draw.UpTo(3);
  const int32_t depth = draw.UpTo(20);
  AddRandom(runner, kFloat, {batch, draw.UpTo(5), depth}, draw);
  AddRandom(runner, kFloat, {batch, depth, draw.UpTo(40)}, draw);
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_BatchMatMulOptions, [](auto& b) {
    return schema::CreateBatchMatMulOptions(b);
  });
}

void BuildRows(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, draw.AnyShape(4), draw);
  runner.AddOutput(kFloat);
}

void BuildSoftmax(OpRunner& runner, Draw& draw) {
  BuildRows(runner, draw);
  runner.SetOptions(schema::BuiltinOptions_SoftmaxOptions, [](auto& b) {
    return schema::CreateSoftmaxOptions(b, 1.0f);
  });
}

void BuildLocalResponse(OpRunner& runner, Draw& draw) {
  BuildRows(runner, draw);
  const int32_t radius = draw.UpTo(3);
  runner.SetOptions(schema::BuiltinOptions_LocalResponseNormalizationOptions,
                    [=](auto& b) {
                      return schema::CreateLocalResponseNormalizationOptions(
                          b, radius, 1.0f, 2.0f, 0.5f);
                    });
}

void BuildRfft(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, draw.AnyShape(3, 9), draw);
  AddNumbers(runner, {1 << draw.Below(4), 1 << draw.Below(4)});
  runner.AddOutput(TensorType::kComplex64);
}

void BuildDetection(OpRunner& runner, Draw& draw) {
  const int32_t boxes = draw.UpTo(20);
  AddRandom(runner, kFloat, {1, boxes, 4}, draw);
  AddRandom(runner, kFloat, {1, boxes, 2}, draw);
  std::vector<float> anchors(static_cast<size_t>(boxes) * 4);
  for (float& x : anchors) x = static_cast<float>(draw.UpTo(100));
  runner.AddInput<float>({boxes, 4}, anchors);
  for (int i = 0; i < 4; ++i) runner.AddOutput(kFloat);
  flexbuffers::Builder builder;
  builder.Map([&] {
    builder.Int("max_detections", 5);
    builder.Int("max_classes_per_detection", 1);
    builder.Int("num_classes", 2);
    builder.Bool("use_regular_nms", draw.Coin());
    builder.Float("nms_iou_threshold", 0.5f);
    for (const char* scale : {"y_scale", "x_scale", "h_scale", "w_scale"}) {
      builder.Float(scale, 5.0f);
    }
  });
  builder.Finish();
  runner.SetCustomOptions(builder.GetBuffer());
}

}  // namespace

OverlapRows WindowRows() {
  return {
      {&ops::kConv2d, BuildConv},
      {&ops::kDepthwiseConv2d, BuildDepthwise},
      {&ops::kTransposeConv, BuildTransposeConv},
      {&ops::kConvolution2dTransposeBias, BuildTransposeBias},
      {&ops::kConv3d, BuildConv3d},
      {&ops::kConv3dTranspose, BuildConv3dTranspose},
      {&ops::kAveragePool2d, BuildPool},
      {&ops::kMaxPool2d, BuildPool},
      {&ops::kL2Pool2d, BuildPool},
      {&ops::kMaxPoolingWithArgmax2d, BuildArgmaxPool},
      {&ops::kResizeBilinear, BuildResize},
      {&ops::kResizeNearestNeighbor, BuildResize},
      {&ops::kReduceWindow, BuildReduceWindow},
      {&ops::kStablehloReduceWindow, BuildStablehloReduceWindow},
      {&ops::kFullyConnected, BuildFullyConnected},
      {&ops::kBatchMatMul, BuildBatchMatMul},
      {&ops::kL2Normalization, BuildRows},
      {&ops::kLogSoftmax, BuildRows},
      {&ops::kSoftmax, BuildSoftmax},
      {&ops::kLocalResponseNormalization, BuildLocalResponse},
      {&ops::kRfft2d, BuildRfft},
      {&ops::kDetectionPostProcess, BuildDetection, true},
  };
}

}  // namespace testing
}  // namespace arenalite
