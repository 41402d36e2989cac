// FlatBuffers may share one table or list among many owners: small files that
// stand for huge models must be refused, and quickly.

#include <gtest/gtest.h>

#include <vector>

#include "arenalite/model.h"
#include "model_generated.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

template <class T>
using List = flatbuffers::Vector<Offset<T>>;

// A model of one op code, one empty buffer, and the subgraphs given.
Status Load(FlatBufferBuilder& fbb, Offset<List<schema::SubGraph>> subgraphs) {
  const auto codes = fbb.CreateVector(std::vector{
      schema::CreateOperatorCode(fbb, schema::BuiltinOperator_NEG)});
  schema::ModelBuilder model(fbb);
  model.add_version(3);
  model.add_operator_codes(codes);
  model.add_subgraphs(subgraphs);
  schema::FinishModelBuffer(fbb, model.Finish());
  return FlatBufferModel::BuildFromBuffer(
             Span<const uint8_t>(fbb.GetBufferPointer(), fbb.GetSize()))
      .status();
}

TEST(VerifyLimits, RefusesOneTableUsedForMany) {
  FlatBufferBuilder fbb;
  const auto tensor = schema::CreateTensor(fbb);
  const auto tensors = fbb.CreateVector(std::vector(10000, tensor));
  schema::SubGraphBuilder builder(fbb);
  builder.add_tensors(tensors);
  const auto subgraph = builder.Finish();
  const auto subgraphs = fbb.CreateVector(std::vector(10000, subgraph));
  EXPECT_THAT(Load(fbb, subgraphs),
              HasStatus(StatusCode::kInvalidModel, "truncated or damaged"));
}

TEST(VerifyLimits, RefusesOneListUsedForMany) {
  FlatBufferBuilder fbb;
  const std::vector<int32_t> none;
  const auto inputs = fbb.CreateVector(std::vector<int32_t>(100000, -1));
  const auto outputs = fbb.CreateVector(none);
  std::vector<Offset<schema::Operator>> ops;
  for (int i = 0; i < 10000; ++i) {
    ops.push_back(schema::CreateOperator(fbb, 0, inputs, outputs));
  }
  const auto subgraphs = fbb.CreateVector(std::vector{
      schema::CreateSubGraphDirect(fbb, nullptr, &none, &none, &ops)});
  EXPECT_THAT(Load(fbb, subgraphs), HasStatus(StatusCode::kInvalidModel,
                                              "lists add up to more than 4"));
}

TEST(VerifyLimits, AcceptsManyOps) {
  FlatBufferBuilder fbb;
  constexpr int32_t kOps = 100000;
  std::vector<Offset<schema::Tensor>> tensors;
  std::vector<Offset<schema::Operator>> ops;
  for (int32_t i = 0; i <= kOps; ++i) {
    tensors.push_back(schema::CreateTensor(fbb));
    if (i == kOps) break;
    const std::vector<int32_t> in = {i};
    const std::vector<int32_t> out = {i + 1};
    ops.push_back(schema::CreateOperatorDirect(fbb, 0, &in, &out));
  }
  const std::vector<int32_t> in = {0};
  const std::vector<int32_t> out = {kOps};
  const auto subgraphs = fbb.CreateVector(std::vector{
      schema::CreateSubGraphDirect(fbb, &tensors, &in, &out, &ops)});
  EXPECT_THAT(Load(fbb, subgraphs), IsOk());
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
