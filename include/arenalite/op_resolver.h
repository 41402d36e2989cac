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

  // Virtual functions are inline here, so that code with RTTI can derive from
  // these classes.
  const OpDefinition* FindBuiltin(int32_t code) const override {
    return AddedBuiltin(code);
  }
  const OpDefinition* FindCustom(std::string_view name) const override {
    return AddedCustom(name);
  }

 protected:
  const OpDefinition* AddedBuiltin(int32_t code) const;
  const OpDefinition* AddedCustom(std::string_view name) const;

 private:
  Array<const OpDefinition*> builtins_;
  Array<const OpDefinition*> customs_;
};

// Knows every built-in operator, and the custom ones of custom_ops.h.
// AddBuiltin and AddCustom replace single ones.
class BuiltinOpResolver : public MutableOpResolver {
 public:
  const OpDefinition* FindBuiltin(int32_t code) const override {
    const OpDefinition* added = AddedBuiltin(code);
    return added != nullptr ? added : BuiltinOp(code);
  }
  const OpDefinition* FindCustom(std::string_view name) const override {
    const OpDefinition* added = AddedCustom(name);
    return added != nullptr ? added : BuiltinCustomOp(name);
  }

 private:
  static const OpDefinition* BuiltinOp(int32_t code);
  static const OpDefinition* BuiltinCustomOp(std::string_view name);
};

}  // namespace arenalite

#endif  // ARENALITE_OP_RESOLVER_H_
