// VariableStore: places in the persistent arena.

#ifndef ARENALITE_RUNTIME_VARIABLE_STORE_H_
#define ARENALITE_RUNTIME_VARIABLE_STORE_H_

#include <cstdint>

#include "arenalite/status.h"
#include "memory/simple_memory_arena.h"

namespace arenalite {

// The place of one variable; stays where it is while its size stays.
struct VariableSlot {
  int64_t offset = -1;
  int64_t bytes = -1;
  bool fresh = false;  // Its bytes have not been set since it was placed.
};

// Records only; the bytes are ProgramArena's.
class VariableStore {
 public:
  VariableStore() : arena_({}) {}

  // Makes `slot` hold `bytes` at `alignment`, a power of two.
  Status Place(VariableSlot& slot, int64_t bytes, int32_t alignment);
  int64_t required_bytes() const { return arena_.required_bytes(); }

 private:
  SimpleMemoryArena arena_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_VARIABLE_STORE_H_
