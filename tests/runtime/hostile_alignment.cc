// Constants and options that the file keeps at odd addresses.

#include <cstring>

#include "flatbuffers/flexbuffers.h"
#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

constexpr TensorType kTypes[] = {
    TensorType::kFloat32, TensorType::kFloat16,   TensorType::kInt32,
    TensorType::kUInt8,   TensorType::kInt64,     TensorType::kBool,
    TensorType::kInt16,   TensorType::kComplex64, TensorType::kInt8,
    TensorType::kFloat64, TensorType::kUInt64,    TensorType::kUInt32,
    TensorType::kUInt16,  TensorType::kBFloat16};

// Rows 2 and 0 of a constant, by indices that are a constant as well.
TEST(Alignment, ConstantsOfEveryTypeMayLieAnywhere) {
  for (const TensorType type : kTypes) {
    const auto element = static_cast<size_t>(TensorTypeBits(type)) / 8;
    Operand constant({3, 1}, type);
    constant.data.emplace(3 * element);
    for (size_t i = 0; i < constant.data->size(); ++i) {
      (*constant.data)[i] =
          static_cast<uint8_t>(type == TensorType::kBool ? i % 2 : 7 * i + 1);
    }
    ModelBuilder model =
        OneOp(schema::BuiltinOperator_GATHER, {constant, Ints({2, 0})},
              {Operand({2, 1}, type)},
              [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); });
    model.spec().data_outside = true;
    for (size_t shift = 0; shift < 16; ++shift) {
      model.spec().outside_shift = shift;
      auto built = Build(model);
      ASSERT_THAT(built->interpreter->AllocateTensors(), IsOk())
          << TensorTypeName(type);
      ASSERT_THAT(built->interpreter->Invoke(), IsOk());
      const Tensor& read = *built->interpreter->tensor(0);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(read.data) %
                    static_cast<uintptr_t>(TensorTypeAlignment(type)),
                0u);
      const auto* out =
          built->interpreter->output_tensor(0)->data_as<uint8_t>();
      EXPECT_EQ(std::memcmp(out, constant.data->data() + 2 * element, element),
                0)
          << TensorTypeName(type) << " " << shift;
      EXPECT_EQ(std::memcmp(out + element, constant.data->data(), element), 0)
          << TensorTypeName(type) << " " << shift;
    }
  }
}

TEST(Alignment, TextMayLieAnywhere) {
  Operand text = Constant<uint8_t>(
      {2}, {2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 'a', 'b'});
  text.type = kText;
  ModelBuilder model = OneOp(schema::BuiltinOperator_EQUAL,
                             {text, {{2}, kText}}, {{{2}, TensorType::kBool}});
  model.spec().data_outside = true;
  for (size_t shift = 0; shift < 4; ++shift) {
    model.spec().outside_shift = shift;
    auto built = Build(model);
    Interpreter& interpreter = *built->interpreter;
    ASSERT_THAT(interpreter.AllocateTensors(), IsOk());
    ASSERT_THAT(interpreter.SetDynamicInput(
                    1, Span<const uint8_t>(text.data->data(), 18)),
                IsOk());
    ASSERT_THAT(interpreter.Invoke(), IsOk());
    EXPECT_TRUE(interpreter.typed_output_tensor<bool>(0)[1]);
  }
}

// A FlexBuffer that starts at an odd address.
TEST(Alignment, CustomOptionsMayLieAnywhere) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("max_detections", 1);
    options.Int("max_classes_per_detection", 1);
    options.Int("num_classes", 2);
    options.Double("nms_score_threshold", 0.25);
    options.Float("nms_iou_threshold", 0.5f);
    for (const char* scale : {"x_scale", "y_scale", "h_scale", "w_scale"}) {
      options.Double(scale, 1.5);
    }
  });
  options.Finish();
  ModelBuilder b = DetectionPostProcess(options.GetBuffer());
  b.spec().data_outside = true;
  for (size_t shift = 0; shift < 8; ++shift) {
    b.spec().outside_shift = shift;
    auto built = Build(b);
    ASSERT_THAT(built->interpreter->AllocateTensors(), IsOk());
    EXPECT_EQ(built->interpreter->output_tensor(0)->shape, Shape({1, 1, 4}));
  }
}

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
