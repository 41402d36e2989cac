#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

Status VerifyBuffer(const Model& model, uint32_t index) {
  const schema::Buffer& buffer = *model.root().buffers()->Get(index);
  const uint64_t end = model.bytes().size();
  const uint64_t offset = buffer.offset();
  if (SizeOf(buffer.data()) > 0 || offset <= 1) return OkStatus();
  if (offset > end || buffer.size() > end - offset) {
    return InvalidModelError("buffer ", index, ": ", buffer.size(),
                             " bytes at byte ", offset,
                             " reach past the end of the file at ", end);
  }
  return OkStatus();
}

}  // namespace

Status VerifyBuffers(const Model& model) {
  const schema::Model& root = model.root();
  const uint32_t count = SizeOf(root.buffers());
  for (uint32_t i = 0; i < count; ++i) {
    ARENALITE_RETURN_IF_ERROR(VerifyBuffer(model, i));
  }
  const uint32_t metadata_count = SizeOf(root.metadata());
  for (uint32_t i = 0; i < metadata_count; ++i) {
    const uint32_t buffer = root.metadata()->Get(i)->buffer();
    if (buffer != 0 && buffer >= count) {
      return InvalidModelError(
          "metadata ", i, " '", MessageName(root.metadata()->Get(i)->name()),
          "': buffer ", buffer, ", the file has ", count, " buffers");
    }
  }
  return OkStatus();
}

}  // namespace arenalite
