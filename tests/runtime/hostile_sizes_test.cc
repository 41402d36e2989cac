// Small files with very many of one thing: planning them takes a time and a
// memory in proportion, or they are refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "testing/build.h"

namespace arenalite {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using testing::HasStatus;
using testing::IsOk;

namespace s = schema;

std::vector<int32_t> Numbers(int32_t count, int32_t first = 0) {
  std::vector<int32_t> all(static_cast<size_t>(count));
  for (int32_t i = 0; i < count; ++i) all[static_cast<size_t>(i)] = first + i;
  return all;
}

// Writes files in which all tensors are one table, and names are shared.
class File {
 public:
  using Ops = std::vector<Offset<s::Operator>>;

  File() {
    const std::vector<int32_t> shape = {1};
    plain_ = s::CreateTensorDirect(fbb, &shape, s::TensorType_INT32);
    s::TensorBuilder variable(fbb);
    variable.add_type(s::TensorType_INT32);
    variable.add_is_variable(true);
    variable_ = variable.Finish();
    s::TensorBuilder handle(fbb);
    handle.add_type(s::TensorType_RESOURCE);
    handle_ = handle.Finish();
    s::TensorBuilder flag(fbb);
    flag.add_type(s::TensorType_BOOL);
    flag_ = flag.Finish();
  }

  int Code(s::BuiltinOperator code, const char* custom = nullptr) {
    codes_.push_back(s::CreateOperatorCodeDirect(
        fbb, static_cast<int8_t>(std::min<int>(code, 127)), custom, 1, code));
    return static_cast<int>(codes_.size()) - 1;
  }
  Offset<s::Operator> Op(int code, std::vector<int32_t> inputs,
                         std::vector<int32_t> outputs,
                         s::BuiltinOptions type = s::BuiltinOptions_NONE,
                         Offset<void> options = 0) {
    return s::CreateOperatorDirect(fbb, static_cast<uint32_t>(code), &inputs,
                                   &outputs, type, options);
  }
  void AddSubgraph(std::vector<Offset<s::Tensor>> tensors,
                   std::vector<int32_t> inputs, std::vector<int32_t> outputs,
                   const Ops& ops) {
    subgraphs_.push_back(
        s::CreateSubGraphDirect(fbb, &tensors, &inputs, &outputs, &ops));
  }
  std::vector<Offset<s::Tensor>> Tensors(int32_t count) const {
    return std::vector(static_cast<size_t>(count), plain_);
  }
  // Of a file with more tables than one for every 8 bytes it is clear anyway.
  std::vector<uint8_t> Finish(int32_t padding = 0) {
    fbb.CreateVector(std::vector<uint8_t>(static_cast<size_t>(padding)));
    s::FinishModelBuffer(fbb,
                         s::CreateModelDirect(fbb, 3, &codes_, &subgraphs_));
    return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
  }

  FlatBufferBuilder fbb;
  Offset<s::Tensor> plain_, variable_, handle_, flag_;

