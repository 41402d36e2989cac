// Which operator a node of the file runs.

#ifndef ARENALITE_MODEL_OP_CODE_H_
#define ARENALITE_MODEL_OP_CODE_H_

#include <algorithm>
#include <cstdint>

#include "model_generated.h"

namespace arenalite {

// Old writers filled only the one-byte field; new ones fill both, with 127 in
// the first where the number does not fit.
inline int32_t BuiltinCode(const schema::OperatorCode& code) {
  return std::max<int32_t>(code.builtin_code(), code.deprecated_builtin_code());
}

// "CONV_2D"; a custom operator's own name; "" for an unknown number.
inline const char* OperatorName(const schema::OperatorCode& code) {
  const int32_t builtin = BuiltinCode(code);
  if (builtin == schema::BuiltinOperator_CUSTOM) {
    return code.custom_code() == nullptr ? "CUSTOM"
                                         : code.custom_code()->c_str();
  }
  return schema::EnumNameBuiltinOperator(
      static_cast<schema::BuiltinOperator>(builtin));
}

}  // namespace arenalite

#endif  // ARENALITE_MODEL_OP_CODE_H_
