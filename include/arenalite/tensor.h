// Tensor: what a kernel, or an application, sees of one value of a model.

#ifndef ARENALITE_TENSOR_H_
#define ARENALITE_TENSOR_H_

#include <cstdint>

#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

// Element types, numbered as in the file format.
enum class TensorType : int8_t {
  kFloat32 = 0,
  kFloat16 = 1,
  kInt32 = 2,
  kUInt8 = 3,
  kInt64 = 4,
  kString = 5,  // Packed: int32 count, int32 offsets[count + 1], bytes.
  kBool = 6,
  kInt16 = 7,
  kComplex64 = 8,
  kInt8 = 9,
  kFloat64 = 10,
  kComplex128 = 11,
  kUInt64 = 12,
  kResource = 13,
  kVariant = 14,
  kUInt32 = 15,
  kUInt16 = 16,
  kInt4 = 17,  // Two values a byte, low nibble first.
  kBFloat16 = 18,
  kInt2 = 19,   // Four values a byte, lowest bits first.
  kUInt4 = 20,  // Two values a byte, low nibble first.
  kFloat8E4M3FN = 21,
  kFloat8E5M2 = 22,
};

// "FLOAT32"; "UNKNOWN" for a number outside of the enum. Static storage.
const char* TensorTypeName(TensorType type);

// Bits of one element; 0 where elements have no fixed size (strings, variants).
int TensorTypeBits(TensorType type);

// The element's natural alignment in bytes, at least 1.
int TensorTypeAlignment(TensorType type);

constexpr int kMaxRank = 8;

// The dimensions of a tensor, outermost first; rank 0 is a scalar. Every
// dimension is >= 0: a shape of unknown extent is not a Shape.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int32_t> dims);  // At most kMaxRank of them.

  // Refuses rank > kMaxRank, negative dimensions, and element counts that
  // overflow int64 (zero dimensions hide no overflow).
  static Result<Shape> Create(Span<const int32_t> dims);

  int rank() const { return rank_; }
  int32_t dim(int i) const { return dims_[i]; }
  // Counts from the innermost: dim_from_end(0) is the last dimension.
  int32_t dim_from_end(int i) const { return dims_[rank_ - 1 - i]; }
  // Caller keeps element counts within int64; prepare functions see to that
  // by handing every computed shape to PrepareContext::SetOutputShape.
  void set_dim(int i, int32_t value) { dims_[i] = value; }
  void set_rank(int rank) { rank_ = static_cast<int8_t>(rank); }
  Span<const int32_t> dims() const {
    return Span<const int32_t>(dims_, static_cast<size_t>(rank_));
  }
  // Product of all dimensions; 1 for a scalar.
  int64_t NumElements() const { return NumElements(0, rank_); }
  // Product of dimensions [first, last).
  int64_t NumElements(int first, int last) const;

  friend bool operator==(const Shape& a, const Shape& b);
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

 private:
  int32_t dims_[kMaxRank] = {};
  int8_t rank_ = 0;
};

// Bytes of a tensor: sub-byte types are packed and rounded up. Refuses
// overflow, and types without a fixed element size.
Result<int64_t> TensorBytes(TensorType type, const Shape& shape);

// real = scale * (quantized - zero_point). One scale: per tensor. Several: one
// for each index of `quantized_dimension`. None: not quantized. The arrays
// lie in the model's memory.
struct Quantization {
  Span<const float> scales;
  Span<const int64_t> zero_points;
  int32_t quantized_dimension = 0;

  bool has_scale() const { return !scales.empty(); }
  // Of a per-tensor quantized tensor; 0 where the file gives none.
  float scale() const { return scales.empty() ? 0.0f : scales[0]; }
  int32_t zero_point() const {
    return zero_points.empty() ? 0 : static_cast<int32_t>(zero_points[0]);
  }
};

// Who owns the bytes of a tensor.
enum class TensorMemory : uint8_t {
  kNone,      // Nobody: an absent tensor, or one that needs no bytes.
  kConstant,  // The model file (or a value folded while preparing). Read-only.
  kArena,     // The planned arena; valid as long as the plan says it is live.
  kVariable,  // The persistent arena: keeps its value from Invoke to Invoke.
  kCustom,    // The application (SetCustomAllocationForTensor).
  kDynamic,   // The allocator: the shape depends on data.
  kBounded,   // The planned arena, with room for the largest value: the shape
              // depends on data, but its bytes have a maximum.
};

// "arena". Static storage.
const char* TensorMemoryName(TensorMemory memory);

// One tensor. Applications read shape, type and data; between AllocateTensors
// calls `data` does not move, unless memory is kDynamic.
struct Tensor {
  const char* name = "";  // In the model's memory.
  TensorType type = TensorType::kFloat32;
  TensorMemory memory = TensorMemory::kNone;
  Shape shape;
  int64_t bytes = 0;     // Of `data`; for strings those of the packed form.
  int64_t capacity = 0;  // For kBounded: the most that `bytes` can be.
  void* data = nullptr;
  Quantization quantization;
  // The file's sparse layout (a schema table) or null. With it `bytes` are
  // those of the stored elements. Only ops with kOpTakesSparse read it.
  const void* sparsity = nullptr;

  bool is_constant() const { return memory == TensorMemory::kConstant; }
  // The shape depends on data: it is known when its op has run.
  bool is_dynamic() const {
    return memory == TensorMemory::kDynamic || memory == TensorMemory::kBounded;
  }
  // The planned arena has its bytes.
  bool is_planned() const {
    return memory == TensorMemory::kArena || memory == TensorMemory::kBounded;
  }
  // No check of the type: kernels have checked in prepare.
  template <class T>
  T* data_as() {
    return static_cast<T*>(data);
  }
  template <class T>
  const T* data_as() const {
    return static_cast<const T*>(data);
  }
};

// The TensorType of a C++ element type; only these are defined.
template <class T>
struct TensorTypeOf;
#define ARENALITE_TENSOR_TYPE_OF_(type, value)              \
  template <>                                               \
  struct TensorTypeOf<type> {                               \
    static constexpr TensorType kValue = TensorType::value; \
  };
ARENALITE_TENSOR_TYPE_OF_(float, kFloat32)
ARENALITE_TENSOR_TYPE_OF_(double, kFloat64)
ARENALITE_TENSOR_TYPE_OF_(int8_t, kInt8)
ARENALITE_TENSOR_TYPE_OF_(uint8_t, kUInt8)
ARENALITE_TENSOR_TYPE_OF_(int16_t, kInt16)
ARENALITE_TENSOR_TYPE_OF_(uint16_t, kUInt16)
ARENALITE_TENSOR_TYPE_OF_(int32_t, kInt32)
ARENALITE_TENSOR_TYPE_OF_(uint32_t, kUInt32)
ARENALITE_TENSOR_TYPE_OF_(int64_t, kInt64)
ARENALITE_TENSOR_TYPE_OF_(uint64_t, kUInt64)
ARENALITE_TENSOR_TYPE_OF_(bool, kBool)
#undef ARENALITE_TENSOR_TYPE_OF_

}  // namespace arenalite

#endif  // ARENALITE_TENSOR_H_
