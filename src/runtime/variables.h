// Variables: where state lives in the persistent arena.

#ifndef ARENALITE_RUNTIME_VARIABLES_H_
#define ARENALITE_RUNTIME_VARIABLES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "runtime/program.h"
#include "runtime/resources.h"
#include "runtime/variable_store.h"

namespace arenalite {

// Places variable tensors of programs, and the named variables they share.
class Variables {
 public:
  // `alignment`: a power of two, of every place.
  Variables(Resources& resources, int32_t alignment)
      : resources_(resources), alignment_(alignment) {}

  // Gives every variable of a prepared program a place of its size; one whose
  // size is the same stays. `slots` are the program's, one for each tensor.
  Status Place(const Program& program, Array<VariableSlot>& slots);
  // Points variables and what shows them into `persistent`.
  void Bind(Program& program, const Array<VariableSlot>& slots,
            uint8_t* persistent);
  // Variable tensors go to their zero; with `only_fresh` those that have a new
  // place.
  static void Reset(Program& program, Array<VariableSlot>& slots,
                    bool only_fresh);

  int64_t required_bytes() const { return store_.required_bytes(); }
  size_t HeapBytes() const { return named_.capacity_bytes(); }

 private:
  Resources& resources_;
  const int32_t alignment_;
  Array<VariableSlot> named_;
  VariableStore store_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_VARIABLES_H_
