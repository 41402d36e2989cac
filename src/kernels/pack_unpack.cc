// PACK: inputs of one shape side by side along a new axis. UNPACK: the slices
// of an input along an axis that goes.

#include "arenalite/builtin_ops.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct PackOptions {
  int32_t axis;
  int32_t count;
};

Status ParsePack(const OpSource& source, void* options) {
  auto* parsed = static_cast<PackOptions*>(options);
  const auto* table = OptionsTable<schema::PackOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->axis = table->axis();
  parsed->count = table->values_count();
  return OkStatus();
}

Status ParseUnpack(const OpSource& source, void* options) {
  auto* parsed = static_cast<PackOptions*>(options);
  const auto* table = OptionsTable<schema::UnpackOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->axis = table->axis();
  parsed->count = table->num();
  return OkStatus();
}

// The packed side is `outer` times `count` pieces of `size` bytes; piece k of
// each belongs to tensor k of the other side.
struct PackData {
  int64_t outer;
  int64_t count;
  int64_t size;
};

// Both ops move bytes: scale and zero point must not change.
Status CheckSameQuantization(const Tensor& a, const Tensor& b, const char* what,
                             int i) {
  if (a.quantization.scale() == b.quantization.scale() &&
      a.quantization.zero_point() == b.quantization.zero_point()) {
    return OkStatus();
  }
  return InvalidModelError(
      what, " ", i, " has scale ", b.quantization.scale(), " and zero point ",
      b.quantization.zero_point(), ", the other side ", a.quantization.scale(),
      " and ", a.quantization.zero_point(), ", allowed are equal ones");
}

Status CheckWholeBytes(TensorType type) {
  if (TensorTypeBits(type) >= 8) return OkStatus();
  return UnimplementedError("no kernel for elements of type ",
                            TensorTypeName(type));
}

Status CreatePackData(OpContext& context, const Tensor& packed, int axis) {
  ARENALITE_ASSIGN_OR_RETURN(PackData * data, context.CreateData<PackData>());
  // The bytes of dimensions beside one of 0 may be more than 64 bits count.
  if (packed.bytes == 0) return OkStatus();
  const Shape& shape = packed.shape;
  data->outer = shape.NumElements(0, axis);
  data->count = shape.dim(axis);
  data->size = shape.NumElements(axis + 1, shape.rank()) *
               (TensorTypeBits(packed.type) / 8);
  return OkStatus();
}

Status CheckPackInputs(const OpContext& context) {
  const Tensor& first = context.input(0);
  for (int i = 0; i < context.num_inputs(); ++i) {
    const Tensor* input = context.optional_input(i);
    if (input == nullptr) return InvalidModelError("input ", i, " is absent");
    if (input->shape != first.shape) {
      return InvalidModelError("input ", i, " has shape ", input->shape.dims(),
                               ", allowed is that of input 0, ",
                               first.shape.dims());
    }
    ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, i));
    ARENALITE_RETURN_IF_ERROR(
        CheckSameQuantization(context.output(0), *input, "input", i));
  }
  return CheckWholeBytes(first.type);
}

Status PreparePack(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, INT32_MAX, 1, 1));
  const auto& options = context.options<PackOptions>();
  if (options.count != context.num_inputs()) {
    return InvalidModelError("values_count is ", options.count,
                             ", but there are ", context.num_inputs(),
                             " inputs");
  }
  ARENALITE_RETURN_IF_ERROR(CheckPackInputs(context));
  const Shape& input = context.input(0).shape;
  if (input.rank() == kMaxRank) {
    return UnimplementedError("input 0 has rank ", input.rank(),
                              ", allowed 0..", kMaxRank - 1);
  }
  ARENALITE_ASSIGN_OR_RETURN(
      int axis, ResolveAxis("axis", options.axis, input.rank() + 1));
  Shape output;
  output.set_rank(input.rank() + 1);
  for (int d = 0; d < output.rank(); ++d) {
    output.set_dim(d, d < axis    ? input.dim(d)
                      : d == axis ? context.num_inputs()
                                  : input.dim(d - 1));
  }
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, output));
  return CreatePackData(context, context.output(0), axis);
}

