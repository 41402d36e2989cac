#include "testing/model_fields.h"

#include <flatbuffers/minireflect.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "model_generated.h"

namespace arenalite {
namespace testing {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::ReadScalar;
using flatbuffers::TypeCode;
using flatbuffers::TypeTable;

constexpr uint32_t kMaxElements = 16;

const uint8_t* Follow(const uint8_t* offset) {
  return offset + ReadScalar<flatbuffers::uoffset_t>(offset);
}

// The type that `code` refers to; null where there is none.
const TypeTable* Referred(const TypeTable& table, const TypeCode& code) {
  return code.sequence_ref < 0 ? nullptr : table.type_refs[code.sequence_ref]();
}

// The table that a union holds; null for NONE and for types of a later schema.
const TypeTable* Alternative(const TypeTable& union_type, uint8_t type) {
  return type < union_type.num_elems
             ? Referred(union_type, union_type.type_codes[type])
             : nullptr;
}

// Walks a verified file by the tables of types that flatc writes. (That of
// flatbuffers/minireflect.h crashes where a union is there and its type is
// NONE.)
class Walk {
 public:
  explicit Walk(const uint8_t* file) : file_(file) {}

  void Table(const uint8_t* table, const TypeTable& type,
             const std::string& path) {
    const uint8_t* previous = nullptr;  // Before a union, its type.
    for (size_t i = 0; i < type.num_elems; ++i) {
      const uint8_t* value =
          reinterpret_cast<const flatbuffers::Table*>(table)->GetAddressOf(
              flatbuffers::FieldIndexToOffset(
                  static_cast<flatbuffers::voffset_t>(i)));
      // The verifier does not look at what the schema calls deprecated.
      if (value != nullptr && type.names[i] != std::string("deprecated_tag")) {
        const TypeCode& code = type.type_codes[i];
        const TypeTable* referred = Referred(type, code);
        const std::string name = path + type.names[i];
        if (code.is_repeating != 0) {
          Vector(Follow(value), BaseType(code), referred, name);
        } else {
          Value(value, BaseType(code), referred, previous, name);
        }
      }
      previous = value;
    }
  }

  std::vector<ModelField> Take() { return std::move(fields_); }

 private:
  static ElementaryType BaseType(const TypeCode& code) {
    return static_cast<ElementaryType>(code.base_type);
  }

  void Value(const uint8_t* value, ElementaryType type,
             const TypeTable* referred, const uint8_t* union_type,
             const std::string& path) {
    if (type == flatbuffers::ET_STRING) {
      Add(Follow(value), 4, path + ".size");
    } else if (type != flatbuffers::ET_SEQUENCE) {
      Add(value, flatbuffers::InlineSize(type, referred), path);
    } else {
      if (referred->st == flatbuffers::ST_UNION) {
        referred = union_type == nullptr ? nullptr
                                         : Alternative(*referred, *union_type);
      }
      if (referred != nullptr) Table(Follow(value), *referred, path + ".");
    }
  }

  // The schema has no vectors of unions.
  void Vector(const uint8_t* vector, ElementaryType type,
              const TypeTable* referred, const std::string& path) {
    Add(vector, 4, path + ".size");
    uint32_t size = ReadScalar<flatbuffers::uoffset_t>(vector);
    const uint8_t* elements = vector + 4;
    // Tensors' data are vectors of bytes that hold wider numbers.
    if (path.find("].data") != std::string::npos) {
      type = flatbuffers::ET_INT;
      size /= 4;
    }
    if (type != flatbuffers::ET_SEQUENCE) size = std::min(size, kMaxElements);
    const size_t width = flatbuffers::InlineSize(type, referred);
    for (uint32_t i = 0; i < size; ++i) {
      Value(elements + width * i, type, referred, nullptr,
            path + "[" + std::to_string(i) + "]");
    }
  }

  void Add(const uint8_t* value, size_t bytes, const std::string& path) {
    fields_.push_back(
        {static_cast<size_t>(value - file_), static_cast<int>(bytes), path});
  }

  const uint8_t* file_;
  std::vector<ModelField> fields_;
};

}  // namespace

std::vector<ModelField> ModelFields(Span<const uint8_t> file) {
  flatbuffers::Verifier verifier(file.data(), file.size());
  if (!schema::VerifyModelBuffer(verifier)) return {};
  Walk walk(file.data());
  walk.Table(Follow(file.data()), *schema::ModelTypeTable(), "");
  return walk.Take();
}

std::vector<uint64_t> ExtremeValues(int bytes) {
  constexpr auto kMinusOne = ~uint64_t{0};
  std::vector<uint64_t> values = {
      0, 1, 2, 3, 4, 8, 9, kMinusOne, kMinusOne - 1};
  const uint64_t lowest = uint64_t{1} << (8 * bytes - 1);
  values.insert(values.end(), {lowest, lowest - 1, lowest / 2});
  if (bytes == 4) {
    values.insert(values.end(), {1u << 16, 0x7F800000u, 0xFF800000u,
                                 0x7FC00000u, 0x7F7FFFFFu, 0xBF800000u});
  } else if (bytes == 8) {
    values.insert(values.end(), {1ull << 31, 1ull << 32});
  }
  return values;
}

uint64_t GetField(const std::vector<uint8_t>& file, const ModelField& field) {
  uint64_t value = 0;
  std::memcpy(&value, &file[field.offset], static_cast<size_t>(field.bytes));
  return value;
}

void SetField(std::vector<uint8_t>& file, const ModelField& field,
              uint64_t value) {
  std::memcpy(&file[field.offset], &value, static_cast<size_t>(field.bytes));
}

}  // namespace testing
}  // namespace arenalite
