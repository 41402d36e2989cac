#include "arenalite/signature_runner.h"

#include <cstring>

#include "runtime/interpreter_core.h"

namespace arenalite {
namespace {

using Binding = SignatureInfo::Binding;

const Binding* Find(const Array<Binding>& bindings, const char* name) {
  for (const Binding& binding : bindings) {
    if (name != nullptr && std::strcmp(binding.name, name) == 0) {
      return &binding;
    }
  }
  return nullptr;
}

const char* NameAt(const Array<Binding>& bindings, size_t i) {
  return i < bindings.size() ? bindings[i].name : nullptr;
}

}  // namespace

const char* SignatureRunner::key() const { return info_->key; }
size_t SignatureRunner::input_size() const { return info_->inputs.size(); }
size_t SignatureRunner::output_size() const { return info_->outputs.size(); }

const char* SignatureRunner::input_name(size_t i) const {
  return NameAt(info_->inputs, i);
}

const char* SignatureRunner::output_name(size_t i) const {
  return NameAt(info_->outputs, i);
}

Tensor* SignatureRunner::input_tensor(const char* name) {
  const Binding* binding = Find(info_->inputs, name);
  return binding ? &core_->entry(entry_).program.tensor({0, binding->tensor})
                 : nullptr;
}

Tensor* SignatureRunner::output_tensor(const char* name) {
  const Binding* binding = Find(info_->outputs, name);
  return binding ? &core_->entry(entry_).program.tensor({0, binding->tensor})
                 : nullptr;
}

Result<int32_t> SignatureRunner::InputIndex(const char* name) const {
  const Binding* binding = Find(info_->inputs, name);
  if (binding != nullptr) return binding->tensor;
  return NotFoundError("signature '", info_->key, "' has no input '", name,
                       "'");
}

Status SignatureRunner::ResizeInputTensor(const char* name,
                                          Span<const int32_t> dims) {
  ARENALITE_ASSIGN_OR_RETURN(const int32_t tensor, InputIndex(name));
  return core_->ResizeInput(entry_, tensor, dims);
}

Status SignatureRunner::ResizeInputTensorStrict(const char* name,
                                                Span<const int32_t> dims) {
  ARENALITE_ASSIGN_OR_RETURN(const int32_t tensor, InputIndex(name));
  return core_->ResizeInputStrict(entry_, tensor, dims);
}

Status SignatureRunner::SetMaximumInputShape(const char* name,
                                             Span<const int32_t> dims) {
  ARENALITE_ASSIGN_OR_RETURN(const int32_t tensor, InputIndex(name));
  return core_->SetMaximum(entry_, tensor, dims);
}

Status SignatureRunner::AllocateTensors() {
  return core_->AllocateTensors(entry_);
}

Status SignatureRunner::Invoke() { return core_->Invoke(entry_); }

}  // namespace arenalite