Status EvalPack(OpContext& context) {
  const PackData data = context.data<PackData>();
  if (data.size == 0) return OkStatus();
  uint8_t* target = context.output(0).data_as<uint8_t>();
  for (int64_t outer = 0; outer < data.outer; ++outer) {
    for (int k = 0; k < context.num_inputs(); ++k) {
      MoveBytes(target, context.input(k).data_as<uint8_t>() + outer * data.size,
                data.size);
      target += data.size;
    }
  }
  return OkStatus();
}

int64_t PackOverlap(const OpContext& context, int, int input) {
  const PackData data = context.data<PackData>();
  // Before this input's piece of the last outer index is read, all pieces
  // before it are written: the tightest moment.
  const int64_t last = data.outer - 1;
  const int64_t pieces = last * data.count + input;
  // Its first piece, when nothing is written yet, limits nothing.
  if (pieces <= 0) return context.input(input).bytes;
  return (last - pieces) * data.size;
}

Status PrepareUnpack(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, INT32_MAX));
  const auto& options = context.options<PackOptions>();
  const Tensor& input = context.input(0);
  ARENALITE_ASSIGN_OR_RETURN(
      int axis, ResolveAxis("axis", options.axis, input.shape.rank()));
  if (options.count != context.num_outputs() ||
      input.shape.dim(axis) != options.count) {
    return InvalidModelError("num is ", options.count, " for ",
                             context.num_outputs(), " outputs and dimension ",
                             axis, " of shape ", input.shape.dims(),
                             ", allowed are equal counts");
  }
  ARENALITE_RETURN_IF_ERROR(CheckWholeBytes(input.type));
  Shape output;
  output.set_rank(input.shape.rank() - 1);
  for (int d = 0; d < output.rank(); ++d) {
    output.set_dim(d, input.shape.dim(d < axis ? d : d + 1));
  }
  for (int o = 0; o < context.num_outputs(); ++o) {
    ARENALITE_RETURN_IF_ERROR(CheckSameType(context, o, 0));
    ARENALITE_RETURN_IF_ERROR(
        CheckSameQuantization(input, context.output(o), "output", o));
    ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(o, output));
  }
  return CreatePackData(context, input, axis);
}

Status EvalUnpack(OpContext& context) {
  const PackData data = context.data<PackData>();
  if (data.size == 0) return OkStatus();
  const uint8_t* source = context.input(0).data_as<uint8_t>();
  for (int64_t outer = 0; outer < data.outer; ++outer) {
    for (int k = 0; k < context.num_outputs(); ++k) {
      MoveBytes(context.output(k).data_as<uint8_t>() + outer * data.size,
                source, data.size);
      source += data.size;
    }
  }
  return OkStatus();
}

int64_t UnpackOverlap(const OpContext& context, int output, int input) {
  const PackData data = context.data<PackData>();
  // The input is read once, in order: after the first piece of this output,
  // `output` more pieces are read than written, and later no fewer. The last
  // piece of all limits nothing.
  const bool is_last_read = data.outer <= 1 && output == data.count - 1;
  return is_last_read ? context.input(input).bytes : output * data.size;
}

}  // namespace

namespace ops {

const OpDefinition kPack = {
    "PACK",
    schema::BuiltinOperator_PACK,
    4,
    kOpDefault,
    sizeof(PackOptions),
    ParsePack,
    PreparePack,
    EvalPack,
    PackOverlap,
};
const OpDefinition kUnpack = {
    "UNPACK",
    schema::BuiltinOperator_UNPACK,
    5,
    kOpDefault,
    sizeof(PackOptions),
    ParseUnpack,
    PrepareUnpack,
    EvalUnpack,
    UnpackOverlap,
};

}  // namespace ops
}  // namespace arenalite
