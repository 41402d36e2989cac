#include "arenalite/op_resolver.h"

namespace arenalite {

Status MutableOpResolver::AddBuiltin(const OpDefinition& definition) {
  return builtins_.Append(&definition);
}

Status MutableOpResolver::AddCustom(const OpDefinition& definition) {
  return customs_.Append(&definition);
}

const OpDefinition* MutableOpResolver::AddedBuiltin(int32_t code) const {
  for (size_t i = builtins_.size(); i > 0; --i) {
    if (builtins_[i - 1]->builtin_code == code) return builtins_[i - 1];
  }
  return nullptr;
}

const OpDefinition* MutableOpResolver::AddedCustom(
    std::string_view name) const {
  for (size_t i = customs_.size(); i > 0; --i) {
    if (name == customs_[i - 1]->name) return customs_[i - 1];
  }
  return nullptr;
}

}  // namespace arenalite
