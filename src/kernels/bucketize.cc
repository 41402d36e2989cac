// BUCKETIZE: for each element the number of boundaries that are not above it.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/broadcast.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

// Points into the model.
struct BucketizeOptions {
  const float* boundaries;
  int64_t count;
};

Status ParseBucketize(const OpSource& source, void* options) {
  auto* parsed = static_cast<BucketizeOptions*>(options);
  const auto* table = OptionsTable<schema::BucketizeOptions>(source);
  if (table == nullptr || table->boundaries() == nullptr) return OkStatus();
  parsed->boundaries = table->boundaries()->data();
  parsed->count = table->boundaries()->size();
  return OkStatus();
}

// A BlockFunction whose functor is the options.
template <class T>
void BucketizeBlock(const void* functor, const void* const* inputs,
                    void* output, int count) {
  const auto& options = *static_cast<const BucketizeOptions*>(functor);
  const float* end = options.boundaries + options.count;
  const T* input = static_cast<const T*>(inputs[0]);
  int32_t block[kBroadcastBlock];
  for (int i = 0; i < count; ++i) {
    block[i] = static_cast<int32_t>(
        std::upper_bound(options.boundaries, end, input[i]) -
        options.boundaries);
  }
  std::memcpy(output, block, static_cast<size_t>(count) * sizeof(int32_t));
}

// Null for a type that is not supported.
BlockFunction FindBucketizeBlock(TensorType type) {
  switch (type) {
    case TensorType::kFloat32:
      return BucketizeBlock<float>;
    case TensorType::kFloat64:
      return BucketizeBlock<double>;
    case TensorType::kInt32:
      return BucketizeBlock<int32_t>;
    case TensorType::kInt64:
      return BucketizeBlock<int64_t>;
    default:
      return nullptr;
  }
}

Status PrepareBucketize(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  const auto& options = context.options<BucketizeOptions>();
  for (int64_t i = 1; i < options.count; ++i) {
    if (options.boundaries[i - 1] <= options.boundaries[i]) continue;
    return InvalidModelError("boundary ", i, " is ", options.boundaries[i],
                             ", allowed from ", options.boundaries[i - 1],
                             " on");
  }
  const Tensor& input = context.input(0);
  if (context.output(0).type != TensorType::kInt32) {
    return InvalidModelError("output 0 is ",
                             TensorTypeName(context.output(0).type),
                             ", allowed INT32");
  }
  ARENALITE_ASSIGN_OR_RETURN(BroadcastLoop * loop,
                             context.CreateData<BroadcastLoop>());
  *loop = MakeUnaryLoop(input.shape, TensorTypeBits(input.type) / 8, 4);
  loop->functor = &options;
  loop->block = FindBucketizeBlock(input.type);
  if (loop->block == nullptr) {
    return UnimplementedError("no kernel for input 0 of type ",
                              TensorTypeName(input.type));
  }
  return context.SetOutputShape(0, input.shape);
}

}  // namespace

namespace ops {

const OpDefinition kBucketize = {
    "BUCKETIZE",
    schema::BuiltinOperator_BUCKETIZE,
    1,
    kOpDefault,
    sizeof(BucketizeOptions),
    ParseBucketize,
    PrepareBucketize,
    EvalBroadcast,
    BroadcastOverlap,
};

}  // namespace ops
}  // namespace arenalite
