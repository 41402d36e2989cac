#include "runtime/variable_store.h"

namespace arenalite {

Status VariableStore::Place(VariableSlot& slot, int64_t bytes,
                            int32_t alignment) {
  // Another type of the same size may need another alignment.
  if (slot.bytes == bytes && slot.offset % alignment == 0) return OkStatus();
  if (slot.bytes > 0) ARENALITE_RETURN_IF_ERROR(arena_.Release(slot.offset));
  slot = VariableSlot();
  ARENALITE_ASSIGN_OR_RETURN(slot.offset, arena_.Allocate(bytes, alignment));
  slot.bytes = bytes;
  slot.fresh = true;
  return OkStatus();
}

}  // namespace arenalite
