#include <cstring>

#include "model/verify_parts.h"

namespace arenalite {
namespace {

int64_t ReadInt32(Span<const uint8_t> data, int64_t index) {
  int32_t value;
  std::memcpy(&value, data.data() + index * 4, sizeof(value));
  return value;
}

}  // namespace

// The form: int32 count, int32 offsets[count + 1] from the start, characters.
Status VerifyStrings(Verification& v, Span<const uint8_t> data,
                     int64_t elements) {
  const auto size = static_cast<int64_t>(data.size());
  if (size < 4) {
    return InvalidModelError("string data of ", size,
                             " bytes, at least 4 needed for the count");
  }
  const int64_t count = ReadInt32(data, 0);
  if (count != elements) {
    return InvalidModelError("data of ", count, " strings, the shape needs ",
                             elements);
  }
  int64_t last = 4 * (count + 2);
  if (last > size) {
    return InvalidModelError("string data of ", size, " bytes, ", count,
                             " strings need at least ", last);
  }
  ARENALITE_RETURN_IF_ERROR(v.Charge(static_cast<uint64_t>(count)));
  for (int64_t i = 0; i <= count; ++i) {
    const int64_t offset = ReadInt32(data, i + 1);
    if (offset < last || offset > size) {
      return InvalidModelError("string offset ", i, " is ", offset,
                               ", allowed ", last, "..", size);
    }
    last = offset;
  }
  return OkStatus();
}

}  // namespace arenalite
