#include <gtest/gtest.h>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

struct Csr {
  std::vector<int32_t> order = {0, 1, 2, 3};
  std::vector<int32_t> blocks = {0, 1};
  std::vector<int32_t> segments = {0, 1, 3};
  std::vector<int32_t> indices = {1, 0, 1};
};

// A [4,4] matrix of 2x2 blocks: rows of blocks dense, columns compressed.
Status Densify(const Csr& csr, int values, std::vector<float>* output) {
  flatbuffers::FlatBufferBuilder b;
  const auto segments =
      schema::CreateInt32Vector(b, b.CreateVector(csr.segments)).Union();
  const auto indices =
      schema::CreateInt32Vector(b, b.CreateVector(csr.indices)).Union();
  const std::vector<flatbuffers::Offset<schema::DimensionMetadata>> levels = {
      schema::CreateDimensionMetadata(b, schema::DimensionType_DENSE, 2),
      schema::CreateDimensionMetadata(
          b, schema::DimensionType_SPARSE_CSR, 0,
          schema::SparseIndexVector_Int32Vector, segments,
          schema::SparseIndexVector_Int32Vector, indices),
      schema::CreateDimensionMetadata(b, schema::DimensionType_DENSE, 2),
      schema::CreateDimensionMetadata(b, schema::DimensionType_DENSE, 2)};
  b.Finish(schema::CreateSparsityParameters(b, b.CreateVector(csr.order),
                                            b.CreateVector(csr.blocks),
                                            b.CreateVector(levels)));
  OpRunner runner(ops::kDensify);
  std::vector<float> stored(static_cast<size_t>(values));
  for (size_t i = 0; i < stored.size(); ++i) stored[i] = float(i + 1);
  runner.AddConstant<float>({4, 4}, stored);
  runner.tensor_of_input(0).sparsity =
      flatbuffers::GetRoot<schema::SparsityParameters>(b.GetBufferPointer());
  runner.AddOutput(TensorType::kFloat32);
  ARENALITE_RETURN_IF_ERROR(runner.PrepareAndRun());
  *output = runner.output<float>(0);
  return OkStatus();
}

TEST(Densify, SpreadsBlocks) {
  std::vector<float> output;
  ASSERT_THAT(Densify(Csr(), 12, &output), IsOk());
  EXPECT_EQ(output, (std::vector<float>{0, 0, 1, 2,   //
                                        0, 0, 3, 4,   //
                                        5, 6, 9, 10,  //
                                        7, 8, 11, 12}));
}

TEST(Densify, RefusesLayoutsThatLeaveTheTensor) {
  std::vector<float> output;
  const auto bad = HasStatus(StatusCode::kInvalidModel, "input 0");
  EXPECT_THAT(Densify(Csr(), 11, &output), bad);
  Csr index;
  index.indices[2] = 2;
  EXPECT_THAT(Densify(index, 12, &output), bad);
  Csr segment;
  segment.segments[2] = 4;
  EXPECT_THAT(Densify(segment, 99, &output), bad);
  Csr descending;
  descending.segments = {2, 1, 3};
  EXPECT_THAT(Densify(descending, 12, &output), bad);
  Csr few;
  few.segments = {0, 3};
  EXPECT_THAT(Densify(few, 12, &output), bad);
  Csr axis;
  axis.blocks[1] = 2;
  EXPECT_THAT(Densify(axis, 12, &output), bad);
  Csr order;
  order.order = {0, 0, 2, 3};
  EXPECT_THAT(Densify(order, 12, &output), bad);
}

}  // namespace
}  // namespace arenalite
