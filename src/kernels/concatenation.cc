// CONCATENATION, STABLEHLO_CONCATENATE: inputs side by side along one axis.
// Laid end to end along the outermost axis, they already are the output.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct ConcatenationOptions {
  int32_t axis;
  int32_t activation;
};

Status ParseConcatenation(const OpSource& source, void* options) {
  auto* parsed = static_cast<ConcatenationOptions*>(options);
  const auto* table = OptionsTable<schema::ConcatenationOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->axis = table->axis();
  parsed->activation = table->fused_activation_function();
  return OkStatus();
}

Status ParseStablehloConcatenate(const OpSource& source, void* options) {
  auto* parsed = static_cast<ConcatenationOptions*>(options);
  const auto* table =
      OptionsTable2<schema::StablehloConcatenateOptions>(source);
  const int64_t axis = table ? table->dimension() : 0;
  if (axis < 0 || axis >= kMaxRank) {
    return InvalidModelError("dimension is ", axis, ", allowed 0..",
                             kMaxRank - 1);
  }
  parsed->axis = static_cast<int32_t>(axis);
  return OkStatus();
}

// One input's share of each outer index, in bytes (half bytes for INT4).
struct Part {
  int64_t size;
  int64_t offset;  // In the output.
  // Output value of each 8-bit input value; null where they are the same.
  const uint8_t* requantized;
};

struct ConcatenationData {
  int64_t outer;
  int64_t total;  // Sum of all sizes.
  Part* parts;
};

void MapBytes(uint8_t* target, const uint8_t* source, const Part& part) {
  for (int64_t i = 0; i < part.size; ++i) {
    target[i] = part.requantized[source[i]];
  }
}

Status EvalBytes(OpContext& context) {
  const auto& data = context.data<ConcatenationData>();
  auto* target = context.output(0).data_as<uint8_t>();
  for (int64_t outer = 0; outer < data.outer; ++outer) {
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Part& part = data.parts[i];
      if (part.size == 0) continue;
      const auto* source =
          context.input(i).data_as<uint8_t>() + outer * part.size;
      uint8_t* place = target + outer * data.total + part.offset;
      if (part.requantized) {
        MapBytes(place, source, part);
      } else {
        MoveBytes(place, source, part.size);
      }
    }
  }
  return OkStatus();
}

Status EvalNibbles(OpContext& context) {
  const auto& data = context.data<ConcatenationData>();
  auto* target = context.output(0).data_as<uint8_t>();
  for (int64_t outer = 0; outer < data.outer; ++outer) {
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Part& part = data.parts[i];
      MoveNibbles(target, outer * data.total + part.offset,
                  context.input(i).data_as<uint8_t>(), outer * part.size,
                  part.size);
    }
  }
  return OkStatus();
}

