// A model with a sparse constant, described by plain data.

#ifndef ARENALITE_TESTS_MODEL_SPARSE_MODEL_H_
#define ARENALITE_TESTS_MODEL_SPARSE_MODEL_H_

#include <cstdint>
#include <vector>

#include "model_generated.h"

namespace arenalite {
namespace testing {

// Dense where `segments` is empty.
struct SparseLevel {
  int32_t dense_size = 0;
  std::vector<int32_t> segments;
  std::vector<int32_t> indices;
};

// By default float32 [4,4] in blocks of 2 along dimension 1: rows dense, then
// the non-empty blocks of each row, then the 2 elements of a block.
struct SparseSpec {
  std::vector<int32_t> shape = {4, 4};
  std::vector<int32_t> traversal_order = {0, 1, 2};
  std::vector<int32_t> block_map = {1};
  std::vector<SparseLevel> levels = {
      {4, {}, {}}, {0, {0, 1, 1, 3, 4}, {1, 0, 1, 0}}, {2, {}, {}}};
  size_t data_bytes = 4 * 2 * sizeof(float);
  // The one op, without options; tensor 0 is the constant, 1 the op's output.
  schema::BuiltinOperator code = schema::BuiltinOperator_DENSIFY;
  std::vector<int32_t> inputs = {0};
  std::vector<int32_t> outputs = {1};  // Of the graph.
};

// x = DENSIFY(sparse), or another op.
inline std::vector<uint8_t> SparseModel(const SparseSpec& spec) {
  namespace s = schema;
  flatbuffers::FlatBufferBuilder fbb;
  std::vector<flatbuffers::Offset<s::DimensionMetadata>> levels;
  for (const SparseLevel& level : spec.levels) {
    if (level.segments.empty()) {
      levels.push_back(s::CreateDimensionMetadata(fbb, s::DimensionType_DENSE,
                                                  level.dense_size));
      continue;
    }
    // Two widths in one model: segments of 32 bits, indices of 8.
    const std::vector<uint8_t> indices(level.indices.begin(),
                                       level.indices.end());
    const auto wide = s::CreateInt32VectorDirect(fbb, &level.segments);
    const auto narrow = s::CreateUint8VectorDirect(fbb, &indices);
    levels.push_back(s::CreateDimensionMetadata(
        fbb, s::DimensionType_SPARSE_CSR, 0, s::SparseIndexVector_Int32Vector,
        wide.Union(), s::SparseIndexVector_Uint8Vector, narrow.Union()));
  }
  const auto sparsity = s::CreateSparsityParametersDirect(
      fbb, &spec.traversal_order, &spec.block_map, &levels);
  const auto name = fbb.CreateString("sparse");
  const auto shape = fbb.CreateVector(spec.shape);
  s::TensorBuilder sparse(fbb);
  sparse.add_name(name);
  sparse.add_shape(shape);
  sparse.add_buffer(1);
  sparse.add_sparsity(sparsity);
  std::vector<flatbuffers::Offset<s::Tensor>> tensors = {sparse.Finish()};
  tensors.push_back(s::CreateTensorDirect(fbb, &spec.shape));
  const std::vector<int32_t> out = {1};
  const std::vector<int32_t> none;
  const std::vector<flatbuffers::Offset<s::Operator>> ops = {
      s::CreateOperatorDirect(fbb, 0, &spec.inputs, &out)};
  const std::vector<flatbuffers::Offset<s::SubGraph>> subgraphs = {
      s::CreateSubGraphDirect(fbb, &tensors, &none, &spec.outputs, &ops)};
  const std::vector<flatbuffers::Offset<s::OperatorCode>> codes = {
      s::CreateOperatorCode(fbb, static_cast<int8_t>(spec.code), 0, 1,
                            spec.code)};
  const std::vector<uint8_t> data(spec.data_bytes, 1);
  const std::vector<flatbuffers::Offset<s::Buffer>> buffers = {
      s::CreateBuffer(fbb), s::CreateBufferDirect(fbb, &data)};
  s::FinishModelBuffer(
      fbb, s::CreateModelDirect(fbb, 3, &codes, &subgraphs, nullptr, &buffers));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_MODEL_SPARSE_MODEL_H_
