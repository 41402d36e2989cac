// FAKE_QUANT: rounds to the values that a quantized tensor could hold.

#include <algorithm>
#include <cmath>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "kernels/unary.h"

namespace arenalite {
namespace {

struct FakeQuantOptions {
  float min;
  float max;
  int32_t num_bits;
};

Status ParseFakeQuant(const OpSource& source, void* options) {
  auto* parsed = static_cast<FakeQuantOptions*>(options);
  const auto* table = OptionsTable<schema::FakeQuantOptions>(source);
  if (table == nullptr) return InvalidModelError("has no FakeQuantOptions");
  *parsed = {table->min(), table->max(), table->num_bits()};
  if (table->narrow_range()) {
    return UnimplementedError("narrow_range is true, allowed false");
  }
  if (parsed->num_bits < 1 || parsed->num_bits > 16) {
    return InvalidModelError("num_bits is ", parsed->num_bits,
                             ", allowed 1..16");
  }
  const float extent = parsed->max - parsed->min;
  if (!(extent > 0.0f) || !std::isfinite(extent)) {
    return InvalidModelError("the range is ", parsed->min, "..", parsed->max,
                             ", allowed are finite, non-empty ones");
  }
  return OkStatus();
}

struct FakeQuant {
  float min;
  float max;
  float scale;
  float inverse_scale;

  float operator()(float x) const {
    const float shifted = std::min(max, std::max(min, x)) - min;
    return std::round(shifted * inverse_scale) * scale + min;
  }
};

// The range is moved so that 0 is one of its values (NudgeQuantizationRange).
FakeQuant MakeFakeQuant(const FakeQuantOptions& options) {
  const auto steps = static_cast<float>((1 << options.num_bits) - 1);
  const float scale = (options.max - options.min) / steps;
  const float zero_point =
      std::round(std::min(std::max(0.0f, -options.min / scale), steps));
  return {(0.0f - zero_point) * scale, (steps - zero_point) * scale, scale,
          1.0f / scale};
}

Status PrepareFakeQuant(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(PrepareSameType(context));
  if (context.input(0).type != TensorType::kFloat32) {
    return UnsupportedInput(context, "FLOAT32");
  }
  return SetMap<float, float>(
      context, MakeFakeQuant(context.options<FakeQuantOptions>()));
}

}  // namespace

namespace ops {

const OpDefinition kFakeQuant = {
    "FAKE_QUANT",
    schema::BuiltinOperator_FAKE_QUANT,
    2,
    kOpDefault,
    sizeof(FakeQuantOptions),
    ParseFakeQuant,
    PrepareFakeQuant,
    nullptr,
    MapOverlap,
};

}  // namespace ops
}  // namespace arenalite
