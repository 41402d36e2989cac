#include "testing/op_runner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

constexpr size_t kAlignment = 64;

}  // namespace

int OpRunner::AddTensor(TensorType type, std::vector<float> scales,
                        std::vector<int64_t> zero_points,
                        int channel_dimension) {
  if (!scales.empty() && zero_points.empty()) {
    zero_points.assign(scales.size(), 0);
  }
  scales_.push_back(std::move(scales));
  zero_points_.push_back(std::move(zero_points));
  Tensor tensor;
  tensor.name = "t";
  tensor.type = type;
  tensor.quantization.scales = Span<const float>(scales_.back());
  tensor.quantization.zero_points = Span<const int64_t>(zero_points_.back());
  tensor.quantization.quantized_dimension = channel_dimension;
  tensors_.push_back(tensor);
  return static_cast<int>(tensors_.size()) - 1;
}

uint8_t* OpRunner::NewMemory(int64_t bytes) {
  memory_.emplace_back(static_cast<size_t>(bytes) + kAlignment, uint8_t{0xA5});
  const auto address = reinterpret_cast<uintptr_t>(memory_.back().data());
  return memory_.back().data() + (kAlignment - address % kAlignment);
}

int OpRunner::AddInputBytes(TensorType type, const Shape& shape, Bytes bytes,
                            std::vector<float> scales,
                            std::vector<int64_t> zero_points,
                            int channel_dimension, bool constant) {
  const int index = AddTensor(type, std::move(scales), std::move(zero_points),
                              channel_dimension);
  Tensor& tensor = tensors_[Index(index)];
  tensor.shape = shape;
  tensor.bytes = static_cast<int64_t>(bytes.size());
  tensor.memory = constant ? TensorMemory::kConstant : TensorMemory::kArena;
  tensor.data = NewMemory(tensor.bytes);
  std::copy(bytes.begin(), bytes.end(), tensor.data_as<uint8_t>());
  inputs_.push_back(index);
  return static_cast<int>(inputs_.size()) - 1;
}

int OpRunner::AddRandomInput(TensorType type, const Shape& shape,
                             std::mt19937& random, std::vector<float> scales,
                             std::vector<int64_t> zero_points,
                             int channel_dimension, bool constant) {
  Bytes bytes(static_cast<size_t>(TensorBytes(type, shape).value()));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  if (type == TensorType::kFloat32) {
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      const float value = uniform(random);
      std::memcpy(&bytes[i], &value, 4);
    }
  }
  if (type == TensorType::kBool) {
    for (uint8_t& byte : bytes) byte &= 1;
  }
  return AddInputBytes(type, shape, std::move(bytes), std::move(scales),
                       std::move(zero_points), channel_dimension, constant);
}

int OpRunner::AddOutput(TensorType type, std::vector<float> scales,
                        std::vector<int64_t> zero_points) {
  const int index =
      AddTensor(type, std::move(scales), std::move(zero_points), 0);
  tensors_[Index(index)].memory = TensorMemory::kArena;
  outputs_.push_back(index);
  return static_cast<int>(outputs_.size()) - 1;
}

Status OpRunner::Prepare() {
  source_.num_inputs = static_cast<int>(inputs_.size());
  source_.num_outputs = static_cast<int>(outputs_.size());
  options_ = std::make_unique<uint64_t[]>(definition_.options_bytes / 8 + 1);
  if (definition_.parse != nullptr) {
    ARENALITE_RETURN_IF_ERROR(definition_.parse(source_, options_.get()));
  }
  wiring_.tensors = tensors_.data();
  wiring_.inputs = Span<const int32_t>(inputs_);
  wiring_.outputs = Span<const int32_t>(outputs_);
  wiring_.options = options_.get();
  wiring_.eval = definition_.eval;
  OpContext context(wiring_, *this);
  ARENALITE_RETURN_IF_ERROR(definition_.prepare(context));
  for (int32_t output : outputs_) {
    Tensor& tensor = tensors_[Index(output)];
    if (!tensor.is_dynamic()) tensor.data = NewMemory(tensor.bytes);
  }
  for (Scratch& scratch : scratch_) scratch.data = NewMemory(scratch.bytes);
  wiring_.scratch = Span<Scratch>(scratch_);
  return OkStatus();
}

Status OpRunner::Run() {
  OpContext context(wiring_, *this);
  return wiring_.eval(context);
}

Status OpRunner::PrepareAndRun() {
  ARENALITE_RETURN_IF_ERROR(Prepare());
  return Run();
}