 private:
  std::vector<Offset<s::OperatorCode>> codes_;
  std::vector<Offset<s::SubGraph>> subgraphs_;
};

// UNPACK of one tensor into `count`, PACK of these into one.
std::vector<uint8_t> Unpacked(int32_t count) {
  File file;
  auto tensors = file.Tensors(count);
  const std::vector<int32_t> whole = {count, 1};
  for (int i = 0; i < 2; ++i) {
    tensors.push_back(
        s::CreateTensorDirect(file.fbb, &whole, s::TensorType_INT32));
  }
  File::Ops ops;
  ops.push_back(file.Op(file.Code(s::BuiltinOperator_UNPACK), {count},
                        Numbers(count), s::BuiltinOptions_UnpackOptions,
                        s::CreateUnpackOptions(file.fbb, count, 0).Union()));
  ops.push_back(file.Op(file.Code(s::BuiltinOperator_PACK), Numbers(count),
                        {count + 1}, s::BuiltinOptions_PackOptions,
                        s::CreatePackOptions(file.fbb, count, 0).Union()));
  file.AddSubgraph(tensors, {count}, {count + 1}, ops);
  return file.Finish();
}

// A loop of `count` states that hands all through, but for the first one.
std::vector<uint8_t> ManyStates(int32_t count) {
  File file;
  File::Ops loop = {file.Op(file.Code(s::BuiltinOperator_WHILE), Numbers(count),
                            Numbers(count, count),
                            s::BuiltinOptions_WhileOptions,
                            s::CreateWhileOptions(file.fbb, 1, 2).Union())};
  auto tensors = file.Tensors(2 * count);
  tensors[0] = tensors[static_cast<size_t>(count)] = file.flag_;
  file.AddSubgraph(tensors, Numbers(count), Numbers(count, count), loop);
  tensors.resize(static_cast<size_t>(count));
  file.AddSubgraph(tensors, Numbers(count), {0}, {});
  file.AddSubgraph(tensors, Numbers(count), Numbers(count), {});
  return file.Finish();
}

std::vector<uint8_t> ManyInputs(int32_t count) {
  File file;
  file.AddSubgraph(file.Tensors(count), Numbers(count), {0}, {});
  return file.Finish();
}

std::vector<uint8_t> ManyVariables(int32_t count) {
  File file;
  file.AddSubgraph(std::vector(static_cast<size_t>(count), file.variable_), {},
                   {}, {});
  return file.Finish(4 * count);
}

// x -> NEG -> NEG ..., each sum with x.
std::vector<uint8_t> LongChain(int32_t count) {
  File file;
  const int code = file.Code(s::BuiltinOperator_ADD);
  File::Ops ops;
  for (int32_t i = 0; i < count; ++i) {
    ops.push_back(file.Op(code, {0, i}, {i + 1}));
  }
  file.AddSubgraph(file.Tensors(count + 1), {0}, {count}, ops);
  return file.Finish();
}

// Variable i is read at the start, and its value used at the end.
std::vector<uint8_t> ManyHandles(int32_t count) {
  File file;
  const int handle = file.Code(s::BuiltinOperator_VAR_HANDLE);
  const int read = file.Code(s::BuiltinOperator_READ_VARIABLE);
  const int neg = file.Code(s::BuiltinOperator_NEG);
  File::Ops ops;
  for (int32_t i = 0; i < count; ++i) {
    const std::string name = std::to_string(i);
    const auto options =
        s::CreateVarHandleOptionsDirect(file.fbb, "", name.c_str()).Union();
    ops.push_back(
        file.Op(handle, {}, {i}, s::BuiltinOptions_VarHandleOptions, options));
    ops.push_back(file.Op(read, {i}, {count + i}));
  }
  for (int32_t i = 0; i < count; ++i) {
    ops.push_back(file.Op(neg, {count + i}, {2 * count + i}));
  }
  auto tensors = file.Tensors(3 * count);
  std::fill_n(tensors.begin(), count, file.handle_);
  file.AddSubgraph(tensors, {}, {3 * count - 1}, ops);
  return file.Finish();
}

std::vector<uint8_t> ManyCustoms(int32_t count) {
  File file;
  File::Ops ops;
  for (int32_t i = 0; i < count; ++i) {
    const std::string name = "Custom" + std::to_string(i);
    ops.push_back(
        file.Op(file.Code(s::BuiltinOperator_CUSTOM, name.c_str()), {}, {}));
  }
  file.AddSubgraph({}, {}, {}, ops);
  return file.Finish();
}

struct Case {
  const char* name;
  std::vector<uint8_t> (*make)(int32_t count);
  int32_t count;
};

class ManyOf : public ::testing::TestWithParam<Case> {};

// No clock: what is quadratic would take minutes here.
TEST_P(ManyOf, IsPlannedInProportion) {
  const std::vector<uint8_t> file = GetParam().make(GetParam().count);
  auto model = FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file));
  ASSERT_THAT(model, IsOk());
  BuiltinOpResolver resolver;
  InterpreterOptions options;
  options.poison_memory = true;
  auto built = InterpreterBuilder(**model, resolver, options).Build();
  ASSERT_THAT(built, IsOk());
  ASSERT_THAT((*built)->AllocateTensors(), IsOk());
  const auto report = (*built)->ReportMemory();
  ASSERT_THAT(report, IsOk());
  const auto things = static_cast<size_t>(GetParam().count);
  EXPECT_LE(report->chances.size(), 4 * things + 4096);
  EXPECT_LE(report->usage.metadata_bytes,
            static_cast<int64_t>(3000 * things + 20'000'000));
}

INSTANTIATE_TEST_SUITE_P(
    Thing, ManyOf,
    ::testing::Values(Case{"unpacked", Unpacked, 6000},
                      Case{"states", ManyStates, 6000},
                      Case{"inputs", ManyInputs, 6000},
                      Case{"variables", ManyVariables, 100000},
                      Case{"chain", LongChain, 6000},
                      Case{"handles", ManyHandles, 2000}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(ManyCustoms, AreNotAllNamed) {
  const std::vector<uint8_t> file = ManyCustoms(30000);
  auto model = FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file));
  ASSERT_THAT(model, IsOk());
  BuiltinOpResolver resolver;
  const auto built = InterpreterBuilder(**model, resolver).Build();
  EXPECT_THAT(built,
              HasStatus(StatusCode::kUnimplemented, "perhaps others, and"));
  EXPECT_LT(std::strlen(built.message()), 3000u);
}

// The type of many operators has one long name.
TEST(SharedName, OfManyOperatorsIsRefused) {
  File file;
  const std::string name(1 << 20, 'a');
  const int code = file.Code(s::BuiltinOperator_CUSTOM, name.c_str());
  file.AddSubgraph({}, {}, {}, File::Ops(20000, file.Op(code, {}, {})));
  const std::vector<uint8_t> bytes = file.Finish();
  EXPECT_THAT(FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(bytes)),
              HasStatus(StatusCode::kInvalidModel, "lists add up to"));
}

// A few kilobytes that stand for gigabytes of tensors.
TEST(ManyCalls, OfALargeSubgraphAreRefused) {
  for (bool dropped : {false, true}) {
    File file;
    const int call = file.Code(s::BuiltinOperator_CALL);
    const std::vector<int32_t> none;
    const std::vector<int32_t> absent(2000, -1);
    const auto no_inputs = file.fbb.CreateVector(none);
    const auto outputs = file.fbb.CreateVector(dropped ? absent : none);
    const auto options = s::CreateCallOptions(file.fbb, 1).Union();
    File::Ops ops;
    for (int i = 0; i < 200; ++i) {
      ops.push_back(s::CreateOperator(file.fbb, static_cast<uint32_t>(call),
                                      no_inputs, outputs,
                                      s::BuiltinOptions_CallOptions, options));
    }
    file.AddSubgraph({}, {}, {}, ops);
    auto tensors = file.Tensors(2000);
    tensors[0] = file.variable_;  // Nothing has to write it.
    file.AddSubgraph(tensors, {},
                     dropped ? std::vector<int32_t>(2000, 0) : none, {});
    const std::vector<uint8_t> bytes = file.Finish(16000);
    const auto model =
        FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(bytes));
    EXPECT_THAT(model,
                HasStatus(StatusCode::kInvalidModel,
                          dropped ? "lists add up to" : "calls unfold to"));
  }
}

}  // namespace
}  // namespace arenalite
