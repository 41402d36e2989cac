#include "kernels/shape_tensor.h"

#include "kernels/index_tensor.h"

namespace arenalite {

Status CheckShapeTensor(const OpContext& context, int i, const char* role) {
  const Tensor& tensor = context.input(i);
  const bool is_index =
      tensor.type == TensorType::kInt32 || tensor.type == TensorType::kInt64;
  if (is_index && tensor.shape.rank() == 1) return OkStatus();
  return InvalidModelError("input ", i, " (", role, ") is ",
                           TensorTypeName(tensor.type), " of shape ",
                           tensor.shape.dims(), ", allowed 1-D INT32 or INT64");
}

Result<Shape> ReadShape(const OpContext& context, int i, const char* role) {
  const Tensor& tensor = context.input(i);
  const int64_t rank = tensor.shape.NumElements();
  if (rank > kMaxRank) {
    return UnimplementedError("input ", i, " (", role, ") has ", rank,
                              " elements, allowed 0..", kMaxRank);
  }
  int32_t dims[kMaxRank];
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t dim = ReadInteger(tensor, d);
    if (dim < 0 || dim > INT32_MAX) {
      return InvalidModelError("element ", d, " of input ", i, " (", role,
                               ") is ", dim, ", allowed 0..", INT32_MAX);
    }
    dims[d] = static_cast<int32_t>(dim);
  }
  return Shape::Create(Span<const int32_t>(dims, static_cast<size_t>(rank)));
}

}  // namespace arenalite
