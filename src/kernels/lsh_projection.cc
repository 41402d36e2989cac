// LSH_PROJECTION: bits of a locality-sensitive hash. Each bit is the sign of a
// weighted sum of hashes of (seed, item).

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/fingerprint.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

constexpr int kSeeds = 0;
constexpr int kItems = 1;
constexpr int kWeights = 2;

struct LshOptions {
  bool is_sparse;
};

Status ParseLsh(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::LSHProjectionOptions>(source);
  const int type = table ? table->type() : schema::LSHProjectionType_UNKNOWN;
  if (type != schema::LSHProjectionType_SPARSE &&
      type != schema::LSHProjectionType_DENSE) {
    return UnimplementedError("type is ", type, ", allowed SPARSE or DENSE");
  }
  static_cast<LshOptions*>(options)->is_sparse =
      type == schema::LSHProjectionType_SPARSE;
  return OkStatus();
}

// Bytes of one item: an index of the first dimension of input 1.
int64_t ItemBytes(const OpContext& context) {
  const Tensor& items = context.input(kItems);
  return items.bytes / items.shape.dim(0);
}

uint32_t SignBit(const OpContext& context, float seed) {
  const Tensor& items = context.input(kItems);
  const Tensor* weights = context.optional_input(kWeights);
  const auto item_bytes = static_cast<size_t>(ItemBytes(context));
  const uint8_t* item = items.data_as<uint8_t>();
  uint8_t key[kMaxFingerprintBytes];
  std::memcpy(key, &seed, sizeof(seed));
  double score = 0;
  for (int32_t i = 0; i < items.shape.dim(0); ++i, item += item_bytes) {
    std::memcpy(key + sizeof(seed), item, item_bytes);
    const uint64_t hash = Fingerprint64(key, sizeof(seed) + item_bytes);
    const auto value = static_cast<double>(static_cast<int64_t>(hash));
    score += weights ? weights->data_as<float>()[i] * value : value;
  }
  return score > 0 ? 1 : 0;
}

Status EvalLsh(OpContext& context) {
  const Shape& shape = context.input(kSeeds).shape;
  const float* seeds = context.input(kSeeds).data_as<float>();
  int32_t* output = context.output(0).data_as<int32_t>();
  const int bits = shape.dim(1);
  const bool is_sparse = context.options<LshOptions>().is_sparse;
  for (int32_t i = 0; i < shape.dim(0); ++i) {
    uint32_t signature = 0;
    for (int b = 0; b < bits; ++b) {
      const uint32_t bit = SignBit(context, *seeds++);
      signature = (signature << 1) | bit;
      if (!is_sparse) *output++ = static_cast<int32_t>(bit);
    }
    if (!is_sparse) continue;
    // Keeps the signatures of different hash functions apart.
    const auto first = static_cast<uint32_t>(static_cast<uint64_t>(i) << bits);
    *output++ = static_cast<int32_t>(signature + first);
  }
  return OkStatus();
}

Status CheckLshInputs(const OpContext& context) {
  const Tensor& seeds = context.input(kSeeds);
  const Tensor& items = context.input(kItems);
  const Tensor* weights = context.optional_input(kWeights);
  if (seeds.type != TensorType::kFloat32 || seeds.shape.rank() != 2 ||
      seeds.shape.dim(1) > 32) {
    return InvalidModelError("input 0 (seeds) is ", TensorTypeName(seeds.type),
                             " of shape ", seeds.shape.dims(),
                             ", allowed FLOAT32 of shape [n, 0..32]");
  }
  if (items.shape.rank() < 1 || items.shape.dim(0) < 1 ||
      TensorTypeBits(items.type) < 8) {
    return InvalidModelError("input 1 (items) is ", TensorTypeName(items.type),
                             " of shape ", items.shape.dims(),
                             ", allowed are types of whole bytes and at "
                             "least one item");
  }
  constexpr int64_t kMaxItem = kMaxFingerprintBytes - sizeof(float);
  if (ItemBytes(context) < 1 || ItemBytes(context) > kMaxItem) {
    return UnimplementedError("input 1 has items of ", ItemBytes(context),
                              " bytes, allowed 1..", kMaxItem);
  }
  if (weights && (weights->type != TensorType::kFloat32 ||
                  weights->shape != Shape({items.shape.dim(0)}))) {
    return InvalidModelError("input 2 (weights) is ",
                             TensorTypeName(weights->type), " of shape ",
                             weights->shape.dims(), ", allowed FLOAT32 of [",
                             items.shape.dim(0), "]");
  }
  return OkStatus();
}

Status PrepareLsh(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 3, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckLshInputs(context));
  const TensorType type = context.output(0).type;
  if (type != TensorType::kInt32) {
    return InvalidModelError("output 0 is ", TensorTypeName(type),
                             ", allowed INT32");
  }
  const Shape& seeds = context.input(kSeeds).shape;
  const int64_t count = context.options<LshOptions>().is_sparse
                            ? seeds.dim(0)
                            : seeds.NumElements();
  if (count > INT32_MAX) {
    return InvalidModelError("the output would have ", count,
                             " elements, allowed 0..", INT32_MAX);
  }
  return context.SetOutputShape(0, {static_cast<int32_t>(count)});
}

// Overlap is none: each bit reads all items once more.

}  // namespace

namespace ops {

const OpDefinition kLshProjection = {
    "LSH_PROJECTION",
    schema::BuiltinOperator_LSH_PROJECTION,
    1,
    kOpDefault,
    sizeof(LshOptions),
    ParseLsh,
    PrepareLsh,
    EvalLsh,
    nullptr,
};

}  // namespace ops
}  // namespace arenalite
