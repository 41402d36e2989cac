// In a file of its own: linking it links every built-in operator.

#include "arenalite/op_resolver.h"
#include "kernels/builtin_table.h"

namespace arenalite {

const OpDefinition* BuiltinOpResolver::BuiltinOp(int32_t code) {
  for (const OpDefinition* definition : BuiltinOps()) {
    if (definition->builtin_code == code) return definition;
  }
  return nullptr;
}

const OpDefinition* BuiltinOpResolver::BuiltinCustomOp(std::string_view name) {
  for (const OpDefinition* definition : BuiltinOps()) {
    if (definition->builtin_code == kCustomOpCode && name == definition->name) {
      return definition;
    }
  }
  return nullptr;
}

}  // namespace arenalite
