#include "conformance/runner.h"

#include <algorithm>
#include <cstring>

namespace arenalite {
namespace conformance {
namespace {

std::vector<int32_t> Dims(const Tensor& tensor) {
  const Span<const int32_t> dims = tensor.shape.dims();
  return std::vector<int32_t>(dims.begin(), dims.end());
}

// Floats in [-1, 1) and bytes of all values; other types zero, because they
// are often indices.
void FillInput(Tensor& tensor, size_t position) {
  const auto bytes = static_cast<size_t>(tensor.bytes);
  if (bytes == 0) return;
  std::memset(tensor.data, 0, bytes);
  uint32_t state = 12345 + static_cast<uint32_t>(position);
  const auto next = [&state] { return state = state * 1664525u + 1013904223u; };
  if (tensor.type == TensorType::kFloat32) {
    for (size_t i = 0; i < bytes / sizeof(float); ++i) {
      tensor.data_as<float>()[i] =
          static_cast<float>(next() >> 8) / 8388608.0f - 1.0f;
    }
  } else if (tensor.type == TensorType::kInt8 ||
             tensor.type == TensorType::kUInt8) {
    for (size_t i = 0; i < bytes; ++i) {
      tensor.data_as<uint8_t>()[i] = static_cast<uint8_t>(next() >> 24);
    }
  }
}

class Run {
 public:
  Run(const std::vector<CaseTensor>& inputs, const RunOptions& options)
      : inputs_(inputs), options_(options) {}

  RunResult Execute(const FlatBufferModel& model) {
    const Status status = Steps(model);
    result_.code = status.code();
    result_.message = status.message();
    return std::move(result_);
  }

 private:
  Status Steps(const FlatBufferModel& model) {
    result_.stage = RunStage::kBuild;
    InterpreterBuilder builder(model, resolver_, options_.interpreter);
    ARENALITE_ASSIGN_OR_RETURN(interpreter_, builder.Build());
    result_.stage = RunStage::kAllocate;
    ARENALITE_RETURN_IF_ERROR(ResizeInputs());
    ARENALITE_RETURN_IF_ERROR(interpreter_->AllocateTensors());
    ARENALITE_RETURN_IF_ERROR(FillInputs(/*only_variables=*/false));
    result_.stage = RunStage::kInvoke;
    ARENALITE_RETURN_IF_ERROR(interpreter_->Invoke());
    for (int i = 0; i < options_.repetitions; ++i) {
      ARENALITE_RETURN_IF_ERROR(interpreter_->ResetVariableTensors());
      ARENALITE_RETURN_IF_ERROR(FillInputs(/*only_variables=*/true));
      ARENALITE_RETURN_IF_ERROR(interpreter_->Invoke());
    }
    ARENALITE_ASSIGN_OR_RETURN(result_.usage, interpreter_->QueryMemory());
    ReadOutputs();
    result_.stage = RunStage::kDone;
    return OkStatus();
  }

  const CaseTensor* Given(size_t i) const {
    return i < inputs_.size() ? &inputs_[i] : nullptr;
  }

  Status ResizeInputs() {
    for (size_t i = 0; i < interpreter_->inputs().size(); ++i) {
      const int index = interpreter_->inputs()[i];
      const Tensor* tensor = interpreter_->tensor(index);
      const CaseTensor* given = Given(i);
      if (tensor == nullptr || given == nullptr || !given->present ||
          !given->typed || tensor->is_constant() ||
          Dims(*tensor) == given->dims) {
        continue;
      }
      ARENALITE_RETURN_IF_ERROR(interpreter_->ResizeInputTensor(
          index, Span<const int32_t>(given->dims)));
    }
    return OkStatus();
  }

  Status FillInputs(bool only_variables) {
    for (size_t i = 0; i < interpreter_->inputs().size(); ++i) {
      const int index = interpreter_->inputs()[i];
      Tensor* tensor = interpreter_->tensor(index);
      const CaseTensor* given = Given(i);
      if (tensor == nullptr || tensor->is_constant()) continue;
      if (only_variables && tensor->memory != TensorMemory::kVariable) continue;
      if (given == nullptr) {
        FillInput(*tensor, i);
        continue;
      }
      if (tensor->type == TensorType::kString) {
        ARENALITE_RETURN_IF_ERROR(interpreter_->SetDynamicInput(
            index, Span<const uint8_t>(given->data)));
        continue;
      }
      if ((given->typed && given->type != tensor->type) ||
          given->data.size() != static_cast<size_t>(tensor->bytes)) {
        return InvalidArgumentError("input ", i, " has ", tensor->bytes,
                                    " bytes of ", TensorTypeName(tensor->type),
                                    ", the stored one ", given->data.size(),
                                    " of ", TensorTypeName(given->type));
      }
      if (tensor->bytes > 0) {
        std::memcpy(tensor->data, given->data.data(), given->data.size());
      }
    }
    return OkStatus();
  }

  void ReadOutputs() {
    for (size_t i = 0; i < interpreter_->outputs().size(); ++i) {
      CaseTensor output;
      const Tensor* tensor = interpreter_->output_tensor(i);
      output.present = tensor != nullptr;
      if (tensor != nullptr) {
        output.type = tensor->type;
        output.dims = Dims(*tensor);
        const auto* data = tensor->data_as<uint8_t>();
        if (tensor->bytes > 0 && data != nullptr) {
          output.data.assign(data, data + tensor->bytes);
        }
      }
      result_.outputs.push_back(std::move(output));
    }
  }

  const std::vector<CaseTensor>& inputs_;
  const RunOptions& options_;
  BuiltinOpResolver resolver_;
  std::unique_ptr<Interpreter> interpreter_;
  RunResult result_;
};

}  // namespace

RunResult RunModel(const FlatBufferModel& model,
                   const std::vector<CaseTensor>& inputs,
                   const RunOptions& options) {
  return Run(inputs, options).Execute(model);
}

}  // namespace conformance
}  // namespace arenalite
