#include "conformance/case_reader.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace arenalite {
namespace conformance {
namespace {

constexpr char kMagic[] = "OPCASES1";

// Takes little-endian values off the front; after the end, zeros and !ok().
class Cursor {
 public:
  explicit Cursor(const Bytes& bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  bool at_end() const { return position_ == bytes_.size(); }
  size_t position() const { return position_; }

  template <class T>
  T Take() {
    T value{};
    if (!Available(sizeof(T))) return value;
    std::memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }
  Bytes TakeBytes() {
    const uint32_t size = Take<uint32_t>();
    if (!Available(size)) return {};
    const auto begin = bytes_.begin() + static_cast<ptrdiff_t>(position_);
    position_ += size;
    return Bytes(begin, begin + size);
  }
  std::string TakeString() {
    const Bytes bytes = TakeBytes();
    return std::string(bytes.begin(), bytes.end());
  }
  CaseTensor TakeTensor(bool is_input) {
    CaseTensor tensor;
    if (is_input) tensor.present = Take<uint8_t>() != 0;
    tensor.type = static_cast<TensorType>(Take<uint8_t>());
    const uint32_t rank = Take<uint32_t>();
    for (uint32_t i = 0; i < rank && ok_; ++i) {
      tensor.dims.push_back(Take<int32_t>());
    }
    tensor.data = TakeBytes();
    return tensor;
  }
  std::vector<CaseTensor> TakeTensors(bool are_inputs) {
    std::vector<CaseTensor> tensors;
    const uint32_t count = Take<uint32_t>();
    for (uint32_t i = 0; i < count && ok_; ++i) {
      tensors.push_back(TakeTensor(are_inputs));
    }
    return tensors;
  }

 private:
  bool Available(size_t count) {
    ok_ = ok_ && count <= bytes_.size() - position_;
    return ok_;
  }

  const Bytes& bytes_;
  size_t position_ = 0;
  bool ok_ = true;
};

Case TakeCase(Cursor& cursor) {
  Case result;
  result.name = cursor.TakeString();
  result.op = cursor.TakeString();
  result.op_version = cursor.Take<uint32_t>();
  result.status = static_cast<CaseStatus>(cursor.Take<uint8_t>());
  result.flags = cursor.Take<uint8_t>();
  result.model = cursor.TakeBytes();
  result.inputs = cursor.TakeTensors(true);
  result.outputs = cursor.TakeTensors(false);
  if (cursor.Take<uint8_t>() != 0) {
    result.alternative = cursor.TakeTensors(false);
  }
  return result;
}

}  // namespace

bool ReadFile(const std::string& path, Bytes* bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto* data = reinterpret_cast<const uint8_t*>(text.data());
  bytes->assign(data, data + text.size());
  return !file.bad();
}

std::vector<Case> ReadCases(const std::string& path, std::string* error) {
  Bytes bytes;
  if (!ReadFile(path, &bytes)) {
    *error = path + ": cannot be read";
    return {};
  }
  const size_t magic_size = sizeof(kMagic) - 1;
  if (bytes.size() < magic_size ||
      std::memcmp(bytes.data(), kMagic, magic_size) != 0) {
    *error = path + ": does not start with " + kMagic;
    return {};
  }
  Cursor cursor(bytes);
  cursor.Take<uint64_t>();
  const uint32_t count = cursor.Take<uint32_t>();
  std::vector<Case> cases;
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    cases.push_back(TakeCase(cursor));
  }
  if (!cursor.ok() || !cursor.at_end()) {
    *error = path + ": case " + std::to_string(cases.size()) + " of " +
             std::to_string(count) + " is cut or misread at byte " +
             std::to_string(cursor.position());
    return {};
  }
  return cases;
}

}  // namespace conformance
}  // namespace arenalite
