// Tables that leave out what they may leave out, or hold what ModelBuilder does
// not write: built by hand.

#include <gtest/gtest.h>

#include <vector>

#include "arenalite/model.h"
#include "model/example_model.h"
#include "model_generated.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using Bytes = std::vector<uint8_t>;

constexpr auto kInvalid = StatusCode::kInvalidModel;

Status LoadBytes(const Bytes& file) {
  return FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file)).status();
}

// A model of one subgraph with one tensor; every part may be left out.
class Tables {
 public:
  FlatBufferBuilder fbb;
  Offset<schema::Tensor> tensor;
  Offset<schema::Operator> op;
  Offset<schema::OperatorCode> code;
  Offset<schema::Buffer> buffer;
  Offset<schema::SignatureDef> signature;
  bool has_subgraph = true;

  Status Load() {
    const auto tensors = ListOf(tensor);
    const auto ops = ListOf(op);
    schema::SubGraphBuilder subgraph(fbb);
    subgraph.add_tensors(tensors);
    subgraph.add_operators(ops);
    const auto finished = subgraph.Finish();
    const auto subgraphs = ListOf(has_subgraph ? finished : 0);
    const auto codes = ListOf(code);
    const auto buffers = ListOf(buffer);
    const auto signatures = ListOf(signature);
    schema::ModelBuilder model(fbb);
    model.add_version(3);
    model.add_subgraphs(subgraphs);
    model.add_operator_codes(codes);
    model.add_buffers(buffers);
    model.add_signature_defs(signatures);
    schema::FinishModelBuffer(fbb, model.Finish());
    return LoadBytes(
        Bytes(fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()));
  }

 private:
  template <class T>
  Offset<flatbuffers::Vector<Offset<T>>> ListOf(Offset<T> one) {
    return one.IsNull() ? 0 : fbb.CreateVector(&one, 1);
  }
};

TEST(VerifyTables, MayLeaveOutWhatIsOptional) {
  EXPECT_THAT(Tables().Load(), IsOk());
  Tables tables;
  tables.tensor = schema::CreateTensor(tables.fbb);
  tables.code = schema::CreateOperatorCode(tables.fbb);
  tables.op = schema::CreateOperator(tables.fbb);
  tables.buffer = schema::CreateBuffer(tables.fbb);
  tables.signature = schema::CreateSignatureDef(tables.fbb);
  EXPECT_THAT(tables.Load(), IsOk());
}

TEST(VerifyTables, NameWhatIsNotThere) {
  Tables none;
  none.has_subgraph = false;
  EXPECT_THAT(none.Load(),
              HasStatus(kInvalid, "0 subgraphs, at least 1 needed"));
  Tables no_code;
  no_code.op = schema::CreateOperator(no_code.fbb);
  EXPECT_THAT(no_code.Load(),
              HasStatus(kInvalid,
                        "subgraph 0 '' op 0: operator code 0, the "
                        "file has 0 codes"));
  Tables no_buffer;
  no_buffer.tensor = schema::CreateTensor(
      no_buffer.fbb, 0, schema::TensorType_FLOAT32, /*buffer=*/1);
  EXPECT_THAT(no_buffer.Load(),
              HasStatus(kInvalid,
                        "subgraph 0 '' tensor 0 '': buffer 1, the "
                        "file has 0 buffers"));
  Tables no_tensor;
  no_tensor.code = schema::CreateOperatorCode(no_tensor.fbb);
  const auto inputs = no_tensor.fbb.CreateVector(std::vector<int32_t>{0});
  no_tensor.op = schema::CreateOperator(no_tensor.fbb, 0, inputs);
  EXPECT_THAT(no_tensor.Load(),
              HasStatus(kInvalid,
                        "op 0 ADD: input 0 is tensor 0, allowed "
                        "-1..-1"));
}

TEST(VerifyTables, RefuseDataInAnotherFile) {
  Tables tables;
  schema::TensorBuilder builder(tables.fbb);
  builder.add_external_buffer(7);
  tables.tensor = builder.Finish();
  EXPECT_THAT(tables.Load(),
              HasStatus(StatusCode::kUnimplemented,
                        "subgraph 0 '' tensor 0 '': data in another file "
                        "(external buffer 7), only data in the model file"));
}