int64_t OpRunner::Overlap(int output, int input) {
  if (definition_.overlap == nullptr) return kNoOverlap;
  OpContext context(wiring_, *this);
  return definition_.overlap(context, output, input);
}

bool OpRunner::EqualAtDistance(int output, int input, int64_t distance) {
  std::vector<Bytes> expected;
  for (int32_t index : outputs_) {
    const uint8_t* data = tensors_[Index(index)].data_as<uint8_t>();
    expected.emplace_back(data, data + tensors_[Index(index)].bytes);
  }
  const std::vector<Tensor> saved = tensors_;
  Tensor& out = tensor_of_output(output);
  Tensor& in = tensor_of_input(input);
  // Everything apart from the pair stays where it is; outputs are poisoned.
  for (int32_t index : outputs_) {
    Tensor& tensor = tensors_[Index(index)];
    std::memset(tensor.data, 0x5A, static_cast<size_t>(tensor.bytes));
  }
  const int64_t low = std::min<int64_t>(0, distance);
  const int64_t high = std::max(in.bytes, distance + out.bytes);
  uint8_t* base = NewMemory(high - low + 64);
  uint8_t* in_data = base - low;
  // Keep natural alignment of both: distances are multiples of elements.
  in_data += (64 - (in_data - base) % 64) % 64;
  std::memset(in_data + distance, 0x5A, static_cast<size_t>(out.bytes));
  std::memcpy(in_data, in.data, static_cast<size_t>(in.bytes));
  in.data = in_data;
  out.data = in_data + distance;
  bool equal = Run().ok();
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Tensor& tensor = tensors_[Index(outputs_[i])];
    equal = equal && std::equal(expected[i].begin(), expected[i].end(),
                                tensor.data_as<uint8_t>());
  }
  tensors_ = saved;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    std::copy(expected[i].begin(), expected[i].end(),
              tensors_[Index(outputs_[i])].data_as<uint8_t>());
  }
  memory_.pop_back();
  return equal;
}

void* OpRunner::AllocateData(size_t bytes) {
  memory_.emplace_back(bytes + kAlignment, uint8_t{0});
  const auto address = reinterpret_cast<uintptr_t>(memory_.back().data());
  return memory_.back().data() + (kAlignment - address % kAlignment);
}

Status OpRunner::SetShape(Tensor& tensor, const Shape& shape) {
  ARENALITE_ASSIGN_OR_RETURN(tensor.bytes, TensorBytes(tensor.type, shape));
  tensor.shape = shape;
  return OkStatus();
}

Status OpRunner::SetDynamic(Tensor& tensor) {
  tensor.memory = TensorMemory::kDynamic;
  return OkStatus();
}

Result<int> OpRunner::RequestScratch(int64_t bytes) {
  scratch_.push_back({bytes, nullptr});
  return static_cast<int>(scratch_.size()) - 1;
}

Status OpRunner::ResizeDynamic(Tensor& tensor, const Shape& shape,
                               int64_t string_bytes) {
  if (tensor.type == TensorType::kString) {
    tensor.bytes = string_bytes;
  } else {
    ARENALITE_ASSIGN_OR_RETURN(tensor.bytes, TensorBytes(tensor.type, shape));
  }
  tensor.shape = shape;
  tensor.data = NewMemory(tensor.bytes);
  return OkStatus();
}

bool OpRunner::HasValue(const Tensor& tensor) const {
  return tensor.is_constant();
}

void CheckOverlapContract(OpRunner& runner, int num_inputs, int num_outputs,
                          std::mt19937& random, int* caught) {
  for (int o = 0; o < num_outputs; ++o) {
    for (int i = 0; i < num_inputs; ++i) {
      if (!runner.has_input(i) || runner.tensor_of_input(i).is_constant()) {
        continue;
      }
      const int64_t distance = runner.Overlap(o, i);
      const Tensor& out = runner.tensor_of_output(o);
      if (distance == kNoOverlap || out.bytes + distance <= 0) continue;
      const int64_t step =
          std::max(TensorTypeAlignment(out.type),
                   TensorTypeAlignment(runner.tensor_of_input(i).type));
      int64_t at = distance - ((distance % step) + step) % step;
      EXPECT_TRUE(runner.EqualAtDistance(o, i, at))
          << "output " << o << ", input " << i << ", distance " << at;
      if (!runner.EqualAtDistance(o, i, at + step)) ++*caught;
      at -= step * static_cast<int64_t>(random() % 64);
      EXPECT_TRUE(runner.EqualAtDistance(o, i, at))
          << "output " << o << ", input " << i << ", distance " << at;
    }
  }
}

}  // namespace testing
}  // namespace arenalite
