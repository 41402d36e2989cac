#include "kernels/sparse_index.h"

#include <cstring>

#include "model_generated.h"

namespace arenalite {
namespace {

template <class Table>
IndexArray MakeIndexArray(const Table* table) {
  if (table == nullptr || table->values() == nullptr) return {};
  const auto* values = table->values();
  return {values->Data(), int64_t{values->size()},
          static_cast<int>(sizeof(*values->data()))};
}

}  // namespace

IndexArray FindIndexArray(int32_t type, const void* vector) {
  switch (type) {
    case schema::SparseIndexVector_Int32Vector:
      return MakeIndexArray(static_cast<const schema::Int32Vector*>(vector));
    case schema::SparseIndexVector_Uint16Vector:
      return MakeIndexArray(static_cast<const schema::Uint16Vector*>(vector));
    case schema::SparseIndexVector_Uint8Vector:
      return MakeIndexArray(static_cast<const schema::Uint8Vector*>(vector));
    default:
      return {};
  }
}

int64_t IndexArray::operator[](int64_t i) const {
  if (width == 1) return data[i];
  if (width == 2) {
    uint16_t value;
    std::memcpy(&value, data + 2 * i, sizeof(value));
    return value;
  }
  int32_t value;
  std::memcpy(&value, data + 4 * i, sizeof(value));
  return value;
}

}  // namespace arenalite
