// ModelSpec: a model file as plain data, before it is written. Nothing in here
// is checked: tests write files that are wrong on purpose.

#ifndef ARENALITE_WRITER_MODEL_SPEC_H_
#define ARENALITE_WRITER_MODEL_SPEC_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arenalite/tensor.h"
#include "model_generated.h"

namespace arenalite {

// Quantization of a tensor to be written: `Quant{}` for none,
// `Quant{0.5f, -128}` for one scale, PerChannel(scales, dimension) for many.
struct Quant {
  Quant() = default;
  Quant(float scale, int64_t zero_point)
      : scales{scale}, zero_points{zero_point} {}

  float scale() const { return scales.empty() ? 0.0f : scales[0]; }
  int32_t zero_point() const {
    return zero_points.empty() ? 0 : static_cast<int32_t>(zero_points[0]);
  }

  std::vector<float> scales;
  std::vector<int64_t> zero_points;
  int32_t dimension = 0;
};

// Symmetric, one scale for each index of `dimension`.
inline Quant PerChannel(std::vector<float> scales, int32_t dimension) {
  Quant quant;
  quant.zero_points.assign(scales.size(), 0);
  quant.scales = std::move(scales);
  quant.dimension = dimension;
  return quant;
}

struct TensorSpec {
  std::string name;
  TensorType type = TensorType::kFloat32;
  std::vector<int32_t> shape;
  std::vector<int32_t> shape_signature;  // Empty: not written.
  Quant quant;
  uint32_t buffer = 0;
  bool is_variable = false;
  bool has_rank = false;
};

using WriteOptions =
    std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder&)>;

struct OpSpec {
  schema::BuiltinOperator code = schema::BuiltinOperator_ADD;
  std::string custom_name;  // Written when `code` is CUSTOM.
  int32_t version = 1;
  std::vector<int32_t> inputs;  // -1: absent.
  std::vector<int32_t> outputs;
  std::vector<int32_t> intermediates;
  WriteOptions options;  // Null: none. Goes to the union that has a type.
  schema::BuiltinOptions options_type = schema::BuiltinOptions_NONE;
  schema::BuiltinOptions2 options_2_type = schema::BuiltinOptions2_NONE;
  std::vector<uint8_t> custom_options;
  // Position in Model.operator_codes where it must be another than that of
  // (code, custom_name, version); -1 means the right one.
  int64_t opcode_index = -1;
};

struct SubgraphSpec {
  std::string name;
  std::vector<TensorSpec> tensors;
  std::vector<OpSpec> ops;
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
};

struct SignatureSpec {
  using Binding = std::pair<std::string, uint32_t>;  // Name, tensor index.
  std::string key;
  std::vector<Binding> inputs;
  std::vector<Binding> outputs;
  uint32_t subgraph = 0;
};

struct ModelSpec {
  uint32_t version = 3;
  std::string description = "arenalite";
  std::vector<SubgraphSpec> subgraphs;
  std::vector<SignatureSpec> signatures;
  std::vector<std::vector<uint8_t>> buffers = {{}};  // 0 is the empty one.
  std::vector<std::pair<std::string, uint32_t>> metadata;  // Name, buffer.
  // Puts the bytes of buffers and custom options behind the FlatBuffer, found
  // by offset and size, as files of more than 2 GB do.
  bool data_outside = false;
  // Those bytes start so far behind a multiple of 16.
  size_t outside_shift = 0;
  // Writes numbers also where they are the schema's defaults, which files leave
  // out: then each number has a place in the file.
  bool write_defaults = false;
};

}  // namespace arenalite

#endif  // ARENALITE_WRITER_MODEL_SPEC_H_
