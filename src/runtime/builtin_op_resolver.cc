// In a file of its own: linking it links every built-in operator.

#include "arenalite/op_resolver.h"
#include "kernels/builtin_table.h"

namespace arenalite {

const OpDefinition* BuiltinOpResolver::FindBuiltin(int32_t code) const {
  const OpDefinition* added = MutableOpResolver::FindBuiltin(code);
  if (added != nullptr) return added;
  for (const OpDefinition* definition : BuiltinOps()) {
    if (definition->builtin_code == code) return definition;
  }
  return nullptr;
}

const OpDefinition* BuiltinOpResolver::FindCustom(std::string_view name) const {
  const OpDefinition* added = MutableOpResolver::FindCustom(name);
  if (added != nullptr) return added;
  for (const OpDefinition* definition : BuiltinOps()) {
    if (definition->builtin_code == kCustomOpCode && name == definition->name) {
      return definition;
    }
  }
  return nullptr;
}

}  // namespace arenalite
