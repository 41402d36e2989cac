// OpRunner: runs one operator definition on tensors of a test, without a
// model: parse, prepare, eval, and eval at a chosen overlap.

#ifndef ARENALITE_TESTS_TESTING_OP_RUNNER_H_
#define ARENALITE_TESTS_TESTING_OP_RUNNER_H_

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "arenalite/op_definition.h"
#include "flatbuffers/flatbuffers.h"
#include "model_generated.h"

namespace arenalite {
namespace testing {

using Bytes = std::vector<uint8_t>;

class OpRunner final : private OpHost {
 public:
  explicit OpRunner(const OpDefinition& definition, int version = 1)
      : definition_(definition) {
    source_.version = version;
  }

  // An input with data; constants have their value in prepare. Returns the
  // input's position.
  template <class T>
  int AddInput(const Shape& shape, const std::vector<T>& values,
               std::vector<float> scales = {},
               std::vector<int64_t> zero_points = {}, int channel_dimension = 0,
               bool constant = false) {
    Bytes bytes(values.size() * sizeof(T));
    if (!bytes.empty()) {
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return AddInputBytes(TensorTypeOf<T>::kValue, shape, std::move(bytes),
                         std::move(scales), std::move(zero_points),
                         channel_dimension, constant);
  }
  template <class T>
  int AddConstant(const Shape& shape, const std::vector<T>& values,
                  std::vector<float> scales = {},
                  std::vector<int64_t> zero_points = {},
                  int channel_dimension = 0) {
    return AddInput(shape, values, std::move(scales), std::move(zero_points),
                    channel_dimension, true);
  }
  int AddInputBytes(TensorType type, const Shape& shape, Bytes bytes,
                    std::vector<float> scales, std::vector<int64_t> zero_points,
                    int channel_dimension, bool constant);
  // Seeded: float in [-1, 1), integers over the whole range, bool 0 or 1.
  int AddRandomInput(TensorType type, const Shape& shape, std::mt19937& random,
                     std::vector<float> scales = {},
                     std::vector<int64_t> zero_points = {},
                     int channel_dimension = 0, bool constant = false);
  void AddAbsentInput() { inputs_.push_back(-1); }
  int AddOutput(TensorType type, std::vector<float> scales = {},
                std::vector<int64_t> zero_points = {});

  // SetOptions([](auto& b) { return schema::CreateAddOptions(b, ...); })
  template <class Create>
  void SetOptions(schema::BuiltinOptions type, Create create) {
    options_buffer_.Finish(create(options_buffer_));
    source_.builtin_options = flatbuffers::GetRoot<flatbuffers::Table>(
        options_buffer_.GetBufferPointer());
    source_.builtin_options_type = type;
  }
  // The same for options in the second union.
  template <class Create>
  void SetOptions2(schema::BuiltinOptions2 type, Create create) {
    options_buffer_.Finish(create(options_buffer_));
    source_.builtin_options_2 = flatbuffers::GetRoot<flatbuffers::Table>(
        options_buffer_.GetBufferPointer());
    source_.builtin_options_2_type = type;
  }
  // The operator of every subgraph that options name.
  void SetBody(int32_t builtin_code) {
    body_.code = builtin_code;
    source_.subgraphs = &body_;
  }
  void SetCustomOptions(Bytes bytes) {
    custom_options_ = std::move(bytes);
    source_.custom_options = Span<const uint8_t>(custom_options_);
  }

  // parse + prepare; sizes the outputs. Must be called once, before the rest.
  Status Prepare();
  // eval with all tensors in memory of their own. Fills output(i).
  Status Run();
  // Prepare + Run.
  Status PrepareAndRun();

  // D of the definition for this pair, after Prepare.
  int64_t Overlap(int output, int input);
  // eval with the output's address = the input's address + `distance`, all
  // other tensors apart. True when every output byte equals Run()'s. Run()
  // must have succeeded. Inputs are restored afterwards.
  bool EqualAtDistance(int output, int input, int64_t distance);

  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return static_cast<int>(outputs_.size()); }
  bool has_input(int i) const { return inputs_[Index(i)] >= 0; }
  Tensor& tensor_of_input(int i) { return tensors_[Index(inputs_[Index(i)])]; }
  Tensor& tensor_of_output(int i) {
    return tensors_[Index(outputs_[Index(i)])];
  }
  template <class T>
  std::vector<T> output(int i) {
    const Tensor& tensor = tensor_of_output(i);
    std::vector<T> values(static_cast<size_t>(tensor.bytes) / sizeof(T));
    if (tensor.bytes > 0) {
      std::memcpy(values.data(), tensor.data,
                  static_cast<size_t>(tensor.bytes));
    }
    return values;
  }

 private:
  static size_t Index(int i) { return static_cast<size_t>(i); }
  struct Body final : SubgraphCatalog {
    int32_t code = OpSource::kNoOperator;
    Result<int32_t> OnlyOperator(int32_t) const override { return code; }
  };

  int AddTensor(TensorType type, std::vector<float> scales,
                std::vector<int64_t> zero_points, int channel_dimension);
  uint8_t* NewMemory(int64_t bytes);

  void* AllocateData(size_t bytes) override;
  Status SetShape(Tensor& tensor, const Shape& shape) override;
  Status SetDynamic(Tensor& tensor) override;
  Result<int> RequestScratch(int64_t bytes) override;
  Status ResizeDynamic(Tensor& tensor, const Shape& shape,
                       int64_t string_bytes) override;
  bool HasValue(const Tensor& tensor) const override;

  const OpDefinition& definition_;
  OpSource source_;
  Body body_;
  flatbuffers::FlatBufferBuilder options_buffer_;
  Bytes custom_options_;
  std::unique_ptr<uint64_t[]> options_;
  std::vector<Tensor> tensors_;
  std::vector<int32_t> inputs_;
  std::vector<int32_t> outputs_;
  std::deque<Bytes> memory_;  // Every block handed out, never moved.
  std::deque<std::vector<float>> scales_;
  std::deque<std::vector<int64_t>> zero_points_;
  std::vector<Scratch> scratch_;
  OpContext::Wiring wiring_;
};

// The contract of DESIGN section 4 for one configured runner: at D, and at
// random smaller distances, every pair gives the bytes of separate buffers.
// Adds 1 to `*caught` for each pair where D + one element gives others.
void CheckOverlapContract(OpRunner& runner, int num_inputs, int num_outputs,
                          std::mt19937& random, int* caught);

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_OP_RUNNER_H_
