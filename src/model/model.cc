#include "model/model.h"

#include <algorithm>

#include "flatbuffers/verifier.h"
#include "model/flatbuffer_span.h"
#include "model/verify_model.h"

namespace arenalite {
namespace {

// Identifier "TFL3" stands behind the 4-byte offset of the root table.
constexpr size_t kHeaderBytes = 8;

// A table that nothing else shares takes at least 8 bytes: its own start and
// the offset that points at it. So this limit refuses only files that use one
// table many times over, and keeps the time to verify and the heap of a graph
// in proportion to the file.
constexpr uint64_t kBytesPerTable = 8;
constexpr uint64_t kMinTables = 64;
constexpr uint64_t kMaxTables = 4000000;
// Real files nest 6 deep.
constexpr flatbuffers::uoffset_t kMaxDepth = 32;

uint32_t ReadLittleEndian32(const uint8_t* bytes) {
  return bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 |
         uint32_t{bytes[3]} << 24;
}

// Four bytes as text where they are printable, else "0x" and hexadecimal.
class IdentifierText {
 public:
  explicit IdentifierText(const uint8_t* bytes) {
    const bool printable = std::all_of(
        bytes, bytes + 4, [](uint8_t c) { return c >= 0x20 && c < 0x7F; });
    size_ = printable ? 6 : 10;
    text_[0] = printable ? '\'' : '0';
    text_[1] = 'x';
    text_[5] = '\'';
    for (int i = 0; i < 4; ++i) {
      if (printable) {
        text_[1 + i] = static_cast<char>(bytes[i]);
      } else {
        text_[2 + 2 * i] = "0123456789ABCDEF"[bytes[i] >> 4];
        text_[3 + 2 * i] = "0123456789ABCDEF"[bytes[i] & 15];
      }
    }
  }
  std::string_view view() const { return {text_, size_}; }

 private:
  char text_[10];
  size_t size_;
};

Status VerifyHeader(Span<const uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes) {
    return InvalidModelError("not a model: ", bytes.size(),
                             " bytes found, at least ", kHeaderBytes,
                             " needed");
  }
  const uint8_t* identifier = bytes.data() + 4;
  if (!std::equal(identifier, identifier + 4, schema::ModelIdentifier())) {
    return InvalidModelError("not a model: ", bytes.size(),
                             " bytes with file identifier ",
                             IdentifierText(identifier).view(), ", needed '",
                             schema::ModelIdentifier(), "'");
  }
  const uint32_t root = ReadLittleEndian32(bytes.data());
  if (root >= bytes.size()) {
    return InvalidModelError("truncated: the root table is at byte ", root,
                             ", the file ends at ", bytes.size());
  }
  return OkStatus();
}

Status VerifyStructure(Span<const uint8_t> bytes) {
  // Offsets are 31 bits wide: what lies beyond is reachable only by the
  // 64-bit offsets of buffers and custom options, checked apart.
  const size_t size = std::min<size_t>(
      bytes.size(), static_cast<size_t>(FLATBUFFERS_MAX_BUFFER_SIZE) - 1);
  flatbuffers::Verifier::Options options;
  options.max_depth = kMaxDepth;
  options.max_tables = static_cast<flatbuffers::uoffset_t>(
      std::min(kMaxTables, kMinTables + size / kBytesPerTable));
  flatbuffers::Verifier verifier(bytes.data(), size, options);
  if (!schema::VerifyModelBuffer(verifier)) {
    return InvalidModelError(
        "truncated or damaged: starts as a model, but its tables do not lie "
        "within the ",
        bytes.size(), " bytes found, or are malformed");
  }
  return OkStatus();
}

}  // namespace

Result<Model> Model::Create(Span<const uint8_t> bytes) {
  ARENALITE_RETURN_IF_ERROR(VerifyHeader(bytes));
  ARENALITE_RETURN_IF_ERROR(VerifyStructure(bytes));
  Model model(bytes, schema::GetModel(bytes.data()));
  ARENALITE_RETURN_IF_ERROR(VerifyModel(model));
  return model;
}

Span<const uint8_t> Model::BufferData(uint32_t index) const {
  const auto* buffers = root_->buffers();
  // Many writers leave out even the empty buffer 0.
  if (buffers == nullptr || index >= buffers->size()) return {};
  const schema::Buffer* buffer = buffers->Get(index);
  const Span<const uint8_t> inside = ToSpan(buffer->data());
  if (!inside.empty()) return inside;
  return OutsideData(buffer->offset(), buffer->size());
}

Span<const uint8_t> Model::OutsideData(uint64_t offset, uint64_t size) const {
  // Writers put 0 or 1 where there is none.
  if (offset <= 1) return {};
  return bytes_.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

}  // namespace arenalite
