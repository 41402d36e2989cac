// The schema table with an operator's options.

#ifndef ARENALITE_KERNELS_OPTIONS_H_
#define ARENALITE_KERNELS_OPTIONS_H_

#include "arenalite/op_definition.h"
#include "model_generated.h"

namespace arenalite {

// Null when the operator carries none, or the table of another operator.
template <class Table>
const Table* OptionsTable(const OpSource& source) {
  if (source.builtin_options_type !=
      schema::BuiltinOptionsTraits<Table>::enum_value) {
    return nullptr;
  }
  return static_cast<const Table*>(source.builtin_options);
}

// The same for operators whose options lie in the second union.
template <class Table>
const Table* OptionsTable2(const OpSource& source) {
  if (source.builtin_options_2_type !=
      schema::BuiltinOptions2Traits<Table>::enum_value) {
    return nullptr;
  }
  return static_cast<const Table*>(source.builtin_options_2);
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_OPTIONS_H_
