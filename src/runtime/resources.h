// Resources: the named variables of one interpreter.

#ifndef ARENALITE_RUNTIME_RESOURCES_H_
#define ARENALITE_RUNTIME_RESOURCES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/op_definition.h"
#include "arenalite/status.h"

namespace arenalite {

class Resources {
 public:
  // Numbers count from 0 in the order of first use and stay.
  Result<int32_t> FindOrAdd(const char* container, const char* name);
  // Null when out of range. Moves when one is added.
  ResourceVariable* Find(int32_t id);
  Span<ResourceVariable> all() { return Span<ResourceVariable>(all_); }

  // Before a prepare: shapes are to be said anew.
  void ForgetShapes();
  // All variables become uninitialised.
  void Reset();
  size_t HeapBytes() const { return all_.capacity_bytes(); }

 private:
  Array<ResourceVariable> all_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_RESOURCES_H_
