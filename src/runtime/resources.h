// Resources: the named variables of one interpreter, and which subgraphs have
// set them up.

#ifndef ARENALITE_RUNTIME_RESOURCES_H_
#define ARENALITE_RUNTIME_RESOURCES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/op_definition.h"
#include "arenalite/status.h"

namespace arenalite {

// Type and shape of a variable, as a prepare left them.
struct ResourceShape {
  bool known = false;  // That prepare gave it.
  bool given = false;  // Some prepare has ever given one.
  TensorType type = TensorType::kFloat32;
  Shape shape;
  int64_t bytes = 0;
};

class Resources {
 public:
  // For a model of so many subgraphs.
  Status Init(size_t subgraphs) { return has_run_.Resize(subgraphs); }

  // Numbers count from 0 in the order of first use and stay.
  Result<int32_t> FindOrAdd(const char* container, const char* name);
  // Null when out of range. Moves when one is added.
  ResourceVariable* Find(int32_t id);
  Span<ResourceVariable> all() { return Span<ResourceVariable>(all_); }

  // CALL_ONCE runs a subgraph once from reset to reset, whoever calls it.
  bool HasRun(int32_t subgraph) const {
    return has_run_[static_cast<size_t>(subgraph)] != 0;
  }
  void MarkRun(int32_t subgraph) {
    has_run_[static_cast<size_t>(subgraph)] = 1;
  }

  // Before a prepare: shapes are to be said anew.
  void ForgetShapes();
  // All shapes, as they are now.
  Status SaveShapes(Array<ResourceShape>& shapes) const;
  // True when a variable whose shape was given by then has another one now.
  bool DifferFrom(const Array<ResourceShape>& shapes) const;
  // Sets and returns shapes instead of a prepare; one for each variable.
  void ExchangeShapes(Array<ResourceShape>& shapes);

  // All variables become uninitialised; no subgraph has run.
  void Reset();
  size_t HeapBytes() const {
    return all_.capacity_bytes() + hashes_.capacity_bytes() +
           given_.capacity_bytes() + has_run_.capacity_bytes();
  }

 private:
  ResourceShape ShapeOf(size_t i) const;

  Array<ResourceVariable> all_;
  Array<uint64_t> hashes_;  // Of their names.
  Array<uint8_t> given_;    // Of each: some prepare has given a shape.
  Array<uint8_t> has_run_;  // Of each subgraph.
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_RESOURCES_H_
