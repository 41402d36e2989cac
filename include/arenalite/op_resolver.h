// OpResolver: which operators an interpreter can run.

#ifndef ARENALITE_OP_RESOLVER_H_
#define ARENALITE_OP_RESOLVER_H_

#include <cstdint>
#include <string_view>

#include "arenalite/array.h"
#include "arenalite/op_definition.h"
#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

// Finds definitions. Must outlive the interpreters that were built with it;
// several of them may share one from several threads, once it is filled.
class OpResolver {
 public:
  virtual ~OpResolver() = default;

  // `code`: the operator's number in the schema. Null when unknown.
  virtual const OpDefinition* FindBuiltin(int32_t code) const = 0;
  // Null when unknown.
  virtual const OpDefinition* FindCustom(std::string_view name) const = 0;
};

// A list that the application fills. Linking one with five operators links
// the code of these five.
class MutableOpResolver : public OpResolver {
 public:
  // Adds a definition (see builtin_ops.h) that must outlive the resolver. Of
  // two for the same operator, the last one wins.
  Status AddBuiltin(const OpDefinition& definition);
  // The same for a custom operator, found by its name.
  Status AddCustom(const OpDefinition& definition);

  const OpDefinition* FindBuiltin(int32_t code) const override;
  const OpDefinition* FindCustom(std::string_view name) const override;

 private:
  Array<const OpDefinition*> builtins_;
  Array<const OpDefinition*> customs_;
};

// Knows every built-in operator, and the custom ones of custom_ops.h.
// AddBuiltin and AddCustom replace single ones.
class BuiltinOpResolver : public MutableOpResolver {
 public:
  const OpDefinition* FindBuiltin(int32_t code) const override;
  const OpDefinition* FindCustom(std::string_view name) const override;
};

}  // namespace arenalite

#endif  // ARENALITE_OP_RESOLVER_H_
