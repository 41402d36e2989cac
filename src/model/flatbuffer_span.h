// Vectors and strings of the schema as the library's own views.

#ifndef ARENALITE_MODEL_FLATBUFFER_SPAN_H_
#define ARENALITE_MODEL_FLATBUFFER_SPAN_H_

#include <cstdint>
#include <cstring>

#include "arenalite/span.h"
#include "flatbuffers/flatbuffers.h"

namespace arenalite {

// FlatBuffers are little-endian; views point straight into them.
static_assert(FLATBUFFERS_LITTLEENDIAN, "needs a little-endian host");

// Empty for an absent vector.
template <class T>
Span<const T> ToSpan(const flatbuffers::Vector<T>* vector) {
  // The FlatBuffers verifier checks the alignment of the length in front only,
  // and some writers align no more than that.
  static_assert(sizeof(T) <= 4);
  if (vector == nullptr) return {};
  return Span<const T>(reinterpret_cast<const T*>(vector->Data()),
                       vector->size());
}

template <class T>
uint32_t SizeOf(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

inline int64_t ReadInt64(const flatbuffers::Vector<int64_t>* vector,
                         uint32_t i) {
  int64_t value;
  std::memcpy(&value, vector->Data() + size_t{i} * sizeof(value),
              sizeof(value));
  return value;
}

inline const char* ToCString(const flatbuffers::String* text) {
  return text == nullptr ? "" : text->c_str();
}

}  // namespace arenalite

#endif  // ARENALITE_MODEL_FLATBUFFER_SPAN_H_
