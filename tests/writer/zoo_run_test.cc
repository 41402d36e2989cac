// Runs the zoo: what its models compute, not only what they look like.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "arenalite/interpreter.h"
#include "testing/matchers.h"
#include "writer/prng.h"
#include "writer/zoo/zoo.h"

namespace arenalite {
namespace {

using testing::IsOk;

// One zoo model, ready to run; talks in real values for both types.
class Runner {
 public:
  explicit Runner(const ZooOptions& options) {
    file_ = BuildZooModel(options).value();
    auto model = FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file_));
    EXPECT_THAT(model, IsOk());
    model_ = std::move(model).value();
    auto interpreter = InterpreterBuilder(*model_, resolver_).Build();
    EXPECT_THAT(interpreter, IsOk());
    interpreter_ = std::move(interpreter).value();
    EXPECT_THAT(interpreter_->AllocateTensors(), IsOk());
  }

  std::vector<float> Run(const std::vector<float>& input) {
    Tensor& x = *interpreter_->input_tensor(0);
    for (size_t i = 0; i < input.size(); ++i) {
      if (x.type == TensorType::kFloat32) {
        x.data_as<float>()[i] = input[i];
      } else {
        const float steps = std::round(input[i] / x.quantization.scale());
        const int q = static_cast<int>(steps) + x.quantization.zero_point();
        x.data_as<int8_t>()[i] = static_cast<int8_t>(std::clamp(q, -128, 127));
      }
    }
    EXPECT_THAT(interpreter_->Invoke(), IsOk());
    return Output();
  }
  size_t input_elements() {
    return static_cast<size_t>(
        interpreter_->input_tensor(0)->shape.NumElements());
  }

 private:
  std::vector<float> Output() {
    const Tensor& y = *interpreter_->output_tensor(0);
    std::vector<float> values(static_cast<size_t>(y.shape.NumElements()));
    for (size_t i = 0; i < values.size(); ++i) {
      const Quantization& quant = y.quantization;
      values[i] =
          y.type == TensorType::kFloat32
              ? y.data_as<float>()[i]
              : quant.scale() * static_cast<float>(y.data_as<int8_t>()[i] -
                                                   quant.zero_point());
    }
    return values;
  }

  std::vector<uint8_t> file_;
  std::unique_ptr<FlatBufferModel> model_;
  BuiltinOpResolver resolver_;
  std::unique_ptr<Interpreter> interpreter_;
};

TEST(ZooRunTest, SineIsASineForEverySeed) {
  ZooOptions options;
  options.name = "sine";
  for (uint64_t seed : {1, 2, 3}) {
    options.seed = seed;
    for (bool int8 : {false, true}) {
      options.int8 = int8;
      Runner sine(options);
      for (float x = 0; x < 6.28f; x += 0.1f) {
        EXPECT_NEAR(sine.Run({x})[0], std::sin(x), int8 ? 0.08 : 0.02)
            << "x " << x << ", seed " << seed << ", int8 " << int8;
      }
    }
  }
}

// Quantized models follow their float models, and answer one class more than
// the others: scales neither saturate nor swallow the signal.
TEST(ZooRunTest, Int8FollowsFloat) {
  for (const ZooModel& model : ZooModels()) {
    if (std::string(model.name) == "sine") continue;
    SCOPED_TRACE(model.name);
    ZooOptions options;
    options.name = model.name;
    options.width = model.min_width;
    options.resolution = model.default_resolution == 0 ? 0 : 96;
    Runner exact(options);
    options.int8 = true;
    Runner quantized(options);
    Prng prng(9);
    std::vector<float> input(exact.input_elements());
    for (float& value : input) value = prng.Symmetric();
    const std::vector<float> expected = exact.Run(input);
    const std::vector<float> actual = quantized.Run(input);
    const float top = *std::max_element(expected.begin(), expected.end());
    EXPECT_GT(top, 1.5f / static_cast<float>(expected.size()));
    EXPECT_LT(top, 0.99f);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(actual[i], expected[i], 0.1 * top + 1.0 / 256) << i;
    }
  }
}

}  // namespace
}  // namespace arenalite
