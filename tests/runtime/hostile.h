// Models of one operator that asks for the impossible: a row for each, and the
// two tests that all rows run through (hostile_models_test.cc).

#ifndef ARENALITE_TESTS_RUNTIME_HOSTILE_H_
#define ARENALITE_TESTS_RUNTIME_HOSTILE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "testing/build.h"
#include "testing/one_op.h"

namespace arenalite {
namespace testing {
namespace hostile {

using Fbb = flatbuffers::FlatBufferBuilder;

constexpr auto kInt = TensorType::kInt32;
constexpr auto kText = TensorType::kString;
constexpr auto kSame = schema::Padding_SAME;
constexpr auto kValid = schema::Padding_VALID;
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr auto kInvalid = StatusCode::kInvalidModel;
constexpr auto kArgument = StatusCode::kInvalidArgument;
constexpr auto kMissing = StatusCode::kUnimplemented;
constexpr auto kRange = StatusCode::kOutOfRange;
constexpr auto kMemory = StatusCode::kResourceExhausted;

// Refused by AllocateTensors at the latest; by Invoke where the operator waits
// for the shape of text.
struct Fault {
  std::string name;
  ModelBuilder model;
  std::string error;  // Behind the operator's place and name.
  StatusCode code = kInvalid;
  bool at_invoke = false;
};
class PrepareFault : public ::testing::TestWithParam<Fault> {};

// Refused by AllocateTensors: output 0 needs more than max_arena_bytes.
struct MemoryFault {
  std::string name;
  ModelBuilder model;
  std::string error;  // Behind the tensor's place and name.
};
class PrepareMemory : public ::testing::TestWithParam<MemoryFault> {};

// Refused by Invoke: input `position` gets the words `bad`. With `good` it
// runs, before and after.
struct DataFault {
  std::string name;
  ModelBuilder model;
  size_t position;
  std::vector<int32_t> bad;
  std::vector<int32_t> good;
  std::string error;
  StatusCode code = kRange;
};
class InvokeFault : public ::testing::TestWithParam<DataFault> {};

inline void PrintTo(const Fault& fault, std::ostream* stream) {
  *stream << fault.name;
}
inline void PrintTo(const MemoryFault& fault, std::ostream* stream) {
  *stream << fault.name;
}
inline void PrintTo(const DataFault& fault, std::ostream* stream) {
  *stream << fault.name;
}

template <class Row>
std::string NameOf(const ::testing::TestParamInfo<Row>& row) {
  return row.param.name;
}

inline Operand Ones(std::vector<int32_t> shape) {
  size_t elements = 1;
  for (const int32_t dim : shape) elements *= static_cast<size_t>(dim);
  return Constant<float>(std::move(shape), std::vector<float>(elements, 1));
}

// Two boxes of two classes and the background, for an operator whose options
// are a FlexBuffer.
inline ModelBuilder DetectionPostProcess(std::vector<uint8_t> options) {
  ModelBuilder b;
  const int boxes = b.AddInput("boxes", TensorType::kFloat32, {1, 2, 4});
  const int scores = b.AddInput("scores", TensorType::kFloat32, {1, 2, 3});
  const int anchors =
      b.AddConstant<float>("anchors", {2, 4}, std::vector<float>(8, 1));
  std::vector<int32_t> out;
  for (const char* name : {"boxes", "classes", "scores", "count"}) {
    out.push_back(b.AddTensor(name, TensorType::kFloat32, {1}));
  }
  b.AddCustomOp("TFLite_Detection_PostProcess", {boxes, scores, anchors}, out,
                std::move(options));
  b.SetOutputs(out);
  return b;
}

// "Conv_stride_h_m1": a name for a number in a row's name.
inline std::string NameWith(const std::string& stem, int64_t number) {
  return stem + (number < 0 ? "_m" : "_") +
         std::to_string(number < 0 ? 0 - static_cast<uint64_t>(number)
                                   : static_cast<uint64_t>(number));
}

}  // namespace hostile
}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_RUNTIME_HOSTILE_H_