// Bytes behind the FlatBuffer, by offset and size.
TEST(VerifyTables, RefuseOffsetsPastTheEnd) {
  for (const auto& [offset, size] : {std::pair<uint64_t, uint64_t>(2, 1 << 20),
                                     {1 << 20, 1},
                                     {1 << 20, 0},
                                     {UINT64_MAX, 1},
                                     {UINT64_MAX, UINT64_MAX},
                                     {64, UINT64_MAX},
                                     {64, UINT64_MAX - 63}}) {
    const std::string place = std::to_string(size) + " bytes at byte " +
                              std::to_string(offset) +
                              " reach past the end of the file at ";
    Tables buffer;
    buffer.buffer = schema::CreateBuffer(buffer.fbb, 0, offset, size);
    EXPECT_THAT(buffer.Load(), HasStatus(kInvalid, "buffer 0: " + place));
    Tables op;
    const auto name = op.fbb.CreateString("Mine");
    op.code = schema::CreateOperatorCode(op.fbb, 32, name, 1,
                                         schema::BuiltinOperator_CUSTOM);
    schema::OperatorBuilder builder(op.fbb);
    builder.add_large_custom_options_offset(offset);
    builder.add_large_custom_options_size(size);
    op.op = builder.Finish();
    EXPECT_THAT(op.Load(), HasStatus(kInvalid,
                                     "subgraph 0 '' op 0 Mine: "
                                     "custom options: " +
                                         place));
  }
}

// Scales that lie in tensors of their own.
TEST(VerifyTables, RefuseQuantizationInTensorsThatAreNotThere) {
  const auto load = [](bool grid, int32_t scales, int32_t zero_points) {
    Tables t;
    const auto kind = grid ? schema::QuantizationDetails_MultiAxisQuantization
                           : schema::QuantizationDetails_BlockwiseQuantization;
    const Offset<void> details =
        grid ? schema::CreateMultiAxisQuantization(t.fbb, scales, zero_points)
                   .Union()
             : schema::CreateBlockwiseQuantization(t.fbb, scales, zero_points)
                   .Union();
    schema::QuantizationParametersBuilder quantization(t.fbb);
    quantization.add_details_type(kind);
    quantization.add_details(details);
    const auto finished = quantization.Finish();
    t.tensor =
        schema::CreateTensor(t.fbb, 0, schema::TensorType_INT8, 0, 0, finished);
    return t.Load();
  };
  for (const bool grid : {false, true}) {
    EXPECT_THAT(load(grid, 0, -1), IsOk());
    for (const int32_t wrong : {-1, 1, INT32_MAX, INT32_MIN}) {
      EXPECT_THAT(load(grid, wrong, -1),
                  HasStatus(kInvalid,
                            "tensor 0 '': quantization scales in "
                            "tensor " +
                                std::to_string(wrong) + ", allowed 0..0"));
    }
    for (const int32_t wrong : {-2, 1, INT32_MAX, INT32_MIN}) {
      EXPECT_THAT(
          load(grid, 0, wrong),
          HasStatus(kInvalid, "quantization zero points in tensor " +
                                  std::to_string(wrong) + ", allowed -1..0"));
    }
  }
}

// What follows a model is not read; what stands before it is no model.
TEST(VerifyTables, ReadTheFirstOfTwoFiles) {
  ModelBuilder first = ExampleModel();
  ModelBuilder broken = ExampleModel();
  broken.spec().version = 9;
  Bytes files = first.Finish();
  const Bytes second = broken.Finish();
  files.insert(files.end(), second.begin(), second.end());
  EXPECT_THAT(LoadBytes(files), IsOk());
  Bytes swapped = second;
  const Bytes one = first.Finish();
  swapped.insert(swapped.end(), one.begin(), one.end());
  EXPECT_THAT(LoadBytes(swapped), HasStatus(kInvalid, "schema version 9"));
  Bytes shifted(4);  // As a file with its size in front.
  shifted.insert(shifted.end(), one.begin(), one.end());
  EXPECT_THAT(LoadBytes(shifted), HasStatus(kInvalid, "file identifier 0x"));
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
