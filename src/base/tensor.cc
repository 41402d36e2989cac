#include "arenalite/tensor.h"

#include "base/checked_math.h"

namespace arenalite {
namespace {

struct TypeRow {
  const char* name;
  int bits;
  int alignment;
};

// Indexed by TensorType.
constexpr TypeRow kTypes[] = {
    {"FLOAT32", 32, 4},      {"FLOAT16", 16, 2},    {"INT32", 32, 4},
    {"UINT8", 8, 1},         {"INT64", 64, 8},      {"STRING", 0, 4},
    {"BOOL", 8, 1},          {"INT16", 16, 2},      {"COMPLEX64", 64, 4},
    {"INT8", 8, 1},          {"FLOAT64", 64, 8},    {"COMPLEX128", 128, 8},
    {"UINT64", 64, 8},       {"RESOURCE", 32, 4},   {"VARIANT", 0, 8},
    {"UINT32", 32, 4},       {"UINT16", 16, 2},     {"INT4", 4, 1},
    {"BFLOAT16", 16, 2},     {"INT2", 2, 1},        {"UINT4", 4, 1},
    {"FLOAT8_E4M3FN", 8, 1}, {"FLOAT8_E5M2", 8, 1},
};

const TypeRow* FindType(TensorType type) {
  const auto index = static_cast<size_t>(type);
  return index < sizeof(kTypes) / sizeof(kTypes[0]) ? &kTypes[index] : nullptr;
}

}  // namespace

const char* TensorTypeName(TensorType type) {
  const TypeRow* row = FindType(type);
  return row ? row->name : "UNKNOWN";
}

int TensorTypeBits(TensorType type) {
  const TypeRow* row = FindType(type);
  return row ? row->bits : 0;
}

int TensorTypeAlignment(TensorType type) {
  const TypeRow* row = FindType(type);
  return row ? row->alignment : 1;
}

Shape::Shape(std::initializer_list<int32_t> dims) {
  for (int32_t dim : dims) dims_[rank_++] = dim;
}

Result<Shape> Shape::Create(Span<const int32_t> dims) {
  if (dims.size() > kMaxRank) {
    return UnimplementedError("rank ", dims.size(), ", supported 0..",
                              kMaxRank);
  }
  Shape shape;
  int64_t product = 1;
  for (int32_t dim : dims) {
    if (dim < 0) {
      return InvalidArgumentError("dimension ", dim, " of shape ", dims,
                                  " is negative: allowed 0..2147483647");
    }
    if (!CheckedMul(product, dim == 0 ? 1 : dim, &product)) {
      return InvalidArgumentError("the element count of shape ", dims,
                                  " overflows 64 bits");
    }
    shape.dims_[shape.rank_++] = dim;
  }
  return shape;
}

int64_t Shape::NumElements(int first, int last) const {
  int64_t product = 1;
  for (int i = first; i < last; ++i) product *= dims_[i];
  return product;
}

bool operator==(const Shape& a, const Shape& b) {
  if (a.rank_ != b.rank_) return false;
  for (int i = 0; i < a.rank_; ++i) {
    if (a.dims_[i] != b.dims_[i]) return false;
  }
  return true;
}

Result<int64_t> TensorBytes(TensorType type, const Shape& shape) {
  const int bits = TensorTypeBits(type);
  if (bits == 0) {
    return InvalidArgumentError("elements of type ", TensorTypeName(type),
                                " have no fixed size");
  }
  int64_t elements = 1;
  bool fits = true;
  bool is_empty = false;
  for (int32_t dim : shape.dims()) {
    is_empty = is_empty || dim == 0;
    // As for Shape::Create, a zero hides no overflow: the product of any
    // dimensions fits then.
    fits =
        fits && dim >= 0 && CheckedMul(elements, dim == 0 ? 1 : dim, &elements);
  }
  if (fits && is_empty) return int64_t{0};
  int64_t total = 0;
  if (!fits || !CheckedMul(elements, bits, &total)) {
    return InvalidArgumentError("shape ", shape.dims(), " of type ",
                                TensorTypeName(type),
                                " has a byte count that overflows");
  }
  return total / 8 + (total % 8 != 0);
}

const char* TensorMemoryName(TensorMemory memory) {
  switch (memory) {
    case TensorMemory::kNone:
      return "none";
    case TensorMemory::kConstant:
      return "constant";
    case TensorMemory::kArena:
      return "arena";
    case TensorMemory::kVariable:
      return "variable";
    case TensorMemory::kCustom:
      return "custom";
    case TensorMemory::kDynamic:
      return "dynamic";
    case TensorMemory::kBounded:
      return "bounded";
  }
  return "none";
}

}  // namespace arenalite