// The reference's arithmetic for UINT8, in float, for each of the 256 values.
// It serves INT8 too, where the reference wants one scale for all.
template <class T>
void Requantize(const Quantization& from, const Quantization& to,
                uint8_t* table) {
  const float scale = from.scale() * (1.0f / to.scale());
  const float bias = static_cast<float>(-from.zero_point()) * scale;
  for (int byte = 0; byte < 256; ++byte) {
    const float value = static_cast<float>(static_cast<T>(byte));
    // Bounds that keep the conversion defined, also of a NaN, and lie far
    // beyond 8 bits.
    const float rounded =
        std::fmin(std::fmax(std::round(value * scale + bias), -1e9f), 1e9f);
    const int64_t shifted =
        static_cast<int64_t>(rounded) + int64_t{to.zero_point()};
    table[byte] = static_cast<uint8_t>(std::clamp<int64_t>(
        shifted, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
}

bool IsUsableScale(float scale) { return scale > 0 && std::isfinite(scale); }

Status PrepareRequantization(OpContext& context, int i, Part& part) {
  const Tensor& output = context.output(0);
  const Quantization& from = context.input(i).quantization;
  const Quantization& to = output.quantization;
  if (output.type == TensorType::kInt16 &&
      (from.zero_point() != 0 || to.zero_point() != 0)) {
    return InvalidModelError("input ", i, " has zero point ", from.zero_point(),
                             ", the output ", to.zero_point(),
                             ", allowed for INT16 is 0");
  }
  if (output.type != TensorType::kUInt8 && output.type != TensorType::kInt8) {
    return OkStatus();
  }
  if (from.scale() == to.scale() && from.zero_point() == to.zero_point()) {
    return OkStatus();
  }
  if (!IsUsableScale(from.scale()) || !IsUsableScale(to.scale())) {
    return InvalidModelError("input ", i, " has scale ", from.scale(),
                             ", the output ", to.scale(),
                             ", allowed are equal scales or two above 0");
  }
  ARENALITE_ASSIGN_OR_RETURN(uint8_t * table,
                             context.AllocateArray<uint8_t>(256));
  if (output.type == TensorType::kUInt8) {
    Requantize<uint8_t>(from, to, table);
  } else {
    Requantize<int8_t>(from, to, table);
  }
  part.requantized = table;
  return OkStatus();
}

Status CheckInput(const OpContext& context, int i, int axis) {
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, i));
  const Shape& first = context.input(0).shape;
  const Shape& shape = context.input(i).shape;
  bool fits = shape.rank() == first.rank();
  for (int d = 0; fits && d < first.rank(); ++d) {
    fits = d == axis || shape.dim(d) == first.dim(d);
  }
  if (fits) return OkStatus();
  return InvalidModelError("input ", i, " has shape ", shape.dims(),
                           ", allowed is that of input 0, ", first.dims(),
                           ", but for dimension ", axis);
}

// A list of scalars becomes a vector.
Shape AsVectorIfScalar(const Shape& shape) {
  return shape.rank() == 0 ? Shape({1}) : shape;
}

Result<int> ConcatenationAxis(const OpContext& context) {
  return ResolveAxis("axis", context.options<ConcatenationOptions>().axis,
                     AsVectorIfScalar(context.input(0).shape).rank());
}

Result<Shape> OutputShape(const OpContext& context, int axis) {
  Shape output = AsVectorIfScalar(context.input(0).shape);
  int64_t sum = 0;
  for (int i = 0; i < context.num_inputs(); ++i) {
    ARENALITE_RETURN_IF_ERROR(CheckInput(context, i, axis));
    sum += AsVectorIfScalar(context.input(i).shape).dim(axis);
  }
  if (sum > INT32_MAX) {
    return InvalidModelError("dimension ", axis, " adds up to ", sum,
                             ", allowed 0..", INT32_MAX);
  }
  output.set_dim(axis, static_cast<int32_t>(sum));
  return output;
}

// Sizes and offsets in elements (0 for an empty output), from shapes that have
// been checked.
void PlanParts(const OpContext& context, int axis, ConcatenationData& data) {
  const Shape& output = context.output(0).shape;
  if (output.NumElements() == 0) return;
  const int64_t inner = output.NumElements(axis + 1, output.rank());
  int64_t sum = 0;
  for (int i = 0; i < context.num_inputs(); ++i) {
    const int32_t dim = AsVectorIfScalar(context.input(i).shape).dim(axis);
    data.parts[i].offset = sum * inner;
    data.parts[i].size = dim * inner;
    sum += dim;
  }
  data.outer = output.NumElements(0, axis);
  data.total = sum * inner;
}

// From elements to bytes. False where INT4 parts do not begin at bytes.
bool ScaleToBytes(TensorType type, int num_parts, ConcatenationData& data) {
  const int bits = TensorTypeBits(type);
  int64_t odd = data.total;
  for (int i = 0; i < num_parts; ++i) odd |= data.parts[i].size;
  if (bits < 8 && (odd & 1) != 0) return false;
  data.total = data.total * bits / 8;
  for (int i = 0; i < num_parts; ++i) {
    data.parts[i].size = data.parts[i].size * bits / 8;
    data.parts[i].offset = data.parts[i].offset * bits / 8;
  }
  return true;
}

Status PrepareConcatenation(OpContext& context) {
  const int count = context.num_inputs();
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, INT32_MAX, 1, 1));
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(count, count, 1, 1));
  const auto& options = context.options<ConcatenationOptions>();
  if (options.activation != schema::ActivationFunctionType_NONE) {
    return UnimplementedError("fused activation ", options.activation,
                              ", allowed is none");
  }
  const TensorType type = context.output(0).type;
  if (TensorTypeBits(type) < 4) {
    return UnimplementedError("the output is ", TensorTypeName(type),
                              ", allowed are types of at least 4 bits");
  }
  ARENALITE_ASSIGN_OR_RETURN(ConcatenationData * data,
                             context.CreateData<ConcatenationData>());
  ARENALITE_ASSIGN_OR_RETURN(data->parts, context.AllocateArray<Part>(count));
  ARENALITE_ASSIGN_OR_RETURN(int axis, ConcatenationAxis(context));
  ARENALITE_ASSIGN_OR_RETURN(Shape output, OutputShape(context, axis));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, output));
  PlanParts(context, axis, *data);
  for (int i = 0; i < count; ++i) {
    ARENALITE_RETURN_IF_ERROR(
        PrepareRequantization(context, i, data->parts[i]));
  }
  context.SetEval(ScaleToBytes(type, count, *data) ? EvalBytes : EvalNibbles);
  return OkStatus();
}

int64_t ConcatenationOverlap(const OpContext& context, int, int input) {
  const auto& data = context.data<ConcatenationData>();
  const Part& part = data.parts[input];
  const Tensor& tensor = context.input(input);
  if (TensorTypeBits(tensor.type) < 8) {
    // Parts of half bytes share bytes with parts that are still unread.
    return kNoOverlap;
  }
  const bool is_all_of_first_step = data.outer == 1 && part.offset == 0;
  if (tensor.bytes == 0 || (is_all_of_first_step && !part.requantized)) {
    return tensor.bytes;  // Read before anything is written: anywhere.
  }
  // The copy of outer index o is read at o * size when everything below
  // o * total + offset is written; the last is the tightest. A part that is
  // requantized byte by byte differs only in the first step of the first part,
  // where it adds distance 0.
  return (data.outer - 1) * (part.size - data.total) - part.offset;
}

}  // namespace

namespace ops {

const OpDefinition kConcatenation = {
    "CONCATENATION",
    schema::BuiltinOperator_CONCATENATION,
    6,
    kOpDefault,
    sizeof(ConcatenationOptions),
    ParseConcatenation,
    PrepareConcatenation,
    nullptr,
    ConcatenationOverlap,
};

const OpDefinition kStablehloConcatenate = {
    "STABLEHLO_CONCATENATE",
    schema::BuiltinOperator_STABLEHLO_CONCATENATE,
    1,
    kOpDefault,
    sizeof(ConcatenationOptions),
    ParseStablehloConcatenate,
    PrepareConcatenation,
    nullptr,
    ConcatenationOverlap,
};

}  // namespace ops
}  // namespace arenalite
