// CUMSUM: running sums along one dimension.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"
#include "kernels/wrapping.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct CumsumOptions {
  bool exclusive;  // The sum of what comes before, not through.
  bool reverse;    // From the end.
};

Status ParseCumsum(const OpSource& source, void* options) {
  auto* parsed = static_cast<CumsumOptions*>(options);
  const auto* table = OptionsTable<schema::CumsumOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->exclusive = table->exclusive();
  parsed->reverse = table->reverse();
  return OkStatus();
}

// The input as [outer, depth, inner], summed along depth.
struct Layers {
  int64_t outer, depth, inner;
};

Result<Layers> ResolveLayers(const OpContext& context) {
  const Shape& shape = context.input(0).shape;
  ARENALITE_ASSIGN_OR_RETURN(
      int axis, ResolveAxis("input 1 (axis)", ReadInteger(context.input(1), 0),
                            shape.rank()));
  return Layers{shape.NumElements(0, axis), shape.dim(axis),
                shape.NumElements(axis + 1, shape.rank())};
}

// One [depth, inner] block. Layers follow one another by `step` elements, each
// made of the one written before it.
template <class T>
void SumBlock(const T* in, T* out, const Layers& layers, int64_t step,
              bool exclusive) {
  const WrappingAdd add;
  for (int64_t i = 0; i < layers.inner; ++i) out[i] = exclusive ? T{0} : in[i];
  for (int64_t d = 1; d < layers.depth; ++d) {
    const T* addend = exclusive ? in : in + step;
    in += step;
    out += step;
    for (int64_t i = 0; i < layers.inner; ++i) {
      out[i] = add((out - step)[i], addend[i]);
    }
  }
}

template <class T>
Status EvalCumsum(OpContext& context) {
  const Tensor& input = context.input(0);
  if (input.bytes == 0) return OkStatus();
  ARENALITE_ASSIGN_OR_RETURN(Layers layers, ResolveLayers(context));
  const auto& options = context.options<CumsumOptions>();
  const T* in = input.data_as<T>();
  T* out = context.output(0).data_as<T>();
  const int64_t block = layers.depth * layers.inner;
  const int64_t first = options.reverse ? block - layers.inner : 0;
  const int64_t step = options.reverse ? -layers.inner : layers.inner;
  for (int64_t o = 0; o < layers.outer; ++o) {
    SumBlock(in + first, out + first, layers, step, options.exclusive);
    in += block;
    out += block;
  }
  return OkStatus();
}

Status PrepareCumsum(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(
      CheckIndexType(context, 1, "axis", {TensorType::kInt32}));
  const Tensor& input = context.input(0);
  const Tensor& axis = context.input(1);
  if (axis.shape.NumElements() != 1 || input.shape.rank() == 0) {
    return InvalidModelError("inputs have shapes ", input.shape.dims(), " and ",
                             axis.shape.dims(),
                             ", allowed are rank >= 1 and one element");
  }
  switch (input.type) {
    case TensorType::kFloat32:
      context.SetEval(EvalCumsum<float>);
      break;
    case TensorType::kInt32:
      context.SetEval(EvalCumsum<int32_t>);
      break;
    case TensorType::kInt64:
      context.SetEval(EvalCumsum<int64_t>);
      break;
    default:
      return UnimplementedError("input 0 is ", TensorTypeName(input.type),
                                ", allowed FLOAT32, INT32 or INT64");
  }
  if (context.HasValue(axis)) {
    ARENALITE_RETURN_IF_ERROR(ResolveLayers(context).status());
  }
  return context.SetOutputShape(0, input.shape);
}

int64_t CumsumOverlap(const OpContext& context, int, int input) {
  // The axis is tiny; where data decide it, the order of layers is not known.
  if (input != 0 || !context.HasValue(context.input(1))) return kNoOverlap;
  const Tensor& tensor = context.input(0);
  Result<Layers> layers = ResolveLayers(context);
  if (!layers.ok() || tensor.bytes == 0) return kNoOverlap;
  const int64_t block_bytes = tensor.bytes / layers->outer;
  const auto& options = context.options<CumsumOptions>();
  // A block summed from its end is written before its beginning is read.
  if (options.reverse) return -block_bytes;
  // An exclusive sum reads the layer before the one that it writes.
  return options.exclusive ? -block_bytes / layers->depth : 0;
}

}  // namespace

namespace ops {

const OpDefinition kCumsum = {
    "CUMSUM",
    schema::BuiltinOperator_CUMSUM,
    1,
    kOpDefault,
    sizeof(CumsumOptions),
    ParseCumsum,
    PrepareCumsum,
    nullptr,
    CumsumOverlap,
};

}  // namespace ops
}  // namespace arenalite
